import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createPasswordLink } from '#server/features/accounts/passwords/password-links.ts';
import { deleteSpace } from '#server/features/files/spaces/spaces.queries.ts';
import { appendUploadBytes, beginUpload, finishUpload } from '#server/features/files/uploads/uploads.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import type { MemberCaller } from '#server/platform/actor.ts';
import { isoAt } from '#server/platform/clock.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { listen, openEventStream, requireWithinASecond } from '../../support/app/event-streams.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createTestApp, listAuditEntries } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { makeFile, makeFolder } from '../../support/fixtures/files.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';
import { findUploadParts, receiveBytes } from '../../support/fixtures/uploads.ts';

const { world, admin, adminId } = await openTestApp({ RATE_LIMIT_FACTOR: '1' });
const url = await listen(world.app);

const deleteAccount = (uid: string, by = admin) => by.call('POST', '/delete-user-all', { uid });
const rowsOf = (table: 'sessions' | 'login_history' | 'password_links', userId: string) =>
	world.deps.db.selectFrom(table).selectAll().where('user_id', '=', userId).execute();
const nodesOf = (ownerId: string) =>
	world.deps.db.selectFrom('nodes').selectAll().where('owner_id', '=', ownerId).execute();
const problems = async () => (await checkIntegrity(world.deps)).problems;
const adminFlags = { hasInitialPassword: false, mustSetUpTwoFactor: false, impersonatedBy: null };
/** The caller of a service in the name of an admin. */
const callerOf = (userId: string): MemberCaller => ({
	actor: { userId, email: 'admin@example.com', name: null, role: 'admin', sessionId: '', ...adminFlags },
	ip: 'Unknown',
	userAgent: 'test',
	locale: 'en',
});

/** Creates a member with files in folders, a file in the trash, an order, a session and a password link. */
async function createMemberWithData(email: string, files = 3) {
	const id = await makeUser(world.deps, email);
	const outer = await makeFolder(world.deps, email, 'Outer');
	const inner = await makeFolder(world.deps, email, 'Inner', outer.path);
	for (let number = 1; number <= files; number += 1) {
		const bytes = Buffer.from(`${email} ${number}`);
		await makeFile(world.deps, { ownerId: id, name: `${number}.txt`, bytes, folder: inner });
	}
	const trashed = await makeFile(world.deps, { ownerId: id, name: 'trashed.txt', bytes: Buffer.from('trash') });
	await admin.call('DELETE', `/api/nodes/${trashed}`);
	const order = await makeOrder(world.deps, { userId: id, email, status: 'Complete' });
	const client = createHttpClient(world.app);
	await client.signIn(email, testPassword);
	const { token } = await inTransaction(world.deps.db, (tx) => createPasswordLink(world.deps, tx, id, 3600));
	const blobs = world.deps.db.selectFrom('blobs').innerJoin('nodes', 'nodes.blob_id', 'blobs.id');
	const keys = await blobs.select('storage_key').where('owner_id', '=', id).execute();
	return { id, email, client, order, token, keys: keys.map((row) => row.storage_key) };
}

async function startUpload(email: string, by = callerOf(adminId)): Promise<string> {
	const id = randomUUID();
	await beginUpload(world.deps, by, id, { owner: email, path: '', name: `${id}.bin`, sizeBytes: 4 });
	await appendUploadBytes(world.deps, id, Readable.from([Buffer.from('fu')]));
	return id;
}

describe('POST /delete-user-all', () => {
	test('deletes the user at once and their data in a job, keeps their orders and writes an audit entry', async () => {
		const bystander = await createMemberWithData('stays@example.com');
		const person = await createMemberWithData('goes@example.com', 230);
		const unfinished = await startUpload(person.email);
		expect(await findUploadParts(world.deps, unfinished)).not.toEqual([]);
		const answer = await deleteAccount(person.id);
		expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, error: null }]);

		expect((await person.client.call('GET', '/api/me')).statusCode).toBe(401);
		for (const table of ['sessions', 'login_history', 'password_links'] as const)
			expect(await rowsOf(table, person.id)).toEqual([]);
		expect((await admin.call('GET', '/api/removals')).json()).toEqual([
			{ id: person.id, email: person.email, totalFiles: 231, removedFiles: 0 },
		]);
		expect(await problems()).toEqual([]);

		await runNextJob(world.deps, jobHandlers);
		await runNextJob(world.deps, jobHandlers);
		expect((await admin.call('GET', '/api/removals')).json()).toMatchObject([{ removedFiles: 200 }]);
		expect(await problems()).toEqual([]);
		await world.runDueWork();
		expect((await admin.call('GET', '/api/removals')).json()).toEqual([]);
		expect(await nodesOf(person.id)).toEqual([]);
		for (const key of person.keys) expect(await world.deps.storage.findSize(key)).toBeNull();
		expect(await findUploadParts(world.deps, unfinished)).toEqual([]);
		expect(await world.deps.db.selectFrom('uploads').select('id').where('id', '=', unfinished).execute()).toEqual([]);
		const orders = world.deps.db.selectFrom('orders').select('user_id').where('id', '=', person.order.id);
		expect(await orders.execute()).toEqual([{ user_id: null }]);
		const proof = await admin.call('GET', `/api/proofs/${person.order.proofId}/image`);
		expect(proof.statusCode).toBe(200);
		const detail = JSON.stringify({ email: person.email, files: 231 });
		expect(await listAuditEntries(world, person.id, 'user-deleted')).toMatchObject([
			{ actor_id: adminId, detail, ip: '203.0.113.7' },
		]);
		expect(await nodesOf(bystander.id)).toHaveLength(6);
		expect((await bystander.client.call('GET', '/api/me')).statusCode).toBe(200);
		expect(await problems()).toEqual([]);
	});

	test.each([
		['nobody', { uid: 'AAAAAAAAAAAAAAAAAAAAAA' }, 404],
		['an empty uid', { uid: '' }, 422],
		['no uid', {}, 422],
		['a number', { uid: 5 }, 422],
		['a list', { uid: ['x'] }, 422],
		['a NUL', { uid: 'a\0b' }, [404, 422]],
	])('returns success: false and an error message when the request names %s', async (_what, body, status) => {
		const answer = await admin.call('POST', '/delete-user-all', body);
		expect([status].flat()).toContain(answer.statusCode);
		expect(answer.json()).toMatchObject({ success: false, error: expect.stringMatching(/\w+.*\.$/u) });
	});

	test('accepts any HTTP client with an admin session and refuses visitors, members and other origins', async () => {
		const { id } = await createMemberWithData('plain@example.com', 1);
		const { client: member } = await makeSignedInUser(world, 'member@example.com');
		const post = async (cookie: string, headers: Record<string, string> = {}) => {
			const answer = await fetch(`${url}/delete-user-all`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', cookie, ...headers },
				body: JSON.stringify({ uid: id }),
			});
			return [answer.status, await answer.json()];
		};
		expect((await post(''))[0]).toBe(401);
		expect((await post(member.cookie()))[0]).toBe(403);
		expect((await post(admin.cookie(), { origin: 'http://elsewhere.test' }))[0]).toBe(403);
		expect(await post(admin.cookie())).toEqual([200, { success: true, error: null }]);
		expect(await post(admin.cookie())).toMatchObject([404, { success: false, error: expect.any(String) }]);
		await world.runDueWork();
	});

	test('succeeds for one of two simultaneous requests for the same user and fails for the other', async () => {
		const { id } = await createMemberWithData('twice@example.com', 1);
		const answers = await Promise.all([deleteAccount(id), deleteAccount(id)]);
		expect(answers.map((answer) => answer.json().success).sort()).toEqual([false, true]);
		await world.runDueWork();
	});

	test('refuses to delete the last active admin when the only other admin is deactivated', async () => {
		const sleeper = await makeUser(world.deps, 'sleeping-admin@example.com', 'admin');
		await admin.call('POST', `/api/users/${sleeper}/active`, { active: false });
		const answer = await deleteAccount(adminId);
		const error = 'The last active admin cannot be deleted.';
		expect([answer.statusCode, answer.json()]).toMatchObject([409, { success: false, error }]);
		expect((await deleteAccount(sleeper)).json()).toEqual({ success: true, error: null });
		await world.runDueWork();
	});
});

test('aborts the event stream and the download of a deleted user within a second', async () => {
	const person = await createMemberWithData('live@example.com', 1);
	const desk = await openEventStream(url, admin.cookie());
	const stream = await openEventStream(url, person.client.cookie());
	const big = await makeFile(world.deps, { ownerId: person.id, name: 'big.bin', bytes: Buffer.alloc(24_000_000) });
	const download = await fetch(`${url}/api/files/${big}/content`, { headers: { cookie: person.client.cookie() } });
	const reader = download.body?.getReader();
	await reader?.read();
	await deleteAccount(person.id);
	expect(await stream.waitFor('ended')).toEqual({ topic: 'ended', reason: 'deletion' });
	await requireWithinASecond(stream.closed, 'the stream');
	const drain = async () => {
		for (;;) if ((await reader?.read())?.done) throw new Error('the download came whole');
	};
	await expect(requireWithinASecond(drain(), 'the download')).rejects.toThrow(/terminated|aborted/u);
	await desk.waitFor('users');
	await desk.waitFor('removals');
	desk.close();
	await world.runDueWork();
});

describe('deletions by two admins', () => {
	test('leave one admin when both delete each other at the same moment', async () => {
		for (let round = 1; round <= 3; round += 1) {
			const house = await createTestApp();
			try {
				const emails = ['one@example.com', 'two@example.com'];
				const admins = await Promise.all(emails.map((email) => makeSignedInUser(house, email, 'admin')));
				const answers = await Promise.all(
					admins.map(({ client }, i) => deleteAccount(admins[1 - i]?.id ?? '', client)),
				);
				expect(answers.filter((answer) => answer.json().success === true)).toHaveLength(1);
				expect(await house.deps.db.selectFrom('users').select('role').execute()).toEqual([{ role: 'admin' }]);
			} finally {
				await house.close();
			}
		}
	});

	test('are refused when the admin who requests them has just been deactivated or deleted', async () => {
		const { deleteAccount: removePerson } = await import('#server/features/accounts/deletion/deletion.service.ts');
		const other = await makeUser(world.deps, 'other-admin@example.com', 'admin');
		const target = await makeUser(world.deps, 'target@example.com');
		const caller = callerOf(other);
		await admin.call('POST', `/api/users/${other}/active`, { active: false });
		await expect(removePerson(world.deps, caller, target)).rejects.toMatchObject({ code: 'FORBIDDEN' });
		await deleteAccount(other);
		await expect(removePerson(world.deps, caller, target)).rejects.toMatchObject({ code: 'FORBIDDEN' });
		await world.runDueWork();
	});
});

describe('unfinished uploads', () => {
	test('do not become files when the owner of their space is deleted', async () => {
		const person = await createMemberWithData('target-of-upload@example.com', 1);
		const id = await startUpload(person.email);
		await receiveBytes(world.deps, id, Buffer.from('ll'));
		await deleteAccount(person.id);
		await expect(finishUpload(world.deps, callerOf(adminId), id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
		await world.runDueWork();
		expect(await nodesOf(person.id)).toEqual([]);
		expect(await problems()).toEqual([]);
	});

	test('are discarded when the admin who uploads is deleted, and finished uploads are kept', async () => {
		const uploader = await makeUser(world.deps, 'uploader@example.com', 'admin');
		const by = callerOf(uploader);
		const [finished, begun] = [await startUpload('guest', by), await startUpload('guest', by)];
		await receiveBytes(world.deps, finished, Buffer.from('ll'));
		await finishUpload(world.deps, by, finished);
		await deleteAccount(uploader);
		await world.runDueWork();
		expect(await findUploadParts(world.deps, begun)).toEqual([]);
		const names = (await nodesOf('guest')).map((node) => node.name);
		expect(names).toContain(`${finished}.bin`);
		expect(names).not.toContain(`${begun}.bin`);
		expect(await problems()).toEqual([]);
	});
});

async function buy(email: string): Promise<number> {
	const visitor = createHttpClient(world.app, '198.51.100.4');
	return (await sendCheckoutForm(visitor, { email }, { bytes: await makePicture() })).statusCode;
}

describe.each([
	['while the removal is still under way', false],
	['after the removal', true],
])('a deleted user who returns %s', (_when, isSettled) => {
	test.each(['registered', 'buying'])('inherits no data of the deleted account (%s)', async (way) => {
		const email = `${way}-${isSettled}@example.com`;
		const person = await createMemberWithData(email, isSettled ? 2 : 205);
		const login = { email_key: email, email, verifier: 'x', created_at: isoAt(world.deps.clock) };
		await world.deps.db.insertInto('imported_logins').values(login).execute();
		const wrong = createHttpClient(world.app, '198.51.100.9');
		for (let i = 0; i < 10; i += 1) await wrong.call('POST', '/api/sign-in', { email, password: 'wrong' });
		await deleteAccount(person.id);
		expect((await wrong.call('POST', '/api/sign-in', { email, password: testPassword })).statusCode).toBe(401);
		if (isSettled) await world.runDueWork();
		else await runNextJob(world.deps, jobHandlers);

		if (way === 'buying') expect(await buy(email)).toBe(200);
		else await admin.call('POST', '/api/users', { email, password: testPassword, role: 'user' });
		const users = world.deps.db.selectFrom('users').selectAll().where('email', '=', email);
		const back = await users.executeTakeFirstOrThrow();
		expect(back.id).not.toBe(person.id);
		expect(back).toMatchObject({ role: 'user', active: 1, login_count: 0, last_login_at: null });
		await makeFile(world.deps, { ownerId: back.id, name: '1.txt', bytes: Buffer.from('new') });
		await world.runDueWork();

		expect(await rowsOf('sessions', back.id)).toEqual([]);
		expect(await rowsOf('login_history', back.id)).toEqual([]);
		expect(await world.deps.db.selectFrom('imported_logins').selectAll().execute()).toEqual([]);
		const old = await admin.call('POST', '/api/password/set', { token: person.token, password: 'stolen' });
		expect(old.json()).toMatchObject({ code: 'LINK_INVALID' });
		expect((await nodesOf(back.id)).map((node) => node.name)).toEqual(['1.txt']);
		expect(await nodesOf(person.id)).toEqual([]);
		const orders = await world.deps.db.selectFrom('orders').selectAll().where('user_id', '=', back.id).execute();
		expect(orders.map(({ status }) => status)).toEqual(way === 'buying' ? ['Pending'] : []);

		if (way === 'registered') {
			const client = createHttpClient(world.app, '198.51.100.9');
			await client.signIn(email, testPassword);
			expect((await client.call('GET', '/api/shelf')).json()).toMatchObject({ access: 'none' });
			expect((await client.call('GET', '/api/spaces/me/nodes')).json()).toMatchObject({ items: [{ name: '1.txt' }] });
			expect(await rowsOf('login_history', back.id)).toMatchObject([{ login_count: 1 }]);
		}
		expect(await problems()).toEqual([]);
		await deleteAccount(back.id);
		await world.runDueWork();
	});
});

describe('fsck', () => {
	test('reports nodes of a space without an owner, unless it is being purged', async () => {
		const id = await makeUser(world.deps, 'ownerless@example.com');
		const file = await makeFile(world.deps, { ownerId: id, name: 'left.txt', bytes: Buffer.from('left') });
		await deleteAccount(id);
		expect(await problems()).toEqual([]);
		await world.deps.db.deleteFrom('jobs').execute();
		expect(await problems()).toEqual([{ kind: 'ownerless-node', what: `${file} left.txt` }]);
		await world.deps.db.deleteFrom('nodes').where('id', '=', file).execute();
		expect(await problems()).toMatchObject([{ kind: 'wrong-totals' }, { kind: 'wrong-space' }]);
		await deleteSpace(world.deps.db, id);
		expect(await problems()).toEqual([]);
		world.clock.advance(2 * 24 * 3600);
		expect(await problems()).toMatchObject([{ kind: 'unused-blob' }]);
	});
});
