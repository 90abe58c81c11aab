import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Lines are written together after this long, or when there are so many bytes of them. */
const maxBufferedMs = 10;
const maxBufferedBytes = 65_536;
/** A sign of a string is at most so many bytes of UTF-8. */
const maxBytesPerCharacter = 3;

let write: ((line: string) => void) | undefined;

/** Structured lines on stdout. Cookies, passwords and tokens are never handed to it. */
export function createLog(level: string): Log {
	write ??= openStdout();
	return pino({ level, base: null, timestamp: createTimestamp() }, { write });
}

/**
 * A write for each line costs as much as the answer that it tells of: the lines of some milliseconds are written
 * together. They are kept as bytes: thousands of small strings would each be carried along by the garbage collector.
 */
function openStdout(): (line: string) => void {
	const { stdout } = process;
	// Whoever read the lines may go; the server stays.
	stdout.on('error', () => {});
	let kept = Buffer.allocUnsafeSlow(maxBufferedBytes);
	let keptBytes = 0;
	const flush = () => {
		if (keptBytes === 0) return;
		const lines = kept.subarray(0, keptBytes);
		kept = Buffer.allocUnsafeSlow(maxBufferedBytes);
		keptBytes = 0;
		stdout.write(lines);
	};
	process.on('exit', flush);
	return (line) => {
		const mostBytes = line.length * maxBytesPerCharacter;
		if (mostBytes > kept.length - keptBytes) flush();
		if (mostBytes > kept.length) return void stdout.write(line);
		if (keptBytes === 0) setTimeout(flush, maxBufferedMs).unref();
		keptBytes += kept.write(line, keptBytes);
	};
}

/** The time of a line, written out once for all lines of one millisecond. */
function createTimestamp(): () => string {
	let writtenMs = 0;
	let written = '';
	return () => {
		const nowMs = Date.now();
		if (nowMs !== writtenMs) {
			writtenMs = nowMs;
			written = `,"time":"${new Date(nowMs).toISOString()}"`;
		}
		return written;
	};
}
