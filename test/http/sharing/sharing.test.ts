import { afterEach, expect, test } from 'vitest';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { readAllItems, readPages } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser } from '../../support/app/users.ts';
import { readZip } from '../../support/documents/read-zip.ts';
import { makeFolder, makeTextFile } from '../../support/fixtures/files.ts';
import { beginUpload } from '../../support/fixtures/uploads.ts';

const { testApp, deps, admin } = await openTestApp();
const owner = 'owner@example.com';
const email = 'reader@example.com';
const ownerId = await makeUser(deps, owner);
const { id: readerId, client: reader } = await makeSignedInUser(testApp, email);

type Folder = { id: string; path: string };
interface SharedNode {
	node: { id: string; name: string };
}

afterEach(async () => {
	await deps.db.deleteFrom('shares').execute();
});

const newFolder = (name: string, path = '', space = owner) => makeFolder(deps, space, name, path);
const newFile = (name: string, folder?: Folder, text = name, space = ownerId) =>
	makeTextFile(deps, space, name, text, folder);
const share = (nodeId: string, to = email) => admin.call('POST', '/api/shares', { nodeId, email: to });
const unshare = (nodeId: string, to = email) => admin.call('POST', '/api/shares/remove', { nodeId, email: to });
const content = (id: string, query = '') => reader.call('GET', `/api/shared/${id}/nodes${query}`);
const read = async (id: string) => (await reader.call('GET', `/api/files/${id}/content`)).statusCode;
const names = (response: { json(): { items: Array<{ name: string }> } }) =>
	response.json().items.map(({ name }) => name);
async function listShared(query = ''): Promise<string[]> {
	const { items } = (await reader.call('GET', `/api/shared${query}`)).json() as { items: SharedNode[] };
	return items.map(({ node }) => node.name);
}

test('the nearest share or exclusion decides whether a node is readable, also for nodes that are created later', async () => {
	const root = await newFolder('Course');
	const inner = await newFolder('Inner', root.path);
	const deep = await newFolder('Deep', inner.path);
	const before = await newFile('before.txt', deep);
	expect(await read(before)).toBe(404);
	expect((await share(root.id)).json().state).toMatchObject({ id: root.id, state: 'own', from: null });
	const later = await newFile('later.txt', deep);
	expect([await read(before), await read(later)]).toEqual([200, 200]);
	expect(await listShared()).toEqual(['Course']);
	expect(names(await content(deep.id))).toEqual(['before.txt', 'later.txt']);

	const excluded = await unshare(inner.id);
	expect(excluded.json().state).toMatchObject({ state: 'excluded', from: null });
	expect([await read(before), await read(later)]).toEqual([404, 404]);
	expect((await content(root.id)).json()).toMatchObject({ items: [], totals: { folders: 0, files: 0 } });
	expect((await content(deep.id)).statusCode).toBe(404);
	expect((await reader.call('GET', '/api/shared')).json().items[0].node.itemCount).toBe(0);

	// A node that is shared inside an excluded folder is listed separately.
	expect((await share(deep.id)).statusCode).toBe(200);
	expect(await listShared()).toEqual(['Course', 'Deep']);
	expect((await content(deep.id)).json().breadcrumb).toEqual([{ id: deep.id, name: 'Deep', path: deep.path }]);
	expect(await read(later)).toBe(200);

	// Removing the share of a folder also removes all shares and exclusions inside the folder.
	expect((await unshare(root.id)).json().state).toMatchObject({ state: 'none', hasEntriesBelow: false });
	expect(await findRows(deps, 'shares')).toEqual([]);
	expect([await read(before), await read(later), (await content(root.id)).statusCode]).toEqual([404, 404, 404]);
	expect(await listShared()).toEqual([]);
});

test('sharing a folder replaces the shares inside it, and sharing an excluded folder removes its exclusion', async () => {
	const root = await newFolder('Whole');
	const inner = await newFolder('Part', root.path);
	const file = await newFile('part.txt', inner);
	await share(inner.id);
	expect((await share(root.id)).statusCode).toBe(200);
	expect(await findRows(deps, 'shares')).toMatchObject([{ node_id: root.id }]);
	await unshare(inner.id);
	expect((await share(inner.id)).json().state).toMatchObject({ state: 'inherited', from: { id: root.id } });
	expect(await read(file)).toBe(200);
});

test('refuses an existing or inherited share, an invalid recipient and a node that cannot be shared', async () => {
	const root = await newFolder('Refused');
	const file = await newFile('inside.txt', root);
	await share(root.id);
	const refused = async (nodeId: string, to = email) => {
		const response = await share(nodeId, to);
		expect(response.json().message).toEqual(expect.any(String));
		return [response.statusCode, response.json().code];
	};
	for (const id of [root.id, file]) {
		expect(await refused(id)).toEqual([409, 'ALREADY_SHARED']);
		expect((await share(id)).json().message).toBe('Already shared with this user');
	}
	expect(await refused(root.id, 'admin@example.com')).toEqual([409, 'SHARE_WITH_ONESELF']);
	expect(await refused(root.id, owner)).toEqual([409, 'SHARE_WITH_OWNER']);
	expect(await refused(root.id, 'nobody@example.com')).toEqual([404, 'RECIPIENT_UNKNOWN']);
	const inactive = await makeUser(deps, 'inactive@example.com');
	await admin.call('POST', `/api/users/${inactive}/active`, { active: false });
	expect(await refused(root.id, 'inactive@example.com')).toEqual([409, 'RECIPIENT_INACTIVE']);
	expect(await refused((await newFolder('For all', '', 'guest')).id)).toEqual([409, 'SHARE_FOR_EVERYBODY']);
	expect(await refused((await newFolder('Editions', '', 'book')).id)).toEqual([409, 'SHARE_OF_BOOK']);
	const notShared = await unshare(root.id, owner);
	expect([notShared.statusCode, notShared.json().code]).toEqual([409, 'NOT_SHARED']);

	const gone = await newFolder('Gone');
	await admin.call('DELETE', `/api/nodes/${gone.id}`);
	expect(await refused(gone.id)).toEqual([404, 'NOT_FOUND']);
	expect((await unshare(gone.id)).statusCode).toBe(404);
});

test('shares several nodes at once, refuses nodes inside a folder of the same request, and continues after refused nodes', async () => {
	const [root, other] = [await newFolder('Many'), await newFolder('Beside many')];
	const [inside, excluded] = [await newFile('inside.txt', root), await newFile('out.txt', other)];
	const [lone, already] = [await newFile('alone.txt'), await newFile('had.txt')];
	await share(other.id);
	await unshare(excluded);
	await share(already);
	const before = (await findRows(deps, 'audit')).length;
	const ids = [inside, lone, root.id, 'absent', excluded, already];
	const answer = await admin.call('POST', '/api/shares/many', { ids, email });
	expect([answer.statusCode, answer.json().done.sort()]).toEqual([200, [lone, root.id, excluded].sort()]);
	const alreadyShared = { recipient: email, code: 'ALREADY_SHARED', message: 'Already shared with this user' };
	expect(answer.json().refused).toEqual([
		{ id: inside, name: 'inside.txt', ...alreadyShared },
		{ id: 'absent', name: '', recipient: email, code: 'NOT_FOUND', message: expect.any(String) },
		{ id: already, name: 'had.txt', ...alreadyShared },
	]);
	expect((await findRows(deps, 'shares')).map(({ node_id, kind }) => [node_id, kind]).sort()).toEqual(
		[root.id, other.id, lone, already].map((id) => [id, 'share']).sort(),
	);
	for (const id of [inside, lone, excluded]) expect(await read(id)).toBe(200);
	const entries = (await findRows(deps, 'audit')).slice(before);
	const actions = entries.map(({ action, subject_id }) => `${action} ${subject_id}`);
	const expected = [`file-shared ${lone}`, `folder-shared ${root.id}`, `file-shared ${excluded}`];
	expect(actions.sort()).toEqual(expected.sort());
	const refused = await admin.call('POST', '/api/shares/many', { ids: [lone], email: 'nobody@example.com' });
	expect([refused.statusCode, refused.json().code]).toEqual([404, 'RECIPIENT_UNKNOWN']);
	expect((await admin.call('POST', '/api/shares/many', { ids: [], email })).statusCode).toBe(422);
});

test('creates one share for three simultaneous requests, two of which get 409', async () => {
	const root = await newFolder('At once');
	const answers = await Promise.all([share(root.id), share(root.id), share(root.id)]);
	expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
	expect(await findRows(deps, 'shares')).toHaveLength(1);
});

test('a share of folder 171 does not include folder 1712, and shares with equal document IDs are independent', async () => {
	const outer = await newFolder('outer');
	const short = await newFolder('171', outer.path);
	const long = await newFolder('1712', outer.path);
	const setPath = (id: string, real_path: string) =>
		deps.db.updateTable('nodes').set({ real_path }).where('id', '=', id).execute();
	await setPath(short.id, '171');
	await setPath(long.id, '1712');
	const inLong = await newFile('secret.txt', { id: long.id, path: `${outer.path}/1712` });
	const inShort = await newFile('open.txt', { id: short.id, path: `${outer.path}/171` });
	await share(short.id);
	expect([await read(inShort), await read(inLong)]).toEqual([200, 404]);
	expect(names(await content(short.id))).toEqual(['open.txt']);
	expect((await content(long.id)).statusCode).toBe(404);

	// The document ID joins the path and the email address, so that both shares have the ID `a_b_x@…`.
	const other = 'b_x@example.com';
	await makeUser(deps, other);
	await makeUser(deps, 'x@example.com');
	await deps.db.deleteFrom('shares').execute();
	const file = await newFile('a_b');
	const otherFile = await newFile('a');
	await share(file, 'x@example.com');
	await share(otherFile, other);
	const documents = (await admin.call('GET', '/api/shared-files')).json().items as Array<{ id: string }>;
	expect(documents.map(({ id }) => id)).toEqual(['a_b_x@example.com', 'a_b_x@example.com']);
	const sharedWith = async (recipient: string) =>
		((await admin.call('GET', `/api/shares?email=${recipient}`)).json().items as SharedNode[]).map(
			({ node }) => node.name,
		);
	expect([await sharedWith('x@example.com'), await sharedWith(other)]).toEqual([['a_b'], ['a']]);
	await unshare(file, 'x@example.com');
	expect([await sharedWith('x@example.com'), await sharedWith(other)]).toEqual([[], ['a']]);
});

test('keeps the share of a moved or renamed node, and does not share other nodes in its old or new folder', async () => {
	const [from, to] = [await newFolder('From'), await newFolder('To')];
	const moved = await newFolder('Moved', from.path);
	const inside = await newFile('inside.txt', moved);
	const stays = await newFile('stays.txt', from);
	await share(moved.id);
	await admin.call('POST', '/api/nodes/move', { ids: [moved.id], path: to.path });
	await newFile('neighbour.txt', to);
	expect([await read(inside), await read(stays)]).toEqual([200, 404]);
	expect(await listShared()).toEqual(['Moved']);
	await admin.call('POST', `/api/nodes/${moved.id}/rename`, { name: 'Anew' });
	await share(await newFile('10 ten.txt'));
	await share(await newFile('9 nine.txt'));
	expect(await listShared()).toEqual(['Anew', '9 nine.txt', '10 ten.txt']);

	// A file that was moved out of a shared folder is no longer shared.
	await admin.call('POST', '/api/nodes/move', { ids: [inside], path: '' });
	expect(await read(inside)).toBe(404);
});

test('ends the shares of a deleted node, also after the node is restored or a new node has the same name', async () => {
	const root = await newFolder('Short-lived');
	const file = await newFile('own entry.txt', root);
	await share(file);
	await share(root.id);
	await unshare(file);
	await admin.call('DELETE', `/api/nodes/${root.id}`);
	expect([await read(file), await listShared()]).toEqual([404, []]);
	await admin.call('POST', `/api/trash/${root.id}/restore`, {});
	expect(await findRows(deps, 'shares')).toMatchObject([{ kind: 'exclusion' }]);
	expect([await read(file), (await content(root.id)).statusCode]).toEqual([404, 404]);
	const single = await newFile('single.txt');
	await share(single);
	await admin.call('DELETE', `/api/nodes/${single}`);
	expect(await read(await newFile('single.txt'))).toBe(404);
});

test('keeps an exclusion when the node or its folder is restored, until the node is shared again', async () => {
	const root = await newFolder('Mostly open');
	const inner = await newFolder('Inner', root.path);
	const hidden = await newFile('hidden.txt', inner);
	const open = await newFile('open.txt', inner);
	await share(root.id);
	await unshare(hidden);
	for (const gone of [hidden, inner.id]) {
		await admin.call('DELETE', `/api/nodes/${gone}`);
		expect((await admin.call('POST', `/api/trash/${gone}/restore`, {})).statusCode).toBe(200);
		expect([gone, await read(hidden), await read(open)]).toEqual([gone, 404, 200]);
	}
	expect((await share(hidden)).statusCode).toBe(200);
	expect(await read(hidden)).toBe(200);
});

test.each(['file', 'folder'])(
	'an excluded %s that gets another name when it is restored stays excluded, with the sort key of its name',
	async (kind) => {
		const root = await newFolder(`Renamed ${kind}`);
		const create = async () =>
			kind === 'file' ? newFile('min.txt', root) : (await newFolder('min.txt', root.path)).id;
		const hidden = await create();
		await share(root.id);
		await unshare(hidden);
		await admin.call('DELETE', `/api/nodes/${hidden}`);
		await create();
		const restored = await admin.call('POST', `/api/trash/${hidden}/restore`, {});
		expect(restored.json().name).toBe(kind === 'file' ? 'min (2).txt' : 'min.txt (2)');
		expect((await checkIntegrity(deps)).problems).toEqual([]);
		expect(names(await content(root.id))).toEqual(['min.txt']);
	},
);

test('a file that replaces an excluded file is also excluded', async () => {
	const root = await newFolder('Corrected');
	const file = await newFile('prices.txt', root);
	await share(root.id);
	await unshare(file);
	const bytes = Buffer.from('new prices');
	const metadata = { owner, path: root.path, filename: 'prices.txt', conflict: 'replace' };
	const upload = await beginUpload(admin, metadata, bytes.length, bytes);
	const { items } = (await admin.call('GET', `/api/spaces/${owner}/nodes?path=${root.path}`)).json();
	expect([upload.statusCode, items.length, items[0].id === file]).toEqual([201, 1, false]);
	expect([await read(items[0].id), names(await content(root.id))]).toEqual([404, []]);
});

test('returns the documents of shared folders and files with the specified IDs and fields', async () => {
	const root = await newFolder('Documents');
	const inner = await newFolder('Inner', root.path);
	const file = await newFile('report.pdf', root);
	await share(inner.id);
	await share(file);
	const by = { sharedWith: email, sharedBy: 'admin@example.com', sharedAt: expect.stringMatching(/^\d{4}-.*Z$/u) };
	const folder = { id: `${inner.path.replace('/', '_')}_${email}`, folderPath: inner.path, ...by };
	expect((await admin.call('GET', '/api/shared-folders')).json()).toEqual({ items: [folder], nextCursor: null });
	const document = {
		id: `${root.path}_report.pdf_${email}`,
		filePath: `${root.path}/report.pdf`,
		fileName: 'report.pdf',
		fileUrl: `/api/files/${file}/content`,
		...by,
	};
	const files = (await admin.call('GET', `/api/shared-files?email=${email}`)).json();
	expect(files).toEqual({ items: [document], nextCursor: null });
	const own = (await reader.call('GET', '/api/shared')).json().items as Array<{ share: unknown }>;
	expect(own.map((item) => item.share)).toEqual([folder, document]);
});

test('returns the readers of a node, and the share or exclusion that decides for each reader', async () => {
	const root = await newFolder('Why');
	const inner = await newFolder('Inner', root.path);
	const file = await newFile('deep.txt', inner);
	const lone = await newFile('lone.txt');
	const third = 'third@example.com';
	await makeUser(deps, third);
	await share(root.id);
	await share(root.id, third);
	await unshare(inner.id, third);
	await share(file, third);
	const states = async (to: string) =>
		(await admin.call('POST', '/api/shares/states', { email: to, ids: [root.id, inner.id, file, lone] })).json().items;
	expect(await states(email)).toMatchObject([
		{ id: root.id, state: 'own', hasEntriesBelow: false },
		{ id: inner.id, state: 'inherited', from: { name: 'Why' } },
		{ id: file, state: 'inherited', from: { name: 'Why' } },
		{ id: lone, state: 'none' },
	]);
	expect(await states(third)).toMatchObject([
		{ id: root.id, state: 'own', hasEntriesBelow: true },
		{ id: inner.id, state: 'excluded', hasEntriesBelow: true },
		{ id: file, state: 'own' },
		{ id: lone, state: 'none' },
	]);
	expect(await states(owner)).toMatchObject(Array(4).fill({ state: 'open' }));
	const readers = async (id: string, query = '') =>
		(await admin.call('GET', `/api/nodes/${id}/readers${query}`)).json();
	expect(await readers(inner.id)).toMatchObject({
		owner,
		items: [
			{ email, canRead: true, from: { name: 'Why', isItself: false } },
			{ email: third, canRead: false, from: { name: 'Inner', isItself: true }, sharedBy: 'admin@example.com' },
		],
		nextCursor: null,
	});
	const first = await readers(file, '?limit=1');
	expect(first.items).toMatchObject([{ email }]);
	expect((await readers(file, `?limit=1&cursor=${first.nextCursor}`)).items).toMatchObject([
		{ email: third, canRead: true, from: { isItself: true } },
	]);
});

test('returns which nodes are shared themselves, and not only through a folder', async () => {
	const root = await newFolder('Marked');
	const inner = await newFolder('Inner', root.path);
	const file = await newFile('inside.txt', root);
	const another = 'another@example.com';
	await makeUser(deps, another);
	const marks = async () =>
		(await admin.call('POST', '/api/shares/marks', { ids: [root.id, inner.id, file] })).json().ids.sort();
	expect(await marks()).toEqual([]);
	await share(file, another);
	await share(root.id);
	await unshare(inner.id);
	expect(await marks()).toEqual([file, root.id].sort());
	await share(root.id, another);
	await unshare(root.id);
	expect(await marks()).toEqual([root.id]);
});

test('a search finds nodes at any depth of shared folders, except excluded nodes and nodes that are not shared', async () => {
	const root = await newFolder('Haystack');
	const inner = await newFolder('needle shelf', root.path);
	await newFile('needle one.txt', inner);
	const hidden = await newFolder('hidden', root.path);
	await newFile('needle two.txt', hidden);
	await newFile('needle elsewhere.txt');
	await share(root.id);
	await unshare(hidden.id);
	expect(await listShared('?search=needle')).toEqual(['needle shelf', 'needle one.txt']);
	const found = await content(root.id, '?search=needle');
	expect(names(found)).toEqual(['needle shelf', 'needle one.txt']);
	expect(found.json().items[1].folders).toEqual(['Haystack', 'needle shelf']);
	expect(names(await content(root.id, '?type=documents&search=needle'))).toEqual(['needle one.txt']);
});

test('a search finds one readable file among 6,000 excluded files, whose names are not in the cursor', async () => {
	const shelf = await newFolder('Shelf');
	await newFile('report open.txt', shelf);
	const hidden = await newFolder('Hidden', shelf.path);
	const row = await getRow(deps, 'nodes', { id: await newFile('report 0.txt', hidden) });
	// These are more names than the trigram index returns and than a search examines for one page.
	const rows = Array.from({ length: 6000 }, (_, i) => {
		const name = `report ${String(i + 1).padStart(5, '0')}.txt`;
		return { ...row, id: `hidden-${i}`, name, name_key: name, sort_key: `1${name}` };
	});
	await insertRows(deps, 'nodes', rows);
	await share(shelf.id);
	await unshare(hidden.id);
	const pages = await readPages<{ name: string }>(reader, `/api/shared/${shelf.id}/nodes?search=report&limit=10`);
	for (const { nextCursor } of pages)
		expect(Buffer.from(nextCursor ?? '', 'base64url').toString('latin1')).not.toContain('report');
	const found = pages.flatMap(({ items }) => items.map(({ name }) => name));
	expect([found, pages.length > 1]).toEqual([['report open.txt'], true]);
	expect((await content(shelf.id, '?search=report&cursor=WzEsImEiLCJiIl0')).statusCode).toBe(422);
	expect(await listShared('?search=report%20o')).toEqual(['report open.txt']);
});

test('lists a shared folder by space and path, and returns its ZIP, without excluded nodes', async () => {
	const root = await newFolder('Both ways');
	const open = await newFolder('open', root.path);
	await newFile('a.txt', open);
	const hidden = await newFolder('hidden names', root.path);
	await newFile('hidden file.txt', hidden);
	await share(root.id);
	await unshare(hidden.id);
	const list = (path: string) => reader.call('GET', `/api/spaces/${owner}/nodes?path=${encodeURIComponent(path)}`);
	expect(names(await list(root.path))).toEqual(['open']);
	expect((await list(root.path)).json()).toMatchObject({ can: { write: false }, totals: { folders: 1 } });
	for (const path of ['', hidden.path, `${root.path}/../${root.path}`]) expect((await list(path)).statusCode).toBe(404);
	const packed = await reader.call('GET', `/api/archive?ids=${root.id}`);
	expect(readZip(packed.rawPayload).map(({ name }) => name)).toEqual([
		'Both ways/',
		'Both ways/open/',
		'Both ways/open/a.txt',
	]);
	expect(packed.rawPayload.includes('hidden')).toBe(false);
	expect((await reader.call('GET', `/api/archive?ids=${hidden.id}`)).statusCode).toBe(404);
});

/** Inserts a share that no API call would create. */
const insertShare = (row: { id: string; node_id: string; owner_id: string; kind_order: number; sort_key: string }) =>
	insertRows(deps, 'shares', [
		{ ...row, recipient_id: readerId, kind: 'share', shared_by: 'x', created_at: new Date().toISOString() },
	]);

/** Reads all pages of the nodes shared with the reader. @returns the names */
const pagesOf = async (query: string) =>
	(await readAllItems<SharedNode>(reader, `/api/shared?${query}`)).map(({ node }) => node.name);

test('lists each share once across pages, sorted and filtered, and omits shares inside a shared folder', async () => {
	const [outer, shown] = [await newFolder('a first'), await newFolder('b second')];
	const files = [
		await newFile('big.pdf', outer, 'a long text'),
		await newFile('middle.txt', outer, 'text'),
		await newFile('Small.pdf', outer, ''),
	];
	for (const id of files) await share(id);
	await share(shown.id);
	const inner = await newFolder('a inside', shown.path);
	await insertShare({ id: 'redundant', node_id: inner.id, owner_id: ownerId, kind_order: 0, sort_key: 'a inside' });
	const dates = ['2026-01-03', '2026-01-01', '2026-01-02'];
	for (const [i, id] of files.entries()) {
		const created_at = `${dates[i]}T00:00:00.000Z`;
		await deps.db.updateTable('nodes').set({ created_at }).where('id', '=', id).execute();
	}
	const folder = 'b second';
	for (const limit of [1, 2, 10]) {
		const pages = (options: string) => pagesOf(`limit=${limit}&${options}`);
		expect(await pages('sort=name')).toEqual([folder, 'big.pdf', 'middle.txt', 'Small.pdf']);
		expect(await pages('order=desc')).toEqual([folder, 'Small.pdf', 'middle.txt', 'big.pdf']);
		expect(await pages('sort=size')).toEqual([folder, 'Small.pdf', 'middle.txt', 'big.pdf']);
		expect(await pages('sort=size&order=desc')).toEqual([folder, 'big.pdf', 'middle.txt', 'Small.pdf']);
		expect(await pages('sort=date')).toEqual([folder, 'middle.txt', 'Small.pdf', 'big.pdf']);
		expect(await pages('sort=date&order=desc&type=pdf')).toEqual(['big.pdf', 'Small.pdf']);
		expect(await pages('type=images')).toEqual([]);
		expect(await pages('type=documents&search=mid')).toEqual(['middle.txt']);
	}
});

test('does not return a file in the book space, even if the database contains a share of the file', async () => {
	const file = await newFile('edition.pdf', undefined, 'edition', 'book');
	await insertShare({ id: 'forced', node_id: file, owner_id: 'book', kind_order: 1, sort_key: '1edition.pdf' });
	expect([await read(file), await listShared(), await listShared('?search=edition')]).toEqual([404, [], []]);
});

test('shows an admin the nodes that a recipient can see', async () => {
	const root = await newFolder('Looked at');
	const hidden = await newFolder('hidden', root.path);
	await newFile('seen.txt', root);
	await share(root.id);
	await unshare(hidden.id);
	const view = await admin.call('GET', `/api/shares/${root.id}/nodes?email=${email}`);
	expect(names(view)).toEqual(['seen.txt']);
	expect(view.json().owner).toBe(owner);
	for (const search of ['', '&search=seen'])
		expect((await admin.call('GET', `/api/shares?email=${email}${search}`)).json().items).toMatchObject([{ owner }]);
	expect((await admin.call('GET', `/api/shares/${hidden.id}/nodes?email=${email}`)).statusCode).toBe(404);
	const { person } = (await admin.call('GET', `/api/shares?email=${email}`)).json();
	expect(person).toEqual({ id: readerId, email, active: true, isAdmin: false });
	expect((await admin.call('GET', '/api/shares?email=admin@example.com')).json().person.isAdmin).toBe(true);
	expect((await admin.call('GET', '/api/shares?email=nobody@example.com')).json().code).toBe('RECIPIENT_UNKNOWN');
});
