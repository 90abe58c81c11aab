/**
 * Copies, moves, deletes, restores and purges a folder with thousands of folders. Meanwhile the server uses at most one
 * second of CPU time before it answers /healthz. After a kill (-9) during each operation, fsck finds no problem.
 * Control (long form): if the server does not split the work into steps, the checks must find that the server does not
 * answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Node } from '#contract/files/files.ts';
import { readCpuMs } from '../../bench/measure/event-stream-process.mjs';
import { addFile, addFolder } from '../support/browser/seeding.ts';
import { type BuiltServer, ownerEmail } from '../support/services/built-server.ts';
import { type Client, signInOwner } from '../support/services/server-client.ts';
import { finishTest, isShort, medianOf, printLine, waitUntil } from './support/report.ts';
import { checkFiles, openServer } from './support/server.ts';
import { type Rewrite, runControl } from './support/server-variant.ts';

const folders = isShort ? 3000 : 10_000;
const rounds = isShort ? 1 : 5;
/** Maximum CPU time of the server before an answer. CPU time does not include other work on the machine. */
const longestWorkBeforeAnswerMs = 1000;
const requestEveryMs = 25;
const timeoutMs = 120_000;
const files = 20;

const withoutYielding: Rewrite[] = [
	{ file: 'platform/event-loop.ts', find: /await setImmediate\(\);/u, replace: '' },
	{ file: 'platform/event-loop.ts', find: /\? 25 : 250/u, replace: '? 60_000 : 250' },
];

interface Tree {
	id: string;
	/** The folder into which the tree is moved. */
	target: Node;
}

/** The operations on the tree. Every second operation undoes the previous one, so that all can be repeated. */
const operations = {
	move: (owner: Client, { id, target }: Tree) =>
		owner.send('POST', '/api/nodes/move', { ids: [id], path: target.realPath }),
	'move back': (owner: Client, { id }: Tree) => owner.send('POST', '/api/nodes/move', { ids: [id], path: '' }),
	delete: (owner: Client, { id }: Tree) => owner.send('DELETE', `/api/nodes/${id}`, {}),
	restore: (owner: Client, { id }: Tree) => owner.send('POST', `/api/trash/${id}/restore`, {}),
};

const failures: string[] = [];
{
	await using server = await openServer();
	const tree = await makeTree(server);
	failures.push(...(await checkAnswers(server, tree)), ...(await killDuringEach(server, tree)));
}
const control = async (dist: string) => {
	await using server = await openServer(dist);
	return checkAnswers(server, await makeTree(server));
};
if (!isShort) failures.push(...(await runControl('without-yielding', withoutYielding, control, /^copy/u)));
finishTest(failures);

async function makeTree({ url }: BuiltServer): Promise<Tree> {
	const owner = await signInOwner(url);
	const [big, target] = [await addFolder(owner, 'me', 'Big'), await addFolder(owner, 'me', 'Target')];
	const names = Array.from({ length: folders }, (_, index) => [`outer ${index % 50}`, `inner ${index}`]);
	for (let from = 0; from < names.length; from += 1000) {
		const paths = names.slice(from, from + 1000);
		const made = await owner.send<{ items: Array<{ path: string | null }> }>('POST', '/api/spaces/me/folder-paths', {
			path: big.realPath,
			paths,
		});
		if (from > 0) continue;
		for (const [index, { path }] of made.items.slice(0, files).entries())
			await addFile(owner, 'me', `${index}.txt`, Buffer.from(`file ${index}`), path ?? '');
	}
	return { id: big.id, target };
}

async function checkAnswers(server: BuiltServer, tree: Tree): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const faults: string[] = [];
	const judge = async (name: string, work: () => Promise<unknown>) => {
		const { medianMs, worstMs, longestWorkMs, seconds } = await measureHealthWhile(server, work);
		printLine(
			`${name}: ${seconds} s; /healthz median ${medianMs} ms, longest ${worstMs} ms, at most ${longestWorkMs} ms of CPU time before an answer`,
		);
		if (longestWorkMs > longestWorkBeforeAnswerMs)
			faults.push(`${name}: no answer before ${longestWorkMs} ms of CPU time`);
	};
	await judge('copy', () => requestCopy(owner, tree).then(() => waitForCopy(owner)));
	for (const [name, work] of Object.entries(operations)) await judge(name, () => work(owner, tree));
	await judge('purge', () => purgeCopies(owner));
	return faults;
}

async function measureHealthWhile(server: BuiltServer, work: () => Promise<unknown>) {
	const startedAt = performance.now();
	let isOver = false;
	const answers: number[] = [];
	let longestWorkMs = 0;
	const requesting = (async () => {
		while (!isOver) {
			const [sentAt, workBefore] = [performance.now(), await readCpuTimeMs(server)];
			await (await fetch(`${server.url}/healthz`)).arrayBuffer();
			answers.push(performance.now() - sentAt);
			longestWorkMs = Math.max(longestWorkMs, (await readCpuTimeMs(server)) - workBefore);
			await sleep(requestEveryMs);
		}
	})();
	await work().finally(() => {
		isOver = true;
	});
	await requesting;
	return {
		medianMs: Math.round(medianOf(answers)),
		worstMs: Math.round(Math.max(...answers)),
		longestWorkMs,
		seconds: Math.round((performance.now() - startedAt) / 100) / 10,
	};
}

/** Returns the CPU time in ms that the main thread of the server has used. */
function readCpuTimeMs(server: BuiltServer): Promise<number> {
	return readCpuMs(`${server.pid()}/task/${server.pid()}`);
}

async function killDuringEach(server: BuiltServer, tree: Tree): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const faults: string[] = [];
	const kill = async (name: string, work: () => Promise<unknown>, waitMs: number) => {
		const working = Promise.allSettled([work()]);
		await sleep(waitMs);
		await server.kill();
		const [{ status }] = await working;
		await server.start();
		for (const fault of await checkFiles(server))
			faults.push(`${name}, killed after ${Math.round(waitMs)} ms: ${fault}`);
		return status === 'fulfilled';
	};
	let cutOff = 0;
	for (let round = 0; round < rounds; round += 1) {
		for (const [name, work] of Object.entries(operations)) {
			if (!(await kill(name, () => work(owner, tree), Math.random() * 60))) cutOff += 1;
			// If the killed server had already saved the operation, the repetition is refused.
			await work(owner, tree).catch(() => {});
		}
		// The server is killed after it has accepted the copy, because only an accepted copy continues after a restart.
		await requestCopy(owner, tree);
		await kill('copy', () => waitForCopy(owner), Math.random() * 400);
		await waitForCopy(owner);
		await kill('purge', () => purgeCopies(owner), Math.random() * 300);
		await purgeCopies(owner);
		await waitForPurge(owner);
	}
	faults.push(...(await checkFiles(server)));
	printLine(
		`killed ${rounds * 6} times, ${cutOff} moves, deletes and restores before their answer: ${faults.length} faults`,
	);
	return faults;
}

function requestCopy(owner: Client, { id }: Tree): Promise<unknown> {
	return owner.send('POST', '/api/nodes/copy', { ids: [id], owner: 'me', path: '' });
}

function waitForCopy(owner: Client): Promise<void> {
	return waitUntil(async () => (await copiesOf(owner)).length > 0, 'the copy is not complete', timeoutMs);
}

function waitForPurge(owner: Client): Promise<void> {
	return waitUntil(async () => (await filesOf(owner)) === files, 'the trash is not empty', timeoutMs);
}

/** Purges the copies and waits until their files are no longer counted. */
async function purgeCopies(owner: Client): Promise<void> {
	for (const { id } of await copiesOf(owner)) await owner.send('DELETE', `/api/nodes/${id}`, {});
	await owner.send('POST', '/api/spaces/me/trash/empty', {});
	await waitForPurge(owner);
}

async function copiesOf(owner: Client): Promise<Node[]> {
	const { items } = await owner.get<{ items: Node[] }>('/api/spaces/me/nodes?kind=folder');
	return items.filter(({ name }) => name.startsWith('Big ('));
}

async function filesOf(owner: Client): Promise<number> {
	const { items } = await owner.get<{ items: Array<{ email: string; fileCount: number }> }>('/api/spaces');
	return items.find(({ email }) => email === ownerEmail)?.fileCount ?? 0;
}
