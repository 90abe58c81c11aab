import { prepareDataSizes } from '../measure/data-sizes.mjs';

const pageSize = 50;

/**
 * Compares a folder of 100,000 files with one of 1,000: the first page, the next, one in the middle, a type filter,
 * another order. A page has the same number of rows in both, of the same length.
 *
 * @param {import('../measure/rounds.mjs').Bench} bench @returns {Promise<import('../measure/rounds.mjs').Comparison>}
 */
export function prepareFiles(bench) {
	const counts = { many: bench.form === 'once' ? 2000 : 100_000, few: 1000 };
	return prepareDataSizes(bench, {
		area: 'files',
		counts,
		findPages,
		itemsOf: () => pageSize,
		rows: [
			{ label: 'first page of 50 files, p50, ms', page: 'first' },
			{ label: 'the next page, p50, ms', page: 'next' },
			{ label: 'a page in the middle, p50, ms', page: 'middle' },
			{ label: 'images alone, p50, ms', page: 'images' },
			{ label: 'the newest, p50, ms', page: 'newest' },
		],
		figure: 'p50Ms',
		connections: 1,
		seconds: { full: 3, short: 1, once: 0.1 }[bench.form],
		note: `${counts.many} files in one folder beside ${counts.few}`,
	});
}

/** Finds the pages' addresses; the middle page is reached page by page, as a user reaches it. */
async function findPages({ url, cookie, seeded, count }) {
	const list = `/api/spaces/guest/nodes?path=${seeded.path}`;
	const nextOf = async (address) => (await (await fetch(url + address, { headers: { cookie } })).json()).nextCursor;
	let middle;
	for (let passed = 0; passed < count / 2; passed += pageSize * 10)
		middle = await nextOf(`${list}&limit=${pageSize * 10}${middle === undefined ? '' : `&cursor=${middle}`}`);
	const first = `${list}&limit=${pageSize}`;
	return {
		first,
		next: `${first}&cursor=${await nextOf(first)}`,
		middle: `${first}&cursor=${middle}`,
		images: `${first}&type=images`,
		newest: `${first}&sort=date&order=desc`,
	};
}
