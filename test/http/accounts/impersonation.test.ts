import { expect, test } from 'vitest';
import { endExpiredImpersonations } from '#server/features/accounts/impersonation/impersonation.service.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { listen, openEventStream, requireWithinASecond } from '../../support/app/event-streams.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries } from '../../support/app/test-app.ts';
import { joinAs, testPassword } from '../../support/app/users.ts';
import { makeFile } from '../../support/fixtures/files.ts';

const { testApp, deps } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' });
const url = await listen(testApp.app);

const join = (role: 'user' | 'admin') => joinAs(testApp, role);

/** Creates an admin and a member and lets the admin impersonate the member, by a call without a body. */
async function startImpersonation() {
	const admin = await join('admin');
	const member = await join('user');
	const answer = await admin.client.call('POST', `/api/users/${member.id}/view-as`);
	expect(answer.statusCode).toBe(200);
	return { admin, member };
}

const whoIs = async (client: HttpClient) => (await client.call('GET', '/api/me')).json();

test('an impersonating admin has the files and rights of the member, and no admin rights', async () => {
	const { admin, member } = await startImpersonation();
	const file = await makeFile(deps, { ownerId: member.id, name: 'Own.txt', bytes: Buffer.from('own bytes') });
	const others = await makeFile(deps, { ownerId: admin.id, name: 'Other.txt', bytes: Buffer.from('other') });
	const view = { endsAt: new Date(testApp.clock.now().getTime() + 3_600_000).toISOString() };
	expect(await whoIs(admin.client)).toMatchObject({ id: member.id, email: member.email, role: 'user', view });
	expect((await admin.client.call('GET', `/api/files/${file}/content`)).body).toBe('own bytes');
	expect((await admin.client.call('GET', `/api/files/${others}/content`)).statusCode).toBe(404);
	expect((await admin.client.call('GET', '/api/users')).json().code).toBe('FORBIDDEN');
	expect((await admin.client.call('GET', '/admin')).headers.location).toBe('/unauthorized');
	expect(await whoIs(member.client)).toMatchObject({ id: member.id, view: null });
});

test('refuses every write during an impersonation, also public writes, and changes no row', async () => {
	const { admin, member } = await startImpersonation();
	const before = await dumpDatabase(deps);
	const writes = testApp.app.routeList.filter(
		({ method, url }) =>
			!['GET', 'HEAD', 'OPTIONS'].includes(method) && !['/api/view-as/end', '/api/sign-out'].includes(url),
	);
	expect(writes.length).toBeGreaterThan(20);
	for (const { method, url } of writes) {
		const path = url.replace(/:id/u, member.id).replace(/:owner/u, 'me');
		const answer = await admin.client.call(method as 'POST', path, method === 'DELETE' ? undefined : {});
		expect([url, answer.statusCode, answer.json().code]).toEqual([url, 403, 'READ_ONLY_VIEW']);
	}
	expect(await dumpDatabase(deps)).toEqual(before);
	expect((await member.client.call('POST', '/api/two-factor/begin', { password: testPassword })).statusCode).toBe(200);
});

test('audits the start and end of an impersonation with the admin as actor, and records no sign-in of the member', async () => {
	const admin = await join('admin');
	const member = await join('user');
	const traces = async () => [
		await findRows(deps, 'users', { id: member.id }),
		await findRows(deps, 'sessions', { user_id: member.id }),
		await findRows(deps, 'login_history', { user_id: member.id }),
	];
	const before = await traces();
	await admin.client.call('POST', `/api/users/${member.id}/view-as`, {});
	testApp.clock.advance(400);
	await whoIs(admin.client);
	expect((await admin.client.call('POST', '/api/view-as/end', {})).statusCode).toBe(200);
	expect(await whoIs(admin.client)).toMatchObject({ id: admin.id, role: 'admin', view: null });
	expect(await traces()).toEqual(before);
	expect(await listAuditEntries(testApp, member.id)).toMatchObject([
		{ action: 'view-as-started', actor_id: admin.id },
		{ action: 'view-as-ended', actor_id: admin.id },
	]);
});

test('refuses to impersonate an admin, a deactivated user or an unknown user', async () => {
	const admin = await join('admin');
	const other = await join('admin');
	const gone = await join('user');
	await admin.client.call('POST', `/api/users/${gone.id}/active`, { active: false });
	const view = async (id: string) => (await admin.client.call('POST', `/api/users/${id}/view-as`, {})).json().code;
	for (const { id } of [other, admin, gone]) expect(await view(id)).toBe('VIEW_NOT_POSSIBLE');
	expect(await view('nobody')).toBe('NOT_FOUND');
	expect(await whoIs(admin.client)).toMatchObject({ id: admin.id });
});

test('ends an impersonation after an hour, when the member is promoted, deactivated or deleted, or when the admin is demoted', async () => {
	const late = await startImpersonation();
	testApp.clock.advance(3601);
	expect(await whoIs(late.admin.client)).toMatchObject({ id: late.admin.id, view: null });
	const ends: Array<(id: string) => Promise<unknown>> = [
		(id) => deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute(),
		(id) => deps.db.updateTable('users').set({ active: 0 }).where('id', '=', id).execute(),
		(id) => deps.db.deleteFrom('users').where('id', '=', id).execute(),
	];
	for (const end of ends) {
		const { admin, member } = await startImpersonation();
		for (const table of ['sessions', 'login_history'] as const)
			await deps.db.deleteFrom(table).where('user_id', '=', member.id).execute();
		await end(member.id);
		expect(await whoIs(admin.client)).toMatchObject({ id: admin.id, role: 'admin' });
	}
	const { admin } = await startImpersonation();
	await deps.db.updateTable('users').set({ role: 'user' }).where('id', '=', admin.id).execute();
	expect(await whoIs(admin.client)).toMatchObject({ id: admin.id, role: 'user', view: null });
});

test('does not continue an impersonation after the deactivation or promotion of the member was reverted', async () => {
	const otherAdmin = await join('admin');
	for (const [path, body, undo] of [
		['active', { active: false }, { active: true }],
		['role', { role: 'admin' }, { role: 'user' }],
	] as const) {
		const { admin, member } = await startImpersonation();
		await otherAdmin.client.call('POST', `/api/users/${member.id}/${path}`, body);
		await otherAdmin.client.call('POST', `/api/users/${member.id}/${path}`, undo);
		expect(await whoIs(admin.client)).toMatchObject({ id: admin.id, view: null });
	}
});

test('audits the end of an expired impersonation once, and lets the admin start a new impersonation', async () => {
	const endsOf = async (adminId: string) => {
		const rows = await findRows(deps, 'audit', { actor_id: adminId, action: 'view-as-ended' });
		return rows.map(({ subject_id: subject, detail, ip }) => ({ subject, ip, ...JSON.parse(detail) }));
	};
	const late = await startImpersonation();
	const gone = await startImpersonation();
	const signedOut = await startImpersonation();
	const running = await startImpersonation();
	const stream = await openEventStream(url, gone.admin.client.cookie());
	await deps.db.updateTable('users').set({ active: 0 }).where('id', '=', gone.member.id).execute();
	await signedOut.admin.client.call('POST', '/api/sign-out', {});
	await Promise.all([endExpiredImpersonations(deps), endExpiredImpersonations(deps)]);
	await requireWithinASecond(stream.closed, 'the stream of an ended impersonation');
	const byItself = { ip: 'Unknown', isByItself: true };
	expect(await endsOf(gone.admin.id)).toEqual([{ ...byItself, subject: gone.member.id, email: gone.member.email }]);
	expect(await endsOf(late.admin.id)).toEqual([]);

	testApp.clock.advance(3600);
	const until = testApp.clock.now().toISOString();
	expect((await late.admin.client.call('POST', `/api/users/${running.member.id}/view-as`, {})).statusCode).toBe(200);
	await endExpiredImpersonations(deps);
	for (const { admin, member } of [late, running])
		expect(await endsOf(admin.id)).toEqual([{ ...byItself, subject: member.id, email: member.email, until }]);
	expect(await endsOf(signedOut.admin.id)).toEqual([
		{ subject: signedOut.member.id, ip: expect.not.stringMatching('Unknown'), email: signedOut.member.email },
	]);
	expect(await whoIs(late.admin.client)).toMatchObject({ id: running.member.id });
});

test('a sign-out during an impersonation ends the session of the admin, and no session of the member', async () => {
	const { admin, member } = await startImpersonation();
	expect((await admin.client.call('POST', '/api/sign-out', {})).statusCode).toBe(200);
	expect((await admin.client.call('GET', '/api/me')).statusCode).toBe(401);
	expect(await whoIs(member.client)).toMatchObject({ id: member.id });
	expect(await findRows(deps, 'sessions', { user_id: admin.id })).toMatchObject([{ ended_reason: 'logout' }]);
});

test('closes the event stream when an impersonation starts or ends, and sends only events of the member in between', async () => {
	const admin = await join('admin');
	const member = await join('user');
	const adminStream = await openEventStream(url, admin.client.cookie());
	await admin.client.call('POST', `/api/users/${member.id}/view-as`, {});
	await adminStream.waitFor('resync');
	await requireWithinASecond(adminStream.closed, 'the stream of the admin');

	const memberStream = await openEventStream(url, admin.client.cookie());
	const colleague = await join('admin');
	await colleague.client.call('POST', `/api/spaces/${admin.email}/folders`, { name: 'Not theirs', path: '' });
	await colleague.client.call('POST', `/api/spaces/${member.email}/folders`, { name: 'Theirs', path: '' });
	await memberStream.waitFor('nodes');
	expect(memberStream.events).toEqual([{ topic: 'nodes', owner: member.id }]);
	await admin.client.call('POST', '/api/view-as/end', {});
	await requireWithinASecond(memberStream.closed, 'the stream of the impersonation');
	expect(memberStream.events.at(-1)).toEqual({ topic: 'resync' });
});

test('ends the impersonation when the member is deactivated or deleted, and the session when the admin is deactivated', async () => {
	const colleague = await join('admin');
	const deactivate = (id: string) => colleague.client.call('POST', `/api/users/${id}/active`, { active: false });
	const deleteUser = (id: string) => colleague.client.call('POST', '/delete-user-all', { uid: id });
	for (const end of [deactivate, deleteUser]) {
		const { admin, member } = await startImpersonation();
		const stream = await openEventStream(url, admin.client.cookie());
		await end(member.id);
		await requireWithinASecond(stream.closed, 'the impersonation of a deactivated or deleted member');
		expect(stream.events).toEqual([{ topic: 'resync' }]);
		expect(await whoIs(admin.client)).toMatchObject({ id: admin.id, role: 'admin' });
	}

	const other = await startImpersonation();
	const ended = await openEventStream(url, other.admin.client.cookie());
	await deactivate(other.admin.id);
	await requireWithinASecond(ended.closed, 'the impersonation by a deactivated admin');
	expect(ended.events).toEqual([{ topic: 'ended', reason: 'deactivation' }]);
	expect((await other.admin.client.call('GET', '/api/me')).json().code).toBe('ACCOUNT_INACTIVE');
});
