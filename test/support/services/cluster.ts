import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bucketEnvironment, createBucket, startSwift } from '../../../scripts/services/swift.mjs';
import {
	type BuiltServer,
	type BuiltServerOptions,
	findFreePort,
	type LogLine,
	type SingleServer,
	startBuiltServer,
} from './built-server.ts';
import { prepareNginx } from './nginx.ts';
import { createDatabase, startPostgres } from './postgres-server.ts';

/** Environment variable: URL of the PostgreSQL server of all clusters. If not set, each cluster starts a server. */
export const sharedPostgresVariable = 'FOLIO_TEST_POSTGRES';
/** Environment variable: settings of the S3 store of all clusters, as JSON. If not set, each cluster starts a store. */
export const sharedStoreVariable = 'FOLIO_TEST_STORE';

/** `fail_timeout` in deploy/nginx.conf, plus 200 ms. */
const upstreamFailTimeoutMs = 2200;

/** Two processes of the built product behind nginx, on one PostgreSQL database and one S3 bucket. */
export interface Cluster extends BuiltServer {
	readonly processes: readonly [SingleServer, SingleServer];
	/** Returns the last process that printed this line. @throws Error when no process has printed the line */
	whoPrinted(line: string): BuiltServer;
}

type Ends = Array<() => Promise<unknown>>;

/** Starts nginx, and two processes at the same time on an empty database. */
export async function startCluster(options: Omit<BuiltServerOptions, 'onPrinted'> = {}): Promise<Cluster> {
	const ends: Ends = [];
	const close = async () => {
		for (const end of ends.splice(0).reverse()) await end();
	};
	try {
		return await start(options, ends, close);
	} catch (error) {
		await close();
		throw error;
	}
}

async function start(
	{ env, ...options }: BuiltServerOptions,
	ends: Ends,
	close: () => Promise<void>,
): Promise<Cluster> {
	const dataDir = await mkdtemp(join(tmpdir(), 'folio-cluster-'));
	ends.push(() => rm(dataDir, { recursive: true, force: true }));
	const databaseUrl = await makeDatabase(ends);
	const bucket = await makeBucket(ends);
	const port = await findFreePort();
	const url = `http://127.0.0.1:${port}`;
	const printed: string[] = [];
	const printers = new Map<string, number>();
	const shared = {
		...bucket,
		DATA_DIR: dataDir,
		DATABASE_URL: databaseUrl,
		SECRET: 'what every process of a cluster knows',
		PUBLIC_URL: url,
		TRUST_PROXY: '127.0.0.1',
		...env,
	};
	const startProcess = (index: number) => {
		const onPrinted = (line: string) => {
			printed.push(line);
			printers.set(line, index);
		};
		const started = startBuiltServer({ ...options, env: shared, onPrinted });
		ends.push(async () => (await started.catch(() => null))?.close());
		return started;
	};
	const processes = await Promise.all([startProcess(0), startProcess(1)]);
	const [first] = processes;
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
		databaseUrl,
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
			// Also kills nginx, which would otherwise respond with errors.
			await nginx.kill();
			await Promise.all(processes.filter((server) => server.isRunning()).map((server) => server.kill()));
		},
		cli: first.cli,
		close,
	};
}

async function makeBucket(ends: Ends): Promise<Record<string, string>> {
	const shared = process.env[sharedStoreVariable];
	if (shared !== undefined) return bucketEnvironment(await createBucket(JSON.parse(shared)));
	const { settings, stop } = await startSwift();
	ends.push(stop);
	return bucketEnvironment(await createBucket(settings));
}

async function makeDatabase(ends: Ends): Promise<string> {
	let serverUrl = process.env[sharedPostgresVariable];
	if (serverUrl === undefined) {
		const server = await startPostgres();
		ends.push(() => server.stop());
		serverUrl = server.urlOf('postgres');
	}
	const database = await createDatabase(serverUrl);
	ends.push(() => database.drop());
	return database.url;
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
			// nginx uses the restarted process only after this time. An earlier kill could leave nginx without any process.
			await sleep(upstreamFailTimeoutMs);
		},
	};
}
