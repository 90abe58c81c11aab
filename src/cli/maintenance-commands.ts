import { backUp, describeBackup, recordBackup } from '#server/features/maintenance/backup/backup.service.ts';
import { describeRestored, describeStorage, restore } from '#server/features/maintenance/restore/restore.service.ts';
import {
	describeRotation,
	rotateSecret,
} from '#server/features/maintenance/secret-rotation/secret-rotation.service.ts';
import { systemClock } from '#server/platform/clock.ts';
import { type Config, version } from '#server/platform/config.ts';
import { newestMigration, readSchemaState } from '#server/platform/database/migrations/migrate.ts';
import type { Deps } from '#server/platform/deps.ts';
import { acceptSecret } from '#server/platform/installation.ts';
import { createLog } from '#server/platform/log.ts';
import { registerFeatures } from '#server/registrations.ts';
import { connectTo, connectToExisting, requireStartedDatabase } from '#server/start.ts';

const printLine = (line: string) => console.log(line);

export async function runBackup(deps: Deps, folder: string): Promise<number> {
	const done = await backUp(deps, folder, printLine);
	if (done.files.faults.length === 0) await recordBackup(deps, done);
	for (const line of describeBackup(done)) printLine(line);
	printLine(`backup: ${folder}`);
	return done.files.faults.length === 0 ? 0 : 1;
}

/** `restore DIR`: restores into the installation that the environment selects. {@link restore} migrates its database. */
export async function runRestore(config: Config, path: string): Promise<number> {
	const log = createLog('warn');
	const connection = await connectTo(config, log);
	try {
		const done = await restore(config, connection, path, { log, report: printLine });
		for (const line of describeRestored(done)) printLine(line);
		printLine('restore: done. Start the server; `npm run cli -- fsck` checks all files and rows.');
		for (const line of describeStorage(done)) printLine(line);
		return done.files.problems.length === 0 ? 0 : 1;
	} finally {
		await connection.close();
	}
}

/** `rotate-secret`: seals everything again with a new secret. */
export async function runRotateSecret(config: Config): Promise<number> {
	registerFeatures();
	const connection = await connectToExisting(config, createLog('warn'));
	try {
		await requireStartedDatabase(connection);
		for (const line of describeRotation(await rotateSecret(config, connection))) printLine(line);
		return 0;
	} finally {
		await connection.close();
	}
}

/** `accept-secret`: lets processes start with another secret than that of the database. */
export async function runAcceptSecret(config: Config): Promise<number> {
	const connection = await connectToExisting(config, createLog('warn'));
	try {
		await requireStartedDatabase(connection);
		const isAnother = await acceptSecret(config, connection.db, systemClock);
		printLine(
			isAnother
				? 'Processes start with this secret from now on; stop those that still run with another one. What only the lost secret decrypts stays unreadable; running accept-secret with that secret again undoes this.'
				: 'This is the secret of the database already: nothing was changed.',
		);
		return 0;
	} finally {
		await connection.close();
	}
}

/** `version`: prints versions and changes nothing, so that it can run before an upgrade. */
export async function runVersion(config: Config): Promise<number> {
	printLine(`Folio     ${version}, with ${newestMigration}`);
	const connection = await connectToExisting(config, createLog('warn'));
	try {
		const { executed, pending, unknown, isCompatible } = await readSchemaState(connection.db);
		const kind = connection.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
		printLine(`Database  ${kind}, ${executed.at(-1) ?? 'empty'}`);
		if (unknown.length > 0)
			printLine(
				isCompatible
					? 'The database is of a newer version that this one can run beside.'
					: 'The database is of a newer version: this one does not start on it.',
			);
		else if (pending.length > 0) printLine(`The next start backs up all rows and runs: ${pending.join(', ')}`);
		return unknown.length > 0 && !isCompatible ? 1 : 0;
	} finally {
		await connection.close();
	}
}

/** Prints why a command fails. @returns its exit code */
export function fail(sentence: string): number {
	console.error(sentence);
	return 1;
}
