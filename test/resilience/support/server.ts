import { type BuiltServer, startBuiltServer } from '../../support/services/built-server.ts';
import { type Cluster, startCluster } from '../../support/services/cluster.ts';

/**
 * Runs some work with the built product, or the one in `dist`, with few logs and high limits, and stops it afterwards.
 */
export async function withServer<T>(
	dist: string | undefined,
	work: (server: BuiltServer) => Promise<T>,
	env: Record<string, string> = {},
): Promise<T> {
	const server = await startBuiltServer({
		env: { LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '100', ...env },
		...(dist !== undefined && { dist }),
	});
	try {
		return await work(server);
	} finally {
		await server.close();
	}
}

/** Does the same with two processes on PostgreSQL behind nginx. */
export async function withCluster<T>(
	{ dist, env = {} }: { dist?: string; env?: Record<string, string> },
	work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
	const cluster = await startCluster({
		env: { LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '100', ...env },
		...(dist !== undefined && { dist }),
	});
	try {
		return await work(cluster);
	} finally {
		await cluster.close();
	}
}

/** Runs `fsck`. @returns its output when it finds a problem */
export async function checkFiles(server: BuiltServer): Promise<string[]> {
	const fsck = await server.cli('fsck');
	return fsck.code === 0 && /, 0 problems/u.test(fsck.output) ? [] : [`fsck: ${fsck.output.trim()}`];
}
