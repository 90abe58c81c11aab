import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import { connectSqlite } from './connect.ts';
import { findExecutedMigrations, lockedForMigrating, readMarks, writeMarks } from './migration-state.ts';
import * as firstSale from './migrations/0001-first-sale.ts';
import * as people from './migrations/0002-people.ts';
import * as files from './migrations/0003-files.ts';
import * as sharing from './migrations/0004-sharing.ts';
import * as orderLinks from './migrations/0005-order-links.ts';
import * as proofMarks from './migrations/0006-proof-marks.ts';
import * as visits from './migrations/0007-visits.ts';
import * as ordersDesk from './migrations/0008-orders-desk.ts';
import * as usedReferences from './migrations/0009-used-references.ts';
import * as chat from './migrations/0010-chat.ts';
import * as cannedReplies from './migrations/0011-canned-replies.ts';
import * as chatMail from './migrations/0012-chat-mail.ts';
import * as oneContactInfo from './migrations/0013-one-contact-info.ts';
import * as uploadsOnAStore from './migrations/0014-uploads-on-a-store.ts';
import * as backups from './migrations/0015-backups.ts';
import * as markedCopies from './migrations/0016-marked-copies.ts';
import * as reading from './migrations/0017-reading.ts';
import * as outlines from './migrations/0018-outlines.ts';
import * as sniffAgain from './migrations/0019-sniff-again.ts';
import * as chatLimits from './migrations/0020-chat-limits.ts';
import type { Db } from './schema.ts';
import { isLeftOut, listTableNames } from './tables.ts';

/** A step of the schema. */
export interface SchemaStep extends Migration {
	/**
	 * The program of the release before can go on with a database that has this step: it only adds what that program does
	 * not ask for. From 0015 on each says whether it does; without the word it does not.
	 */
	letsPreviousGoOn?: boolean;
}

export type SchemaSteps = Record<string, SchemaStep>;

/** All steps that this program knows. */
export const migrations: SchemaSteps = {
	'0001-first-sale': firstSale,
	'0002-people': people,
	'0003-files': files,
	'0004-sharing': sharing,
	'0005-order-links': orderLinks,
	'0006-proof-marks': proofMarks,
	'0007-visits': visits,
	'0008-orders-desk': ordersDesk,
	'0009-used-references': usedReferences,
	'0010-chat': chat,
	'0011-canned-replies': cannedReplies,
	'0012-chat-mail': chatMail,
	'0013-one-contact-info': oneContactInfo,
	'0014-uploads-on-a-store': uploadsOnAStore,
	'0015-backups': backups,
	'0016-marked-copies': markedCopies,
	'0017-reading': reading,
	'0018-outlines': outlines,
	'0019-sniff-again': sniffAgain,
	'0020-chat-limits': chatLimits,
};

/** The last migration that this program knows. */
export const newestMigration: string = Object.keys(migrations).sort().at(-1) ?? '';

/** How a database stands to a program. */
export interface SchemaState {
	/** What the database has, oldest first. */
	executed: string[];
	/** What this program knows and the database lacks. */
	pending: string[];
	/** What the database has and this program does not know. */
	unknown: string[];
	/** Every unknown one lets the program before it go on. */
	canGoOn: boolean;
}

/** Compares the database with what this program knows; changes nothing. */
export async function readSchemaState(db: Db, known: SchemaSteps = migrations): Promise<SchemaState> {
	const executed = await findExecutedMigrations(db);
	const pending = Object.keys(known)
		.sort()
		.filter((name) => !executed.includes(name));
	const unknown = executed.filter((name) => !Object.hasOwn(known, name));
	const marks = unknown.length === 0 ? [] : await readMarks(db);
	return { executed, pending, unknown, canGoOn: pending.length === 0 && unknown.every((name) => marks.includes(name)) };
}

/** Names of migrations that this program knows and the database lacks. */
export async function findPendingMigrations(db: Db): Promise<string[]> {
	return (await readSchemaState(db)).pending;
}

/**
 * Brings the database to this program's version; harmless when it is there already. Of many processes that start at once
 * one does it, and the others wait. A newer database is left as it is where its migrations let this program go on.
 * @param before is run first when there is something to do, with the names of what will be done
 * @throws Error when the database was written by a newer program, or a migration fails (nothing of it stays).
 */
export async function migrate(
	db: Db,
	{ before, known = migrations }: { before?: (state: SchemaState) => Promise<void>; known?: SchemaSteps } = {},
): Promise<string[]> {
	return lockedForMigrating(db, async () => {
		const state = await readSchemaState(db, known);
		if (state.unknown.length > 0) {
			if (state.canGoOn) return [];
			throw new Error('This database belongs to a newer version of Folio. Start that version, or restore a backup.');
		}
		if (state.pending.length > 0) await before?.(state);
		const done = namesOf(await migratorOf(db, known).migrateToLatest());
		// Also after a kill between the two: whoever comes next writes them.
		await writeMarks(
			db,
			Object.keys(known).filter((name) => known[name]?.letsPreviousGoOn === true),
		);
		return done;
	});
}

/** Brings an empty database to the state that another one has. @throws Error when this program does not know that state */
export async function migrateTo(db: Db, executed: string[]): Promise<void> {
	const last = executed.at(-1);
	const expected = Object.keys(migrations).sort().slice(0, executed.length);
	if (last === undefined || expected.join() !== executed.join())
		throw new Error(`These rows are of another line of versions than this program (${last}).`);
	namesOf(await migratorOf(db, migrations).migrateTo(last));
}

/** Tables of a database that no version of this program up to this one has made. */
export async function findForeignTables(db: Db): Promise<string[]> {
	const found = await listTableNames(db);
	if (found.length === 0) return [];
	// An empty database of our own says which tables are ours.
	const { db: own, close } = connectSqlite(':memory:');
	try {
		await migrate(own);
		const ours = new Set(await listTableNames(own));
		return found.filter((name) => !ours.has(name) && !isLeftOut(name));
	} finally {
		await close();
	}
}

/** Migrations among these that this program does not know. */
export function findUnknownMigrations(executed: string[]): string[] {
	return executed.filter((name) => !Object.hasOwn(migrations, name));
}

function namesOf({ error, results }: MigrationResultSet): string[] {
	if (error !== undefined) throw error;
	return (results ?? []).map((result) => result.migrationName);
}

function migratorOf(db: Db, known: SchemaSteps): Migrator {
	return new Migrator({ db, provider: { getMigrations: async () => known } });
}
