import { type Logger, pino } from 'pino';
import { AppError } from './app-error.ts';

export type Log = Logger;

/** Buffered lines are written after this time, or when they reach this size. */
const maxBufferedMs = 10;
const maxBufferedBytes = 65_536;
/** Most UTF-8 bytes per UTF-16 code unit of a string. */
const maxBytesPerCharacter = 3;

let write: ((line: string) => void) | undefined;

/** Creates a log of structured lines on stdout. Callers never pass cookies, passwords or tokens. */
export function createLog(level: string): Log {
	write ??= openStdout();
	return pino({ level, base: null, timestamp: createTimestamp() }, { write });
}

/**
 * Buffers lines for some milliseconds, because a write for each line costs as much as the request that it is about. The
 * buffer has bytes, because thousands of small strings would slow down the garbage collector.
 */
function openStdout(): (line: string) => void {
	const { stdout } = process;
	// The server continues if the reader of the log ends.
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

/** Returns the time of a line, formatted once for all lines of the same millisecond. */
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

/** Describes an error in one line, without its stack. */
export function describeError(error: unknown): string {
	const { name, message, code, $metadata } = error as Error & {
		code?: string;
		$metadata?: { httpStatusCode?: number };
	};
	return [name, code, $metadata?.httpStatusCode, message].filter((part) => part !== undefined && part !== '').join(' ');
}

/**
 * Logs that background work has failed and will be retried. If the store does not answer, no stack is logged, because
 * the program is not at fault.
 */
export function logRetriedFailure(log: Log, error: unknown, what: Record<string, unknown>, sentence: string): void {
	if (isStorageUnavailable(error)) log.warn({ ...what, why: describeError(error.cause) }, sentence);
	else log.error({ ...what, err: error }, sentence);
}

/** Whether an error says that a remote store cannot be reached. */
export function isStorageUnavailable(error: unknown): error is AppError {
	return error instanceof AppError && error.code === 'STORAGE_UNAVAILABLE';
}
