import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/setup/processes.mjs';

/** Unit of process times in /proc: ticks per second (sysconf _SC_CLK_TCK, 100 on every common Linux). */
const ticksPerSecond = 100;

/** Starts a process that opens event streams and posts messages. See event-stream-clients.mjs for the commands. */
export function startEventStreamProcess() {
	const child = fork(join(root, 'bench', 'measure', 'event-stream-clients.mjs'), []);
	const ended = once(child, 'exit');
	const run = async (command, input) => {
		child.send({ command, input });
		const [{ answer, error }] = await Promise.race([
			once(child, 'message'),
			ended.then(() => [{ error: 'The process with the event streams has ended.' }]),
		]);
		if (error !== undefined) throw new Error(error);
		return answer;
	};
	return {
		open: (input) => run('open', input),
		post: (input) => run('post', input),
		countOpen: (input) => run('countOpen', input),
		async end() {
			child.disconnect();
			await ended;
		},
	};
}

export function addressOf(url) {
	const { hostname: host, port } = new URL(url);
	return { host, port: Number(port) };
}

/** @returns the time that a process, or a thread (`PID/task/TID`), has spent on the processor so far, in ms */
export async function readCpuMs(pid) {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
	// proc(5) numbers the fields of the line from 1; field 2 is the program's name in brackets, which may contain spaces.
	// `fields` therefore starts with field 3: its items 11 and 12 are fields 14 and 15, user and system time.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}
