/**
 * `npm run bench`: the built product beside a bare node:http + node:sqlite server on the same data: cold start and
 * idle memory, and an authorised page of 50 files. Medians of five alternating rounds; `-- --short` runs one. Prints a
 * table and writes it to bench/results. Nothing here passes or fails by speed; it fails when the two do not answer the
 * same bytes or do not promise the same durability.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { copyBuild, startServer } from './built-server.mjs';
import { demoEnvironment } from './demo-data.mjs';
import { build } from './dist.mjs';
import { capture, endTogether, root } from './processes.mjs';
import { prepare } from './setup.mjs';

const page = '/api/spaces/me/nodes?limit=50';
const idleMs = 3000;
const connections = 10;
const rows = [
	['cold start to the first /healthz, ms', 'startMs', 0],
	['memory (RSS) after 3 s idle, MB', 'idleMb', 1],
	['page of 50, requests per second', 'perSecond', 0],
	['page of 50, p50, ms', 'p50Ms', 2],
	['page of 50, p99, ms', 'p99Ms', 2],
	['memory (RSS) after the load, MB', 'loadedMb', 1],
];

const node = await prepare(import.meta.url);
const { values: asked } = parseArgs({ options: { short: { type: 'boolean' } } });
const rounds = asked.short ? 1 : 5;
const seconds = asked.short ? 2 : 4;
endTogether();
await build(node);
const folder = await mkdtemp(join(tmpdir(), 'folio-bench-'));
const built = await copyBuild();
try {
	const { token, durability } = await seed();
	const cookie = `folio_session=${token}`;
	const contestants = {
		folio: { env: environmentOf('folio'), program: built.program },
		bare: { env: environmentOf('bare'), program: join(root, 'bench', 'bare-server.mjs') },
	};
	const bodyBytes = await compareAnswers(contestants, cookie, durability);
	const measured = { folio: [], bare: [] };
	for (let round = 0; round < rounds; round += 1) {
		// Whoever goes first finds the machine in another state: they take turns at that too.
		const order = round % 2 === 0 ? ['folio', 'bare'] : ['bare', 'folio'];
		for (const name of order) measured[name].push(await measure(contestants[name], cookie, bodyBytes));
		console.error(`Round ${round + 1} of ${rounds} done.`);
	}
	await report(measured, { bodyBytes, durability });
} finally {
	await built.remove();
	await rm(folder, { recursive: true, force: true });
}
process.exit(0);

function environmentOf(name) {
	return demoEnvironment(join(folder, name));
}

/** One installation, and a copy of it for the other. */
async function seed() {
	const { code, output } = await capture(node, [join(root, 'bench', 'seed.ts')], { env: environmentOf('folio') });
	if (code !== 0) throw new Error(`The bench's data could not be made.\n${output}`);
	await cp(join(folder, 'folio'), join(folder, 'bare'), { recursive: true });
	return JSON.parse(output.trim().split('\n').at(-1));
}

/** Both must answer the same bytes, and both keep a commit through a power cut: WAL with synchronous=FULL (2). */
async function compareAnswers(contestants, cookie, durability) {
	const bodies = {};
	for (const [name, { env, program }] of Object.entries(contestants)) {
		const server = await startServer(node, env, program);
		const response = await fetch(server.url + page, { headers: { cookie } });
		bodies[name] = await response.text();
		const stranger = await fetch(server.url + page);
		if (response.status !== 200 || stranger.status !== 401) throw new Error(`${name} answers ${response.status}.`);
		if (name === 'bare') {
			const own = await (await fetch(`${server.url}/durability`)).json();
			for (const told of [own, durability]) {
				const isSafe = told.journal === 'wal' && told.synchronous === 2;
				if (!isSafe) throw new Error(`The durability differs: ${JSON.stringify({ folio: durability, bare: own })}`);
			}
		}
		await server.stop();
	}
	if (JSON.parse(bodies.folio).items.length !== 50) throw new Error('The page does not hold 50 files.');
	if (bodies.folio !== bodies.bare) throw new Error(`The bodies differ:\n${bodies.folio}\n${bodies.bare}`);
	return Buffer.byteLength(bodies.folio);
}

async function measure({ env, program }, cookie, bodyBytes) {
	const server = await startServer(node, env, program);
	try {
		await sleep(idleMs);
		const idleMb = await readMemory(server.pid);
		await load(server.url, cookie, 1);
		const { perSecond, p50Ms, p99Ms, bodyBytes: seen } = await load(server.url, cookie, seconds);
		if (seen.length !== 1 || seen[0] !== bodyBytes) throw new Error(`Bodies of ${seen} bytes, not ${bodyBytes}.`);
		return { startMs: server.startMs, idleMb, perSecond, p50Ms, p99Ms, loadedMb: await readMemory(server.pid) };
	} finally {
		await server.stop();
	}
}

async function load(url, cookie, forSeconds) {
	const { hostname: host, port } = new URL(url);
	const task = { host, port: Number(port), path: page, cookie, connections, seconds: forSeconds };
	const { code, output } = await capture(node, [join(root, 'bench', 'load.mjs'), JSON.stringify(task)]);
	if (code !== 0) throw new Error(`The load failed.\n${output}`);
	return JSON.parse(output);
}

/** Resident memory of a process in megabytes, as `ps` tells it. */
async function readMemory(pid) {
	const { code, output } = await capture('ps', ['-o', 'rss=', '-p', String(pid)]);
	if (code !== 0) throw new Error(`ps does not tell the memory of process ${pid}.`);
	return Number(output.trim()) / 1024;
}

async function report(measured, facts) {
	const medians = Object.fromEntries(
		Object.entries(measured).map(([name, runs]) => [
			name,
			Object.fromEntries(rows.map(([, key]) => [key, median(runs.map((run) => run[key]))])),
		]),
	);
	const line = (cells) => cells.map((cell, index) => (index === 0 ? cell.padEnd(38) : cell.padStart(12))).join('');
	console.log(line(['', 'folio', 'bare', 'folio/bare']));
	for (const [label, key, digits] of rows) {
		const { folio, bare } = { folio: medians.folio[key], bare: medians.bare[key] };
		console.log(line([label, folio.toFixed(digits), bare.toFixed(digits), (folio / bare).toFixed(2)]));
	}
	const { bodyBytes, durability } = facts;
	console.log(
		`Medians of ${rounds} rounds, ${connections} connections for ${seconds} s; the same ${bodyBytes} bytes from both; ` +
			`journal_mode=${durability.journal}, synchronous=${durability.synchronous} (FULL) on both.`,
	);
	const results = join(root, 'bench', 'results');
	await mkdir(results, { recursive: true });
	const at = new Date().toISOString();
	const machine = { node: process.version, cores: availableParallelism(), cpu: cpus()[0]?.model ?? 'unknown' };
	const file = join(results, `${at.replaceAll(':', '-')}.json`);
	await writeFile(file, `${JSON.stringify({ at, machine, rounds, ...facts, medians, measured }, null, '\t')}\n`);
	console.log(`Written to ${file}`);
}

function median(values) {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
