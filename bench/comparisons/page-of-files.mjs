/**
 * Compares the built product with a minimal node:http server on the same data: cold start, idle memory, and a page of 50
 * of 10,000 files for a signed-in member. Fails when the two servers send different bytes or have different durability.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../scripts/services/built-server.mjs';
import { root } from '../../scripts/setup/processes.mjs';
import { readCpuMs } from '../measure/event-stream-process.mjs';
import {
	describeDifference,
	describeStore,
	readMemory,
	requireDurability,
	runHttpLoad,
	seedForBaseline,
} from '../measure/seed-and-load.mjs';

const path = '/api/spaces/me/nodes?limit=50';
const connections = 10;

export async function preparePageOfFiles(bench) {
	const { node, program, form } = bench;
	const seconds = { full: 4, short: 2, once: 0.2 }[form];
	const idleMs = form === 'once' ? 100 : 3000;
	const count = form === 'once' ? 200 : 10_000;
	const { seeded, env } = await seedForBaseline(bench, 'page-of-files', ['page-of-files', count]);
	const programs = { folio: program, baseline: join(root, 'bench', 'baselines', 'baseline-server.mjs') };
	const start = (name) => startServer(node, env[name], programs[name]);
	const cookie = `folio_session=${seeded.token}`;
	const bodyBytes = await compareAnswers(start, cookie, seeded.durability);
	return {
		contestants: ['folio', 'baseline'],
		rows: [
			['cold start to the first /healthz, ms', 'startMs', 0],
			['memory (RSS) after 3 s idle, MB', 'idleMb', 1],
			['page of 50, requests per second', 'perSecond', 0],
			['page of 50, p50, ms', 'p50Ms', 2],
			['page of 50, p99, ms', 'p99Ms', 2],
			['page of 50, processor time, ms', 'cpuMs', 3],
			['memory (RSS) after the load, MB', 'loadedMb', 1],
		],
		note:
			`${connections} connections for ${seconds} s; the same ${bodyBytes} bytes from both; ` +
			`${describeStore(bench, seeded.durability)}.`,
		async measure(name) {
			await using server = await start(name);
			const task = { url: server.url, path, headers: { cookie }, connections, bodyBytes };
			await sleep(idleMs);
			const idleMb = await readMemory(server.pid);
			if (form !== 'once') await runHttpLoad(node, { ...task, seconds: 1 });
			const cpuBeforeMs = await readCpuMs(server.pid);
			const { requests, perSecond, p50Ms, p99Ms } = await runHttpLoad(node, { ...task, seconds });
			const cpuMs = ((await readCpuMs(server.pid)) - cpuBeforeMs) / requests;
			const loadedMb = await readMemory(server.pid);
			return { startMs: server.startMs, idleMb, perSecond, p50Ms, p99Ms, cpuMs, loadedMb };
		},
		close: async () => {},
	};
}

/** Checks that both servers send the same bytes, and that on both a commit survives a power cut. */
async function compareAnswers(start, cookie, durability) {
	const bodies = {};
	for (const name of ['folio', 'baseline']) {
		await using server = await start(name);
		const response = await fetch(server.url + path, { headers: { cookie } });
		bodies[name] = await response.text();
		const anonymous = await fetch(server.url + path);
		if (response.status !== 200 || anonymous.status !== 401) throw new Error(`${name} answers ${response.status}.`);
		if (name === 'baseline') await requireDurability(durability, server.url);
	}
	if (JSON.parse(bodies.folio).items.length !== 50) throw new Error('The page does not have 50 files.');
	if (bodies.folio !== bodies.baseline)
		throw new Error(`The bodies differ:\n${describeDifference(bodies.folio, bodies.baseline)}`);
	return Buffer.byteLength(bodies.folio);
}
