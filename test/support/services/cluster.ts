import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSwift } from '../../../scripts/services/swift.mjs';
import { bucketEnvironment, createBucket, type StoreSettings } from './buckets.ts';
import { type BuiltServer, findFreePort, type LogLine, startBuiltServer } from './built-server.ts';
import { prepareNginx } from './nginx.ts';
import { createDatabase, startPostgres, type TestDatabase } from './postgres-server.ts';

/** Environment variable with the URL of a PostgreSQL server for all clusters of a run; without it, each cluster starts its own. */
export const sharedPostgresVariable = 'FOLIO_TEST_POSTGRES';
/** Environment variable with the settings of an S3 store as JSON; without it, each cluster starts its own store. */
export const sharedStoreVariable = 'FOLIO_TEST_STORE';

/** `fail_timeout` in deploy/nginx.conf, plus 200 ms. */
const upstreamFailTimeoutMs = 2200;

/** Several processes of the built product behind nginx, on one PostgreSQL database and one S3 bucket. */
export interface Cluster extends BuiltServer {
	readonly processes: readonly BuiltServer[];
	/** Returns the process that printed this line last. @throws Error when no process has printed it */
	whoPrinted(line: string): BuiltServer;
}

interface ClusterOptions {
	env?: Record<string, string>;
	dist?: string;
	count?: number;
	logName?: string;
}

/** Starts nginx and all processes on an empty database; the processes start at the same time. */
export async function startCluster({
	env = {},
	dist,
	count = 2,
	logName = 'server',
}: ClusterOptions = {}): Promise<Cluster> {
	const ends: Array<() => Promise<unknown>> = [];
	const close = async () => {
		for (const end of ends.splice(0).reverse()) await end();
	};
	try {
		return await start({ env, ...(dist !== undefined && { dist }), count, logName }, ends, close);
	} catch (error) {
		await close();
		throw error;
	}
}

async function start(
	{ env, dist, count, logName }: Required<Omit<ClusterOptions, 'dist'>> & Pick<ClusterOptions, 'dist'>,
	ends: Array<() => Promise<unknown>>,
	close: () => Promise<void>,
): Promise<Cluster> {
	const dataDir = await mkdtemp(join(tmpdir(), 'folio-cluster-'));
	ends.push(() => rm(dataDir, { recursive: true, force: true }));
	const database = await makeDatabase();
	ends.push(() => database.drop());
	const bucket = await makeBucket();
	ends.push(() => bucket.release());
	const port = await findFreePort();
	const url = `http://127.0.0.1:${port}`;
	const printed: string[] = [];
	const printers = new Map<string, number>();
	const shared = {
		...bucket.env,
		DATA_DIR: dataDir,
		DATABASE_URL: database.url,
		SECRET: 'what every process of a cluster knows',
		PUBLIC_URL: url,
		TRUST_PROXY: '127.0.0.1',
		...env,
	};
	const starting = Array.from({ length: count }, (_, index) =>
		startBuiltServer({
			env: shared,
			logName,
			...(dist !== undefined && { dist }),
			onPrinted: (line) => {
				printed.push(line);
				printers.set(line, index);
			},
		}),
	);
	for (const started of starting) ends.push(async () => (await started.catch(() => null))?.close());
	const processes = await Promise.all(starting);
	const [first] = processes;
	if (first === undefined) throw new Error('A cluster needs at least one process.');
	const nginx = await prepareNginx(
		port,
		processes.map((server) => Number(new URL(server.url).port)),
	);
	ends.push(() => nginx.close());
	await nginx.start();
	return {
		processes,
		url,
		dataDir,
		databaseUrl: database.url,
		get log(): LogLine[] {
			return processes.flatMap(({ log }) => log).sort((a, b) => String(a.time).localeCompare(String(b.time)));
		},
		printed,
		logFile: first.logFile,
		whoPrinted(line) {
			const printer = processes[printers.get(line) ?? -1];
			if (printer === undefined) throw new Error(`No process has printed '${line}'.`);
			return printer;
		},
		pid: () => first.pid(),
		isRunning: () => processes.some((server) => server.isRunning()),
		async start() {
			await Promise.all(processes.filter((server) => !server.isRunning()).map((server) => server.start()));
			await nginx.start();
		},
		async kill() {
			// nginx is also killed, as when a machine fails; otherwise it would still respond, with errors.
			await nginx.kill();
			await Promise.all(processes.filter((server) => server.isRunning()).map((server) => server.kill()));
		},
		async terminate() {
			const endings = await Promise.all(processes.map((server) => server.terminate()));
			await nginx.kill();
			const worst = endings.toSorted((a, b) => b.ms - a.ms)[0];
			if (worst === undefined) throw new Error('No process has ended.');
			return endings.find(({ code }) => code !== 0) ?? worst;
		},
		cli: (...args) => first.cli(...args),
		close,
	};
}

/** Creates a bucket and returns its settings. */
async function makeBucket(): Promise<{ env: Record<string, string>; release(): Promise<void> }> {
	const shared = process.env[sharedStoreVariable];
	const own = shared === undefined ? await startSwift() : null;
	const store = shared === undefined ? own : (JSON.parse(shared) as StoreSettings);
	try {
		if (store === null) throw new Error('There is no store.');
		return { env: bucketEnvironment(await createBucket(store)), release: async () => own?.stop() };
	} catch (error) {
		await own?.stop();
		throw error;
	}
}

async function makeDatabase(): Promise<TestDatabase> {
	const sharedUrl = process.env[sharedPostgresVariable];
	const own = sharedUrl === undefined ? await startPostgres() : null;
	try {
		const database = await createDatabase(sharedUrl ?? own?.urlOf('postgres') ?? '');
		return own === null ? database : { ...database, drop: () => own.stop() };
	} catch (error) {
		await own?.stop();
		throw error;
	}
}

/**
 * Adapts a cluster to a resilience test for one server: each `kill` ends one process, selected by `choose` (by default
 * in turn), and the next `start` restarts that process. The other processes and nginx keep running.
 */
export function killOneProcessAtATime(cluster: Cluster, choose?: () => BuiltServer): BuiltServer {
	let killCount = 0;
	let killed: BuiltServer | null = null;
	return {
		...cluster,
		printed: cluster.printed,
		get log() {
			return cluster.log;
		},
		async kill() {
			killed = choose?.() ?? cluster.processes[killCount++ % cluster.processes.length] ?? null;
			await killed?.kill();
		},
		async start() {
			await killed?.start();
			killed = null;
			// Until then, nginx does not use the restarted process, so killing another process could leave none in use.
			await sleep(upstreamFailTimeoutMs);
		},
	};
}
