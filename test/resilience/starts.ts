/**
 * Checks that exactly one server serves an embedded database:
 * - a start succeeds 0.3 s after `kill -9` of all processes, in a container in which dead processes are not reaped
 *   (state Z), by `npm start` and without npm;
 * - a start succeeds in a container in which another program has the process ID of the dead server;
 * - a second start beside a running server is refused in one line, although both servers have the same process ID and
 *   host name (in different containers);
 * - of two simultaneous starts, one serves and the other is refused in one line, on new and on used folders;
 * - a first start on a port in use is refused in one line, and prints the password of the first owner before that line;
 * - `kill -9` of npm, or of a launcher below it, ends the server within 2 s: it does not answer, and its process has
 *   ended.
 * Controls: a lock that relies on the process ID refuses starts, and without a lock two servers serve. A server that
 * prints the password only after it listens never prints it. When a shell is killed, the npm or server that the shell
 * has started in the background continues.
 *
 * `node scripts/resilience.mjs starts [--short]`: Linux; ten starts each way and 50 double starts, with `--short` two
 * and four.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTemporaryFolder } from '../../scripts/setup/temporary-folder.mjs';
import { builtDist } from '../support/services/built-server.ts';
import { signInOwner } from '../support/services/server-client.ts';
import { type Container, openContainer } from './support/containers.ts';
import { becomesTrue, finishTest, isShort, printLine } from './support/report.ts';
import {
	isAlive,
	isServing,
	listDescendants,
	type Plan,
	planStart,
	readLines,
	run,
	type StartedServer,
	waitUntilServing,
} from './support/server-starts.ts';
import { runControl } from './support/server-variant.ts';

const startsEachWay = isShort ? 2 : 10;
const doubleStarts = isShort ? 4 : 50;
const doubleStartsByNpm = isShort ? 1 : 10;
const pauseMs = 300;
const endWithinMs = 2000;
const secondServerMessage = /^Another process already serves or restores DATA_DIR /u;

const lockFile = 'platform/locking/process-lock.ts';
const takesLock = /database\.exec\('pragma journal_mode = memory; begin immediate'\);/u;
/** A lock by process ID: a file with a process ID is a valid lock while a process with this ID runs. */
const byProcessId = `
	const files = process.getBuiltinModule('node:fs');
	if (files.existsSync(file + '.pid')) {
		let lives = true;
		try { process.kill(Number(files.readFileSync(file + '.pid', 'utf8')), 0); } catch { lives = false; }
		if (lives) return null;
	}
	files.writeFileSync(file + '.pid', String(process.pid));`;

const failures: string[] = [];
failures.push(...(await killAndStart({})), ...(await killAndStart({ isByNpm: true })));
failures.push(...(await startTwice()));
failures.push(...(await startOnUsedPort()));
failures.push(...(await startTwoAtOnce({})));
failures.push(...(await startTwoAtOnce({ isByNpm: true })));
failures.push(...(await killLaunchers()));
failures.push(
	...(await runControl(
		'by-process-id',
		[{ file: lockFile, find: takesLock, replace: byProcessId }],
		(dist) => killAndStart({ dist, times: 1 }),
		/start 1 after kill -9 was refused/u,
		/with the ID of the dead server in use was refused/u,
	)),
	...(await runControl(
		'no-lock',
		[{ file: lockFile, find: takesLock, replace: '' }],
		async (dist) => [...(await startTwice(dist)), ...(await startTwoAtOnce({ dist, times: 1 }))],
		/a second server beside a running one serves/u,
		// Without the lock, both serve, or one meets the other in the database.
		/2 of two starts serve|not refused in one line: .*database is locked/u,
	)),
	...(await runControl(
		'password-after-listening',
		[
			{
				file: 'main.ts',
				find: /(\tif \(owner\?\.password\) \{\n(?:.*\n){2}\t\}\n)([\s\S]*?\tconst address = .*\n)/u,
				replace: '$2$1',
			},
		],
		startOnUsedPort,
		/the password of the first owner was never printed/u,
	)),
);
finishTest(failures);

async function startIn(container: Container, plan: Plan): Promise<{ id: number; isServing: boolean }> {
	const id = await container.start(plan.command, plan.env, plan.logFile);
	const hasEnded = async () => (await container.listUnreaped()).includes(id);
	return { id, isServing: await waitUntilServing(plan.url, hasEnded) };
}

interface StartOptions {
	dist?: string;
	isByNpm?: boolean;
	times?: number;
}

async function killAndStart({ dist = builtDist, isByNpm = false, times = startsEachWay }: StartOptions) {
	const faults: string[] = [];
	const dataDir = makeTemporaryFolder('folio-starts-');
	const plan = () => planStart(dataDir, { isByNpm, dist });
	const name = isByNpm ? 'npm start' : 'server';
	const tookMs: number[] = [];
	let served = 0;
	const startAgain = async (start: string) => {
		const startedAt = performance.now();
		const next = await plan();
		const { id, isServing: serves } = await startIn(container, next);
		tookMs.push(performance.now() - startedAt);
		if (serves) served += 1;
		else faults.push(`${name}: ${start} was refused: ${readLines(next).join(' / ')}`);
		return id;
	};
	let container = await openContainer();
	try {
		const first = await startIn(container, await plan());
		if (!first.isServing) return [`${name}: the first start does not serve`];
		let dead = first.id;
		for (let time = 1; time <= times; time += 1) {
			await container.killEverything();
			await sleep(pauseMs);
			if (!(await container.listUnreaped()).includes(dead))
				faults.push('the dead process was reaped, so the test proves nothing');
			dead = await startAgain(`start ${time} after kill -9`);
		}
		// The next container assigns the same IDs, so another program gets the ID of the dead server.
		await container.close();
		container = await openContainer();
		await container.shell(`while [ ! -e /proc/${dead} ]; do sleep 3600 > /dev/null 2>&1 & done`);
		const program = await container.shell(`cat /proc/${dead}/comm`);
		await startAgain('a start with the ID of the dead server in use');
		if (program !== 'sleep') faults.push(`${dead} is not the ID of another program, so the test proves nothing`);
		const slowest = Math.round(Math.max(...tookMs));
		printLine(
			`${name}: ${served} of ${times + 1} starts after kill -9 serve, with the dead process not reaped or its ID ${dead} in use by ${program}; the slowest took ${slowest} ms`,
		);
		return faults;
	} finally {
		await container.close();
	}
}

/** Starts two servers on one folder in two containers, in which both servers have the same process ID. */
async function startTwice(dist = builtDist): Promise<string[]> {
	const dataDir = makeTemporaryFolder('folio-starts-');
	await using container = await openContainer();
	await using secondContainer = await openContainer();
	const [plan, secondPlan] = [await planStart(dataDir, { dist }), await planStart(dataDir, { dist })];
	const first = await startIn(container, plan);
	if (!first.isServing) return ['the first of two servers does not serve'];
	const second = await startIn(secondContainer, secondPlan);
	const faults = second.isServing ? ['a second server beside a running one serves'] : faultsOfRefused(secondPlan);
	if (second.id !== first.id) faults.push(`the ids ${first.id} and ${second.id} differ, so the test proves nothing`);
	if (!(await isServing(plan.url))) faults.push('the first server no longer serves');
	if (faults.length === 0) printLine(`second server with the same process ID (${second.id}): refused`);
	return faults;
}

/** Checks that a first start on a port in use is refused in one line, and prints the new owner's password. */
async function startOnUsedPort(dist = builtDist): Promise<string[]> {
	const plan = await planStart(makeTemporaryFolder('folio-starts-'), { dist });
	delete plan.env.ADMIN_PASSWORD;
	const portUser = createServer((socket) => socket.destroy()).listen(Number(plan.env.PORT), '127.0.0.1');
	await once(portUser, 'listening');
	const started = run(plan);
	await waitUntilServing(plan.url, () => started.exitCode() !== null);
	portUser.close();
	const faults = started.exitCode() === null ? ['a start on a port in use continues'] : [];
	await started.kill();
	const lines = readLines(plan);
	if (!/^127\.0\.0\.1:\d+ is used by another program/u.test(lines.at(-1) ?? ''))
		faults.push(`the port in use was not reported: ${lines.join(' / ')}`);
	if (!lines.some((line) => /^ {2}Password {2}\S+$/u.test(line)))
		faults.push('the password of the first owner was never printed');
	if (faults.length === 0) printLine('a first start on a port in use: refused, the password of the owner printed');
	return faults;
}

function faultsOfRefused(plan: Plan): string[] {
	const lines = readLines(plan);
	return lines.length === 1 && secondServerMessage.test(lines[0] ?? '')
		? []
		: [`not refused in one line: ${lines.join(' / ')}`];
}

async function startTwoAtOnce({ dist = builtDist, isByNpm = false, times }: StartOptions): Promise<string[]> {
	const faults: string[] = [];
	const count = times ?? (isByNpm ? doubleStartsByNpm : doubleStarts);
	let faultless = 0;
	let dataDir = '';
	for (let time = 0; time < count; time += 1) {
		// Every second start uses the folder that the previous kill has left.
		if (time % 2 === 0) dataDir = makeTemporaryFolder('folio-starts-');
		const plans = await Promise.all([1, 2].map(() => planStart(dataDir, { isByNpm, dist })));
		const both = plans.map((plan) => run(plan));
		const serving = await Promise.all(
			both.map(({ plan, exitCode }) => waitUntilServing(plan.url, () => exitCode() !== null)),
		);
		const startFaults = await checkStarts(both, serving);
		if (startFaults.length === 0) faultless += 1;
		faults.push(...startFaults);
		for (const started of both) await started.kill();
	}
	printLine(`${isByNpm ? 'npm start' : 'server'}: exactly one serves in ${faultless} of ${count} double starts`);
	return faults;
}

async function checkStarts(both: StartedServer[], serving: boolean[]): Promise<string[]> {
	const count = serving.filter(Boolean).length;
	const served = both[serving.indexOf(true)];
	const refused = both[serving.indexOf(false)];
	if (count !== 1 || served === undefined || refused === undefined)
		return [`${count} of two starts serve: ${both.flatMap(({ plan }) => readLines(plan)).join(' / ')}`];
	const faults = refused.exitCode() === 1 ? faultsOfRefused(refused.plan) : [`refused with ${refused.exitCode()}`];
	// A sign-in succeeds only with an existing owner and a complete secret.
	await signInOwner(served.plan.url).catch((error: unknown) => faults.push(`the owner cannot sign in: ${error}`));
	return faults;
}

/** Kills npm, and each process between npm and the server, one at a time in a new process tree. */
async function killLaunchers(): Promise<string[]> {
	const faults: string[] = [];
	const launchers = async (npm: StartedServer) =>
		(await listDescendants(npm.id)).filter(({ command }) => !command.includes('main.js')).map(({ id }) => id);
	const open = async (isByNpm: boolean, around?: (command: string[]) => string[]) => {
		const plan = await planStart(makeTemporaryFolder('folio-starts-'), { isByNpm });
		const running = run(plan, around?.(plan.command));
		if (!(await waitUntilServing(plan.url, () => running.exitCode() !== null)))
			throw new Error(readLines(plan).join('\n'));
		return running;
	};
	const checkEnd = async (name: string, npm: StartedServer, id: number) => {
		const server = (await listDescendants(npm.id)).find(({ command }) => command.includes('main.js'));
		const killedAt = performance.now();
		process.kill(id, 'SIGKILL');
		const isRunning = async () =>
			(await isServing(npm.plan.url)) || (server !== undefined && (await isAlive(server.id)));
		await becomesTrue(async () => !(await isRunning()), endWithinMs * 3, 20);
		const ms = Math.round(performance.now() - killedAt);
		if (server === undefined || ms > endWithinMs) faults.push(`${name} killed: the server continued for ${ms} ms`);
		printLine(`${name} killed: the server ended after ${ms} ms`);
		await npm.kill();
	};

	const npm = await open(true);
	const below = await launchers(npm);
	await checkEnd('npm', npm, npm.id);
	for (const [index] of below.entries()) {
		const again = await open(true);
		const id = (await launchers(again))[index];
		if (id === undefined) faults.push(`launcher ${index + 1} does not run`);
		else await checkEnd(`launcher ${index + 1} of ${below.length}`, again, id);
	}

	// Controls: the killed process is not a launcher, and the server continues.
	const inBackground = (command: string[]) => ['sh', '-c', '"$@" & wait', 'sh', ...command];
	for (const [name, isByNpm] of [
		['a server', false],
		['npm', true],
	] as const) {
		const running = await open(isByNpm, inBackground);
		process.kill(running.id, 'SIGKILL');
		await sleep(endWithinMs + 500);
		if (!(await isServing(running.plan.url))) faults.push(`${name} whose shell was killed no longer serves`);
		else printLine(`control: ${name} whose shell was killed continues`);
		await running.kill();
	}
	return faults;
}
