import { addUser, count, insertRows, nodeRow, seed, shareRow, signIn } from './seeding.ts';

/**
 * `node bench/seeds/seed-shares.ts COUNT`: creates a space with two chains of nested folders, 20 levels deep: the
 * first has 200 files in its innermost folder, the second has 1,000 folders at its last level. A member has COUNT
 * shares: the outermost folder of the first chain, and COUNT - 1 of the 1,000 folders. The nodes are the same for
 * every COUNT.
 */
const levels = 20;
const files = 200;
const folders = 1000;

interface Row {
	id: string;
	kind: 'folder' | 'file';
	parent_id: string | null;
	path: string;
}

/** Creates a chain of nested folders. @returns their rows, and the parent and path of the next level */
function folderChainOf(name: string, length: number) {
	const rows: Row[] = [];
	let parent: Pick<Row, 'parent_id' | 'path'> = { parent_id: null, path: '' };
	for (let level = 1; level <= length; level += 1) {
		const id = `${name}${String(level).padStart(2, '0')}`;
		rows.push({ id, kind: 'folder', ...parent });
		parent = { parent_id: id, path: parent.path === '' ? id : `${parent.path}/${id}` };
	}
	return { rows, nextLevel: parent };
}

const numbered = (name: string, length: number) =>
	Array.from({ length }, (_, i) => `${name}-${String(i + 1).padStart(4, '0')}`);

const deep = folderChainOf('way', levels);
const side = folderChainOf('side', levels - 1);
const shared = numbered('shared', folders);
const nodes: Row[] = [
	...deep.rows,
	...side.rows,
	...shared.map((id) => ({ id, kind: 'folder' as const, ...side.nextLevel })),
	...numbered('file', files).map((id) => ({ id, kind: 'file' as const, ...deep.nextLevel })),
];

await addUser('owner', 'admin');
const space = await addUser('space', 'user');
const member = await addUser('member', 'user');
const sharedIds = ['way01', ...shared].slice(0, count);

const rowOf = (row: Row) =>
	nodeRow({ ...row, owner_id: space.id, name: row.kind === 'folder' ? row.id : `${row.id}.pdf` });

await seed(async (tx) => {
	await insertRows(tx, 'nodes', nodes.length, (index) => rowOf(nodes[index] as Row));
	const totals = { owner_id: space.id, path: deep.nextLevel.path, folders: 0, files, size_bytes: files };
	await insertRows(tx, 'folder_totals', 1, () => totals);
	const sharedRows = nodes.filter(({ id }) => sharedIds.includes(id)).map(rowOf);
	await insertRows(tx, 'shares', sharedRows.length, (index) => shareRow(sharedRows[index] as never, member.id));
	return { token: await signIn(member, tx), folderId: deep.nextLevel.parent_id };
});
