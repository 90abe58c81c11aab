/** Thrown when a query waits too long for the database; the response is 503 with Retry-After. */
export class DatabaseBusyError extends Error {
	override name = 'DatabaseBusyError';
	constructor() {
		super('The database is busy.');
	}
}

type DbFailure = 'unique' | 'foreign-key' | 'busy' | 'full' | 'gone' | 'unstorable' | 'other';

/** Codes when the server is unreachable, stopping, starting or no longer the primary: a later attempt may succeed. */
const connectionLostCodes: ReadonlySet<string> = new Set([
	...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
	...['57P01', '57P02', '57P03', '57P05', '08000', '08001', '08003', '08004', '08006', '25006'],
]);
const connectionLostMessages =
	/^(?:Connection terminated\b|timeout exceeded when trying to connect$|Client (?:has encountered a connection error|was closed) and is not queryable$)/u;

/** Maps a driver's error to a {@link DbFailure}. Sources: sqlite.org/rescode.html, PostgreSQL appendix A. */
export function classifyDbError(error: unknown): DbFailure {
	if (error instanceof DatabaseBusyError) return 'busy';
	const { errcode, code } = error as { errcode?: number; code?: string };
	if (typeof errcode === 'number') {
		if (errcode === 2067 || errcode === 1555) return 'unique';
		if (errcode === 787) return 'foreign-key';
		if ((errcode & 0xff) === 13) return 'full';
		if ([5, 6].includes(errcode & 0xff)) return 'busy';
		return 'other';
	}
	if (code === '23505') return 'unique';
	if (code === '23503') return 'foreign-key';
	// Class 22, data exception: for example a text with NUL or a number out of range.
	if (typeof code === 'string' && /^22\w{3}$/u.test(code)) return 'unstorable';
	if (code === '53100') return 'full';
	if (code === '40001' || code === '40P01' || code === '55P03' || code === '53300') return 'busy';
	if (typeof code === 'string' && connectionLostCodes.has(code)) return 'gone';
	// Errors that the driver itself creates have no code.
	const { message } = error as { message?: unknown };
	return typeof message === 'string' && connectionLostMessages.test(message) ? 'gone' : 'other';
}

/** Whether PostgreSQL has rolled a transaction back because of a concurrent one, so that it can be repeated. */
export function isTransactionConflict(error: unknown): boolean {
	const { code } = error as { code?: unknown };
	return code === '40P01' || code === '40001';
}

export function isUniqueViolation(error: unknown): boolean {
	return classifyDbError(error) === 'unique';
}
