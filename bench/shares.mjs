/**
 * A folder 20 levels down, read by a member with 1,000 shares and by one with a single share, through the same share at
 * its top: the first page, the next one, and a search in it. Both answer the same bytes.
 */
import { join } from 'node:path';
import { startServer } from '../scripts/built-server.mjs';
import { demoEnvironment } from '../scripts/demo-data.mjs';
import { load, seed } from './asking.mjs';

const counts = { thousand: 1000, one: 1 };
const pageSize = 50;
const connections = 4;

/** @param {import('./rounds.mjs').Bench} bench @returns {Promise<import('./rounds.mjs').Comparison>} */
export async function prepareShares({ node, folder, program, isShort }) {
	const seconds = isShort ? 1 : 3;
	const running = {};
	for (const [name, count] of Object.entries(counts)) {
		const env = { ...demoEnvironment(join(folder, `shares-${name}`)), LOG_LEVEL: 'warn' };
		const { token, folderId } = await seed(node, 'seed-shares.ts', env, String(count));
		const server = await startServer(node, env, program);
		const cookie = `folio_session=${token}`;
		running[name] = { server, cookie, pages: await findPages(server.url, cookie, folderId) };
	}
	const bodyBytes = await compareBodies(running);
	return {
		contestants: ['thousand', 'one'],
		rows: [
			['first page of 50 files, requests per second', 'first', 0],
			['the next page, requests per second', 'next', 0],
			['a search in what is shared, requests per second', 'search', 0],
		],
		facts: { counts, bodyBytes },
		note: `20 levels deep; ${connections} connections for ${seconds} s a row; the same ${Object.values(bodyBytes).join(', ')} bytes from both.`,
		async measure(name) {
			const { server, cookie, pages } = running[name];
			const figures = {};
			for (const [page, path] of Object.entries(pages)) {
				const task = { url: server.url, path, cookie, connections, bodyBytes: bodyBytes[page] };
				await load(node, { ...task, seconds: 0.3 });
				figures[page] = (await load(node, { ...task, seconds })).perSecond;
			}
			return figures;
		},
		close: async () => {
			for (const { server } of Object.values(running)) await server.stop();
		},
	};
}

async function findPages(url, cookie, folderId) {
	const first = `/api/shared/${folderId}/nodes?limit=${pageSize}`;
	const { nextCursor } = await (await fetch(url + first, { headers: { cookie } })).json();
	return { first, next: `${first}&cursor=${nextCursor}`, search: `${first}&search=file-01` };
}

/** @throws Error when the two do not answer the same, or a page is not full */
async function compareBodies(running) {
	const lengths = {};
	const bodies = {};
	for (const [name, { server, cookie, pages }] of Object.entries(running)) {
		for (const [page, path] of Object.entries(pages)) {
			const response = await fetch(server.url + path, { headers: { cookie } });
			const body = await response.text();
			if (response.status !== 200) throw new Error(`${name} answers ${response.status} to ${path}.`);
			if (JSON.parse(body).items.length !== pageSize) throw new Error(`${name}: the page ${page} is not full.`);
			bodies[page] ??= body;
			if (bodies[page] !== body) throw new Error(`The bodies of ${page} differ.`);
			lengths[page] = Buffer.byteLength(body);
		}
	}
	return lengths;
}
