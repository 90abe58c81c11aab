import { expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { findRows, insertRows } from '../../support/app/database-rows.ts';
import { readAllItems, readAuditSentences, readPages } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser } from '../../support/app/users.ts';
import { makeTextFile } from '../../support/fixtures/files.ts';

const { testApp, deps, admin } = await openTestApp();
const create = (name: unknown) => admin.call('POST', '/api/groups', { name });
const createGroup = async (name: string): Promise<string> => (await create(name)).json().id;
/** The clock advances, because entries with the same time have no order. */
function add(id: string, userIds: string[]) {
	testApp.clock.advance(1);
	return admin.call('POST', `/api/groups/${id}/members`, { userIds });
}
const remove = (id: string, userIds: string[]) => admin.call('POST', `/api/groups/${id}/members/remove`, { userIds });
const emailsOf = async (id: string, query = '') =>
	(await readAllItems<{ email: string }>(admin, `/api/groups/${id}/members?limit=2${query}`)).map(({ email }) => email);
const sentences = async () => (await readAuditSentences(admin, 'limit=1'))[0];

test('creates, renames and deletes a group, each with an audit entry', async () => {
	const created = await create('  Batch 2026 🎓 ');
	expect(created.json()).toMatchObject({ name: 'Batch 2026 🎓', memberCount: 0, createdAt: expect.any(String) });
	expect(await sentences()).toBe('admin@example.com created the group Batch 2026 🎓.');
	const { id } = created.json();
	testApp.clock.advance(1);
	const renamed = await admin.call('POST', `/api/groups/${id}/rename`, { name: 'बैच 2026' });
	expect(renamed.json()).toMatchObject({ id, name: 'बैच 2026' });
	expect(await sentences()).toBe('admin@example.com renamed the group Batch 2026 🎓 to बैच 2026.');
	testApp.clock.advance(1);
	expect((await admin.call('DELETE', `/api/groups/${id}`)).json()).toEqual({});
	expect(await sentences()).toBe('admin@example.com deleted the group बैच 2026.');
	expect(await findRows(deps, 'groups', { id })).toEqual([]);
	for (const [method, path, body] of [
		['POST', '/rename', { name: 'Again' }],
		['DELETE', '', undefined],
		['GET', '/members', undefined],
		['POST', '/members', { userIds: ['x'] }],
	] as const)
		expect((await admin.call(method, `/api/groups/${id}${path}`, body)).json().code).toBe('GROUP_UNKNOWN');
});

test('refuses a name that is empty, too long, invisible or in use, and the names of the computed groups', async () => {
	const id = await createGroup('Straße');
	const other = await createGroup('Another');
	for (const name of ['STRASSE', 'straße', ' Straße ', 'ALL MEMBERS', 'सभी सदस्य', 'Owns the Book']) {
		const isTaken = name !== 'STRASSE';
		const answer = await create(name);
		expect([name, answer.statusCode]).toEqual([name, isTaken ? 409 : 200]);
		if (isTaken) expect(answer.json().fields.name).toEqual(expect.any(String));
	}
	for (const name of ['', '   ', '\u200b', 'a\u0000b', 'x'.repeat(limits.groupNameMaxLength + 1), 7])
		expect((await create(name)).statusCode).toBe(422);
	const taken = await admin.call('POST', `/api/groups/${other}/rename`, { name: 'straße' });
	expect(taken.json().code).toBe('GROUP_NAME_IN_USE');
	// A group can change the case of its own name.
	expect((await admin.call('POST', `/api/groups/${id}/rename`, { name: 'STRAßE' })).json().name).toBe('STRAßE');
	const both = await Promise.all([create('At once'), create('at once')]);
	expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
});

test('adds and removes many members in one call, each once and with an audit entry', async () => {
	const id = await createGroup('Many');
	const users = await Promise.all(['a', 'b', 'c'].map((name) => makeUser(deps, `${name}-many@example.com`)));
	const [a = '', b = '', c = ''] = users;
	expect((await add(id, [a, b, a, 'unknown'])).json()).toEqual({ added: 2, alreadyMembers: 0 });
	expect((await add(id, [b, c])).json()).toEqual({ added: 1, alreadyMembers: 1 });
	expect(await sentences()).toBe('admin@example.com added c-many@example.com to the group Many.');
	expect((await emailsOf(id)).sort()).toEqual(['a-many@example.com', 'b-many@example.com', 'c-many@example.com']);
	const entries = await findRows(deps, 'audit', { action: 'group-member-added' });
	expect(entries.map(({ subject_id }) => subject_id).sort()).toEqual([a, b, c].sort());
	expect((await remove(id, [a, c, c])).json()).toEqual({ removed: 2 });
	expect((await remove(id, [a])).json()).toEqual({ removed: 0 });
	expect(await emailsOf(id)).toEqual(['b-many@example.com']);
	// Two simultaneous calls add a user once.
	const twice = await Promise.all([add(id, [a]), add(id, [a])]);
	expect(twice.map((answer) => answer.json().added).sort()).toEqual([0, 1]);
	expect((await add(id, [])).statusCode).toBe(422);
	const tooMany = Array.from({ length: limits.groupMembersPerCallMax + 1 }, (_, i) => `${i}`);
	expect((await add(id, tooMany)).statusCode).toBe(422);
});

test('lists the computed groups, which cannot be changed', async () => {
	const { id: buyer } = await makeSignedInUser(testApp, 'buyer@example.com');
	const inactive = await makeUser(deps, 'inactive@example.com');
	await admin.call('POST', `/api/users/${inactive}/active`, { active: false });
	await admin.call('PUT', `/api/users/${buyer}/book-grant`, { isGranted: true });
	const members = (await findRows(deps, 'users')).filter(({ role, active }) => role === 'user' && active === 1);
	expect((await admin.call('GET', '/api/groups')).json().computed).toEqual([
		{ id: 'all-members', name: 'All members', memberCount: members.length, createdAt: null },
		{ id: 'book-owners', name: 'Owns the book', memberCount: 1, createdAt: null },
	]);
	expect(await emailsOf('all-members')).toEqual(members.map(({ email }) => email).sort());
	expect(await emailsOf('book-owners')).toEqual(['buyer@example.com']);
	expect(await emailsOf('all-members', '&search=buy')).toEqual(['buyer@example.com']);
	for (const [method, path, body] of [
		['POST', '/rename', { name: 'Mine' }],
		['DELETE', '', undefined],
		['POST', '/members', { userIds: [buyer] }],
		['POST', '/members/remove', { userIds: [buyer] }],
	] as const)
		expect((await admin.call(method, `/api/groups/all-members${path}`, body)).json().code).toBe('GROUP_COMPUTED');
});

test('pages through groups by name and through members, and searches both', async () => {
	const names = Array.from({ length: 7 }, (_, i) => `Page 100% ${i}`);
	for (const name of names.toReversed()) await createGroup(name);
	const found = await readPages<{ name: string }>(admin, '/api/groups?search=page%20100%25&limit=3');
	expect(found.flatMap(({ items }) => items.map(({ name }) => name))).toEqual(names);
	expect(found[0]).toMatchObject({ total: 7, computed: [] });
	const owners = (await admin.call('GET', '/api/groups?search=owns')).json();
	expect(owners).toMatchObject({ items: [], computed: [{ id: 'book-owners' }] });

	const id = await createGroup('Paged');
	const [user] = await findRows(deps, 'users', { email: 'buyer@example.com' });
	const ids = Array.from({ length: 1200 }, (_, i) => `paged-${String(i).padStart(4, '0')}`);
	const users = ids.map((userId) => {
		const email = `${userId}@example.com`;
		return { ...user, id: userId, email, email_key: email, search_key: `${email}\n` } as typeof user & object;
	});
	await insertRows(deps, 'users', users);
	for (let start = 0; start < ids.length; start += 400) await add(id, ids.slice(start, start + 400));
	const listed = await readAllItems<{ id: string }>(admin, `/api/groups/${id}/members?limit=500`);
	expect(listed.map((member) => member.id).sort()).toEqual(ids);
	expect(listed[0]?.id.startsWith('paged-0')).toBe(false);
	const counts = { 'paged-0007': 1, 'paged-00': 100, PAGED: 1200, '07': 131, buyer: 0 };
	for (const [search, count] of Object.entries(counts)) {
		const found = await readAllItems(admin, `/api/groups/${id}/members?search=${search}&limit=500`);
		expect([search, found.length]).toEqual([search, count]);
	}
});

test('a deleted user leaves the groups and loses the shares, and an exported account names its groups', async () => {
	const { id: userId, client } = await makeSignedInUser(testApp, 'leaver@example.com', 'user', '203.0.113.90');
	const groupId = await createGroup('Left behind');
	await add(groupId, [userId]);
	const fileId = await makeTextFile(deps, await makeUser(deps, 'giver@example.com'), 'shared.txt');
	const recipients = [{ groupId }, { email: 'leaver@example.com' }];
	await admin.call('POST', '/api/shares/many', { ids: [fileId], recipients });
	const exported = (await client.call('GET', '/api/me/export')).json();
	expect(exported.groups).toEqual([{ name: 'Left behind', addedAt: expect.any(String) }]);
	expect(exported.sharedWithMe).toMatchObject([{ fileName: 'shared.txt', sharedWith: 'leaver@example.com' }]);
	await admin.call('POST', '/delete-user-all', { uid: userId });
	expect(await findRows(deps, 'group_members', { group_id: groupId })).toEqual([]);
	expect(await findRows(deps, 'shares')).toMatchObject([{ recipient_id: groupId }]);
});
