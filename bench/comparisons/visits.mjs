/**
 * Measures the landing page, the sign-in page and the owner's visit figures of the built product during 10,000 visits a
 * minute from 2,000 addresses, compared with five visits a second. Every visit and every page must be answered.
 */
import { Agent } from 'node:http';
import { readPage, readsPerSecond, runAtRate, sendVisit, visitsPerSecond } from '../../test/support/fixtures/visits.ts';
import { median, quantile } from '../measure/rounds.mjs';
import { serveSeeded } from '../measure/seed-and-load.mjs';

const pages = { landing: '/', signIn: '/login', figures: '/api/visits-summary?days=90' };

export async function prepareVisits(bench) {
	const seconds = { full: 15, short: 3, once: 0.2 }[bench.form];
	const settings = { TRUST_PROXY: 'loopback' };
	const { seeded, server } = await serveSeeded(bench, 'visits', ['seed-orders.ts', 1], settings);
	const agent = new Agent({ keepAlive: true, maxSockets: 200 });
	return {
		contestants: ['many', 'few'],
		rows: [
			...['visit', ...Object.keys(pages)].map((name) => [`${name}, p50, ms`, name, 2]),
			...['visit', ...Object.keys(pages)].map((name) => [`${name}, p99, ms`, `${name}P99`, 2]),
		],
		note: `${Math.round(visitsPerSecond.many)} and ${visitsPerSecond.few} visits a second for ${seconds} s, ${readsPerSecond} reads of each page a second.`,
		async measure(name) {
			const times = Object.fromEntries(['visit', ...Object.keys(pages)].map((kind) => [kind, []]));
			const recordTime = async (kind, answer) => times[kind].push(requireAnswer(kind, await answer));
			await Promise.all([
				runAtRate(seconds, visitsPerSecond[name], (number) =>
					recordTime('visit', sendVisit(agent, server.url, number)),
				),
				...Object.entries(pages).map(([kind, path]) =>
					runAtRate(seconds, readsPerSecond, () =>
						recordTime(kind, readPage(agent, server.url, path, `folio_session=${seeded.token}`)),
					),
				),
			]);
			const figures = Object.entries(times).flatMap(([kind, timesMs]) => [
				[kind, median(timesMs)],
				[`${kind}P99`, quantile(timesMs, 0.99)],
			]);
			return Object.fromEntries(figures);
		},
		close: async () => {
			agent.destroy();
			await server.stop();
		},
	};
}

function requireAnswer(kind, { status, ms }) {
	if (status !== 200) throw new Error(`${kind} answers ${status}.`);
	return ms;
}
