import { expect, test } from 'vitest';
import { endExpiredImpersonations } from '#server/features/accounts/impersonation/impersonation.service.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { listen, openEventStream, requireWithinASecond } from '../../support/app/event-streams.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries } from '../../support/app/test-app.ts';
import { makeSignedInUser, testPassword } from '../../support/app/users.ts';
import { makeFile } from '../../support/fixtures/files.ts';

const { world } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' });
const url = await listen(world.app);

let count = 0;
async function join(role: 'user' | 'admin'): Promise<{ id: string; email: string; client: HttpClient }> {
	count += 1;
	const email = `${role}-${count}@example.com`;
	const { id, client } = await makeSignedInUser(world, email, role);
	return { id, email, client };
}

/** Creates an admin and a member and lets the admin impersonate the member. */
async function startImpersonation() {
	const admin = await join('admin');
	const member = await join('user');
	const answer = await admin.client.call('POST', `/api/users/${member.id}/view-as`, {});
	expect(answer.statusCode).toBe(200);
	return { admin, member };
}

const whoIs = async (client: HttpClient) => (await client.call('GET', '/api/me')).json();

test('gives an impersonating admin the files and rights of the member and none of an admin', async () => {
	const { admin, member } = await startImpersonation();
	const file = await makeFile(world.deps, { ownerId: member.id, name: 'Own.txt', bytes: Buffer.from('own bytes') });
	const others = await makeFile(world.deps, { ownerId: admin.id, name: 'Other.txt', bytes: Buffer.from('other') });
	const view = { endsAt: new Date(world.clock.now().getTime() + 3_600_000).toISOString() };
	expect(await whoIs(admin.client)).toMatchObject({ id: member.id, email: member.email, role: 'user', view });
	expect((await admin.client.call('GET', `/api/files/${file}/content`)).body).toBe('own bytes');
	expect((await admin.client.call('GET', `/api/files/${others}/content`)).statusCode).toBe(404);
	expect((await admin.client.call('GET', '/api/users')).json().code).toBe('FORBIDDEN');
	expect((await admin.client.call('GET', '/admin')).headers.location).toBe('/unauthorized');
	expect(await whoIs(member.client)).toMatchObject({ id: member.id, view: null });
});

test('refuses every write during an impersonation, also public ones, and changes no row', async () => {
	const { admin, member } = await startImpersonation();
	const before = await dumpDatabase(world.deps);
	const writes = world.app.routeList.filter(
		({ method, url }) =>
			!['GET', 'HEAD', 'OPTIONS'].includes(method) && !['/api/view-as/end', '/api/sign-out'].includes(url),
	);
	expect(writes.length).toBeGreaterThan(20);
	for (const { method, url } of writes) {
		const path = url.replace(/:id/u, member.id).replace(/:owner/u, 'me');
		const answer = await admin.client.call(method as 'POST', path, method === 'DELETE' ? undefined : {});
		expect([url, answer.statusCode, answer.json().code]).toEqual([url, 403, 'READ_ONLY_VIEW']);
	}
	expect(await dumpDatabase(world.deps)).toEqual(before);
	expect((await member.client.call('POST', '/api/two-factor/begin', { password: testPassword })).statusCode).toBe(200);
});

test("audits start and end of an impersonation as the admin and leaves the member's sign-ins unchanged", async () => {
	const admin = await join('admin');
	const member = await join('user');
	const traces = async () => [
		await world.deps.db.selectFrom('users').selectAll().where('id', '=', member.id).execute(),
		await world.deps.db.selectFrom('sessions').selectAll().where('user_id', '=', member.id).execute(),
		await world.deps.db.selectFrom('login_history').selectAll().where('user_id', '=', member.id).execute(),
	];
	const before = await traces();
	await admin.client.call('POST', `/api/users/${member.id}/view-as`, {});
	world.clock.advance(400);
	await whoIs(admin.client);
	expect((await admin.client.call('POST', '/api/view-as/end', {})).statusCode).toBe(200);
	expect(await whoIs(admin.client)).toMatchObject({ id: admin.id, role: 'admin', view: null });
	expect(await traces()).toEqual(before);
	expect(await listAuditEntries(world, member.id)).toMatchObject([
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

test('ends an impersonation after an hour, and when the member is promoted, deactivated or deleted', async () => {
	const late = await startImpersonation();
	world.clock.advance(3601);
	expect(await whoIs(late.admin.client)).toMatchObject({ id: late.admin.id, view: null });
	const ends: Array<(id: string) => Promise<unknown>> = [
		(id) => world.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute(),
		(id) => world.deps.db.updateTable('users').set({ active: 0 }).where('id', '=', id).execute(),
		(id) => world.deps.db.deleteFrom('users').where('id', '=', id).execute(),
	];
	for (const end of ends) {
		const { admin, member } = await startImpersonation();
		for (const table of ['sessions', 'login_history'] as const)
			await world.deps.db.deleteFrom(table).where('user_id', '=', member.id).execute();
		await end(member.id);
		expect(await whoIs(admin.client)).toMatchObject({ id: admin.id, role: 'admin' });
	}
});

test("does not resume an impersonation when the member's deactivation or promotion is undone", async () => {
	const boss = await join('admin');
	for (const [path, body, undo] of [
		['active', { active: false }, { active: true }],
		['role', { role: 'admin' }, { role: 'user' }],
	] as const) {
		const { admin, member } = await startImpersonation();
		await boss.client.call('POST', `/api/users/${member.id}/${path}`, body);
		await boss.client.call('POST', `/api/users/${member.id}/${path}`, undo);
		expect(await whoIs(admin.client)).toMatchObject({ id: admin.id, view: null });
	}
});

test('audits the end of an expired impersonation once and lets the admin start another one', async () => {
	const endsOf = async (adminId: string) => {
		const rows = await world.deps.db
			.selectFrom('audit')
			.select(['subject_id as subject', 'detail', 'ip'])
			.where('actor_id', '=', adminId)
			.where('action', '=', 'view-as-ended')
			.execute();
		return rows.map(({ subject, detail, ip }) => ({ subject, ip, ...JSON.parse(detail) }));
	};
	const late = await startImpersonation();
	const gone = await startImpersonation();
	const out = await startImpersonation();
	const going = await startImpersonation();
	const stream = await openEventStream(url, gone.admin.client.cookie());
	await world.deps.db.updateTable('users').set({ active: 0 }).where('id', '=', gone.member.id).execute();
	await out.admin.client.call('POST', '/api/sign-out', {});
	await Promise.all([endExpiredImpersonations(world.deps), endExpiredImpersonations(world.deps)]);
	await requireWithinASecond(stream.closed, 'the stream of a view that is over');
	const byItself = { ip: 'Unknown', isByItself: true };
	expect(await endsOf(gone.admin.id)).toEqual([{ ...byItself, subject: gone.member.id, email: gone.member.email }]);
	expect(await endsOf(late.admin.id)).toEqual([]);

	world.clock.advance(3600);
	const until = world.clock.now().toISOString();
	expect((await late.admin.client.call('POST', `/api/users/${going.member.id}/view-as`, {})).statusCode).toBe(200);
	await endExpiredImpersonations(world.deps);
	for (const { admin, member } of [late, going])
		expect(await endsOf(admin.id)).toEqual([{ ...byItself, subject: member.id, email: member.email, until }]);
	expect(await endsOf(out.admin.id)).toEqual([
		{ subject: out.member.id, ip: expect.not.stringMatching('Unknown'), email: out.member.email },
	]);
	expect(await whoIs(late.admin.client)).toMatchObject({ id: going.member.id });
});

test('ends the impersonation of an admin who loses the role', async () => {
	const { admin } = await startImpersonation();
	await world.deps.db.updateTable('users').set({ role: 'user' }).where('id', '=', admin.id).execute();
	expect(await whoIs(admin.client)).toMatchObject({ id: admin.id, role: 'user', view: null });
});

test("ends the admin's session at sign-out during an impersonation and keeps the member's session", async () => {
	const { admin, member } = await startImpersonation();
	expect((await admin.client.call('POST', '/api/sign-out', {})).statusCode).toBe(200);
	expect((await admin.client.call('GET', '/api/me')).statusCode).toBe(401);
	expect(await whoIs(member.client)).toMatchObject({ id: member.id });
	const sessions = world.deps.db.selectFrom('sessions').select('ended_reason').where('user_id', '=', admin.id);
	expect(await sessions.execute()).toEqual([{ ended_reason: 'logout' }]);
});

test("closes the event stream when an impersonation starts or ends, and sends the member's events", async () => {
	const admin = await join('admin');
	const member = await join('user');
	const desk = await openEventStream(url, admin.client.cookie());
	await admin.client.call('POST', `/api/users/${member.id}/view-as`, {});
	await desk.waitFor('resync');
	await requireWithinASecond(desk.closed, 'the stream of the admin');

	const viewing = await openEventStream(url, admin.client.cookie());
	const colleague = await join('admin');
	await colleague.client.call('POST', `/api/spaces/${admin.email}/folders`, { name: 'Not theirs', path: '' });
	await colleague.client.call('POST', `/api/spaces/${member.email}/folders`, { name: 'Theirs', path: '' });
	await viewing.waitFor('nodes');
	expect(viewing.events).toEqual([{ topic: 'nodes', owner: member.id }]);
	await admin.client.call('POST', '/api/view-as/end', {});
	await requireWithinASecond(viewing.closed, 'the stream of the view');
	expect(viewing.events.at(-1)).toEqual({ topic: 'resync' });
});

test('ends the impersonation when the member is deactivated, and the session when the admin is', async () => {
	const colleague = await join('admin');
	const deactivate = (id: string) => colleague.client.call('POST', `/api/users/${id}/active`, { active: false });
	const { admin, member } = await startImpersonation();
	const stream = await openEventStream(url, admin.client.cookie());
	await deactivate(member.id);
	await requireWithinASecond(stream.closed, 'the view of a deactivated member');
	expect(stream.events).toEqual([{ topic: 'resync' }]);
	expect(await whoIs(admin.client)).toMatchObject({ id: admin.id, role: 'admin' });

	const other = await startImpersonation();
	const ended = await openEventStream(url, other.admin.client.cookie());
	await deactivate(other.admin.id);
	await requireWithinASecond(ended.closed, 'the view of a deactivated admin');
	expect(ended.events).toEqual([{ topic: 'ended', reason: 'deactivation' }]);
	expect((await other.admin.client.call('GET', '/api/me')).json().code).toBe('ACCOUNT_INACTIVE');
});

test('starts an impersonation without a request body and refuses a sign-in without one', async () => {
	const admin = await join('admin');
	const member = await join('user');
	expect((await admin.client.call('POST', `/api/users/${member.id}/view-as`)).statusCode).toBe(200);
	expect(await whoIs(admin.client)).toMatchObject({ id: member.id });
	expect((await admin.client.call('POST', '/api/sign-in')).json().code).toBe('READ_ONLY_VIEW');
	expect((await createHttpClient(world.app).call('POST', '/api/sign-in')).json().code).toBe('INVALID_INPUT');
});
