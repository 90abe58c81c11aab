/**
 * A folder of 100,000 files beside one of 1,000: the first page, the next, one in the middle, a type filter, another
 * order. A page holds the same number of rows in both, of the same length.
 */
import { join } from 'node:path';
import { startServer } from '../scripts/built-server.mjs';
import { demoEnvironment } from '../scripts/demo-data.mjs';
import { load, seed } from './asking.mjs';

const sizes = { many: 100_000, few: 1000 };
const pageSize = 50;

/** @param {import('./rounds.mjs').Bench} bench @returns {Promise<import('./rounds.mjs').Comparison>} */
export async function prepareFiles({ node, folder, program, isShort }) {
	const seconds = isShort ? 1 : 3;
	const running = {};
	for (const [name, files] of Object.entries(sizes)) {
		const env = { ...demoEnvironment(join(folder, `files-${name}`)), LOG_LEVEL: 'warn' };
		const { token, path } = await seed(node, 'seed-files.ts', env, String(files));
		const server = await startServer(node, env, program);
		const cookie = `folio_session=${token}`;
		running[name] = { server, cookie, pages: await findPages(server.url, cookie, path, files) };
	}
	const bodyBytes = await compareLengths(running);
	return {
		contestants: ['many', 'few'],
		rows: [
			['first page of 50 files, p50, ms', 'first', 3],
			['the next page, p50, ms', 'next', 3],
			['a page in the middle, p50, ms', 'middle', 3],
			['images alone, p50, ms', 'images', 3],
			['the newest, p50, ms', 'newest', 3],
		],
		facts: { sizes, bodyBytes },
		note: `${sizes.many} files in one folder beside ${sizes.few}; one connection for ${seconds} s a row; bodies of ${Object.values(bodyBytes).join(', ')} bytes from both.`,
		async measure(name) {
			const { server, cookie, pages } = running[name];
			const figures = {};
			for (const [page, path] of Object.entries(pages)) {
				const task = { url: server.url, path, cookie, connections: 1, bodyBytes: bodyBytes[page] };
				await load(node, { ...task, seconds: 0.3 });
				figures[page] = (await load(node, { ...task, seconds })).p50Ms;
			}
			return figures;
		},
		close: async () => {
			for (const { server } of Object.values(running)) await server.stop();
		},
	};
}

/** Addresses of the pages; the one in the middle is reached as a reader reaches it, page after page. */
async function findPages(url, cookie, path, files) {
	const list = `/api/spaces/guest/nodes?path=${path}`;
	const nextOf = async (address) => (await (await fetch(url + address, { headers: { cookie } })).json()).nextCursor;
	let middle;
	for (let passed = 0; passed < files / 2; passed += pageSize * 10)
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

/** @throws Error when the two answer bodies of different lengths, or a page is not full */
async function compareLengths(running) {
	const lengths = {};
	for (const [name, { server, cookie, pages }] of Object.entries(running)) {
		for (const [page, path] of Object.entries(pages)) {
			const response = await fetch(server.url + path, { headers: { cookie } });
			const body = await response.text();
			if (response.status !== 200) throw new Error(`${name} answers ${response.status} to ${path}.`);
			if (JSON.parse(body).items.length !== pageSize) throw new Error(`${name}: the page ${page} is not full.`);
			lengths[page] ??= Buffer.byteLength(body);
			if (lengths[page] !== Buffer.byteLength(body))
				throw new Error(`The bodies of ${page} differ in length: ${lengths[page]}, ${Buffer.byteLength(body)}.`);
		}
	}
	return lengths;
}
