import { AppError } from './app-error.ts';
import type { Log } from './log.ts';

/** An error in a line, without its stack. */
export function describeError(error: unknown): string {
	const { name, message, code, $metadata } = error as Error & {
		code?: string;
		$metadata?: { httpStatusCode?: number };
	};
	return [name, code, $metadata?.httpStatusCode, message].filter((part) => part !== undefined && part !== '').join(' ');
}

/**
 * Notes that work nobody waits for has failed and comes again. A store that does not answer is no fault of ours, and there
 * is no stack to learn from.
 */
export function logRetriedFailure(log: Log, error: unknown, what: Record<string, unknown>, sentence: string): void {
	if (isStorageUnavailable(error)) log.warn({ ...what, why: describeError(error.cause) }, sentence);
	else log.error({ ...what, err: error }, sentence);
}

/** Whether the bytes are kept somewhere else and cannot be reached now. */
export function isStorageUnavailable(error: unknown): error is AppError {
	return error instanceof AppError && error.code === 'STORAGE_UNAVAILABLE';
}
