import { readFile } from 'node:fs/promises';
import { type BuiltServer, type SingleServer, startBuiltServer } from '../../support/services/built-server.ts';
import { type Cluster, startCluster } from '../../support/services/cluster.ts';
import { waitUntil } from './report.ts';

const commonEnv = { LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '100' };

/** Starts a server with few logs and high limits. @param dist by default the output of `npm run build` */
export function openServer(dist?: string, env: Record<string, string> = {}): Promise<SingleServer> {
	return startBuiltServer({ dist, env: { ...commonEnv, ...env } });
}

/** Like {@link openServer}, with two processes on PostgreSQL behind nginx. */
export function openCluster(dist?: string, env: Record<string, string> = {}): Promise<Cluster> {
	return startCluster({ dist, env: { ...commonEnv, ...env } });
}

/** Waits until the server prints this line again. @throws Error when it takes too long */
export function waitForPrinted({ printed }: BuiltServer, line: string): Promise<void> {
	const known = printed.length;
	return waitUntil(() => printed.slice(known).includes(line), `the server did not print '${line}'`);
}

/** Runs `fsck`. @returns its output when it finds a problem */
export async function checkFiles(server: BuiltServer): Promise<string[]> {
	const fsck = await server.cli('fsck');
	return fsck.code === 0 && /, 0 problems/u.test(fsck.output) ? [] : [`fsck: ${fsck.output.trim()}`];
}

/** Returns the memory of the server that is in use (`VmRSS`) or that was used at most (`VmHWM`). Only on Linux. */
export async function memoryMb(server: BuiltServer, field: 'VmRSS' | 'VmHWM'): Promise<number> {
	const status = await readFile(`/proc/${server.pid()}/status`, 'utf8');
	const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'mu').exec(status)?.[1];
	return Math.round(Number(kilobytes) / 1024);
}
