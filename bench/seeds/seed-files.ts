import { addUser, count, insertRows, nodeRow, seed, seededAt, signIn } from './seeding.ts';

/**
 * `node bench/seeds/seed-files.ts COUNT`: creates a folder with COUNT files in the guest space. File number n is the
 * same for every COUNT.
 */
const owner = await addUser('owner', 'admin');
// Pages of all COUNTs must have the same length. A page contains COUNT twice (the folder's number of files and its size
// in bytes), so the name gets two dots for each digit that a smaller COUNT lacks.
const name = `Folder${'.'.repeat(2 * Math.max(0, 6 - String(count).length))}`;
const folder = nodeRow({ id: 'folder', owner_id: 'guest', kind: 'folder', name });

function fileOf(number: number) {
	const kinds = ['pdf', 'jpg', 'txt'] as const;
	const groups = { pdf: 'pdf', jpg: 'images', txt: 'documents' } as const;
	const ending = kinds[number % kinds.length] ?? 'pdf';
	const key = `worksheet ${String(number).padStart(6, '0')}.${ending}`;
	return nodeRow({
		id: `file-${String(number).padStart(6, '0')}`,
		owner_id: 'guest',
		parent_id: folder.id,
		path: folder.id,
		name: key,
		ending,
		filter_group: groups[ending],
		created_at: new Date(Date.parse(seededAt) + number * 1000).toISOString(),
	});
}

await seed(async (tx) => {
	await insertRows(tx, 'nodes', 1, () => folder);
	await insertRows(tx, 'nodes', count, fileOf);
	const totals = { owner_id: 'guest', path: folder.id, folders: 0, files: count, size_bytes: count };
	await insertRows(tx, 'folder_totals', 1, () => totals);
	return { token: await signIn(owner, tx), path: folder.id };
});
