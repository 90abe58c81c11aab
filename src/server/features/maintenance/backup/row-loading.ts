import {
	appendRows,
	countRows,
	dropEverything,
	emptyTables,
	findBulkLoad,
	hasNoTables,
	isEmptyInstallation,
	linkSelfReferences,
	listCopiedTables,
	type ReplacementCounts,
	setBulkLoadSource,
	startBulkLoad,
	toStorableRow,
} from '../../../platform/database/bulk-copy/bulk-load.ts';
import { openSnapshot } from '../../../platform/database/bulk-copy/snapshot.ts';
import type { Table } from '../../../platform/database/bulk-copy/table-catalog.ts';
import type { Connection } from '../../../platform/database/connection.ts';
import { findForeignTables, migrateTo } from '../../../platform/database/migrations/migrate.ts';
import { findExecutedMigrations } from '../../../platform/database/migrations/migration-state.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { formatCount, PreconditionError, type ReportProgress, throttleProgress } from './progress.ts';
import { createChecksum, type TableChecksum } from './rows-file.ts';

/** Rows to load, one table after another, referenced tables first; can be read repeatedly. */
export interface RowsSource {
	migrations: string[];
	tables(
		isWanted?: (name: string) => boolean,
	): AsyncIterable<{ name: string; columns: string[]; rows: AsyncIterable<unknown[][]> }>;
}

interface RowsOutcome {
	/** Checksums of the source's rows by table, as this database stores them. */
	sums: Record<string, TableChecksum>;
	nuls: number;
}

/** @throws PreconditionError when a database holds anything but an unfinished restore */
export async function requireEmptyTarget(db: Db): Promise<void> {
	const begun = await findBulkLoad(db);
	if (begun?.kind === 'moved')
		throw new PreconditionError('The database is that of an installation that was moved elsewhere. Name an empty one.');
	if (begun?.kind === 'move')
		throw new PreconditionError('A move into this database was begun and not finished. Name an empty one.');
	if (begun !== null) return;
	const foreign = await findForeignTables(db);
	if (foreign.length > 0)
		throw new PreconditionError(
			`The database holds tables of something else (${foreign.slice(0, 5).join(', ')}): Folio needs one of its own.`,
		);
	if (!(await isEmptyInstallation(db)))
		throw new PreconditionError('The database is in use: it holds people, files or orders. Name an empty one.');
}

/**
 * Prepares a database that {@link requireEmptyTarget} accepts: empty, migrated to the state of the rows, and marked, so
 * that no server starts on it before everything is loaded. If the same load was interrupted, its rows are kept.
 * @returns whether an earlier attempt continues
 */
export async function prepareDatabase(db: Db, source: string, migrations: string[]): Promise<boolean> {
	await requireEmptyTarget(db);
	const begun = await findBulkLoad(db);
	const executed = await findExecutedMigrations(db);
	if (begun?.source === source && executed.join() === migrations.join()) return true;
	if (!(await hasNoTables(db))) await dropEverything(db);
	await startBulkLoad(db);
	await migrateTo(db, migrations);
	// Migrations insert rows. If the process is killed before these are deleted, the next attempt must not take them for
	// loaded ones.
	await emptyTables(db, await listCopiedTables(db));
	await setBulkLoadSource(db, source);
	return false;
}

/** Loads all rows that are not there yet, in the order of the source. */
export async function loadRows(db: Db, source: RowsSource, say: ReportProgress): Promise<RowsOutcome> {
	const tables = new Map((await listCopiedTables(db)).map((table) => [table.name, table]));
	const replaced: ReplacementCounts = { nuls: 0 };
	const told = throttleProgress(say);
	const sums: Record<string, TableChecksum> = {};
	for await (const { name, columns, rows } of source.tables()) {
		const table = requireTable(tables, name, columns);
		// Rows come in a fixed order and each statement is atomic: the rows that are there are the first ones of the
		// source.
		const there = await countRows(db, name);
		const sum = createChecksum();
		let seen = 0;
		for await (const some of rows) {
			for (const row of some) sum.add(toStorableRow(db, row, replaced));
			const missing = some.slice(Math.max(0, there - seen));
			seen += some.length;
			if (missing.length > 0) await appendRows(db, table, missing);
			told(() => `rows: ${name}, ${formatCount(seen)}`);
		}
		sums[name] = sum.sum();
	}
	const pointsAtItself = (name: string) => (tables.get(name)?.selfReferences.length ?? 0) > 0;
	for await (const { name, columns, rows } of source.tables(pointsAtItself)) {
		const table = requireTable(tables, name, columns);
		for await (const some of rows) {
			await linkSelfReferences(db, table, some);
			told(() => `rows: ${name}, how they point at each other`);
		}
	}
	return { sums, nuls: replaced.nuls };
}

/** Reads every row back. @returns a description of each table whose rows differ from `sums` */
export async function compareRows(
	connection: Connection,
	sums: Record<string, TableChecksum>,
	say: ReportProgress,
): Promise<string[]> {
	const told = throttleProgress(say);
	const snapshot = await openSnapshot(connection);
	try {
		const differences: string[] = [];
		const left = new Set(Object.keys(sums));
		for (const table of snapshot.tables) {
			left.delete(table.name);
			const sum = createChecksum();
			for await (const rows of snapshot.rows(table)) {
				for (const row of rows) sum.add(row);
				told(() => `rows read back: ${table.name}`);
			}
			const expected = sums[table.name] ?? { rows: 0, sha256: '' };
			const found = sum.sum();
			if (found.rows !== expected.rows)
				differences.push(`${table.name}: ${formatCount(expected.rows)} rows there, ${formatCount(found.rows)} here`);
			else if (found.rows > 0 && found.sha256 !== expected.sha256)
				differences.push(`${table.name}: the rows are not the same`);
		}
		return [...differences, ...[...left].map((name) => `${name}: not there`)];
	} finally {
		await snapshot.close();
	}
}

function requireTable(tables: Map<string, Table>, name: string, columns: string[]): Table {
	const table = tables.get(name);
	if (table === undefined || table.columns.join() !== columns.join())
		throw new PreconditionError(
			`The table ${name} is not one of the version that these rows were written by: they were changed since.`,
		);
	return table;
}
