import { type Logger, pino } from 'pino';
import { AppError } from './app-error.ts';

export type Log = Logger;

/** Creates a log on stdout, whose reader may end. Callers never pass cookies, passwords or tokens. */
export function createLog(level: string): Log {
	const { stdout } = process;
	if (!stdout.listeners('error').includes(ignoreError)) stdout.on('error', ignoreError);
	return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stdout);
}

function ignoreError(): void {}

/** Describes an error in one line, without its stack. */
export function describeError(error: unknown): string {
	const { name, message, code, $metadata } = error as Error & {
		code?: string;
		$metadata?: { httpStatusCode?: number };
	};
	return [name, code, $metadata?.httpStatusCode, message].filter((part) => part !== undefined && part !== '').join(' ');
}

/** Logs that background work will be retried; without a stack if the store does not answer. */
export function logRetriedFailure(log: Log, error: unknown, what: Record<string, unknown>, sentence: string): void {
	if (isStorageUnavailable(error)) log.warn({ ...what, why: describeError(error.cause) }, sentence);
	else log.error({ ...what, err: error }, sentence);
}

/** Whether an error says that a remote store cannot be reached. */
export function isStorageUnavailable(error: unknown): error is AppError {
	return error instanceof AppError && error.code === 'STORAGE_UNAVAILABLE';
}
