/**
 * Compares the built product with a minimal node:http server on the same data, with node:sqlite and with PostgreSQL:
 * cold start, idle memory, and a page of 50 of 10,000 files for a signed-in member. Fails when the two servers send
 * different bytes or have different durability.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment } from '../../scripts/services/demo-data.mjs';
import { root } from '../../scripts/setup/processes.mjs';
import { readCpuMs } from '../measure/event-stream-process.mjs';
import {
	describeDifference,
	readMemory,
	requireDurability,
	runHttpLoad,
	runSeed,
	seedForBaseline,
	startSyncedPostgres,
} from '../measure/seed-and-load.mjs';

const path = '/api/spaces/me/nodes?limit=50';
const connections = 10;
const seedOf = (form) => ['page-of-files', form === 'once' ? 200 : 10_000];

export async function preparePageOfFiles(bench) {
	const { seeded, env } = await seedForBaseline(bench, 'page-of-files', seedOf(bench.form));
	const { durability } = seeded;
	return comparePages(bench, {
		...{ token: seeded.token, env, baseline: 'baseline-server.mjs' },
		requireDurability: (baseline) => requireDurability(durability, baseline.url),
		durability: `journal_mode=${durability.journal}, synchronous=${durability.synchronous} (FULL) on both`,
		close: async () => {},
	});
}

/** Both servers use one database, because neither changes it. */
export async function preparePageOfFilesOnPostgres(bench) {
	const { node, folder, form } = bench;
	const postgres = await startSyncedPostgres('page_of_files');
	const env = { ...demoEnvironment(join(folder, 'page-of-files-postgres')), DATABASE_URL: postgres.url };
	const { token } = await runSeed(node, 'seed-small.ts', env, ...seedOf(form).map(String));
	return comparePages(bench, {
		...{ token, env: { folio: env, baseline: env }, baseline: 'postgres-server.mjs' },
		requireDurability: async () => {},
		durability: 'one PostgreSQL for both, fsync=on, synchronous_commit=on',
		close: () => postgres.stop(),
	});
}

/** @param data token of the member, environments of the servers, file of the baseline, its check of the durability */
async function comparePages({ node, program, form }, data) {
	const seconds = { full: 4, short: 2, once: 0.2 }[form];
	const idleMs = form === 'once' ? 100 : 3000;
	const programs = { folio: program, baseline: join(root, 'bench', 'baselines', data.baseline) };
	const start = (name) => startServer(node, data.env[name], programs[name]);
	const cookie = `folio_session=${data.token}`;
	const bodyBytes = await compareAnswers(start, cookie, data.requireDurability);
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
			`${connections} connections for ${seconds} s; the same ${bodyBytes} bytes from both; ` + `${data.durability}.`,
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
		close: data.close,
	};
}

/** Checks that both servers send the same bytes, and that on both a commit survives a power cut. */
async function compareAnswers(start, cookie, checkDurability) {
	const bodies = {};
	for (const name of ['folio', 'baseline']) {
		await using server = await start(name);
		const response = await fetch(server.url + path, { headers: { cookie } });
		bodies[name] = await response.text();
		const anonymous = await fetch(server.url + path);
		if (response.status !== 200 || anonymous.status !== 401) throw new Error(`${name} answers ${response.status}.`);
		if (name === 'baseline') await checkDurability(server);
	}
	if (JSON.parse(bodies.folio).items.length !== 50) throw new Error('The page does not have 50 files.');
	if (bodies.folio !== bodies.baseline)
		throw new Error(`The bodies differ:\n${describeDifference(bodies.folio, bodies.baseline)}`);
	return Buffer.byteLength(bodies.folio);
}
