import { type BuiltServer, startBuiltServer } from '../../support/services/built-server.ts';
import { type Cluster, startCluster } from '../../support/services/cluster.ts';
import { waitUntil } from './report.ts';

/**
 * Starts the built product, or the build in `dist`, with few logs and high limits, runs some work with it, and stops it.
 */
export async function withServer<T>(
	dist: string | undefined,
	work: (server: BuiltServer) => Promise<T>,
	env: Record<string, string> = {},
): Promise<T> {
	const server = await startBuiltServer(optionsOf(dist, env));
	try {
		return await work(server);
	} finally {
		await server.close();
	}
}

/** Like {@link withServer}, with two processes on PostgreSQL behind nginx. */
export async function withCluster<T>(
	{ dist, env = {} }: { dist?: string; env?: Record<string, string> },
	work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
	const cluster = await startCluster(optionsOf(dist, env));
	try {
		return await work(cluster);
	} finally {
		await cluster.close();
	}
}

function optionsOf(dist: string | undefined, env: Record<string, string>) {
	return {
		env: { LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '100', ...env },
		...(dist !== undefined && { dist }),
	};
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
