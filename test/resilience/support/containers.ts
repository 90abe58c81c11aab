import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Container = Awaited<ReturnType<typeof openContainer>>;

/**
 * Opens a process namespace, in which process IDs start at 1. As in a container without init, the first process does
 * not reap dead processes.
 * @throws Error when the system does not support or allow process namespaces
 */
export async function openContainer() {
	if (process.platform !== 'linux') throw new Error('This needs process namespaces, which only Linux has.');
	// A user other than root becomes root in a new user namespace.
	const isRoot = process.getuid?.() === 0;
	const asRoot = isRoot ? [] : ['--user', '--map-root-user'];
	// `sleep` is the first process, because it does not reap its children.
	const outer = spawn('unshare', [...asRoot, '--pid', '--fork', '--kill-child', '--mount-proc', 'sleep', '3600'], {
		stdio: 'ignore',
	});
	const ended = new Promise((resolve) => outer.once('exit', resolve));
	const kill = () => outer.kill('SIGKILL');
	process.once('exit', kill);
	const first = await findFirst(Number(outer.pid));
	const asOuterUser = isRoot ? [] : ['--user', '--preserve-credentials'];
	const enter = ['-t', String(first), ...asOuterUser, '--pid', '--mount', '--'];
	const shell = async (line: string, words: string[] = [], env?: Record<string, string>) =>
		(await run('nsenter', [...enter, 'sh', '-c', line, ...words], env === undefined ? {} : { env })).stdout.trim();
	const close = async () => {
		process.off('exit', kill);
		process.kill(first, 'SIGKILL');
		await ended;
	};
	return {
		shell: (line: string) => shell(line),
		/** Starts a program with its output in `logFile`. @returns its process ID in the container */
		start: async (command: string[], env: Record<string, string>, logFile: string) =>
			Number(await shell('log=$1; shift; "$@" < /dev/null > "$log" 2>&1 & echo $!', ['sh', logFile, ...command], env)),
		/** Kills (-9) all processes except the first, which leaves them unreaped. */
		async killEverything() {
			await shell('kill -9 -1');
		},
		/** IDs of dead processes that were not reaped. */
		async listUnreaped() {
			const states = await shell("grep -l '^State:.Z' /proc/[0-9]*/status || true");
			return [...states.matchAll(/\d+/gu)].map(([id]) => Number(id));
		},
		close,
		[Symbol.asyncDispose]: close,
	};
}

async function findFirst(outer: number): Promise<number> {
	for (let tries = 0; tries < 500; tries += 1) {
		const [child] = await listChildren(outer);
		// The new process mounts its own /proc before it becomes `sleep`.
		if (child !== undefined && (await readFile(`/proc/${child}/comm`, 'utf8').catch(() => '')).trim() === 'sleep')
			return child;
		await sleep(10);
	}
	throw new Error('A process namespace could not be opened: see unshare(1).');
}

/** Lists the children of a process, with process IDs of the caller's namespace. */
export async function listChildren(id: number): Promise<number[]> {
	const text = await readFile(`/proc/${id}/task/${id}/children`, 'utf8').catch(() => '');
	return text.split(' ').filter(Boolean).map(Number);
}
