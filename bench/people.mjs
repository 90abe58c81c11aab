/**
 * The admin dashboard with 10,000 people beside the same with 100: the first page, a search, the admins. Whoever is
 * shown is the same in both, so that both answer bodies of the same length; everybody has a file and an order.
 */
import { join } from 'node:path';
import { startServer } from '../scripts/built-server.mjs';
import { demoEnvironment } from '../scripts/demo-data.mjs';
import { load, seed } from './asking.mjs';

const sizes = { many: 10_000, few: 100 };
const pages = {
	first: '/api/users?limit=12',
	search: '/api/users?limit=12&search=meera.na',
	nobody: '/api/users?limit=12&search=nobody-at-all',
	admins: '/api/users?limit=12&filter=admins',
};

/** @param {import('./rounds.mjs').Bench} bench @returns {Promise<import('./rounds.mjs').Comparison>} */
export async function preparePeople({ node, folder, program, isShort }) {
	const seconds = isShort ? 0.5 : 1.5;
	const running = {};
	for (const [name, people] of Object.entries(sizes)) {
		const env = { ...demoEnvironment(join(folder, `people-${name}`)), LOG_LEVEL: 'warn' };
		const { token } = await seed(node, 'seed-people.ts', env, String(people));
		const server = await startServer(node, env, program);
		running[name] = { server, cookie: `folio_session=${token}` };
	}
	const bodyBytes = await compareLengths(running);
	return {
		contestants: ['many', 'few'],
		rows: [
			['first page of 12 people, p50, ms', 'first', 3],
			['search that finds 12, p50, ms', 'search', 3],
			['search that finds nobody, p50, ms', 'nobody', 3],
			['the admins, p50, ms', 'admins', 3],
		],
		facts: { sizes, bodyBytes },
		note: `${sizes.many} people beside ${sizes.few}; one connection for ${seconds} s a row; bodies of ${Object.values(bodyBytes).join(', ')} bytes from both.`,
		async measure(name) {
			const { server, cookie } = running[name];
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

/** @throws Error when the two answer bodies of different lengths, or a page is not full */
async function compareLengths(running) {
	const lengths = {};
	for (const [page, path] of Object.entries(pages)) {
		for (const [name, { server, cookie }] of Object.entries(running)) {
			const response = await fetch(server.url + path, { headers: { cookie } });
			const body = await response.text();
			if (response.status !== 200) throw new Error(`${name} answers ${response.status} to ${path}.`);
			lengths[page] ??= Buffer.byteLength(body);
			if (lengths[page] !== Buffer.byteLength(body))
				throw new Error(`The bodies of ${path} differ in length:\n${body}`);
			const count = JSON.parse(body).items.length;
			const wanted = { nobody: 0, admins: 1 }[page] ?? 12;
			if (count !== wanted) throw new Error(`${name} answers ${count} people to ${path}.`);
		}
	}
	return lengths;
}
