import { type BuiltServer, type SingleServer, startBuiltServer } from '../../support/services/built-server.ts';
import { type Cluster, startCluster } from '../../support/services/cluster.ts';
import { waitUntil } from './report.ts';

/**
 * Starts a server with few logs and high limits, runs `work` with it, and stops it.
 * @param dist folder of the build to start; undefined: the output of `npm run build`
 */
export function withServer<T>(
	dist: string | undefined,
	work: (server: SingleServer) => Promise<T>,
	env: Record<string, string> = {},
): Promise<T> {
	return closeAfter(startBuiltServer({ dist, env: { ...commonEnv, ...env } }), work);
}

/** Like {@link withServer}, with two processes on PostgreSQL behind nginx. */
export function withCluster<T>(
	{ dist, env }: { dist?: string; env?: Record<string, string> },
	work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
	return closeAfter(startCluster({ dist, env: { ...commonEnv, ...env } }), work);
}

const commonEnv = { LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '100' };

async function closeAfter<S extends BuiltServer, T>(starting: Promise<S>, work: (server: S) => Promise<T>): Promise<T> {
	const server = await starting;
	try {
		return await work(server);
	} finally {
		await server.close();
	}
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
