import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort } from '../../../scripts/services/free-port.mjs';
import { makeTemporaryFolder } from '../../../scripts/setup/temporary-folder.mjs';
import { builtDist, environmentOf } from '../../support/services/built-server.ts';
import { exchange } from '../../support/services/server-client.ts';
import { listChildren } from './containers.ts';
import { becomesTrue } from './report.ts';

const repository = resolve(import.meta.dirname, '..', '..', '..');
const startTimeoutMs = 60_000;

export type Plan = Awaited<ReturnType<typeof planStart>>;

/** Plans a start on a data folder and a new port, so that a second server does not fail because of its port. */
export async function planStart(dataDir: string, { dist = builtDist, isByNpm = false } = {}) {
	const port = await freePort();
	const env: Record<string, string> = {
		...environmentOf(port, dataDir),
		npm_config_update_notifier: 'false',
		LOG_LEVEL: 'warn',
		RATE_LIMIT_FACTOR: '100',
	};
	return {
		url: `http://127.0.0.1:${port}`,
		command: isByNpm ? ['npm', 'start', '--prefix', repository] : [process.execPath, join(dist, 'server', 'main.js')],
		env,
		logFile: join(makeTemporaryFolder('folio-log-'), 'log'),
	};
}

export type StartedServer = ReturnType<typeof run>;

/** Runs a planned command as a child of this process, in its own process group. */
export function run(plan: Plan, command: string[] = plan.command) {
	const log = openSync(plan.logFile, 'a');
	const [program = '', ...words] = command;
	const child = spawn(program, words, { env: plan.env, cwd: repository, stdio: ['ignore', log, log], detached: true });
	const id = Number(child.pid);
	const ended = new Promise<void>((done) => child.once('exit', () => done()));
	const killGroup = () => {
		try {
			process.kill(-id, 'SIGKILL');
		} catch {
			// The group has ended already.
		}
	};
	process.once('exit', killGroup);
	return {
		plan,
		id,
		exitCode: () => child.exitCode,
		async kill() {
			killGroup();
			await ended;
			process.off('exit', killGroup);
		},
	};
}

/** Requests /healthz on a new connection. @returns the status of the answer, null without an answer */
export function requestHealth(url: string): Promise<number | null> {
	return exchange(`${url}/healthz`, { agent: false }).then(
		({ status }) => status,
		() => null,
	);
}

export async function isServing(url: string): Promise<boolean> {
	return (await requestHealth(url)) === 200;
}

/** Waits until a server serves, or until `hasEnded` returns true. @returns whether it serves */
export async function waitUntilServing(url: string, hasEnded: () => boolean | Promise<boolean>): Promise<boolean> {
	let isServed = false;
	const isDecided = async () => {
		isServed = await isServing(url);
		return isServed || (await hasEnded());
	};
	await becomesTrue(isDecided, startTimeoutMs, 20);
	return isServed;
}

/** Reads the output of a start, without the lines of npm and the line about waiting for another process. */
export function readLines({ logFile }: Plan): string[] {
	return readFileSync(logFile, 'utf8')
		.split('\n')
		.filter((line) => line !== '' && !/^(> |npm |Waiting for another process that sets up)/u.test(line));
}

/** Returns whether a process runs. A dead process that is not reaped does not run. */
export async function isAlive(id: number): Promise<boolean> {
	const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => ') Z');
	return stat[stat.lastIndexOf(')') + 2] !== 'Z';
}

export async function listDescendants(id: number): Promise<Array<{ id: number; command: string }>> {
	const descendants = [];
	for (const child of await listChildren(id)) {
		const command = (await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim();
		descendants.push({ id: child, command }, ...(await listDescendants(child)));
	}
	return descendants;
}
