import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const server = 'src/server/';
/** Maintenance may write to every table, because it repairs rows and deletes unused rows. */
const maintenance = `${server}features/maintenance/`;

type QueryFile = Record<'path' | 'text', string>;

/** Returns the tables that several features or the platform write to, as 'table: feature, feature'. */
function findSharedTables(files: QueryFile[]): string[] {
	const writers = Map.groupBy(
		files.filter(({ path }) => !path.startsWith(maintenance)).flatMap(listWrites),
		({ table }) => table,
	);
	return [...writers].flatMap(([table, writes]) => {
		const owners = [...new Set(writes.map(({ owner }) => owner))].sort();
		return owners.length > 1 ? [`${table}: ${owners.join(', ')}`] : [];
	});
}

function listWrites({ path, text }: QueryFile) {
	const owner = /^src\/server\/features\/([^/]+)\//u.exec(path)?.[1] ?? 'platform';
	const writes = text.matchAll(/\b(?:insertInto|updateTable|deleteFrom|mergeInto)\('(\w+)'/gu);
	return [...writes].map(([, table = '']) => ({ table, owner }));
}

test('every table is written by the queries of one feature only', () => {
	const paths = globSync([`${server}features/**/*.queries.ts`, `${server}platform/**/*.ts`]).filter(
		(path) => !path.includes('/migrations/') && !path.endsWith('.test.ts'),
	);
	const files = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
	expect(new Set(files.flatMap(listWrites).map(({ table }) => table)).size).toBeGreaterThan(40);
	expect(findSharedTables(files)).toEqual([]);
});

test('findSharedTables reports a table that two features write to', () => {
	const shares = {
		path: `${server}features/sharing/shares/shares.queries.ts`,
		text: "db.insertInto('shares').values(row)",
	};
	const files = {
		path: `${server}features/files/tree/tree.queries.ts`,
		text: "tx\n\t.deleteFrom('shares')\n\t.execute()",
	};
	const repair = { path: `${maintenance}tasks/tasks.queries.ts`, text: "tx.updateTable('shares')" };
	expect(findSharedTables([shares, files, repair])).toEqual(['shares: files, sharing']);
	expect(findSharedTables([shares, repair])).toEqual([]);
});
