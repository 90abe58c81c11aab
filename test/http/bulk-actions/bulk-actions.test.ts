import { describe, expect, test } from 'vitest';
import type { BulkAction, BulkSelection } from '#contract/bulk-actions/bulk-actions.ts';
import { limits } from '#contract/core/limits.ts';
import { listUsers } from '#server/features/accounts/administration/administration.queries.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries } from '../../support/app/test-app.ts';
import { allUsersByEmail, joinAs, makeUser } from '../../support/app/users.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';
import { readStoredMails } from '../../support/services/received-mails.ts';

const { testApp, deps, admin, adminId } = await openTestApp();
const unknownId = 'AAAAAAAAAAAAAAAAAAAAAA';

const filters = { search: 'crowd-', status: 'active', role: 'user', book: 'all', group: '' } as const;

const run = async (action: BulkAction, selection: BulkSelection, client: HttpClient = admin) =>
	(await client.call('POST', '/api/users-bulk', { action, selection })).json();
type Outcomes = { items: Array<{ id: string; outcome: string }> };
/** Runs an action for selected users. @returns the outcomes, each user once and in the order of `ids` */
async function runFor(action: BulkAction, ids: string[], groupId?: string): Promise<string[]> {
	const body = { action, selection: { ids }, groupId };
	const { items }: Outcomes = (await admin.call('POST', '/api/users-bulk', body)).json();
	expect(items.map(({ id }) => id)).toEqual([...new Set(ids)]);
	return items.map(({ outcome }) => outcome);
}
const setActive = (id: string, active: boolean) => admin.call('POST', `/api/users/${id}/active`, { active });
const activeOf = async (ids: string[]) =>
	Promise.all(ids.map(async (id) => (await findRows(deps, 'users', { id }))[0]?.active));
const isoAfter = (seconds: number) => new Date(testApp.clock.now().getTime() + seconds * 1000).toISOString();
const actionsOf = async (id: string) => (await listAuditEntries(testApp, id)).map(({ action }) => action);

async function makeUsers(prefix: string, count: number): Promise<string[]> {
	const ids: string[] = [];
	for (let number = 0; number < count; number += 1)
		ids.push(await makeUser(deps, `${prefix}-${String(number).padStart(3, '0')}@example.com`));
	return ids;
}

describe('POST /api/users-bulk with selected users', () => {
	test('deactivates users, ends their sessions, and skips others with a reason; each change has an audit entry', async () => {
		const { id, client, email } = await joinAs(testApp);
		const events = await openEventStream(await listen(testApp.app), client.cookie());
		const [inactive = '', other = ''] = await makeUsers('mixed', 2);
		await setActive(inactive, false);
		const outcomes = await runFor('deactivate', [id, inactive, adminId, unknownId, other, id]);
		expect(outcomes).toEqual(['done', 'unchanged', 'self', 'gone', 'done']);
		expect(await events.waitFor('ended')).toEqual({ topic: 'ended', reason: 'deactivation' });
		events.close();
		expect((await client.call('GET', '/api/me')).json()).toMatchObject({ status: 403, code: 'ACCOUNT_INACTIVE' });
		expect(await activeOf([id, inactive, adminId, other])).toEqual([0, 0, 1, 0]);
		expect(await actionsOf(id)).toEqual(['user-deactivated']);
		expect(await actionsOf(inactive)).toEqual(['user-deactivated']);
		expect(await actionsOf(adminId)).toEqual([]);

		expect(await runFor('activate', [adminId, other])).toEqual(['unchanged', 'done']);
		const response = await run('activate', { ids: [id] });
		expect(response).toEqual({ items: [{ id, email, outcome: 'done' }], nextCursor: null });
		expect(await activeOf([id, other])).toEqual([1, 1]);
		// The ended session stays ended.
		expect((await client.call('GET', '/api/me')).statusCode).toBe(401);
	});

	test('keeps one active admin when two admins deactivate all admins at the same time', async () => {
		const admins = [await joinAs(testApp, 'admin'), await joinAs(testApp, 'admin'), await joinAs(testApp, 'admin')];
		const ids = admins.map(({ id }) => id);
		const all = [...ids, adminId];
		await Promise.all(admins.map(({ client }) => run('deactivate', { ids: all }, client)));
		const active = await findRows(deps, 'users', { role: 'admin', active: 1 });
		expect(active.length).toBeGreaterThanOrEqual(1);
		const [{ id: leftId } = { id: '' }] = active;
		// The remaining admin activates the first admin again, who is needed by the other tests.
		const left = admins.find(({ id }) => id === leftId)?.client ?? admin;
		await run('activate', { ids: [adminId] }, left);
		await admin.signIn('admin@example.com', 'right horse battery');
		for (const id of ids) await setActive(id, false);
		expect((await findRows(deps, 'users', { role: 'admin', active: 1 })).map(({ id }) => id)).toEqual([adminId]);
	});

	test('gives the book to users without access, and skips admins and users with an order or a grant', async () => {
		const [none = '', pending = '', complete = '', granted = ''] = await makeUsers('book', 4);
		const { id: otherAdmin } = await joinAs(testApp, 'admin');
		const order = { email: 'book@example.com' };
		await makeOrder(deps, { ...order, userId: pending });
		await makeOrder(deps, { ...order, userId: complete, status: 'Complete' });
		await admin.call('PUT', `/api/users/${granted}/book-grant`, { isGranted: true });
		const outcomes = await runFor('give-book', [none, pending, complete, granted, otherAdmin, unknownId]);
		expect(outcomes).toEqual(['done', 'done', 'unchanged', 'unchanged', 'admin', 'gone']);
		const access = async (id: string) => (await admin.call('GET', `/api/users/${id}/book-access`)).json();
		const grant = { by: 'admin@example.com', at: testApp.clock.now().toISOString() };
		for (const id of [none, pending, granted]) expect(await access(id)).toEqual({ access: 'open', grant });
		expect(await access(complete)).toEqual({ access: 'open', grant: null });
		expect(await actionsOf(none)).toEqual(['book-granted']);
		expect(await actionsOf(complete)).not.toContain('book-granted');
		expect(await findRows(deps, 'orders', { user_id: pending })).toMatchObject([{ status: 'Pending' }]);
		const emails = (await admin.call('GET', '/api/users?search=book-00&book=open&limit=10')).json();
		expect(emails.total).toBe(4);
	});

	test('mails logins within the limit of each account, and skips deactivated users', async () => {
		const [first = '', second = '', inactive = ''] = await makeUsers('login', 3);
		await setActive(inactive, false);
		for (let count = 0; count < 9; count += 1) await runFor('send-login', [second]);
		const outcomes = await runFor('send-login', [first, second, inactive, unknownId]);
		expect(outcomes).toEqual(['done', 'done', 'inactive', 'gone']);
		expect(await runFor('send-login', [first, second])).toEqual(['done', 'limit']);
		// Many mails become due one per second, so that mails to buyers do not wait for them.
		const due = (await findRows(deps, 'outbox')).map((row) => row.next_attempt_at);
		expect(new Set(due)).toEqual(new Set([isoAfter(0), isoAfter(1)]));
		testApp.clock.advance(1);
		await testApp.runDueWork();
		const mails = await readStoredMails(deps.config.DATA_DIR);
		const counts = ['000', '001', '002'].map(
			(number) => mails.filter(({ to }) => to === `login-${number}@example.com`).length,
		);
		expect(counts).toEqual([2, 10, 0]);
		expect(await actionsOf(first)).toEqual(['login-sent', 'login-sent']);
		// The limit for one user at a time is the same.
		expect((await admin.call('POST', `/api/chats/${second}/login`, {})).json().code).toBe('TOO_MANY_RESETS');
	});

	test('adds users to a named group, skips its members, and lists the members with the filter of the group', async () => {
		const [first = '', second = '', member = ''] = await makeUsers('group', 3);
		const { id: groupId } = (await admin.call('POST', '/api/groups', { name: 'Book club' })).json();
		await admin.call('POST', `/api/groups/${groupId}/members`, { userIds: [member] });
		const outcomes = await runFor('add-to-group', [first, member, unknownId], groupId);
		expect(outcomes).toEqual(['done', 'unchanged', 'gone']);
		for (const id of [first, member]) expect(await actionsOf(id)).toEqual(['group-member-added']);
		for (const [group, status, code] of [
			['all-members', 409, 'GROUP_COMPUTED'],
			[unknownId, 404, 'GROUP_UNKNOWN'],
			[undefined, 422, 'INVALID_INPUT'],
		]) {
			const body = { action: 'add-to-group', selection: { ids: [second] }, groupId: group };
			expect((await admin.call('POST', '/api/users-bulk', body)).json()).toMatchObject({ status, code });
		}
		expect(await actionsOf(second)).toEqual([]);

		const list = async (group: string, more = '') =>
			(await admin.call('GET', `/api/users?search=group-00&sort=email&group=${group}${more}`)).json();
		const idsOf = ({ items }: { items: Array<{ id: string }> }) => items.map(({ id }) => id);
		expect(await list(groupId)).toMatchObject({ total: 2, isMore: false });
		expect(idsOf(await list(groupId))).toEqual([first, member]);
		expect(idsOf(await list(groupId, '&status=deactivated'))).toEqual([]);
		expect(idsOf(await list('all-members'))).toEqual([first, second, member]);
		expect(idsOf(await list('book-owners'))).toEqual([]);
		expect(idsOf(await list(unknownId))).toEqual([]);
		const counted = (await admin.call('GET', `/api/users-bulk?group=${groupId}`)).json();
		expect(counted.count).toBe(2);
		const all = { ...filters, search: undefined, group: groupId };
		const deactivated = await run('deactivate', { filters: all, until: counted.until });
		expect(new Set(deactivated.items.map(({ id }: { id: string }) => id))).toEqual(new Set([first, member]));
		// A large group is scanned in the order of the list instead.
		for (const isGroupSmall of [true, false]) {
			const found = await listUsers(deps.db, { ...allUsersByEmail, group: groupId, isGroupSmall });
			expect(found.map(({ id }) => id)).toEqual([first, member]);
		}
	});

	test.each([
		['no users', { action: 'activate', selection: { ids: [] } }],
		['too many users', { action: 'activate', selection: { ids: Array(limits.usersPerCallMax + 1).fill('x') } }],
		['an unknown action', { action: 'delete', selection: { ids: ['x'] } }],
		['a damaged cursor', { action: 'activate', selection: { filters: {}, until: '2026', cursor: 'W10' } }],
		['all users without a time', { action: 'activate', selection: { filters: {} } }],
	])('refuses %s', async (_what, body) => {
		expect((await admin.call('POST', '/api/users-bulk', body)).statusCode).toBe(422);
	});
});

describe('POST /api/users-bulk with all users who match', () => {
	const count = async () =>
		(await admin.call('GET', `/api/users-bulk?${new URLSearchParams({ search: 'crowd-', status: 'active' })}`)).json();

	test('handles every matching user once in batches, also when users change or register in between', async () => {
		const ids = await makeUsers('crowd', 450);
		const excluded = ids[7] ?? '';
		await setActive(excluded, false);
		const { count: total, until } = await count();
		expect(total).toBe(449);
		testApp.clock.advance(1);
		const late = await makeUser(deps, 'crowd-late@example.com');

		const first = await run('deactivate', { filters, until });
		expect(first.items).toHaveLength(limits.usersPerCallMax);
		// Meanwhile a user who is still to come stops matching, and one who was handled matches again.
		const handled = new Set(first.items.map(({ id }: { id: string }) => id));
		const coming = ids.find((id) => id !== excluded && !handled.has(id)) ?? '';
		await admin.call('POST', `/api/users/${coming}/role`, { role: 'admin' });
		await setActive(first.items[0].id, true);
		const all = [...first.items];
		for (let cursor = first.nextCursor; cursor !== null; ) {
			const { items, nextCursor } = await run('deactivate', { filters, until, cursor });
			all.push(...items);
			cursor = nextCursor;
		}
		expect(new Set(all.map(({ id }) => id)).size).toBe(448);
		expect(all).toHaveLength(448);
		expect(all.every(({ outcome }) => outcome === 'done')).toBe(true);
		expect(await activeOf([late, coming, first.items[0].id])).toEqual([1, 1, 1]);
		const { count: left } = await count();
		// The late user, the one who became an admin, and the one who was activated again.
		expect(left).toBe(3);
		expect(await actionsOf(excluded)).toEqual(['user-deactivated']);
	});

	test('applies the filters of the list, and returns no users when none match', async () => {
		const { until } = await count();
		const none = await run('activate', { filters: { ...filters, search: 'no-such-user' }, until });
		expect(none).toEqual({ items: [], nextCursor: null });
		const admins = await run('activate', { filters: { ...filters, role: 'admin', book: 'none' }, until });
		expect(admins.items).toMatchObject([{ outcome: 'unchanged' }]);
	});
});
