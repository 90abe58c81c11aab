import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../scripts/services/free-port.mjs';
import { bucketEnvironment, createBucket, startSwift } from '../../../scripts/services/swift.mjs';
import {
	type BuiltServer,
	type BuiltServerOptions,
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

/** Starts nginx, and two processes at the same time on an empty database. */
export async function startCluster({ env, ...options }: Omit<BuiltServerOptions, 'onPrinted'> = {}): Promise<Cluster> {
	await using started = new AsyncDisposableStack();
	const { path: dataDir } = started.use(await mkdtempDisposable(join(tmpdir(), 'folio-cluster-')));
	const databaseUrl = await makeDatabase(started);
	const bucket = await makeBucket(started);
	const port = await freePort();
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
		const server = startBuiltServer({ ...options, env: shared, onPrinted });
		started.defer(async () => (await server.catch(() => null))?.close());
		return server;
	};
	const processes = await Promise.all([startProcess(0), startProcess(1)]);
	const [first] = processes;
	const nginx = await prepareNginx(
		port,
		processes.map((server) => Number(new URL(server.url).port)),
	);
	started.defer(() => nginx.close());
	await nginx.start();
	const running = started.move();
	const close = () => running.disposeAsync();
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
		[Symbol.asyncDispose]: close,
	};
}

async function makeBucket(started: AsyncDisposableStack): Promise<Record<string, string>> {
	const shared = process.env[sharedStoreVariable];
	const store = shared === undefined ? started.use(await startSwift()).settings : JSON.parse(shared);
	return bucketEnvironment(await createBucket(store));
}

async function makeDatabase(started: AsyncDisposableStack): Promise<string> {
	const serverUrl = process.env[sharedPostgresVariable] ?? started.use(await startPostgres()).urlOf('postgres');
	return started.use(await createDatabase(serverUrl)).url;
}

/** Each `kill` ends one process, selected by `choose` or in turn. The next `start` restarts it; nginx keeps running. */
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
