import { sql } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import { ConfigError } from '../../config.ts';
import { isExcludedFromCopies, listTableNames } from '../bulk-copy/table-catalog.ts';
import { connectSqlite, isPostgres } from '../connection.ts';
import type { Db } from '../schema.ts';
import { pragmaForTemporaryData } from '../sqlite-dialect.ts';
import {
	findExecutedMigrations,
	readCompatibleMigrations,
	withMigrationLock,
	writeCompatibleMigrations,
} from './migration-state.ts';
import * as firstSale from './steps/0001-first-sale.ts';
import * as accounts from './steps/0002-accounts.ts';
import * as files from './steps/0003-files.ts';
import * as sharing from './steps/0004-sharing.ts';
import * as orderLinks from './steps/0005-order-links.ts';
import * as paymentReferences from './steps/0006-payment-references.ts';
import * as visits from './steps/0007-visits.ts';
import * as orderManagement from './steps/0008-order-management.ts';
import * as usedReferences from './steps/0009-used-references.ts';
import * as chat from './steps/0010-chat.ts';
import * as cannedReplies from './steps/0011-canned-replies.ts';
import * as chatMail from './steps/0012-chat-mail.ts';
import * as oneContactInfo from './steps/0013-one-contact-info.ts';
import * as multipartUploads from './steps/0014-multipart-uploads.ts';
import * as backups from './steps/0015-backups.ts';
import * as watermarkedCopies from './steps/0016-watermarked-copies.ts';
import * as reading from './steps/0017-reading.ts';
import * as outlines from './steps/0018-outlines.ts';
import * as redetectContentTypes from './steps/0019-redetect-content-types.ts';
import * as chatLimits from './steps/0020-chat-limits.ts';
import * as plainNames from './steps/0021-plain-names.ts';
import * as groups from './steps/0022-groups.ts';
import * as storefrontContent from './steps/0023-storefront-content.ts';
import * as testOrders from './steps/0024-test-orders.ts';
import * as savedFilters from './steps/0025-saved-filters.ts';
import * as copyTemplates from './steps/0026-copy-templates.ts';
import * as unfinishedUploads from './steps/0027-unfinished-uploads.ts';
import * as formerEditions from './steps/0028-former-editions.ts';
import * as duplicateProofs from './steps/0029-duplicate-proofs.ts';

export interface SchemaStep extends Migration {
	/** Whether the previous release can use a database with this migration. Set in all migrations from 0015 on. */
	isCompatibleWithPrevious?: boolean;
}

type SchemaSteps = Record<string, SchemaStep>;

export const migrations: SchemaSteps = {
	'0001-first-sale': firstSale,
	'0002-people': accounts,
	'0003-files': files,
	'0004-sharing': sharing,
	'0005-order-links': orderLinks,
	'0006-proof-marks': paymentReferences,
	'0007-visits': visits,
	'0008-orders-desk': orderManagement,
	'0009-used-references': usedReferences,
	'0010-chat': chat,
	'0011-canned-replies': cannedReplies,
	'0012-chat-mail': chatMail,
	'0013-one-contact-info': oneContactInfo,
	'0014-uploads-on-a-store': multipartUploads,
	'0015-backups': backups,
	'0016-marked-copies': watermarkedCopies,
	'0017-reading': reading,
	'0018-outlines': outlines,
	'0019-sniff-again': redetectContentTypes,
	'0020-chat-limits': chatLimits,
	'0021-plain-names': plainNames,
	'0022-groups': groups,
	'0023-storefront-content': storefrontContent,
	'0024-test-orders': testOrders,
	'0025-saved-filters': savedFilters,
	'0026-copy-templates': copyTemplates,
	'0027-unfinished-uploads': unfinishedUploads,
	'0028-former-editions': formerEditions,
	'0029-duplicate-proofs': duplicateProofs,
};

export const newestMigration: string = Object.keys(migrations).sort().at(-1) ?? '';

export const newerVersionMessage =
	'This database belongs to a newer version of Folio. Start that version, or restore a backup.';

export interface SchemaState {
	executed: string[];
	pending: string[];
	unknown: string[];
	/** Whether this program can use the database, although it has unknown migrations. */
	isCompatible: boolean;
}

export async function readSchemaState(db: Db, known: SchemaSteps = migrations): Promise<SchemaState> {
	const executed = await findExecutedMigrations(db);
	const pending = Object.keys(known)
		.sort()
		.filter((name) => !executed.includes(name));
	const unknown = executed.filter((name) => !Object.hasOwn(known, name));
	const compatible = unknown.length === 0 ? [] : await readCompatibleMigrations(db);
	return {
		executed,
		pending,
		unknown,
		isCompatible: pending.length === 0 && unknown.every((name) => compatible.includes(name)),
	};
}

/** Whether servers of the previous version can continue to run during and after the pending migrations. */
export function isCompatibleUpgrade({ pending }: SchemaState): boolean {
	return pending.every((name) => migrations[name]?.isCompatibleWithPrevious === true);
}

/**
 * Runs the pending migrations. If several processes start at once, one migrates while the others wait. Does nothing if
 * a newer version migrated the database and its migrations are compatible with this program.
 * @param before called before pending migrations are run
 * @returns the names of the migrations that were run
 * @throws ConfigError when the database belongs to an incompatible newer version
 * @throws Error when a migration fails (it is rolled back)
 */
export async function migrate(
	db: Db,
	{ before, known = migrations }: { before?: (state: SchemaState) => Promise<void>; known?: SchemaSteps } = {},
): Promise<string[]> {
	return withMigrationLock(db, async () => {
		const state = await readSchemaState(db, known);
		if (state.unknown.length > 0) {
			if (state.isCompatible) return [];
			throw new ConfigError(newerVersionMessage);
		}
		if (state.pending.length > 0) await before?.(state);
		// Kysely's migrator first reads the whole schema.
		const done = state.pending.length === 0 ? [] : await runPending(db, known);
		// Written even without pending migrations, because an earlier process may have been killed after running them.
		await writeCompatibleMigrations(
			db,
			Object.keys(known).filter((name) => known[name]?.isCompatibleWithPrevious === true),
		);
		return done;
	});
}

async function runPending(db: Db, known: SchemaSteps): Promise<string[]> {
	const run = async () => namesOfResults(await createMigrator(db, known).migrateToLatest());
	if (isPostgres(db)) return run();
	// A new index of a large table is sorted, which could need more memory than there is.
	await sql.raw(pragmaForTemporaryData('file')).execute(db);
	return run().finally(() => sql.raw(pragmaForTemporaryData('memory')).execute(db));
}

/** Runs the given migrations on an empty database. @throws Error when they are not this program's first migrations */
export async function migrateTo(db: Db, executed: string[]): Promise<void> {
	const last = executed.at(-1);
	const expected = Object.keys(migrations).sort().slice(0, executed.length);
	if (last === undefined || expected.join() !== executed.join())
		throw new Error(`These rows are from a version with other migrations than this program (${last}).`);
	namesOfResults(await createMigrator(db, migrations).migrateTo(last));
}

/** Returns the tables that no version of this program has created. */
export async function findForeignTables(db: Db): Promise<string[]> {
	const existing = await listTableNames(db);
	if (existing.length === 0) return [];
	// Migrates an empty database step by step, to collect also the tables that a later migration renames or drops.
	const { db: emptyDb, close } = connectSqlite(':memory:');
	try {
		const migrator = createMigrator(emptyDb, migrations);
		const ownTables = new Set<string>();
		while (namesOfResults(await migrator.migrateUp()).length > 0)
			for (const name of await listTableNames(emptyDb)) ownTables.add(name);
		return existing.filter((name) => !ownTables.has(name) && !isExcludedFromCopies(name));
	} finally {
		await close();
	}
}

function namesOfResults({ error, results }: MigrationResultSet): string[] {
	if (error !== undefined) throw error;
	return (results ?? []).map((result) => result.migrationName);
}

function createMigrator(db: Db, known: SchemaSteps): Migrator {
	return new Migrator({ db, provider: { getMigrations: async () => known } });
}
