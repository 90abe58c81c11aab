import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment } from '../../scripts/services/demo-data.mjs';
import { bucketEnvironment, createBucket, startSwift } from '../../scripts/services/swift.mjs';
import { capture, root } from '../../scripts/setup/processes.mjs';
import { createDatabase, startPostgres } from '../../test/support/services/postgres-server.ts';

/** Node's compile cache, which halves the time in which the seeding scripts load all sources of the server. */
const compileCache = join(root, '.stamp', 'compile-cache');

/** Runs a seeding script on the installation that `env` names. @returns its last output line, parsed as JSON */
export async function runSeed(node, script, env, ...args) {
	const { code, output } = await capture(node, [join(root, 'bench', 'seeds', script), ...args], {
		env: { ...env, NODE_COMPILE_CACHE: compileCache },
	});
	if (code !== 0) throw new Error(`The data of the benchmark could not be created.\n${output}`);
	return JSON.parse(output.trim().split('\n').at(-1));
}

/** Creates an installation of this name, fills it with a seeding script and its arguments, and serves it. */
export async function serveSeeded({ node, folder, program }, name, [script, ...args], settings = {}) {
	const env = { ...demoEnvironment(join(folder, name)), LOG_LEVEL: 'warn', ...settings };
	const seeded = await runSeed(node, script, env, ...args.map(String));
	return { seeded, server: await startServer(node, env, program) };
}

/**
 * Fills an installation with seed-small.ts and copies its folder for the baseline, which runs with Node's own settings of
 * the heap. On a service, both use the same database or bucket. @returns also the servers' environments
 */
export async function seedForBaseline({ node, folder, service }, name, args, settings = {}) {
	const onService = { ...(await createServiceSettings(service)), ...settings };
	const path = join(folder, [name, service].filter(Boolean).join('-'));
	const [folio, baseline] = ['folio', 'baseline'].map((side) => demoEnvironment(`${path}-${side}`));
	const seeded = await runSeed(node, 'seed-small.ts', { ...folio, ...onService }, ...args.map(String));
	await cp(folio.DATA_DIR, baseline.DATA_DIR, { recursive: true });
	return {
		seeded,
		env: { folio: { ...folio, ...onService }, baseline: { ...baseline, NODE_OPTIONS: '', ...onService } },
	};
}

/** Describes where the data of a comparison is and how durable it is, for its note. */
export function describeStore({ service }, durability) {
	const settings = Object.entries(durability).map(([name, value]) => `${name}=${value}`);
	const names = { postgres: 'PostgreSQL and a disk', s3: 'SQLite and an S3 store' };
	return `${names[service] ?? 'SQLite and a disk'}, ${settings.join(', ')} on both`;
}

export async function stopAll(servers) {
	for (const server of Object.values(servers)) await server.stop();
}

const starters = { postgres: () => startPostgres({ isDurable: true }), s3: startSwift };
const started = {};

/**
 * Returns the settings of an installation with an empty database on PostgreSQL (`postgres`), or an empty bucket in an S3
 * store (`s3`); without a service there are none. Starts each service once for all comparisons.
 */
export async function createServiceSettings(service) {
	if (service === undefined) return {};
	started[service] ??= await starters[service]();
	if (service === 's3') return bucketEnvironment(await createBucket(started.s3.settings));
	return { DATABASE_URL: (await createDatabase(started.postgres.urlOf('postgres'))).url };
}

export async function stopServices() {
	for (const service of Object.values(started)) await service.stop();
}

/**
 * Checks that on both sides a commit survives a power cut: on SQLite WAL with synchronous=FULL (2), on PostgreSQL fsync
 * and synchronous_commit. @throws Error
 */
export async function requireDurability(folio, baselineUrl) {
	const durabilities = { folio, baseline: await (await fetch(`${baselineUrl}/durability`)).json() };
	const isSafe = ({ journal, synchronous, fsync, synchronousCommit }) =>
		(journal === 'wal' && synchronous === 2) || (fsync === 'on' && synchronousCommit === 'on');
	if (!Object.values(durabilities).every(isSafe))
		throw new Error(`Not every side keeps a commit through a power cut: ${JSON.stringify(durabilities)}`);
}

/** Creates a check that bodies of one kind have the same length on both sides. Its error shows the differing fields. */
export function createLengthCheck() {
	const known = new Map();
	return {
		require(what, side, body) {
			const first = known.get(what) ?? { side, body };
			known.set(what, first);
			const [bytes, expectedBytes] = [Buffer.byteLength(body), Buffer.byteLength(first.body)];
			if (bytes === expectedBytes) return;
			const message = `The ${what} has ${bytes} bytes in ${side}, ${expectedBytes} in ${first.side}`;
			throw new Error(`${message}:\n${describeDifference(body, first.body)}`);
		},
	};
}

export function describeDifference(one, other) {
	try {
		assert.deepEqual(JSON.parse(one), JSON.parse(other));
		return 'The fields are in another order.';
	} catch (error) {
		return error.message;
	}
}

/** Requests one page again and again for `seconds`. @throws Error when an answer's length is not `bodyBytes` */
export async function runHttpLoad(node, { url, path, headers, connections, seconds, bodyBytes }) {
	const { hostname: host, port } = new URL(url);
	const task = { host, port: Number(port), path, headers, connections, seconds };
	const { code, output } = await capture(node, [join(root, 'bench', 'measure', 'http-load.mjs'), JSON.stringify(task)]);
	if (code !== 0) throw new Error(`The load failed.\n${output}`);
	const answer = JSON.parse(output);
	const isSame = answer.bodyBytes.length === 1 && answer.bodyBytes[0] === bodyBytes;
	if (!isSame) throw new Error(`Bodies of ${answer.bodyBytes} bytes, not ${bodyBytes}.`);
	return answer;
}

export async function readMemory(pid) {
	const { code, output } = await capture('ps', ['-o', 'rss=', '-p', String(pid)]);
	if (code !== 0) throw new Error(`ps does not show the memory of process ${pid}.`);
	return Number(output.trim()) / 1024;
}
