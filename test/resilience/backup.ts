/**
 * Backs up the data of the demo while its server accepts orders, and restores the backup. Then moves the data to
 * PostgreSQL and an S3 store and back, each time by a backup and a restore. Every restore is killed (-9) several times
 * before its last run. fsck finds no problem in the restored data, and after both moves all rows and bytes equal the
 * original.
 * Control: after a change of one row and one file, the same comparison must find both.
 */
import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyBuild, startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment, seedDemo } from '../../scripts/services/demo-data.mjs';
import { bucketEnvironment, createBucket, startSwift } from '../../scripts/services/swift.mjs';
import { makeTemporaryFolder } from '../../scripts/setup/temporary-folder.mjs';
import { buy } from '../support/browser/seeding.ts';
import { createDatabase, startPostgres } from '../support/services/postgres-server.ts';
import { createClient } from '../support/services/server-client.ts';
import {
	bytesOf,
	type CommandResult,
	differencesOf,
	rowsOf,
	runCli,
	runUnderKills,
} from './support/backup-commands.ts';
import { finishTest, isShort, printLine } from './support/report.ts';

const buyers = isShort ? 2 : 6;
/** Kill times as fractions of a restore's duration. None is below 0.3, because a command needs some time to start. */
const kills = isShort ? [0.45, 0.7] : [0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

const failures: string[] = [];
const folder = makeTemporaryFolder('folio-backup-');
const { program } = await copyBuild();
const cli = join(program, '..', 'cli.js');
const data = join(folder, 'data');
const printed = await seedDemo(process.execPath, data);
const password = /password (\S+) for everybody/u.exec(printed)?.[1] ?? '';
const backup = await backUpWhileSelling();
await moveThereAndBack(await restoreUnderKills(backup, password));
finishTest(failures);

async function runChecked(
	what: string,
	env: Record<string, string | undefined>,
	args: string[],
	code = 0,
): Promise<CommandResult> {
	const ended = await runCli(cli, env, args);
	checkExitCode(what, ended, code);
	return ended;
}

function checkExitCode(what: string, ended: CommandResult, code = 0): void {
	if (ended.code !== code) failures.push(`${what} ended with ${ended.code}: ${ended.output.slice(-600)}`);
}

function killTimesOf(ms: number): number[] {
	return kills.map((fraction) => fraction * ms);
}

function checkRestore(what: string, { ended, kills: count }: { ended: CommandResult; kills: number }): void {
	// After a kill at the very end, the installation is complete, and the next restore refuses to overwrite it.
	const wasAlreadyRestored = count > 0 && ended.code === 1 && ended.output.startsWith('The database is in use');
	if (!wasAlreadyRestored) checkExitCode(what, ended);
	if (count === 0) failures.push(`${what} was never killed`);
}

/** Makes several backups into one folder while orders come in. @returns the folder */
async function backUpWhileSelling(): Promise<string> {
	const to = join(folder, 'backup');
	const env = { ...demoEnvironment(data), RATE_LIMIT_FACTOR: '1000' };
	await using server = await startServer(process.execPath, env, program);
	let isOver = false;
	let bought = 0;
	const sell = async (buyer: number) => {
		for (let i = 0; !isOver; i += 1) {
			await buy(server.url, { name: 'Busy Buyer', email: `busy-${buyer}-${i}@example.com` });
			bought += 1;
		}
	};
	const selling = Promise.all(Array.from({ length: buyers }, (_, buyer) => sell(buyer)));
	await sleep(300);
	for (let round = 0; round < (isShort ? 2 : 5); round += 1) {
		const before = bought;
		const ended = await runChecked('a backup', demoEnvironment(data), ['backup', to]);
		printLine(
			`backup ${round + 1}: ${Math.round(ended.ms)} ms, ${bought - before} purchases meanwhile; ${ended.output.split('\n')[1]}`,
		);
	}
	isOver = true;
	await selling;
	if (bought < 5) failures.push(`only ${bought} purchases came in beside the backups`);
	await server.stop();
	await runChecked('fsck of the installation', demoEnvironment(data), ['fsck']);
	return to;
}

/** Measures a restore without kills. The first restore is not measured, because it also reads from the disk. */
async function measureRestore(name: string, backup: string): Promise<CommandResult> {
	await runCli(cli, demoEnvironment(join(folder, `${name}-cold`)), ['restore', backup]);
	return runChecked(`a restore into ${name}`, demoEnvironment(join(folder, name)), ['restore', backup]);
}

/** @returns how long a restore takes without kills */
async function restoreUnderKills(backup: string, password: string): Promise<number> {
	const restored = join(folder, 'restored');
	const env = demoEnvironment(restored);
	const plain = await measureRestore('plain', backup);
	const killed = await runUnderKills(cli, env, ['restore', backup], killTimesOf(plain.ms));
	checkRestore('the restore', killed);
	failures.push(...differencesOf('rows of the killed restore', rowsOf(join(folder, 'plain')), rowsOf(restored)));
	printLine(`restore: ${Math.round(plain.ms)} ms; with ${killed.kills} kills, then ${Math.round(killed.ended.ms)} ms`);
	const fsck = await runChecked('fsck of the restored installation', env, ['fsck']);
	printLine(`restored: ${fsck.output}`);
	await using server = await startServer(process.execPath, env, program);
	const status = await createClient(server.url).signIn('rohan@folio.example', password);
	if (status !== 200) failures.push(`the sign-in of the restored owner was answered with ${status}`);
	await server.stop();
	await runChecked('a restore into an installation that is in use', env, ['restore', backup], 1);
	// A backup without its manifest is incomplete and must not be restored.
	await rename(join(backup, 'manifest.json'), join(backup, 'manifest'));
	await runChecked('a restore without a manifest', demoEnvironment(join(folder, 'half')), ['restore', backup], 1);
	return plain.ms;
}

async function moveThereAndBack(plainMs: number): Promise<void> {
	const back = join(folder, 'back');
	{
		await using postgres = await startPostgres();
		await using swift = await startSwift();
		const scaled = {
			...demoEnvironment(join(folder, 'scaled')),
			DATABASE_URL: (await createDatabase(postgres.urlOf('postgres'))).url,
			...bucketEnvironment(await createBucket(swift.settings)),
		};
		const copies = [join(folder, 'copy'), join(folder, 'copy of the copy')] as const;
		await runChecked('a backup of the stopped installation', demoEnvironment(data), ['backup', copies[0]]);
		// PostgreSQL and S3 take as long as the plain restore or twice as long, depending on the load of the machine.
		const times = [...killTimesOf(plainMs), ...killTimesOf(plainMs * 2)].sort((a, b) => a - b);
		const first = await runUnderKills(cli, scaled, ['restore', copies[0]], times);
		checkRestore('the restore into PostgreSQL and S3', first);
		printLine(`to PostgreSQL and S3: ${first.kills} kills, then ${Math.round(first.ended.ms)} ms`);
		await runChecked('fsck on PostgreSQL and S3', scaled, ['fsck']);
		await runChecked('a backup of PostgreSQL and S3', scaled, ['backup', copies[1]]);
		const plainBack = await measureRestore('plain-back', copies[1]);
		const second = await runUnderKills(cli, demoEnvironment(back), ['restore', copies[1]], killTimesOf(plainBack.ms));
		checkRestore('the restore back', second);
		printLine(`and back: ${second.kills} kills, then ${Math.round(second.ended.ms)} ms`);
		await runChecked('fsck after the way back', demoEnvironment(back), ['fsck']);
	}
	const compare = async () => [
		...differencesOf('rows', rowsOf(data), rowsOf(back)),
		...differencesOf('bytes', await bytesOf(join(data, 'storage')), await bytesOf(join(back, 'storage'))),
	];
	const differences = await compare();
	printLine(
		`there and back: ${rowsOf(back).size} tables and ${(await bytesOf(join(back, 'storage'))).size} files compared, ${differences.length} differences`,
	);
	failures.push(...differences);

	const database = new DatabaseSync(join(back, 'folio.db'));
	database.exec("update orders set name = 'Somebody Else' where id = (select min(id) from orders)");
	database.close();
	const [storedName] = await readdir(join(back, 'storage', 'screenshots'));
	await writeFile(join(back, 'storage', 'screenshots', String(storedName)), 'something else');
	const controlDifferences = await compare();
	printLine(`control, a row and a file changed: ${controlDifferences.join('; ')}`);
	if (controlDifferences.length !== 2)
		failures.push(`the control was not caught: ${controlDifferences.join('; ') || 'no fault'}`);
}
