import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Structured lines on stdout. Cookies, passwords and tokens are never handed to it. */
export function createLog(level: string): Log {
	return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
