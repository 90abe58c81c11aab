/**
 * Sends SIGTERM during an open event stream, a running download and a download that its client does not read. New
 * connections are refused, the event stream ends, the running download is completed, and the process ends within 10 s.
 * Controls: a server that ends at once interrupts the download; a server without a deadline still runs after 10 s.
 */
import { createHash } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addFile, findNode } from '../support/browser/seeding.ts';
import type { SingleServer } from '../support/services/built-server.ts';
import { type Client, signInOwner } from '../support/services/server-client.ts';
import { finishTest, printLine } from './support/report.ts';
import { openServer } from './support/server.ts';
import { requestHealth } from './support/server-starts.ts';
import { runControl } from './support/server-variant.ts';
import { makeSample, type Sample } from './support/uploads.ts';

const deadlineMs = 10_000;
/** Allowance for a busy machine. A server without a deadline runs for 50 s longer. */
const marginMs = 5000;
const sample = makeSample('long.bin', 24 * 1024 * 1024);
/** The approximate duration of the running download. */
const downloadMs = 3000;

const failures: string[] = [];
failures.push(
	...(await runScenario('drains', undefined, false)),
	...(await runScenario('drains, with a download that is not read', undefined, true)),
);
const controls = [
	['ends-at-once', /await app\.close\(\);/u, 'process.exit(0);', false, /cut off/u],
	['no-deadline', /const shutdownTimeoutMs = \d+;/u, 'const shutdownTimeoutMs = 60_000;', true, /still runs/u],
] as const;
for (const [name, find, replace, hasStuck, expected] of controls) {
	const rewrites = [{ file: 'main.ts', find, replace }];
	failures.push(...(await runControl(name, rewrites, (dist) => runScenario(name, dist, hasStuck), expected)));
}
finishTest(failures);

async function runScenario(name: string, dist: string | undefined, hasStuck: boolean): Promise<string[]> {
	await using server = await openServer(dist);
	const faults = await terminateUnderLoad(server, hasStuck);
	printLine(`${name}: ${faults.length === 0 ? 'no faults' : faults.join('; ')}`);
	return faults;
}

async function terminateUnderLoad(server: SingleServer, hasStuck: boolean): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const url = await upload(owner, sample);
	const stream = await open(owner, '/api/events');
	const streamEnded = new Promise((resolve) => stream.once('close', () => resolve(true)));
	stream.resume();
	// The test never reads this response. When the buffers of the kernel are full, the server cannot send more.
	const stuck = hasStuck ? await open(owner, `${url}?download=1`) : null;
	stuck?.once('error', () => {});
	const download = readSlowly(await open(owner, `${url}?download=1`));
	await sleep(300);

	const faults: string[] = [];
	const ended = Promise.race([server.terminate(), sleep(deadlineMs + marginMs, null)]);
	let receivedHash: string | null = null;
	const downloaded = download.then((hash) => {
		receivedHash = hash;
	});
	// New connections must be refused while the download, which takes seconds, still runs.
	while ((await requestHealth(server.url)) !== null) {
		if (receivedHash !== null) {
			faults.push('new connections are still accepted');
			break;
		}
		await sleep(20);
	}
	await downloaded;
	if (receivedHash !== sample.sha256) faults.push(`the running download was cut off: ${receivedHash}`);
	const end = await ended;
	if (end === null) faults.push(`the process still runs after ${deadlineMs + marginMs} ms`);
	else if (end.code !== 0) faults.push(`the process ended after ${Math.round(end.ms)} ms with code ${end.code}`);
	if (end !== null) printLine(`   ended after ${Math.round(end.ms)} ms`);
	if (!(await Promise.race([streamEnded, sleep(marginMs, false)]))) faults.push('the event stream is still open');
	return faults;
}

async function upload(owner: Client, file: Sample): Promise<string> {
	await addFile(owner, 'guest', file.name, file.bytes);
	return String((await findNode(owner, 'guest', file.name)).url);
}

function open(owner: Client, path: string): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		const headers = { cookie: owner.cookie() };
		const sending = request(`${owner.url}${path}`, { headers, agent: false }, (response) => {
			response.on('error', () => {});
			if (response.statusCode === 200) resolve(response);
			else reject(new Error(`${path}: ${response.statusCode}`));
		});
		sending.once('error', reject);
		sending.end();
	});
}

/** Reads slowly and at a steady rate. @returns the hash of the bytes, or the error of an interrupted download */
function readSlowly(response: IncomingMessage): Promise<string> {
	const startedAt = performance.now();
	const hash = createHash('sha256');
	let readBytes = 0;
	return new Promise((resolve) => {
		response.on('data', (chunk: Buffer) => {
			hash.update(chunk);
			readBytes += chunk.length;
			const aheadMs = (readBytes / sample.bytes.length) * downloadMs - (performance.now() - startedAt);
			if (aheadMs < 20) return;
			response.pause();
			setTimeout(() => response.resume(), aheadMs);
		});
		response.once('close', () => {
			resolve(response.complete ? hash.digest('hex') : `after ${readBytes} of ${sample.bytes.length} bytes`);
		});
	});
}
