/**
 * Compares the built product with a minimal node:http + node:sqlite server on the same data: cold start, idle memory,
 * and a page of 50 files for a signed-in member. Fails when the two servers send different bytes or have different
 * durability.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment } from '../../scripts/services/demo-data.mjs';
import { root } from '../../scripts/setup/processes.mjs';
import { describeDifference, readMemory, requireDurability, runHttpLoad, runSeed } from '../measure/seed-and-load.mjs';

const path = '/api/spaces/me/nodes?limit=50';
const connections = 10;

export async function preparePageOfFiles({ node, folder, program, form }) {
	const seconds = { full: 4, short: 2, once: 0.2 }[form];
	const idleMs = form === 'once' ? 100 : 3000;
	const contestants = {
		folio: { env: demoEnvironment(join(folder, 'folio')), program },
		baseline: {
			env: demoEnvironment(join(folder, 'baseline')),
			program: join(root, 'bench', 'baselines', 'baseline-server.mjs'),
		},
	};
	const { token, durability } = await runSeed(node, 'seed-small.ts', contestants.folio.env, 'page-of-files', '200');
	// The baseline gets a copy of the product's installation.
	await cp(join(folder, 'folio'), join(folder, 'baseline'), { recursive: true });
	const cookie = `folio_session=${token}`;
	const bodyBytes = await compareAnswers(node, contestants, cookie, durability);
	return {
		contestants: ['folio', 'baseline'],
		rows: [
			['cold start to the first /healthz, ms', 'startMs', 0],
			['memory (RSS) after 3 s idle, MB', 'idleMb', 1],
			['page of 50, requests per second', 'perSecond', 0],
			['page of 50, p50, ms', 'p50Ms', 2],
			['page of 50, p99, ms', 'p99Ms', 2],
			['memory (RSS) after the load, MB', 'loadedMb', 1],
		],
		facts: { bodyBytes, durability },
		note:
			`${connections} connections for ${seconds} s; the same ${bodyBytes} bytes from both; ` +
			`journal_mode=${durability.journal}, synchronous=${durability.synchronous} (FULL) on both.`,
		async measure(name) {
			const server = await startServer(node, contestants[name].env, contestants[name].program);
			const task = { url: server.url, path, headers: { cookie }, connections, bodyBytes };
			try {
				await sleep(idleMs);
				const idleMb = await readMemory(server.pid);
				if (form !== 'once') await runHttpLoad(node, { ...task, seconds: 1 });
				const { perSecond, p50Ms, p99Ms } = await runHttpLoad(node, { ...task, seconds });
				return { startMs: server.startMs, idleMb, perSecond, p50Ms, p99Ms, loadedMb: await readMemory(server.pid) };
			} finally {
				await server.stop();
			}
		},
		close: async () => {},
	};
}

/** Checks that both servers send the same bytes, and that on both a commit survives a power cut. */
async function compareAnswers(node, contestants, cookie, durability) {
	const bodies = {};
	for (const [name, { env, program }] of Object.entries(contestants)) {
		const server = await startServer(node, env, program);
		const response = await fetch(server.url + path, { headers: { cookie } });
		bodies[name] = await response.text();
		const anonymous = await fetch(server.url + path);
		if (response.status !== 200 || anonymous.status !== 401) throw new Error(`${name} answers ${response.status}.`);
		if (name === 'baseline') {
			const baselineDurability = await (await fetch(`${server.url}/durability`)).json();
			requireDurability({ folio: durability, baseline: baselineDurability });
		}
		await server.stop();
	}
	if (JSON.parse(bodies.folio).items.length !== 50) throw new Error('The page does not have 50 files.');
	if (bodies.folio !== bodies.baseline)
		throw new Error(`The bodies differ:\n${describeDifference(bodies.folio, bodies.baseline)}`);
	return Buffer.byteLength(bodies.folio);
}
