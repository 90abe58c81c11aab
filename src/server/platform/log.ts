import { type Logger, pino } from 'pino';
import { AppError } from './app-error.ts';

export type Log = Logger;

/** Creates a log that writes to stdout. Callers must not pass cookies, passwords or tokens. */
export function createLog(level: string): Log {
	const { stdout } = process;
	if (!stdout.listeners('error').includes(ignoreError)) stdout.on('error', ignoreError);
	return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stdout);
}

/** Without a listener, the process would end when the reader of stdout ends. */
function ignoreError(): void {}

/** Describes an error in one line, without its stack. */
export function describeError(error: unknown): string {
	const { name, message, code, $metadata } = error as Error & {
		code?: string;
		$metadata?: { httpStatusCode?: number };
	};
	return [name, code, $metadata?.httpStatusCode, message].filter((part) => part !== undefined && part !== '').join(' ');
}

/**
 * Describes why work on a file failed; `isPassing`: a retry may succeed. Rethrows the error of a storage that is
 * unavailable or full, so that the job is retried without limit: the file is not the reason.
 */
export function describeFileFailure(error: unknown) {
	if (isStorageUnavailable(error) || isStorageFull(error)) throw error;
	return { why: describeError(error), isPassing: (error as { isTemporary?: boolean }).isTemporary ?? true };
}

/** Logs that background work failed and will be retried; without a stack if the storage is unavailable or full. */
export function logRetriedFailure(log: Log, error: unknown, fields: Record<string, unknown>, message: string): void {
	if (isStorageUnavailable(error)) log.warn({ ...fields, why: describeError(error.cause ?? error) }, message);
	else if (isStorageFull(error)) log.warn({ ...fields, why: describeError(error) }, message);
	else log.error({ ...fields, err: error }, message);
}

/** Whether the remote store could not be reached or refused the request. */
export function isStorageUnavailable(error: unknown): error is AppError {
	return error instanceof AppError && error.code === 'STORAGE_UNAVAILABLE';
}

function isStorageFull(error: unknown): boolean {
	const { code } = error as { code?: unknown };
	return code === 'STORAGE_FULL' || code === 'ENOSPC';
}
