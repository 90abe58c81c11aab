import { systemCaller } from '#server/features/audit/audit.service.ts';
import { createFolder } from '#server/features/files/tree/tree.service.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { addUser, count, deps, finishSeeding, insertRows, signIn } from './seeding.ts';

/**
 * `node bench/seeds/seed-files.ts COUNT`: fills the empty installation that the environment names with a folder of
 * COUNT files in the guest space, and prints the admin's session token and the folder's path. File number n is the same
 * for every COUNT.
 */
const owner = await addUser('owner', 'admin');
const actor = {
	userId: owner.id,
	email: owner.email,
	name: null,
	role: 'admin',
	sessionId: '',
	hasInitialPassword: false,
	mustSetUpTwoFactor: false,
	impersonatedBy: null,
} as const;
// A smaller COUNT makes each of the folder's two totals shorter; dots in the name make up for the missing digits.
const name = `Folder${'.'.repeat(2 * Math.max(0, 6 - String(count).length))}`;
const folder = await createFolder(deps, { ...systemCaller, actor }, { owner: 'guest', path: '', name });

function fileOf(number: number) {
	const kinds = ['pdf', 'jpg', 'txt'] as const;
	const groups = { pdf: 'pdf', jpg: 'images', txt: 'documents' } as const;
	const ending = kinds[number % kinds.length] ?? 'pdf';
	const key = `worksheet ${String(number).padStart(6, '0')}.${ending}`;
	return {
		id: `file-${String(number).padStart(6, '0')}`,
		owner_id: 'guest',
		parent_id: folder.id,
		path: String(folder.realPath),
		real_path: null,
		kind: 'file' as const,
		kind_order: 1,
		name: key,
		name_key: key,
		sort_key: `1${key}`,
		ending,
		filter_group: groups[ending],
		size_bytes: 1,
		blob_id: null,
		created_at: new Date(Date.parse('2026-01-01T00:00:00.000Z') + number * 1000).toISOString(),
		deleted_at: null,
	};
}

await inTransaction(deps.db, async (tx) => {
	await insertRows(tx, 'nodes', count, fileOf);
	await tx
		.insertInto('folder_totals')
		.values({ owner_id: 'guest', path: String(folder.realPath), folders: 0, files: count, size_bytes: count })
		.execute();
});
await finishSeeding({ token: await signIn(owner), path: folder.realPath });
