import { inTransaction } from '#server/platform/database/transaction.ts';
import { addUser, count, deps, finishSeeding, insertRows, seededAt, signIn } from './seeding.ts';

/**
 * `node bench/seeds/seed-shares.ts COUNT`: fills the empty installation that the environment names with a space of two
 * folder chains 20 levels deep, one with 200 files at its end and one with 1,000 folders at its last level. A member
 * has COUNT shares: the top of the first chain, and last folders of the second. Prints the member's session token and
 * the ID of the folder with the files. The nodes are the same for every COUNT.
 */
const levels = 20;
const files = 200;
const folders = 1000;

interface Row {
	id: string;
	kind: 'folder' | 'file';
	parentId: string | null;
	path: string;
}

function rowOf(ownerId: string, { id, kind, parentId, path }: Row) {
	const name = kind === 'folder' ? id : `${id}.pdf`;
	return {
		id,
		owner_id: ownerId,
		parent_id: parentId,
		path,
		real_path: kind === 'folder' ? id : null,
		kind,
		kind_order: kind === 'folder' ? 0 : 1,
		name,
		name_key: name,
		sort_key: `1${name}`,
		ending: kind === 'folder' ? '' : 'pdf',
		filter_group: kind === 'folder' ? '' : 'pdf',
		size_bytes: kind === 'folder' ? 0 : 1,
		blob_id: null,
		created_at: seededAt,
		deleted_at: null,
	};
}

/** Creates a chain of nested folders. @returns their rows, and the parent and path of the next level */
function folderChainOf(name: string, length: number) {
	const rows: Row[] = [];
	let place: Pick<Row, 'parentId' | 'path'> = { parentId: null, path: '' };
	for (let level = 1; level <= length; level += 1) {
		const id = `${name}${String(level).padStart(2, '0')}`;
		rows.push({ id, kind: 'folder', ...place });
		place = { parentId: id, path: place.path === '' ? id : `${place.path}/${id}` };
	}
	return { rows, place };
}

const numbered = (name: string, length: number) =>
	Array.from({ length }, (_, i) => `${name}-${String(i + 1).padStart(4, '0')}`);

const deep = folderChainOf('way', levels);
const side = folderChainOf('side', levels - 1);
const shared = numbered('shared', folders);
const nodes: Row[] = [
	...deep.rows,
	...side.rows,
	...shared.map((id) => ({ id, kind: 'folder' as const, ...side.place })),
	...numbered('file', files).map((id) => ({ id, kind: 'file' as const, ...deep.place })),
];

const owner = await addUser('owner', 'admin');
const space = await addUser('space', 'user');
const member = await addUser('member', 'user');
const sharedIds = ['way01', ...shared].slice(0, count);

function shareOf(id: string) {
	return {
		id: `share-of-${id}`,
		node_id: id,
		owner_id: space.id,
		recipient_id: member.id,
		kind: 'share' as const,
		kind_order: 0,
		sort_key: `1${id}`,
		shared_by: owner.email,
		created_at: seededAt,
	};
}

await inTransaction(deps.db, async (tx) => {
	await insertRows(tx, 'nodes', nodes.length, (index) => rowOf(space.id, nodes[index] as Row));
	const totals = { owner_id: space.id, path: deep.place.path, folders: 0, files, size_bytes: files };
	await tx.insertInto('folder_totals').values(totals).execute();
	await insertRows(tx, 'shares', sharedIds.length, (index) => shareOf(sharedIds[index] ?? ''));
});
await finishSeeding({ token: await signIn(member), folderId: deep.place.parentId });
