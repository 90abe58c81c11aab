import { prepareDataSizes } from '../measure/data-sizes.mjs';

const counts = { thousand: 1000, one: 1 };
const pageSize = 50;

/**
 * Compares a member with 1,000 shares and one with a single share, who both list a folder 20 levels deep through the
 * same share at the top: the first page, the next one, and a search. Both get the same bytes.
 *
 * @param {import('../measure/rounds.mjs').Bench} bench @returns {Promise<import('../measure/rounds.mjs').Comparison>}
 */
export function prepareShares(bench) {
	return prepareDataSizes(bench, {
		area: 'shares',
		counts,
		findPages,
		itemsOf: () => pageSize,
		rows: [
			{ label: 'first page of 50 files, requests per second', page: 'first' },
			{ label: 'the next page, requests per second', page: 'next' },
			{ label: 'a search in what is shared, requests per second', page: 'search' },
		],
		figure: 'perSecond',
		connections: 4,
		seconds: { full: 3, short: 1, once: 0.1 }[bench.form],
		note: '20 levels deep',
	});
}

async function findPages({ url, cookie, seeded }) {
	const first = `/api/shared/${seeded.folderId}/nodes?limit=${pageSize}`;
	const { nextCursor } = await (await fetch(url + first, { headers: { cookie } })).json();
	return { first, next: `${first}&cursor=${nextCursor}`, search: `${first}&search=file-01` };
}
