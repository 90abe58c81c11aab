import type { Config } from '../../../platform/config.ts';
import {
	acquireEmbeddedDatabaseLock,
	acquireProcessLock,
	type ProcessLock,
} from '../../../platform/locking/process-lock.ts';

/** Ends a command that cannot do its work. The message contains the reason and what the operator has to do. */
export class PreconditionError extends Error {
	override name = 'PreconditionError';
}

/**
 * Runs work that only one process may do at a time; the lock ends with the process.
 * @param what name of the work for the error message: "Another backup into DIR"
 * @throws PreconditionError while another process does this work
 */
export async function withProcessLock<T>(file: string, what: string, work: () => Promise<T>): Promise<T> {
	return runLocked(acquireProcessLock(file), `${what} is under way: wait for its end.`, work);
}

/** Runs work while no server uses an embedded database. @throws PreconditionError while a server uses it */
export async function withEmbeddedDatabaseLock<T>(
	config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>,
	work: () => Promise<T>,
): Promise<T> {
	if (config.DATABASE_URL !== undefined) return work();
	return runLocked(
		acquireEmbeddedDatabaseLock(config),
		`Stop the server first: another process serves or restores DATA_DIR ${config.DATA_DIR}.`,
		work,
	);
}

async function runLocked<T>(lock: ProcessLock | null, message: string, work: () => Promise<T>): Promise<T> {
	if (lock === null) throw new PreconditionError(message);
	try {
		return await work();
	} finally {
		lock.release();
	}
}

export type ReportProgress = (line: string) => void;

const reportIntervalMs = 5000;

/** Limits progress reports to one every five seconds. `line` is called only for a line that is reported. */
export function throttleProgress(report: ReportProgress): (line: () => string) => void {
	let reportedAt = performance.now();
	return (line) => {
		if (performance.now() - reportedAt < reportIntervalMs) return;
		reportedAt = performance.now();
		report(line());
	};
}

export function formatCount(count: number): string {
	return count.toLocaleString('en');
}
