import { type Insertable, type Selectable, sql } from 'kysely';
import type { Schema } from '#server/platform/database/schema.ts';
import type { Deps } from '#server/platform/deps.ts';

export type RowFilter<Table extends keyof Schema> = Partial<Selectable<Schema[Table]>>;

/** Returns the rows of a table whose columns have the values in `where`, in no particular order. */
export async function findRows<Table extends keyof Schema>(
	{ db }: Pick<Deps, 'db'>,
	table: Table,
	where: RowFilter<Table> = {},
): Promise<Array<Selectable<Schema[Table]>>> {
	const conditions = Object.entries(where).map(([column, value]) =>
		value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
	);
	const filter = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
	const query = sql<Selectable<Schema[Table]>>`select * from ${sql.table(table)} ${filter}`;
	return (await query.execute(db)).rows;
}

/** Returns the only row that {@link findRows} finds. @throws Error when there is no row, or more than one */
export async function getRow<Table extends keyof Schema>(
	deps: Pick<Deps, 'db'>,
	table: Table,
	where: RowFilter<Table>,
): Promise<Selectable<Schema[Table]>> {
	const [row, ...others] = await findRows(deps, table, where);
	if (row === undefined || others.length > 0)
		throw new Error(`${table} has ${row === undefined ? 'no row' : 'several rows'} for ${JSON.stringify(where)}.`);
	return row;
}

/** Inserts rows, 500 in a statement, because SQLite allows at most 32,766 values in a statement. */
export async function insertRows<Table extends keyof Schema>(
	{ db }: Pick<Deps, 'db'>,
	table: Table,
	rows: ReadonlyArray<Insertable<Schema[Table]>>,
): Promise<void> {
	for (let start = 0; start < rows.length; start += 500)
		await db
			.insertInto(table)
			.values(rows.slice(start, start + 500))
			.execute();
}
