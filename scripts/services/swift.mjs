/**
 * The S3 store of the tests: OpenStack Swift with its s3api, from Debian's package python3-swift, in its own folder, on
 * free ports of the loopback address. `node scripts/services/swift.mjs` starts one with a bucket, prints the settings
 * for Folio, and runs until it is ended.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess, onEnd, removeLeftovers, root } from '../setup/processes.mjs';
import { installAsRoot } from './debian-packages.mjs';
import { freePort } from './free-port.mjs';
import { fastTemporaryFolder, memoryDisk } from './memory-disk.mjs';

const folderPrefix = 'folio-swift-';
const startTimeoutMs = 60_000;
const wantedBytes = 3 * 2 ** 30;
const python = '/usr/bin/python3';
const installCommand = 'apt-get update && apt-get install -y --no-install-recommends python3-swift';

/** @typedef {{ endpoint: string, region: string, accessKeyId: string, secretAccessKey: string }} StoreSettings */

/**
 * Starts a store that only this process uses. Installs Swift first if it is missing and this process is root and has
 * apt.
 * @returns {Promise<{ settings: StoreSettings, stop(): Promise<void> } & AsyncDisposable>} `stop` ends the servers and removes their data
 * @throws {Error} when it cannot be installed or does not start
 */
export async function startSwift() {
	await requireSwift();
	await sweepLeftovers();
	const folder = await mkdtemp(join(fastTemporaryFolder(wantedBytes), `${folderPrefix}${process.pid}-`));
	try {
		return await startIn(folder);
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw new Error(`The S3 store for the tests (OpenStack Swift) did not start: ${error.message}`, { cause: error });
	}
}

/** @throws {Error} with the installation command when Swift is missing */
export async function requireSwift() {
	if (isInstalled()) return;
	if (await installAsRoot('No OpenStack Swift found', installCommand, isInstalled)) return;
	throw new Error(
		`The tests on S3 need OpenStack Swift (Debian's python3-swift), and it was not found. Install it: ${installCommand}`,
	);
}

function isInstalled() {
	return existsSync(python) && spawnSync(python, ['-c', 'import swift.proxy']).status === 0;
}

async function startIn(folder) {
	const ports = new Set();
	while (ports.size < 4) ports.add(await freePort());
	const [proxyPort] = ports;
	const accessKeyId = 'folio:tests';
	const secretAccessKey = randomBytes(12).toString('hex');
	const log = openSync(join(folder, 'log'), 'a');
	const server = spawn(
		python,
		[
			join(root, 'scripts', 'services', 'swift-store.py'),
			folder,
			accessKeyId,
			secretAccessKey,
			...[...ports].map(String),
		],
		{ stdio: ['ignore', log, log] },
	);
	await writeFile(join(folder, 'pid'), String(server.pid));
	const kill = () => server.kill('SIGTERM');
	process.once('exit', kill);
	const settings = { endpoint: `http://127.0.0.1:${proxyPort}`, region: 'us-east-1', accessKeyId, secretAccessKey };
	try {
		await untilReady(server, folder, () => createBucket(settings, 'ready'));
	} catch (error) {
		kill();
		throw error;
	}
	const stop = async () => {
		process.off('exit', kill);
		await endProcess(server);
		await rm(folder, { recursive: true, force: true });
	};
	return { settings, stop, [Symbol.asyncDispose]: stop };
}

async function untilReady(server, folder, work) {
	const readLog = async () => (await readFile(join(folder, 'log'), 'utf8')).slice(-4000);
	for (const startedAt = performance.now(); performance.now() - startedAt < startTimeoutMs; await sleep(100)) {
		if (server.exitCode !== null || server.signalCode !== null) throw new Error(`it ended. ${await readLog()}`);
		try {
			return await work();
		} catch {
			// The servers are not ready yet.
		}
	}
	throw new Error(`it was not ready after ${startTimeoutMs / 1000} s. ${await readLog()}`);
}

/** Removes the folders of killed runs, and ends their servers if the system has not ended them. */
async function sweepLeftovers() {
	const readPid = (folder) => readFile(join(folder, 'pid'), 'utf8');
	for (const parent of new Set([memoryDisk, tmpdir()])) await removeLeftovers(parent, folderPrefix, readPid, 'SIGTERM');
}

/** Creates an empty bucket, which is deleted together with its store. @param {StoreSettings} store */
export async function createBucket(store, bucket = `test-${randomUUID()}`) {
	// Imported late, because a caller of `requireSwift` may not have this package yet.
	const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
	const { endpoint, region, ...credentials } = store;
	const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
	try {
		await client.send(new CreateBucketCommand({ Bucket: bucket }));
	} finally {
		client.destroy();
	}
	return { ...store, bucket };
}

/** Returns the environment variables of an app that stores its files in this bucket. */
export function bucketEnvironment({ endpoint, region, bucket, accessKeyId, secretAccessKey }) {
	return {
		S3_ENDPOINT: endpoint,
		S3_REGION: region,
		S3_BUCKET: bucket,
		S3_ACCESS_KEY_ID: accessKeyId,
		S3_SECRET_ACCESS_KEY: secretAccessKey,
	};
}

async function main() {
	const { settings, stop } = await startSwift();
	const variables = bucketEnvironment(await createBucket(settings, 'folio'));
	for (const [name, value] of Object.entries(variables)) console.log(`${name}=${value}`);
	onEnd(async () => {
		await stop();
		process.exit(0);
	});
	// Keeps the process alive until it is ended.
	setInterval(() => {}, 2 ** 30);
}

if (process.argv[1] === import.meta.filename) await main();
