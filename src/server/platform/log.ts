import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Lines are written together after this long, or when there are so many bytes of them. */
const mostKeptMs = 10;
const mostKeptBytes = 8192;

let write: ((line: string) => void) | undefined;

/** Structured lines on stdout. Cookies, passwords and tokens are never handed to it. */
export function createLog(level: string): Log {
	write ??= openStdout();
	return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

/** A write for each line costs as much as the answer that it tells of: the lines of some milliseconds are written together. */
function openStdout(): (line: string) => void {
	const stdout = pino.destination({ dest: 1, sync: true, minLength: mostKeptBytes });
	let isWaiting = false;
	process.on('exit', () => stdout.flush());
	return (line) => {
		stdout.write(line);
		if (isWaiting) return;
		isWaiting = true;
		setTimeout(() => {
			isWaiting = false;
			stdout.flush();
		}, mostKeptMs).unref();
	};
}
