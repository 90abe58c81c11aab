import {
	appendRows,
	countRows,
	dropEverything,
	emptyTables,
	findBulkLoad,
	isEmptyInstallation,
	linkSelfReferences,
	listCopiedTables,
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
import { formatCount, PreconditionError, type ReportProgress, throttleProgress } from './operator-command.ts';
import { createChecksum, readRowsFile, type TableChecksum } from './rows-file.ts';

/** @throws PreconditionError unless the database is empty or contains only an unfinished restore */
export async function requireEmptyTarget(db: Db): Promise<void> {
	const bulkLoad = await findBulkLoad(db);
	if (bulkLoad?.kind === 'moved')
		throw new PreconditionError('The database is that of an installation that was moved elsewhere. Name an empty one.');
	if (bulkLoad?.kind === 'move')
		throw new PreconditionError('A move into this database was begun and not finished. Name an empty one.');
	if (bulkLoad !== null) return;
	const foreign = await findForeignTables(db);
	if (foreign.length > 0)
		throw new PreconditionError(
			`The database contains tables of another program (${foreign.slice(0, 5).join(', ')}): Folio needs a database of its own.`,
		);
	if (!(await isEmptyInstallation(db)))
		throw new PreconditionError('The database is in use: it has users, files or orders. Name an empty one.');
}

/**
 * Prepares a database for a load: runs `migrations`, which the source of the rows had run, empties the tables, and marks
 * the database so that no server starts on it. The rows of an interrupted load of the same source are kept.
 * @returns whether an interrupted load continues
 */
export async function prepareDatabase(db: Db, source: string, migrations: string[]): Promise<boolean> {
	await requireEmptyTarget(db);
	const bulkLoad = await findBulkLoad(db);
	const executed = await findExecutedMigrations(db);
	if (bulkLoad?.source === source && executed.join() === migrations.join()) return true;
	await dropEverything(db);
	await startBulkLoad(db);
	await migrateTo(db, migrations);
	// Rows that migrations insert are deleted before the source is saved. Otherwise the next attempt after a kill would
	// treat them as loaded rows.
	await emptyTables(db, await listCopiedTables(db));
	await setBulkLoadSource(db, source);
	return false;
}

/**
 * Loads those rows of a file that the database does not contain yet, in the order of the file.
 * @returns the checksums of the file's rows by table, with values as this database stores them, and the number of texts
 * with NUL characters that were replaced
 */
export async function loadRows(db: Db, rowsFile: string, report: ReportProgress) {
	const tables = new Map((await listCopiedTables(db)).map((table) => [table.name, table]));
	const reportThrottled = throttleProgress(report);
	const sums: Record<string, TableChecksum> = {};
	let sum = createChecksum();
	let [loadedCount, seenCount, nuls] = [0, 0, 0];
	for await (const part of readRowsFile(rowsFile)) {
		if (part.kind === 'table') {
			requireTable(tables, part);
			sum = createChecksum();
			// The order of the file is fixed and each statement is atomic. So the existing rows are the file's first rows.
			[loadedCount, seenCount] = [await countRows(db, part.table), 0];
		} else if (part.kind === 'rows') {
			for (const row of part.rows) {
				const stored = toStorableRow(db, row);
				sum.add(stored);
				nuls += stored.filter((value, at) => value !== row[at]).length;
			}
			const missing = part.rows.slice(Math.max(0, loadedCount - seenCount));
			seenCount += part.rows.length;
			if (missing.length > 0) await appendRows(db, requireTable(tables, part), missing);
			reportThrottled(() => `rows: ${part.table}, ${formatCount(seenCount)}`);
		} else if (part.kind === 'end') sums[part.table] = sum.sum();
	}
	for await (const part of readRowsFile(rowsFile)) {
		if (part.kind !== 'rows') continue;
		await linkSelfReferences(db, requireTable(tables, part), part.rows);
		reportThrottled(() => `rows: ${part.table}, references between rows`);
	}
	return { sums, nuls };
}

/** Reads every row back. @returns a description of each table whose rows differ from `sums` */
export async function compareRows(connection: Connection, sums: Record<string, TableChecksum>, report: ReportProgress) {
	const reportThrottled = throttleProgress(report);
	const snapshot = await openSnapshot(connection);
	try {
		const differences: string[] = [];
		const left = new Set(Object.keys(sums));
		for (const table of snapshot.tables) {
			left.delete(table.name);
			const sum = createChecksum();
			for await (const rows of snapshot.rows(table)) {
				for (const row of rows) sum.add(row);
				reportThrottled(() => `rows read back: ${table.name}`);
			}
			const expected = sums[table.name] ?? { rows: 0, sha256: '' };
			const actual = sum.sum();
			if (actual.rows !== expected.rows)
				differences.push(`${table.name}: ${formatCount(expected.rows)} rows there, ${formatCount(actual.rows)} here`);
			else if (actual.rows > 0 && actual.sha256 !== expected.sha256)
				differences.push(`${table.name}: the rows are not the same`);
		}
		return [...differences, ...[...left].map((name) => `${name}: not there`)];
	} finally {
		await snapshot.close();
	}
}

function requireTable(tables: Map<string, Table>, { table: name, columns }: { table: string; columns: string[] }) {
	const table = tables.get(name);
	if (table === undefined || table.columns.join() !== columns.join())
		throw new PreconditionError(
			`The table ${name} is not one of the version that these rows were written by: they were changed since.`,
		);
	return table;
}
