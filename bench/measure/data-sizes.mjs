import { join } from 'node:path';
import { startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment } from '../../scripts/services/demo-data.mjs';
import { createLengthCheck } from './body-differences.mjs';
import { runHttpLoad, runSeed } from './seed-and-load.mjs';

/** Seconds of load before the measurement, in which connections are opened and code is compiled. */
const warmUpSeconds = 0.3;

/**
 * Prepares a comparison of the product with much and with little data, each with its own installation and server. Both
 * must answer bodies of the same length to the same pages; every answer is checked before and during the measurement.
 *
 * @param {import('./rounds.mjs').Bench} bench
 * @param {object} task
 * @param {string} task.area prefix of the installations' folders; `seed-<area>.ts` fills them
 * @param {Record<string, number>} task.counts number of rows on each side; the first is compared with the second
 * @param {(side: { url: string, cookie: string, seeded: object, count: number }) => Promise<Record<string, string>>} task.findPages a page's path by its name
 * @param {(page: string) => number | undefined} task.itemsOf number of rows a page must have; undefined if not a list
 * @param {{ label: string, page: string }[]} task.rows `page` selects that page's figure, `<page>P95` its 95th
 *   percentile, `<page>Lag` its longest event-loop block in ms
 * @param {'p50Ms' | 'perSecond'} task.figure
 * @param {number} task.connections
 * @param {number} task.seconds of each measured page
 * @param {string} task.note
 * @returns {Promise<import('./rounds.mjs').Comparison>}
 * @throws Error when the sides answer differently, or a page is not full
 */
export async function prepareDataSizes({ node, folder, program, form }, task) {
	const { area, counts, findPages, itemsOf, rows, figure, connections, seconds, note } = task;
	const sides = {};
	for (const [name, count] of Object.entries(counts)) {
		const env = { ...demoEnvironment(join(folder, `${area}-${name}`)), LOG_LEVEL: 'warn' };
		const seeded = await runSeed(node, `seed-${area}.ts`, env, String(count));
		const server = await startServer(node, env, program);
		const cookie = `folio_session=${seeded.token}`;
		sides[name] = { server, cookie, pages: await findPages({ url: server.url, cookie, seeded, count }) };
	}
	const bodyBytes = await requireEqualBodies(sides, itemsOf);
	const lengths = Object.values(bodyBytes).join(', ');
	return {
		contestants: Object.keys(counts),
		rows: rows.map(({ label, page }) => [label, page, figure === 'p50Ms' ? 3 : 0]),
		facts: { counts, bodyBytes },
		note: `${note}; ${connections} connection${connections === 1 ? '' : 's'} for ${seconds} s a row; bodies of ${lengths} bytes from both.`,
		async measure(name) {
			const { server, cookie, pages } = sides[name];
			const figures = {};
			for (const [page, path] of Object.entries(pages)) {
				const request = { url: server.url, path, headers: { cookie }, connections, bodyBytes: bodyBytes[page] };
				if (form !== 'once') await runHttpLoad(node, { ...request, seconds: warmUpSeconds });
				await longestLag(server.url);
				const answer = await runHttpLoad(node, { ...request, seconds });
				figures[page] = answer[figure];
				figures[`${page}P95`] = answer.p95Ms;
				figures[`${page}Lag`] = await longestLag(server.url);
			}
			return figures;
		},
		close: async () => {
			for (const { server } of Object.values(sides)) await server.stop();
		},
	};
}

/** Sampling interval of the server's event-loop monitor (perf_hooks.monitorEventLoopDelay), included in its values. */
const lagResolutionMs = 10;

/** @returns the longest block of the server's event loop since the last call, in ms */
async function longestLag(url) {
	const metrics = await (await fetch(`${url}/metrics`)).text();
	const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/mu.exec(metrics) ?? [];
	return Math.max(0, Number(seconds) * 1000 - lagResolutionMs);
}

/** @returns a page's length in bytes by its name */
async function requireEqualBodies(sides, itemsOf) {
	const lengths = {};
	const check = createLengthCheck();
	for (const [name, { server, cookie, pages }] of Object.entries(sides)) {
		for (const [page, path] of Object.entries(pages)) {
			const response = await fetch(server.url + path, { headers: { cookie } });
			const body = await response.text();
			if (response.status !== 200) throw new Error(`${name} answers ${response.status} to ${path}.`);
			const length = JSON.parse(body).items?.length;
			if (length !== itemsOf(page)) throw new Error(`${name} answers ${length} rows to ${page}.`);
			check.require(`body of ${page}`, name, body);
			lengths[page] = Buffer.byteLength(body);
		}
	}
	return lengths;
}
