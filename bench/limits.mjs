/**
 * `node bench/limits.mjs`: measures the limits of one process of the built product and of its services, for
 * docs/scale.md: bytes of rows on PostgreSQL, notifications a second, sign-ins a second, and bytes a second from a disk
 * and from an S3 store. Takes about four minutes, with nothing beside it. Nothing passes or fails by speed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { build } from '../scripts/build/dist.mjs';
import { copyBuild, startServer } from '../scripts/services/built-server.mjs';
import { demoEnvironment } from '../scripts/services/demo-data.mjs';
import { startSwift } from '../scripts/services/swift.mjs';
import { prepare } from '../scripts/setup/prepare.mjs';
import { endTogether } from '../scripts/setup/processes.mjs';
import { bucketEnvironment, createBucket } from '../test/support/services/buckets.ts';
import { runStatement, startPostgres } from '../test/support/services/postgres-server.ts';
import { readCpuMs } from './measure/event-stream-process.mjs';
import { describeMachine, median } from './measure/rounds.mjs';
import { runSeed } from './measure/seed-and-load.mjs';

const rounds = 5;
/** Kinds of rows to measure: label, seeding script, count. */
const kinds = [
	['a person, with a file and an order', 'seed-users.ts', 10_000],
	['a file', 'seed-files.ts', 100_000],
	['an order with its proof', 'seed-orders.ts', 100_000],
	['a message', 'seed-chat.ts', 100_000],
];
const listenerCounts = [2, 8, 32];
const notifications = 2000;
/** Payload as long as the event of a short chat message. */
const payload = 'x'.repeat(300);
const signIns = 200;
const fileMegabytes = 64;

const node = await prepare(import.meta.url);
endTogether();
await build(node);
const folder = await mkdtemp(join(tmpdir(), 'folio-limits-'));
const built = await copyBuild();
const postgres = await startPostgres({ isDurable: true });
try {
	const { node: version, cores, cpu } = describeMachine();
	console.log(`${cores} cores, ${cpu}, Node ${version}, PostgreSQL ${postgres.version}; medians of ${rounds}`);
	for (const [what, script, count] of kinds) await weighRows(what, script, count);
	for (const count of listenerCounts) await notify(count);
	await signInManyTimes();
	await download('a disk', {});
	const store = await startSwift();
	try {
		await download('an S3 store on this machine', bucketEnvironment(await createBucket(store)));
	} finally {
		await store.stop();
	}
} finally {
	await postgres.stop();
	await built.remove();
	await rm(folder, { recursive: true, force: true });
}
process.exit(0);

async function connect(database) {
	const client = new pg.Client({ connectionString: postgres.urlOf(database) });
	await client.connect();
	return client;
}

/** Prints the bytes of tables and indexes per row: the size with `count` rows less the size with 100. */
async function weighRows(what, script, count) {
	const sizes = [];
	for (const each of [100, count]) {
		const name = `rows_${script.replaceAll(/\W/gu, '_')}_${each}`;
		await runStatement(postgres.urlOf('postgres'), `create database ${name}`);
		const env = { ...demoEnvironment(join(folder, name)), DATABASE_URL: postgres.urlOf(name) };
		await runSeed(node, script, env, String(each));
		const client = await connect(name);
		await client.query('vacuum full');
		const { rows } = await client.query('select pg_database_size(current_database())::float8 as size');
		await client.end();
		sizes.push(rows[0].size);
	}
	console.log(`${what}: ${Math.round((sizes[1] - sizes[0]) / (count - 100))} bytes of rows and indexes`);
}

/** Sends notifications one by one, each in its own transaction, until all listeners have received the last one. */
async function notify(listenerCount) {
	const listeners = await Promise.all(Array.from({ length: listenerCount }, () => connect('postgres')));
	const speaker = await connect('postgres');
	await speaker.query('set synchronous_commit = off');
	for (const listener of listeners) await listener.query('listen limits');
	const seconds = [];
	for (let round = 0; round < rounds; round += 1) {
		const heard = listeners.map(
			(listener) =>
				new Promise((resolve) => {
					let count = 0;
					const hear = () => {
						count += 1;
						if (count < notifications) return;
						listener.off('notification', hear);
						resolve();
					};
					listener.on('notification', hear);
				}),
		);
		const startedAt = performance.now();
		// The number makes otherwise equal payloads distinct, as in the bus's notifications.
		for (let i = 0; i < notifications; i += 1) await speaker.query(`select pg_notify('limits', '${payload}${i}')`);
		await Promise.all(heard);
		seconds.push((performance.now() - startedAt) / 1000);
	}
	await Promise.all([speaker, ...listeners].map((client) => client.end()));
	console.log(`${listenerCount} listening: ${Math.round(notifications / median(seconds))} notifications a second`);
}

/** Measures sign-ins with the right password, eight at a time, on one process with the embedded database. */
async function signInManyTimes() {
	const env = { ...demoEnvironment(join(folder, 'sign-ins')), LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '1000000' };
	const { email, password } = await runSeed(node, 'seed-small.ts', env, 'large-file', '1');
	const server = await startServer(node, env, built.program);
	const seconds = [];
	for (let round = 0; round < rounds; round += 1) {
		const startedAt = performance.now();
		let left = signIns;
		const signInInTurn = async () => {
			while (left > 0) {
				left -= 1;
				const answer = await fetch(`${server.url}/api/sign-in`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ email, password }),
				});
				if (answer.status !== 200) throw new Error(`A sign-in was answered with ${answer.status}.`);
			}
		};
		await Promise.all(Array.from({ length: 8 }, signInInTurn));
		seconds.push((performance.now() - startedAt) / 1000);
	}
	await server.stop();
	console.log(`one process: ${Math.round(signIns / median(seconds))} sign-ins a second`);
}

/** Measures four parallel downloads of one file, and the CPU time that the server uses for them. */
async function download(where, storage) {
	const env = { ...demoEnvironment(join(folder, where.replaceAll(' ', '-'))), ...storage, LOG_LEVEL: 'warn' };
	const { token, fileId, sizeBytes } = await runSeed(node, 'seed-small.ts', env, 'large-file', String(fileMegabytes));
	const server = await startServer(node, env, built.program);
	const speeds = [];
	const costs = [];
	for (let round = 0; round < rounds; round += 1) {
		const beforeMs = await readCpuMs(server.pid);
		const startedAt = performance.now();
		const lengths = await Promise.all(
			[1, 2, 3, 4].map(() => lengthOf(`${server.url}/api/files/${fileId}/content`, token)),
		);
		if (lengths.some((length) => length !== sizeBytes))
			throw new Error(`Bodies of ${lengths} bytes, not ${sizeBytes}.`);
		speeds.push((4 * fileMegabytes) / ((performance.now() - startedAt) / 1000));
		costs.push(((await readCpuMs(server.pid)) - beforeMs) / 1000 / ((4 * fileMegabytes) / 1024));
	}
	await server.stop();
	console.log(
		`files on ${where}: ${Math.round(median(speeds))} MB a second to four at once, ` +
			`${median(costs).toFixed(1)} s of a processor for each GB`,
	);
}

function lengthOf(url, token) {
	return new Promise((resolve, reject) => {
		get(url, { agent: false, headers: { cookie: `folio_session=${token}` } }, (answer) => {
			if (answer.statusCode !== 200) return reject(new Error(`A download was answered with ${answer.statusCode}.`));
			let length = 0;
			answer.on('data', (chunk) => {
				length += chunk.length;
			});
			answer.on('end', () => resolve(length));
			answer.on('error', reject);
		}).on('error', reject);
	});
}
