import { join } from 'node:path';
import { startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment } from '../../scripts/services/demo-data.mjs';
import { createLengthCheck } from './body-differences.mjs';
import { runHttpLoad, runSeed } from './seed-and-load.mjs';

/** Seconds of load that are not counted: connections stand and code is compiled by then. */
const warmUpSeconds = 0.3;

/**
 * The same product with much and with little data, an installation and a server each: the sides of a comparison. Both
 * answer bodies of the same length to the same pages; every answer is checked before and while it is measured.
 *
 * @param {import('./rounds.mjs').Bench} bench
 * @param {object} task
 * @param {string} task.area names the installations' folders and, as `seed-<area>.ts`, what fills them
 * @param {Record<string, number>} task.counts how much each side holds; the first is measured against the second
 * @param {(side: { url: string, cookie: string, seeded: object, count: number }) => Promise<Record<string, string>>} task.findPages a page's path by its name
 * @param {(page: string) => number | undefined} task.itemsOf how many rows a page must hold; undefined for one that is no list
 * @param {{ label: string, page: string }[]} task.rows of a page the chosen figure; of `<page>P95` its 95th percentile, of `<page>Lag` how long it held up the event loop at most, in ms
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

/** Between two looks of the server at its event loop (perf_hooks.monitorEventLoopDelay), which are part of what it tells. */
const lagResolutionMs = 10;

/** @returns how long the server's event loop was held up at most since it was last asked, in ms */
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
