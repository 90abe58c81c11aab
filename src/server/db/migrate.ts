import { type Migration, Migrator } from 'kysely/migration';
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
import type { Db } from './schema.ts';

const migrations: Record<string, Migration> = {
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
};

/** Names of migrations that this program knows and the database lacks; throws for a database of a newer program. */
export async function findPendingMigrations(db: Db): Promise<string[]> {
	const known = await migratorOf(db).getMigrations();
	// A database of a newer program lists names that this one lacks: Kysely refuses those when it migrates, we say it first.
	return known.filter((migration) => migration.executedAt === undefined).map((migration) => migration.name);
}

/**
 * Brings the database to this program's version; harmless when it is there already.
 * @throws Error when the database was written by a newer program, or a migration fails (nothing of it stays).
 */
export async function migrate(db: Db): Promise<string[]> {
	const { error, results } = await migratorOf(db).migrateToLatest();
	if (error instanceof Error && /corrupted migrations/u.test(error.message)) {
		throw new Error('This database belongs to a newer version of Folio. Start that version, or restore a backup.');
	}
	if (error !== undefined) throw error;
	return (results ?? []).map((result) => result.migrationName);
}

function migratorOf(db: Db): Migrator {
	return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}
