/**
 * Backs up the data of the demo while its server takes orders, restores the backup, and moves the data to PostgreSQL
 * and an S3 store and back. Restore and moves are killed (-9) several times before they may finish. The restored data
 * has no fault, and after both moves the rows and bytes are the same, as read directly from both databases and folders.
 * Control: after a change of one row and one file, the same comparison must find both.
 *
 * `node scripts/resilience.mjs backup [--short]`
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { copyBuild, startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment, seedDemo } from '../../scripts/services/demo-data.mjs';
import { startSwift } from '../../scripts/services/swift.mjs';
import { buy } from '../support/browser/seeding.ts';
import { startPostgres } from '../support/services/postgres-server.ts';
import { bytesOf, differencesOf, type Ended, rowsOf, runCli, runUnderKills } from './support/backup-commands.ts';
import { finishTest, printLine } from './support/report.ts';

const isShort = process.argv.includes('--short');
const buyers = isShort ? 2 : 6;
/**
 * Moments of the kills, as parts of the time that a restore takes without kills. A command needs some of it to start.
 */
const kills = isShort ? [0.5, 0.8] : [0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

const failures: string[] = [];
const folder = await mkdtemp(join(tmpdir(), 'folio-keeping-'));
const built = await copyBuild();
const cli = join(built.program, '..', 'cli.js');
const data = join(folder, 'data');
try {
	const printed = await seedDemo(process.execPath, data);
	const password = /password (\S+) for everybody/u.exec(printed)?.[1] ?? '';
	const backup = await backUpWhileSelling();
	await moveThereAndBack(await restoreUnderKills(backup, password));
} finally {
	await built.remove();
	await rm(folder, { recursive: true, force: true });
}
finishTest(failures);

function must(what: string, ended: Ended, code = 0): void {
	if (ended.code !== code) failures.push(`${what} ended with ${ended.code}: ${ended.output.slice(-600)}`);
}

function momentsOf(ms: number): number[] {
	return kills.map((part) => part * ms);
}

function checkEnded(what: string, { ended, kills: count }: { ended: Ended; kills: number }): void {
	must(what, ended);
	if (count === 0) failures.push(`${what} was never killed`);
}

/** Makes several backups into one folder while orders come in. @returns the folder */
async function backUpWhileSelling(): Promise<string> {
	const to = join(folder, 'backup');
	const server = await startServer(
		process.execPath,
		{ ...demoEnvironment(data), RATE_LIMIT_FACTOR: '1000' },
		built.program,
	);
	let isOver = false;
	let bought = 0;
	try {
		const sell = async (place: number) => {
			for (let i = 0; !isOver; i += 1) {
				await buy(server.url, { name: 'Busy Buyer', email: `busy-${place}-${i}@example.com` });
				bought += 1;
			}
		};
		const selling = Array.from({ length: buyers }, (_, place) => sell(place));
		await sleep(300);
		for (let round = 0; round < (isShort ? 2 : 5); round += 1) {
			const before = bought;
			const ended = await runCli(cli, demoEnvironment(data), ['backup', to]);
			must('a backup', ended);
			printLine(
				`backup ${round + 1}: ${Math.round(ended.ms)} ms, ${bought - before} purchases meanwhile; ${ended.output.split('\n')[1]}`,
			);
		}
		isOver = true;
		await Promise.all(selling);
		if (bought < 5) failures.push(`only ${bought} purchases came in beside the backups`);
	} finally {
		isOver = true;
		await server.stop();
	}
	must('fsck of the installation', await runCli(cli, demoEnvironment(data), ['fsck']));
	return to;
}

/** @returns how long a restore takes without kills */
async function restoreUnderKills(backup: string, password: string): Promise<number> {
	const place = join(folder, 'restored');
	const env = demoEnvironment(place);
	const plain = await runCli(cli, demoEnvironment(join(folder, 'plain')), ['restore', backup]);
	must('a restore', plain);
	const killed = await runUnderKills(cli, env, ['restore', backup], momentsOf(plain.ms));
	// A kill after everything was loaded leaves a complete installation, which a further restore refuses to overwrite.
	const wasAlreadyRestored =
		killed.kills > 0 && killed.ended.code === 1 && killed.ended.output.startsWith('The database is in use');
	if (!wasAlreadyRestored) checkEnded('the restore', killed);
	failures.push(...differencesOf('rows of the killed restore', rowsOf(join(folder, 'plain')), rowsOf(place)));
	printLine(`restore: ${Math.round(plain.ms)} ms; with ${killed.kills} kills, then ${Math.round(killed.ended.ms)} ms`);
	const fsck = await runCli(cli, env, ['fsck']);
	must('fsck of what was restored', fsck);
	printLine(`restored: ${fsck.output}`);
	const server = await startServer(process.execPath, env, built.program);
	try {
		const answer = await fetch(`${server.url}/api/sign-in`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ email: 'rohan@folio.example', password }),
		});
		if (answer.status !== 200) failures.push(`the restored owner signs in with ${answer.status}`);
	} finally {
		await server.stop();
	}
	must('a restore into what is in use', await runCli(cli, env, ['restore', backup]), 1);
	// A backup without its manifest is incomplete and must not be restored.
	await rename(join(backup, 'manifest.json'), join(backup, 'manifest'));
	must(
		'a restore without a manifest',
		await runCli(cli, demoEnvironment(join(folder, 'half')), ['restore', backup]),
		1,
	);
	return plain.ms;
}

/**
 * Hashes the stored bytes by key, without the file with which a killed move checked whether two folders are the same.
 */
async function storedIn(place: string): Promise<Map<string, string>> {
	const bytes = await bytesOf(join(place, 'storage'));
	const probe = createHash('sha256').update('Is this one place?').digest('hex');
	return new Map([...bytes].filter(([, hash]) => hash !== probe));
}

async function moveThereAndBack(plainMs: number): Promise<void> {
	const back = join(folder, 'back');
	const [postgres, swift] = await Promise.all([startPostgres(), startSwift()]);
	try {
		const client = new pg.Client({ connectionString: postgres.urlOf('postgres') });
		await client.connect();
		await client.query('create database moved');
		await client.end();
		await swift.createBucket('moved');
		const keys = { S3_ACCESS_KEY_ID: swift.accessKeyId, S3_SECRET_ACCESS_KEY: swift.secretAccessKey };
		const url = postgres.urlOf('moved');

		const server = await startServer(process.execPath, demoEnvironment(data), built.program);
		const files = `s3://moved?endpoint=${swift.endpoint}&region=${swift.region}`;
		const there = ['move', '--to', url, '--files', files];
		must('a move beside a server', await runCli(cli, { ...demoEnvironment(data), ...keys }, there), 1);
		await server.stop();
		const first = await runUnderKills(cli, { ...demoEnvironment(data), ...keys }, there, momentsOf(plainMs * 2));
		checkEnded('the move to PostgreSQL and S3', first);
		printLine(
			`to PostgreSQL and S3: ${first.kills} kills, then ${Math.round(first.ended.ms)} ms; ${first.ended.output.split('\n').slice(0, 4).join(' ')}`,
		);

		const store = { S3_ENDPOINT: swift.endpoint, S3_REGION: swift.region, S3_BUCKET: 'moved', ...keys };
		const scaled = { ...demoEnvironment(data), DATABASE_URL: url, ...store };
		must('fsck there', await runCli(cli, scaled, ['fsck']));
		const second = await runUnderKills(
			cli,
			scaled,
			['move', '--to', `sqlite:${back}`, '--files', back],
			momentsOf(plainMs),
		);
		checkEnded('the move back', second);
		printLine(`and back: ${second.kills} kills, then ${Math.round(second.ended.ms)} ms`);
		must('fsck of what came back', await runCli(cli, demoEnvironment(back), ['fsck']));
	} finally {
		await Promise.all([postgres.stop(), swift.stop()]);
	}
	const compare = async () => [
		...differencesOf('rows', rowsOf(data), rowsOf(back)),
		...differencesOf('bytes', await storedIn(data), await storedIn(back)),
	];
	const differences = await compare();
	printLine(
		`there and back: ${rowsOf(back).size} tables and ${(await bytesOf(join(back, 'storage'))).size} files compared, ${differences.length} differences`,
	);
	failures.push(...differences);

	const database = new DatabaseSync(join(back, 'folio.db'));
	database.exec("update orders set name = 'Somebody Else' where id = (select min(id) from orders)");
	database.close();
	await mkdir(join(back, 'storage', 'files'), { recursive: true });
	const [some] = await readdir(join(back, 'storage', 'screenshots'));
	await writeFile(join(back, 'storage', 'screenshots', String(some)), 'something else');
	const found = await compare();
	printLine(`control, a row and a file changed: ${found.join('; ')}`);
	if (found.length !== 2) failures.push(`the control was not caught: ${found.join('; ') || 'no fault'}`);
}
