/**
 * The landing page, the sign-in page and the owner's figures of the built product while 10,000 visits a minute come in
 * from 2,000 addresses, beside the same server with five visits a second. Every visit and every page must be answered.
 */
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../scripts/built-server.mjs';
import { demoEnvironment } from '../scripts/demo-data.mjs';
import { seed } from './asking.mjs';
import { median } from './rounds.mjs';

const visitsPerSecond = { many: 10_000 / 60, few: 5 };
const readsPerSecond = 20;
const addresses = 2000;
const pages = { landing: '/', signIn: '/login', figures: '/api/visits-summary?days=90' };
const userAgent =
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

/** @param {import('./rounds.mjs').Bench} bench @returns {Promise<import('./rounds.mjs').Comparison>} */
export async function prepareVisits({ node, folder, program, form }) {
	const seconds = { full: 15, short: 3, once: 0.2 }[form];
	const env = { ...demoEnvironment(join(folder, 'visits')), LOG_LEVEL: 'warn', TRUST_PROXY: 'loopback' };
	const { token } = await seed(node, 'seed-orders.ts', env, '1');
	const server = await startServer(node, env, program);
	const agent = new Agent({ keepAlive: true, maxSockets: 200 });
	return {
		contestants: ['many', 'few'],
		rows: [
			...['visit', ...Object.keys(pages)].map((name) => [`${name}, p50, ms`, name, 2]),
			...['visit', ...Object.keys(pages)].map((name) => [`${name}, p99, ms`, `${name}P99`, 2]),
		],
		facts: { visitsPerSecond, readsPerSecond, addresses },
		note: `${Math.round(visitsPerSecond.many)} and ${visitsPerSecond.few} visits a second for ${seconds} s, ${readsPerSecond} reads of each page a second.`,
		async measure(name) {
			const times = Object.fromEntries(['visit', ...Object.keys(pages)].map((kind) => [kind, []]));
			const ask = async (kind, path, more) => times[kind].push(await timed(agent, server.url, path, more));
			await Promise.all([
				pace(seconds, visitsPerSecond[name], (number) => ask('visit', '/api/visits', { visitor: number })),
				...Object.entries(pages).map(([kind, path]) =>
					pace(seconds, readsPerSecond, () => ask(kind, path, { cookie: `folio_session=${token}` })),
				),
			]);
			const figures = Object.entries(times).flatMap(([kind, each]) => [
				[kind, median(each)],
				[`${kind}P99`, each.toSorted((a, b) => a - b)[Math.ceil(each.length * 0.99) - 1]],
			]);
			return Object.fromEntries(figures);
		},
		close: async () => {
			agent.destroy();
			await server.stop();
		},
	};
}

/** Begins one after the other at an even rate, however long each takes. */
async function pace(seconds, perSecond, begin) {
	const startedAt = performance.now();
	const all = [];
	for (let number = 0; number < Math.round(seconds * perSecond); number += 1) {
		const early = startedAt + (number / perSecond) * 1000 - performance.now();
		if (early > 0) await sleep(early);
		all.push(begin(number));
	}
	await Promise.all(all);
}

/** @returns milliseconds until the whole answer was there; @throws Error unless it is 200 */
function timed(agent, url, path, { visitor, cookie }) {
	const body =
		visitor === undefined ? undefined : JSON.stringify({ event: 'visit', page: '/', referrer: 'https://a.example' });
	const number = (visitor ?? 0) % addresses;
	const headers = {
		'user-agent': userAgent,
		'x-forwarded-for': `10.${20 + (number % 8)}.${number >> 8}.${number & 255}`,
		...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(body.length) }),
		...(cookie !== undefined && { cookie }),
	};
	const startedAt = performance.now();
	return new Promise((resolve, reject) => {
		const asking = request(url + path, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (response) => {
			response.resume();
			response.once('error', reject);
			response.once('end', () => {
				if (response.statusCode === 200) resolve(performance.now() - startedAt);
				else reject(new Error(`${path} answers ${response.statusCode}.`));
			});
		});
		asking.once('error', reject);
		asking.end(body);
	});
}
