/**
 * `node bench/limits.mjs`: measures the limits of one process of the built product and of its services, for
 * docs/performance.md: bytes of rows on PostgreSQL, notifications a second, sign-ins a second, and bytes a second from a disk
 * and from an S3 store. Takes about four minutes, in which nothing else should run. Never fails because of a speed.
 */
import { join } from 'node:path';
import pg from 'pg';
import { build } from '../scripts/build/dist.mjs';
import { copyBuild } from '../scripts/services/built-server.mjs';
import { demoEnvironment } from '../scripts/services/demo-data.mjs';
import { bucketEnvironment, createBucket, startSwift } from '../scripts/services/swift.mjs';
import { prepare } from '../scripts/setup/prepare.mjs';
import { endProgramsOnSignal } from '../scripts/setup/processes.mjs';
import { makeTemporaryFolder } from '../scripts/setup/temporary-folder.mjs';
import { runStatement, startPostgres } from '../test/support/services/postgres-server.ts';
import { readCpuMs } from './measure/event-stream-process.mjs';
import { describeMachine, median } from './measure/rounds.mjs';
import { runSeed, serveSeeded } from './measure/seed-and-load.mjs';

const rounds = 5;
/** Kinds of rows to measure: label, seeding script, count. */
const kinds = [
	['a user with a file and an order', 'seed-users.ts', 10_000],
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
endProgramsOnSignal();
await build(node);
const folder = makeTemporaryFolder('folio-limits-');
const { program } = await copyBuild();
const postgres = await startPostgres({ isDurable: true });
const { node: version, cores, cpu } = describeMachine();
console.log(`${cores} cores, ${cpu}, Node ${version}, PostgreSQL ${postgres.version}; medians of ${rounds}`);
for (const [what, script, count] of kinds) await measureRows(what, script, count);
for (const count of listenerCounts) await notify(count);
await postgres.stop();
await signInManyTimes();
await download('a disk', {});
const store = await startSwift();
await download('an S3 store on this machine', bucketEnvironment(await createBucket(store.settings)));
await store.stop();
process.exit(0);

async function connect(database) {
	const client = new pg.Client({ connectionString: postgres.urlOf(database) });
	await client.connect();
	return client;
}

/** Prints the bytes of tables and indexes per row: compares a database with `count` rows with one with 100 rows. */
async function measureRows(what, script, count) {
	const sizes = [];
	for (const rowCount of [100, count]) {
		const name = `rows_${script.replaceAll(/\W/gu, '_')}_${rowCount}`;
		await runStatement(postgres.urlOf('postgres'), `create database ${name}`);
		const env = { ...demoEnvironment(join(folder, name)), DATABASE_URL: postgres.urlOf(name) };
		await runSeed(node, script, env, String(rowCount));
		const client = await connect(name);
		await client.query('vacuum full');
		const { rows } = await client.query('select pg_database_size(current_database())::float8 as size');
		await client.end();
		sizes.push(rows[0].size);
	}
	console.log(`${what}: ${Math.round((sizes[1] - sizes[0]) / (count - 100))} bytes of rows and indexes`);
}

/** Measures the time in which notifications, each in a transaction of its own, reach all listeners. */
async function notify(listenerCount) {
	const listeners = await Promise.all(Array.from({ length: listenerCount }, () => connect('postgres')));
	const sender = await connect('postgres');
	await sender.query('set synchronous_commit = off');
	for (const listener of listeners) await listener.query('listen limits');
	const seconds = [];
	for (let round = 0; round < rounds; round += 1) {
		const received = listeners.map(
			(listener) =>
				new Promise((resolve) => {
					let count = 0;
					const onNotification = () => {
						count += 1;
						if (count < notifications) return;
						listener.off('notification', onNotification);
						resolve();
					};
					listener.on('notification', onNotification);
				}),
		);
		const startedAt = performance.now();
		// The number makes the payloads distinct, like those of the bus.
		for (let i = 0; i < notifications; i += 1) await sender.query(`select pg_notify('limits', '${payload}${i}')`);
		await Promise.all(received);
		seconds.push((performance.now() - startedAt) / 1000);
	}
	await Promise.all([sender, ...listeners].map((client) => client.end()));
	console.log(`${listenerCount} listening: ${Math.round(notifications / median(seconds))} notifications a second`);
}

async function signInManyTimes() {
	const seeding = ['seed-small.ts', 'large-file', 1];
	const { seeded, server } = await serveSeeded({ node, folder, program }, 'sign-ins', seeding, {
		RATE_LIMIT_FACTOR: '1000000',
	});
	const body = JSON.stringify({ email: seeded.email, password: seeded.password });
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
					body,
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
	const seeding = ['seed-small.ts', 'large-file', fileMegabytes];
	const { seeded, server } = await serveSeeded({ node, folder, program }, where.replaceAll(' ', '-'), seeding, storage);
	const { token, fileId, sizeBytes } = seeded;
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

async function lengthOf(url, token) {
	const answer = await fetch(url, { headers: { cookie: `folio_session=${token}` } });
	if (answer.status !== 200) throw new Error(`A download was answered with ${answer.status}.`);
	let length = 0;
	for await (const chunk of answer.body) length += chunk.length;
	return length;
}
