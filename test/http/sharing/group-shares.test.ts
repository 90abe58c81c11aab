import { afterEach, describe, expect, test } from 'vitest';
import { computedGroups } from '#contract/accounts/groups.ts';
import type { ShareGroup, ShareRecipient, ShareState } from '#contract/sharing/sharing.ts';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { readAllItems } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser } from '../../support/app/users.ts';
import { makeFolder, makeTextFile } from '../../support/fixtures/files.ts';

const { testApp, deps, admin } = await openTestApp();
const owner = 'owner@example.com';
const email = 'reader@example.com';
const ownerId = await makeUser(deps, owner);
const { id: readerId, client: reader } = await makeSignedInUser(testApp, email);
const { id: otherId, client: other } = await makeSignedInUser(testApp, 'other@example.com');

const createGroup = async (name: string, userIds: string[] = []): Promise<string> => {
	const { id } = (await admin.call('POST', '/api/groups', { name })).json();
	if (userIds.length > 0) await admin.call('POST', `/api/groups/${id}/members`, { userIds });
	return id;
};
const groups = {
	mine: await createGroup('Batch A', [readerId]),
	mineToo: await createGroup('Batch B', [readerId]),
	notMine: await createGroup('Batch C', [otherId]),
	everyone: 'all-members',
	owners: 'book-owners',
} as const;

const root = await makeFolder(deps, owner, 'Root');
const inner = await makeFolder(deps, owner, 'Inner', root.path);
const file = await makeTextFile(deps, ownerId, 'lesson.txt', 'text', inner);
const sibling = await makeTextFile(deps, ownerId, 'sibling.txt', 'text', inner);
const nodes = { root: root.id, inner: inner.id, file } as const;

afterEach(async () => {
	await deps.db.deleteFrom('shares').execute();
	await deps.db.deleteFrom('book_access').execute();
});

/** A share (+) or exclusion (-) on a node, of the reader (`own`) or of a group. */
type Entry = `${keyof typeof nodes}${'+' | '-'}${'own' | keyof typeof groups}`;

/** Inserts shares and exclusions, also in combinations that no call creates. */
async function insertEntries(entries: readonly Entry[]): Promise<void> {
	for (const [i, entry] of entries.entries()) {
		const [where, who] = entry.split(/[+-]/u) as [keyof typeof nodes, 'own' | keyof typeof groups];
		const { id: node_id, kind_order, sort_key } = await getRow(deps, 'nodes', { id: nodes[where] });
		const recipient = who === 'own' ? ([readerId, 'user'] as const) : ([groups[who], 'group'] as const);
		const [recipient_id, recipient_kind] = recipient;
		const kind = entry.includes('+') ? ('share' as const) : ('exclusion' as const);
		const created_at = `2026-01-01T00:00:0${i}.000Z`;
		const row = { node_id, owner_id: ownerId, recipient_id, recipient_kind, kind, kind_order, sort_key, created_at };
		await insertRows(deps, 'shares', [{ id: `entry-${i}`, ...row, shared_by: 'admin@example.com' }]);
	}
}

const namesOf = ({ items }: { items: Array<{ name: string }> }) => items.map(({ name }) => name);
const sharedNames = async (query = 'limit=1', client = reader) =>
	(await readAllItems<{ node: { name: string } }>(client, `/api/shared?${query}`)).map(({ node }) => node.name);
const canRead = async (id: string = file, client = reader) =>
	(await client.call('GET', `/api/files/${id}/content`)).statusCode === 200;
const states = async (...ids: string[]): Promise<ShareState[]> =>
	(await admin.call('POST', '/api/shares/states', { email, ids })).json().items;
const readers = async (id: string): Promise<{ groups: ShareGroup[]; items: ShareRecipient[] }> =>
	(await admin.call('GET', `/api/nodes/${id}/readers`)).json();
const share = (ids: string[], ...recipients: Array<{ email: string } | { groupId: string }>) =>
	admin.call('POST', '/api/shares/many', { ids, recipients });
const unshare = (nodeId: string, recipient: { email: string } | { groupId: string }) =>
	admin.call('POST', '/api/shares/remove', { nodeId, ...recipient });

describe('who can read a node is decided by', () => {
	const rows: Array<[rule: string, entries: Entry[], readable: boolean, through: keyof typeof groups | null]> = [
		['nothing without a share or exclusion', [], false, null],
		['a share of a group of the member', ['root+mine'], true, 'mine'],
		['no share of another group', ['root+notMine'], false, null],
		['the group of all members', ['root+everyone'], true, 'everyone'],
		['the group of the book owners only with book access', ['root+owners'], false, null],
		["the member's own share before a group's exclusion", ['file-mine', 'file+own'], true, null],
		["the member's own exclusion before a group's share", ['file+mine', 'file-own'], false, null],
		["the member's own exclusion before all groups", ['file+everyone', 'file+mine', 'file-own'], false, null],
		['a share before an exclusion among groups', ['file-mine', 'file+mineToo'], true, 'mineToo'],
		['a share before an exclusion, in any order', ['file+mine', 'file-mineToo'], true, 'mine'],
		['a share of a computed group before an exclusion', ['inner-mine', 'inner+everyone'], true, 'everyone'],
		['an exclusion of a computed group', ['root+own', 'inner-everyone'], false, 'everyone'],
		["the nearest level: a group's exclusion below the own share", ['root+own', 'inner-mine'], false, 'mine'],
		[
			"the nearest level: a group's exclusion below another group's share",
			['root+mineToo', 'file-mine'],
			false,
			'mine',
		],
		["the nearest level: a group's share below the own exclusion", ['root-own', 'inner+mine'], true, 'mine'],
		["the nearest level: the own share below a group's exclusion", ['inner-mine', 'file+own'], true, null],
		['the nearest level: an exclusion of another group does not count', ['root+mine', 'inner-notMine'], true, 'mine'],
		[
			'the nearest level, the own entry on it, then groups',
			['root+mine', 'inner-mine', 'inner+own', 'file-mineToo'],
			false,
			'mineToo',
		],
	];

	test.each(rows)('%s', async (_rule, entries, readable, through) => {
		await insertEntries(entries);
		expect(await canRead()).toBe(readable);
		// Lists, searches, totals and ZIP downloads agree.
		const inFolder = await reader.call('GET', `/api/shared/${inner.id}/nodes`);
		if (inFolder.statusCode === 200) {
			expect(namesOf(inFolder.json()).includes('lesson.txt')).toBe(readable);
			const { totals, items } = inFolder.json();
			expect(totals.files).toBe(items.length);
		}
		expect((await sharedNames('limit=1&search=lesson')).length).toBe(readable ? 1 : 0);
		expect((await reader.call('GET', `/api/archive?ids=${file}`)).statusCode).toBe(readable ? 200 : 404);
		expect((await sharedNames()).length > 0).toBe(readable || (await canRead(sibling)) || entries.some(isFolderShared));
		// Admins see the same, and through which group.
		const [state] = await states(file);
		const group = through && { id: groups[through] };
		expect(['own', 'inherited'].includes(state?.state ?? '')).toBe(readable);
		expect(state?.group ?? null).toEqual(group && expect.objectContaining(group));
		const item = (await readers(file)).items.find(({ id }) => id === readerId);
		expect(item?.canRead ?? false).toBe(readable);
		expect(item?.group ?? null).toEqual(group && expect.objectContaining(group));
	});

	/** The root or the inner folder is readable, even if the file is not. */
	const isFolderShared = (entry: Entry) => /^(root|inner)\+(own|mine|mineToo|everyone)$/u.test(entry);
});

test('a user reads what is shared with the owners of the book from when access is given until it is taken away', async () => {
	await share([root.id], { groupId: 'book-owners' });
	const give = (isGranted: boolean) => admin.call('PUT', `/api/users/${readerId}/book-grant`, { isGranted });
	expect([await canRead(), await sharedNames()]).toEqual([false, []]);
	await give(true);
	expect([await canRead(), await sharedNames()]).toEqual([true, ['Root']]);
	await give(false);
	expect([await canRead(), await sharedNames()]).toEqual([false, []]);
});

test('a user gets the shares of a group on joining, and loses them on leaving and when the group is deleted', async () => {
	const groupId = await createGroup('Short-lived');
	await share([inner.id], { groupId });
	expect([await canRead(), await sharedNames()]).toEqual([false, []]);
	await admin.call('POST', `/api/groups/${groupId}/members`, { userIds: [readerId, otherId] });
	expect([await canRead(), await sharedNames(), await canRead(file, other)]).toEqual([true, ['Inner'], true]);
	await admin.call('POST', `/api/groups/${groupId}/members/remove`, { userIds: [readerId] });
	expect([await canRead(), await sharedNames(), await canRead(file, other)]).toEqual([false, [], true]);
	await admin.call('POST', `/api/groups/${groupId}/members`, { userIds: [readerId] });
	expect(await canRead()).toBe(true);
	expect((await admin.call('DELETE', `/api/groups/${groupId}`)).statusCode).toBe(200);
	expect([await canRead(), await canRead(file, other)]).toEqual([false, false]);
	expect(await findRows(deps, 'shares')).toEqual([]);
	expect(await findRows(deps, 'group_members', { group_id: groupId })).toEqual([]);
});

test('an inactive member of a group reads nothing, is not one of all members, and reads again when active', async () => {
	await share([inner.id], { groupId: groups.mine });
	await share([sibling], { groupId: 'all-members' });
	const { client } = await makeSignedInUser(testApp, 'paused@example.com', 'user', '203.0.113.77');
	const [user] = await findRows(deps, 'users', { email: 'paused@example.com' });
	const id = user?.id ?? '';
	await admin.call('POST', `/api/groups/${groups.mine}/members`, { userIds: [id] });
	expect(await canRead(file, client)).toBe(true);
	await admin.call('POST', `/api/users/${id}/active`, { active: false });
	expect((await client.call('GET', `/api/files/${file}/content`)).statusCode).toBe(403);
	const { items } = await readers(sibling);
	expect(items.find((item) => item.id === id)).toMatchObject({ active: false, group: { id: groups.mine } });
	await admin.call('POST', `/api/users/${id}/active`, { active: true });
	await client.signIn('paused@example.com', 'right horse battery');
	expect(await canRead(file, client)).toBe(true);
	await admin.call('POST', `/api/groups/${groups.mine}/members/remove`, { userIds: [id] });
});

test('shares nodes with several users and groups in one transaction, with an audit entry for each node and recipient', async () => {
	const before = (await findRows(deps, 'audit')).length;
	const recipients = [{ email }, { groupId: groups.mine }, { groupId: 'all-members' }];
	const answer = await share([inner.id, file], ...recipients);
	expect(answer.json().done).toEqual([inner.id]);
	expect(answer.json().refused).toMatchObject([
		{ recipient: email, message: 'Already shared with this user' },
		{ recipient: 'Batch A', message: 'Already shared with this group' },
		{ recipient: 'All members', message: 'Already shared with this group' },
	]);
	const entries = (await findRows(deps, 'audit')).slice(before);
	expect(entries.map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
		['folder-shared', { name: 'Inner', email }],
		['folder-shared', { name: 'Inner', group: 'Batch A' }],
		['folder-shared', { name: 'Inner', group: 'All members' }],
	]);
	await deps.db.deleteFrom('shares').execute();

	// One unknown recipient refuses the whole call, and nothing is shared.
	for (const unknown of [{ email: 'nobody@example.com' }, { groupId: 'absent' }])
		expect((await share([inner.id], { email }, unknown)).statusCode).toBe(404);
	expect((await share([inner.id])).statusCode).toBe(422);
	expect(await findRows(deps, 'shares')).toEqual([]);
});

test("'Already shared' counts access through a group and names the group", async () => {
	await share([root.id], { groupId: groups.mine });
	const single = await admin.call('POST', '/api/shares', { nodeId: file, email });
	const message = 'Already shared with this user, through the group Batch A';
	expect(single.json()).toMatchObject({ status: 409, code: 'ALREADY_SHARED', message });
	// Another group and a user who is not a member can still get the share.
	expect((await share([file], { groupId: groups.notMine }, { email: 'other@example.com' })).json().refused).toEqual([]);
	const again = await admin.call('POST', '/api/shares', { nodeId: file, email: 'other@example.com' });
	expect(again.json().message).toBe('Already shared with this user');
});

test('unsharing from one member of a group excludes only this member, until the node is shared with the member again', async () => {
	await admin.call('POST', `/api/groups/${groups.mine}/members`, { userIds: [otherId] });
	await share([root.id], { groupId: groups.mine });
	const state = (await unshare(inner.id, { email })).json().state;
	expect(state).toMatchObject({ state: 'excluded', group: null, from: null });
	expect([await canRead(), await canRead(file, other), await sharedNames()]).toEqual([false, true, ['Root']]);
	const exclusion = { node_id: inner.id, recipient_id: readerId, recipient_kind: 'user' };
	expect(await findRows(deps, 'shares', { kind: 'exclusion' })).toMatchObject([exclusion]);
	// To exclude the member from the whole share, the exclusion is on the shared node itself.
	await unshare(root.id, { email });
	expect([await canRead(), await sharedNames(), await sharedNames('', other)]).toEqual([false, [], ['Root']]);
	// Sharing again removes the exclusion instead of adding a share.
	const shared = (await admin.call('POST', '/api/shares', { nodeId: root.id, email })).json().state;
	expect(shared).toMatchObject({ state: 'own', group: { id: groups.mine } });
	expect(await findRows(deps, 'shares')).toHaveLength(1);
	expect(await canRead()).toBe(true);
	await admin.call('POST', `/api/groups/${groups.mine}/members/remove`, { userIds: [otherId] });
});

test('unsharing a folder from a member also excludes what groups share inside it', async () => {
	await share([root.id], { email });
	await share([inner.id], { groupId: groups.mineToo });
	expect((await unshare(root.id, { email })).json().state).toMatchObject({ state: 'none' });
	expect([await canRead(), await sharedNames()]).toEqual([false, []]);
	expect((await admin.call('POST', '/api/shares', { nodeId: root.id, email })).json().state.state).toBe('own');
	expect([await canRead(), await sharedNames()]).toEqual([true, ['Root']]);
});

test('unsharing from a group ends its share, and excludes an inner node of it for the group', async () => {
	await share([root.id], { groupId: groups.mine });
	await unshare(inner.id, { groupId: groups.mine });
	expect([await canRead(), await sharedNames()]).toEqual([false, ['Root']]);
	const excluded = { group: { id: groups.mine, name: 'Batch A' }, canRead: false, from: { name: 'Inner' } };
	expect((await readers(file)).groups).toMatchObject([excluded]);
	await unshare(root.id, { groupId: groups.mine });
	expect([await findRows(deps, 'shares'), await sharedNames()]).toEqual([[], []]);
	expect((await unshare(root.id, { groupId: groups.mine })).json().code).toBe('NOT_SHARED');
});

test('lists the groups and users who can read a node, each user once and by email address', async () => {
	await share([root.id], { groupId: groups.mine }, { groupId: groups.notMine });
	await share([inner.id], { groupId: 'all-members' });
	await unshare(file, { email });
	const found = await readers(file);
	expect(found.groups.map(({ group, canRead: can, from }) => [group.name, can, from.name])).toEqual([
		['All members', true, 'Inner'],
		['Batch A', true, 'Root'],
		['Batch C', true, 'Root'],
	]);
	const emails = found.items.map((item) => item.email);
	expect(emails).toEqual(emails.toSorted());
	expect(new Set(emails).size).toBe(emails.length);
	expect(found.items.find((item) => item.email === email)).toMatchObject({ canRead: false, group: null });
	expect(found.items.find((item) => item.id === otherId)).toMatchObject({
		canRead: true,
		group: { id: 'all-members', name: computedGroups['all-members'] },
	});
	expect(await readAllItems(admin, `/api/nodes/${file}/readers?limit=1`)).toEqual(found.items);
});

test('derives one document for each member for whom the share of a group decides', async () => {
	const third = await makeUser(deps, 'third@example.com');
	await admin.call('POST', `/api/groups/${groups.mine}/members`, { userIds: [otherId, third] });
	await admin.call('POST', `/api/groups/${groups.mineToo}/members`, { userIds: [third] });
	await share([inner.id], { groupId: groups.mine });
	await share([inner.id], { groupId: groups.mineToo }, { email: 'third@example.com' });
	await unshare(inner.id, { email: 'other@example.com' });
	const documents = await readAllItems<{ id: string; sharedWith: string }>(admin, '/api/shared-folders?limit=1');
	const path = inner.path.replace('/', '_');
	expect(documents.map(({ id }) => id).sort()).toEqual([`${path}_${email}`, `${path}_third@example.com`]);
	for (const [to, count] of Object.entries({ [email]: 1, 'third@example.com': 1, 'other@example.com': 0 }))
		expect((await admin.call('GET', `/api/shared-folders?email=${to}`)).json().items).toHaveLength(count);
	for (const id of [groups.mine, groups.mineToo])
		await admin.call('POST', `/api/groups/${id}/members/remove`, { userIds: [otherId, third] });
});

test('pages through nodes that are shared directly and through groups, each once and in order', async () => {
	const ids: string[] = [];
	for (let i = 0; i < 9; i += 1) ids.push(await makeTextFile(deps, ownerId, `${i} page.txt`, 'x'.repeat(9 - i)));
	const at = (...indexes: number[]) => indexes.map((i) => ids[i] ?? '');
	await share(at(0, 3, 6, 7), { email });
	await share(at(1, 4, 7), { groupId: groups.mine });
	await share(at(2, 4, 5, 8), { groupId: groups.mineToo });
	await share(at(5, 6), { groupId: 'all-members' });
	const expected = ids.map((_, i) => `${i} page.txt`);
	for (const limit of [1, 2, 4, 50]) {
		const pages = (query: string) => sharedNames(`limit=${limit}&${query}`);
		expect(await pages('')).toEqual(expected);
		expect(await pages('order=desc')).toEqual(expected.toReversed());
		expect(await pages('sort=size')).toEqual(expected.toReversed());
		expect(await pages('search=page')).toEqual(expected);
	}
});

test('a member of more groups than one query can join sees the shares of all of them', async () => {
	const ids = Array.from({ length: 230 }, (_, i) => `many-${String(i).padStart(3, '0')}`);
	const created_at = '2026-01-01T00:00:00.000Z';
	const groupRows = ids.map((id) => ({ id, name: id, name_key: id, created_at }));
	await insertRows(deps, 'groups', groupRows);
	const memberRows = ids.map((id) => ({ group_id: id, user_id: readerId, added_at: created_at }));
	await insertRows(deps, 'group_members', memberRows);
	await share([file], { groupId: 'many-229' });
	await share([sibling], { groupId: 'many-000' });
	expect(await sharedNames()).toEqual(['lesson.txt', 'sibling.txt']);
	await deps.db.deleteFrom('groups').where('id', 'in', ids).execute();
});
