import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSwift } from '../../../scripts/services/swift.mjs';
import { bucketEnvironment, createBucket, type StoreSettings } from './buckets.ts';
import { type BuiltServer, findFreePort, type LogLine, startBuiltServer } from './built-server.ts';
import { prepareNginx } from './nginx.ts';
import { runStatement, startPostgres } from './postgres-server.ts';

/** Names a PostgreSQL server shared by the whole run; without it, {@link startCluster} starts its own. */
export const sharedPostgresVariable = 'FOLIO_TEST_POSTGRES';
/** Holds, as JSON, an S3 store shared by the whole run; without it, {@link startCluster} starts its own. */
export const sharedStoreVariable = 'FOLIO_TEST_STORE';

/** `fail_timeout` in deploy/nginx.conf, and a little more. */
const upstreamFailTimeoutMs = 2200;

/** The built product as several processes on one PostgreSQL database and S3 bucket behind nginx, used as one server. */
export interface Cluster extends BuiltServer {
	readonly processes: readonly BuiltServer[];
	/** Returns the process that printed this line last. @throws Error when none has */
	whoPrinted(line: string): BuiltServer;
}

interface ClusterOptions {
	env?: Record<string, string>;
	dist?: string;
	count?: number;
	logName?: string;
}

/** Starts all processes at once on an empty database, behind nginx. */
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
	for (const each of starting) ends.push(async () => (await each.catch(() => null))?.close());
	const processes = await Promise.all(starting);
	const [first] = processes;
	if (first === undefined) throw new Error('A cluster has at least one process.');
	const nginx = await prepareNginx(
		port,
		processes.map((each) => Number(new URL(each.url).port)),
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
		isRunning: () => processes.some((each) => each.isRunning()),
		async start() {
			await Promise.all(processes.filter((each) => !each.isRunning()).map((each) => each.start()));
			await nginx.start();
		},
		async kill() {
			// As when a machine fails: otherwise nginx alone would still answer.
			await nginx.kill();
			await Promise.all(processes.filter((each) => each.isRunning()).map((each) => each.kill()));
		},
		async terminate() {
			const endings = await Promise.all(processes.map((each) => each.terminate()));
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
	const given = process.env[sharedStoreVariable];
	const own = given === undefined ? await startSwift() : null;
	const store = given === undefined ? own : (JSON.parse(given) as StoreSettings);
	try {
		if (store === null) throw new Error('There is no store.');
		return { env: bucketEnvironment(await createBucket(store)), release: async () => own?.stop() };
	} catch (error) {
		await own?.stop();
		throw error;
	}
}

async function makeDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
	const given = process.env[sharedPostgresVariable];
	const own = given === undefined ? await startPostgres() : null;
	const serverUrl = given ?? own?.urlOf('postgres') ?? '';
	const name = `cluster_${randomUUID().replaceAll('-', '')}`;
	try {
		await runStatement(serverUrl, `create database ${name} template template0`);
	} catch (error) {
		await own?.stop();
		throw error;
	}
	const url = new URL(serverUrl);
	url.pathname = `/${name}`;
	return {
		url: url.href,
		async drop() {
			if (own !== null) return own.stop();
			await runStatement(serverUrl, `drop database if exists ${name} with (force)`);
		},
	};
}

/**
 * Adapts the cluster to a resilience test that kills: each kill ends one process, chosen by `choose` (by default one
 * after the other), and the next start restarts it. The others and nginx continue.
 */
export function killOneProcessAtATime(cluster: Cluster, choose?: () => BuiltServer): BuiltServer {
	let turn = 0;
	let killed: BuiltServer | null = null;
	return {
		...cluster,
		printed: cluster.printed,
		get log() {
			return cluster.log;
		},
		async kill() {
			killed = choose?.() ?? cluster.processes[turn++ % cluster.processes.length] ?? null;
			await killed?.kill();
		},
		async start() {
			await killed?.start();
			killed = null;
			// Before that, nginx does not use the restarted process, and a kill of the other one would leave none.
			await sleep(upstreamFailTimeoutMs);
		},
	};
}
