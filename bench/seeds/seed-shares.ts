import { signIn } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { createDeps } from '#server/start.ts';

/**
 * `node bench/seeds/seed-shares.ts COUNT`: fills the empty installation that the environment names with a space of two
 * folder chains 20 levels deep, one with 200 files at its end and one with 1,000 folders at its last level. A member
 * has COUNT shares: the top of the first chain, and last folders of the second. Prints the member's session token and
 * the ID of the folder with the files. The nodes are the same for every COUNT.
 */
const count = Number(process.argv[2]);
const levels = 20;
const files = 200;
const folders = 1000;
const rowsAtOnce = 500;
const at = '2026-01-01T00:00:00.000Z';
const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
const password = 'a thousand shares';
const passwordHash = await hashPassword(password);
const member = 'member@bench.example';

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
		created_at: at,
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

await inTransaction(deps.db, async (tx) => {
	const people = { passwordHash, name: null, isInitialPassword: false };
	await createUser(deps, tx, { ...people, email: 'owner@bench.example', role: 'admin' });
	const ownerId = await createUser(deps, tx, { ...people, email: 'space@bench.example', role: 'user' });
	const memberId = await createUser(deps, tx, { ...people, email: member, role: 'user' });
	if (ownerId === null || memberId === null) throw new Error('The installation is not empty.');
	for (let start = 0; start < nodes.length; start += rowsAtOnce)
		await tx
			.insertInto('nodes')
			.values(nodes.slice(start, start + rowsAtOnce).map((row) => rowOf(ownerId, row)))
			.execute();
	const totals = { owner_id: ownerId, folders: 0, files, size_bytes: files };
	await tx
		.insertInto('folder_totals')
		.values({ ...totals, path: deep.place.path })
		.execute();
	const entries = ['way01', ...shared].slice(0, count).map((id) => ({
		id: `share-of-${id}`,
		node_id: id,
		owner_id: ownerId,
		recipient_id: memberId,
		kind: 'share' as const,
		kind_order: 0,
		sort_key: `1${id}`,
		shared_by: 'owner@bench.example',
		created_at: at,
	}));
	for (let start = 0; start < entries.length; start += rowsAtOnce)
		await tx
			.insertInto('shares')
			.values(entries.slice(start, start + rowsAtOnce))
			.execute();
});
const { token } = await signIn(deps, systemCaller, { email: member, password });
await deps.bus.close();
await deps.connection.close();
console.log(JSON.stringify({ token, folderId: deep.place.parentId }));
