import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deleteAccount as deleteAccountInService } from '#server/features/accounts/deletion/deletion.service.ts';
import { createPasswordLink } from '#server/features/accounts/passwords/password-links.ts';
import { deleteSpace, lockSpace } from '#server/features/files/spaces/spaces.queries.ts';
import { appendUploadBytes, beginUpload, finishUpload } from '#server/features/files/uploads/uploads.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { isoAt } from '#server/platform/clock.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { listen, openEventStream, requireWithinASecond } from '../../support/app/event-streams.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { downloadSlowly } from '../../support/app/slow-download.ts';
import { createTestApp, listAuditEntries } from '../../support/app/test-app.ts';
import { adminCaller, makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { makeFile, makeFolder } from '../../support/fixtures/files.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';
import { findUploadParts, receiveBytes } from '../../support/fixtures/uploads.ts';

const { testApp, deps, admin, adminId } = await openTestApp({ RATE_LIMIT_FACTOR: '1' });
const url = await listen(testApp.app);

const deleteAccount = (uid: string, by = admin) => by.call('POST', '/delete-user-all', { uid });
const rowsOf = (table: 'sessions' | 'login_history' | 'password_links', user_id: string) =>
	findRows(deps, table, { user_id });
const nodesOf = (owner_id: string) => findRows(deps, 'nodes', { owner_id });
const problems = async () => (await checkIntegrity(deps)).problems;
const callerOf = (userId: string) => adminCaller(userId, 'admin@example.com');

/** Creates a member with files in folders, a file in the trash, an order, a session and a password link. */
async function createMemberWithData(email: string, files = 3) {
	const id = await makeUser(deps, email);
	const outer = await makeFolder(deps, email, 'Outer');
	const inner = await makeFolder(deps, email, 'Inner', outer.path);
	for (let number = 1; number <= files; number += 1) {
		const bytes = Buffer.from(`${email} ${number}`);
		await makeFile(deps, { ownerId: id, name: `${number}.txt`, bytes, folder: inner });
	}
	const trashed = await makeFile(deps, { ownerId: id, name: 'trashed.txt', bytes: Buffer.from('trash') });
	await admin.call('DELETE', `/api/nodes/${trashed}`);
	const order = await makeOrder(deps, { userId: id, email, status: 'Complete' });
	const client = createHttpClient(testApp.app);
	await client.signIn(email, testPassword);
	const { token } = await inTransaction(deps.db, (tx) => createPasswordLink(deps, tx, id, 3600));
	const blobs = deps.db.selectFrom('blobs').innerJoin('nodes', 'nodes.blob_id', 'blobs.id');
	const keys = await blobs.select('storage_key').where('owner_id', '=', id).execute();
	return { id, email, client, order, token, keys: keys.map((row) => row.storage_key) };
}

async function startUpload(email: string, by = callerOf(adminId)): Promise<string> {
	const id = randomUUID();
	await beginUpload(deps, by, id, { owner: email, path: '', name: `${id}.bin`, sizeBytes: 4 });
	await appendUploadBytes(deps, id, Readable.from([Buffer.from('fu')]));
	return id;
}

describe('POST /delete-user-all', () => {
	test('deletes the user immediately and their data later in a job, keeps their orders, and writes an audit entry', async () => {
		const otherMember = await createMemberWithData('stays@example.com');
		const person = await createMemberWithData('goes@example.com', 230);
		const unfinished = await startUpload(person.email);
		expect(await findUploadParts(deps, unfinished)).not.toEqual([]);
		const answer = await deleteAccount(person.id);
		expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, error: null }]);

		expect((await person.client.call('GET', '/api/me')).statusCode).toBe(401);
		for (const table of ['sessions', 'login_history', 'password_links'] as const)
			expect(await rowsOf(table, person.id)).toEqual([]);
		expect((await admin.call('GET', '/api/removals')).json()).toEqual([
			{ id: person.id, email: person.email, totalFiles: 231, removedFiles: 0 },
		]);
		expect(await problems()).toEqual([]);

		await runNextJob(deps, jobHandlers);
		await runNextJob(deps, jobHandlers);
		expect((await admin.call('GET', '/api/removals')).json()).toMatchObject([{ removedFiles: 200 }]);
		expect(await problems()).toEqual([]);
		await testApp.runDueWork();
		expect((await admin.call('GET', '/api/removals')).json()).toEqual([]);
		expect(await nodesOf(person.id)).toEqual([]);
		for (const key of person.keys) expect(await deps.storage.findSize(key)).toBeNull();
		expect(await findUploadParts(deps, unfinished)).toEqual([]);
		expect(await findRows(deps, 'uploads', { id: unfinished })).toEqual([]);
		expect(await findRows(deps, 'orders', { id: person.order.id })).toMatchObject([{ user_id: null }]);
		const proof = await admin.call('GET', `/api/proofs/${person.order.proofId}/image`);
		expect(proof.statusCode).toBe(200);
		const detail = JSON.stringify({ email: person.email, files: 231 });
		expect(await listAuditEntries(testApp, person.id, 'user-deleted')).toMatchObject([
			{ actor_id: adminId, detail, ip: '203.0.113.7' },
		]);
		expect(await nodesOf(otherMember.id)).toHaveLength(6);
		expect((await otherMember.client.call('GET', '/api/me')).statusCode).toBe(200);
		expect(await problems()).toEqual([]);
	});

	test.each([
		['unknown', { uid: 'AAAAAAAAAAAAAAAAAAAAAA' }, 404],
		['empty', { uid: '' }, 422],
		['missing', {}, 422],
		['a number', { uid: 5 }, 422],
		['a list', { uid: ['x'] }, 422],
		['a text with NUL', { uid: 'a\0b' }, [404, 422]],
	])('returns success: false and an error message when the uid in the request is %s', async (_what, body, status) => {
		const answer = await admin.call('POST', '/delete-user-all', body);
		expect([status].flat()).toContain(answer.statusCode);
		expect(answer.json()).toMatchObject({ success: false, error: expect.stringMatching(/\w+.*\.$/u) });
	});

	test('returns success to one of two simultaneous requests for the same user, and an error to the other request', async () => {
		const { id } = await createMemberWithData('twice@example.com', 1);
		const answers = await Promise.all([deleteAccount(id), deleteAccount(id)]);
		expect(answers.map((answer) => answer.json().success).sort()).toEqual([false, true]);
		await testApp.runDueWork();
	});

	test('refuses to delete the last active admin when the only other admin is deactivated', async () => {
		const inactiveAdmin = await makeUser(deps, 'sleeping-admin@example.com', 'admin');
		await admin.call('POST', `/api/users/${inactiveAdmin}/active`, { active: false });
		const answer = await deleteAccount(adminId);
		const error = 'The last active admin cannot be deleted.';
		expect([answer.statusCode, answer.json()]).toMatchObject([409, { success: false, error }]);
		expect((await deleteAccount(inactiveAdmin)).json()).toEqual({ success: true, error: null });
		await testApp.runDueWork();
	});
});

test('the event stream and the download of a deleted user are aborted within a second', async () => {
	const person = await createMemberWithData('live@example.com', 1);
	const adminStream = await openEventStream(url, admin.cookie());
	const stream = await openEventStream(url, person.client.cookie());
	const big = await makeFile(deps, { ownerId: person.id, name: 'big.bin', bytes: Buffer.alloc(24_000_000) });
	const download = await downloadSlowly(url, person.client, `/api/files/${big}/content`);
	await deleteAccount(person.id);
	expect(await stream.waitFor('ended')).toEqual({ topic: 'ended', reason: 'deletion' });
	await requireWithinASecond(stream.closed, 'the stream');
	expect(await requireWithinASecond(download.finish(), 'the download')).toBe(false);
	await adminStream.waitFor('users');
	await adminStream.waitFor('removals');
	adminStream.close();
	await testApp.runDueWork();
});

describe('deletions by admins', () => {
	test('keep one of two admins who delete each other at the same time', async () => {
		const separateApp = await createTestApp();
		onTestFinished(() => separateApp.close());
		for (let round = 1; round <= 3; round += 1) {
			const emails = [`one-${round}@example.com`, `two-${round}@example.com`];
			const admins = await Promise.all(emails.map((email) => makeSignedInUser(separateApp, email, 'admin')));
			const answers = await Promise.all(admins.map(({ client }, i) => deleteAccount(admins[1 - i]?.id ?? '', client)));
			expect(answers.filter((answer) => answer.json().success === true)).toHaveLength(1);
			expect(await separateApp.deps.db.selectFrom('users').select('role').execute()).toEqual([{ role: 'admin' }]);
			await separateApp.deps.db.deleteFrom('users').execute();
		}
	});

	test('are refused when the requesting admin was deactivated or deleted just before', async () => {
		const other = await makeUser(deps, 'other-admin@example.com', 'admin');
		const target = await makeUser(deps, 'target@example.com');
		const caller = callerOf(other);
		await admin.call('POST', `/api/users/${other}/active`, { active: false });
		await expect(deleteAccountInService(deps, caller, target)).rejects.toMatchObject({ code: 'FORBIDDEN' });
		await deleteAccount(other);
		await expect(deleteAccountInService(deps, caller, target)).rejects.toMatchObject({ code: 'FORBIDDEN' });
		await testApp.runDueWork();
	});
});

describe('unfinished uploads', () => {
	test('do not become files when the owner of their space is deleted', async () => {
		const person = await createMemberWithData('target-of-upload@example.com', 1);
		const id = await startUpload(person.email);
		await receiveBytes(deps, id, Buffer.from('ll'));
		await deleteAccount(person.id);
		await expect(finishUpload(deps, callerOf(adminId), id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
		await testApp.runDueWork();
		expect(await nodesOf(person.id)).toEqual([]);
		// A later write into the space of the deleted user creates no row for the space.
		expect(await inTransaction(deps.db, (tx) => lockSpace(tx, person.id))).toBe(false);
		expect(await findRows(deps, 'spaces', { owner_id: person.id })).toEqual([]);
		expect(await problems()).toEqual([]);
	});

	test('are deleted with the admin who started them, but files of finished uploads are kept', async () => {
		const uploader = await makeUser(deps, 'uploader@example.com', 'admin');
		const by = callerOf(uploader);
		const [finished, unfinished] = [await startUpload('guest', by), await startUpload('guest', by)];
		await receiveBytes(deps, finished, Buffer.from('ll'));
		await finishUpload(deps, by, finished);
		await deleteAccount(uploader);
		await testApp.runDueWork();
		expect(await findUploadParts(deps, unfinished)).toEqual([]);
		const names = (await nodesOf('guest')).map((node) => node.name);
		expect(names).toContain(`${finished}.bin`);
		expect(names).not.toContain(`${unfinished}.bin`);
		expect(await problems()).toEqual([]);
	});
});

async function buy(email: string): Promise<number> {
	const visitor = createHttpClient(testApp.app, '198.51.100.4');
	return (await sendCheckoutForm(visitor, { email }, { bytes: await makePicture() })).statusCode;
}

describe.each([
	['while the data is being deleted', false],
	['after the data was deleted', true],
])('a new account with the address of a deleted user %s', (_when, isSettled) => {
	test.each(['registered', 'buying'])(
		'has no data of the deleted account, no matter whether an admin or a purchase creates it (%s)',
		async (way) => {
			const email = `${way}-${isSettled}@example.com`;
			const person = await createMemberWithData(email, isSettled ? 2 : 205);
			const login = { email_key: email, email, verifier: 'x', created_at: isoAt(deps.clock) };
			await insertRows(deps, 'imported_logins', [login]);
			const wrong = createHttpClient(testApp.app, '198.51.100.9');
			for (let i = 0; i < 10; i += 1) await wrong.call('POST', '/api/sign-in', { email, password: 'wrong' });
			await deleteAccount(person.id);
			// The imported login was also deleted, so that it cannot create the account again.
			expect(await findRows(deps, 'imported_logins')).toEqual([]);
			expect((await wrong.call('POST', '/api/sign-in', { email, password: testPassword })).statusCode).toBe(401);
			if (isSettled) await testApp.runDueWork();
			else await runNextJob(deps, jobHandlers);

			if (way === 'buying') expect(await buy(email)).toBe(200);
			else await admin.call('POST', '/api/users', { email, password: testPassword, role: 'user' });
			const newAccount = await getRow(deps, 'users', { email });
			expect(newAccount.id).not.toBe(person.id);
			expect(newAccount).toMatchObject({ role: 'user', active: 1, login_count: 0, last_login_at: null });
			await makeFile(deps, { ownerId: newAccount.id, name: '1.txt', bytes: Buffer.from('new') });
			await testApp.runDueWork();

			expect(await rowsOf('sessions', newAccount.id)).toEqual([]);
			expect(await rowsOf('login_history', newAccount.id)).toEqual([]);
			const old = await admin.call('POST', '/api/password/set', { token: person.token, password: 'stolen' });
			expect(old.json()).toMatchObject({ code: 'LINK_INVALID' });
			expect((await nodesOf(newAccount.id)).map((node) => node.name)).toEqual(['1.txt']);
			expect(await nodesOf(person.id)).toEqual([]);
			const orders = await findRows(deps, 'orders', { user_id: newAccount.id });
			expect(orders.map(({ status }) => status)).toEqual(way === 'buying' ? ['Pending'] : []);

			if (way === 'registered') {
				const client = createHttpClient(testApp.app, '198.51.100.9');
				await client.signIn(email, testPassword);
				expect((await client.call('GET', '/api/shelf')).json()).toMatchObject({ access: 'none' });
				expect((await client.call('GET', '/api/spaces/me/nodes')).json()).toMatchObject({ items: [{ name: '1.txt' }] });
				expect(await rowsOf('login_history', newAccount.id)).toMatchObject([{ login_count: 1 }]);
			}
			expect(await problems()).toEqual([]);
			await deleteAccount(newAccount.id);
			await testApp.runDueWork();
		},
	);
});

test('fsck reports nodes in a space without an owner, unless a job that purges the space is queued', async () => {
	const id = await makeUser(deps, 'ownerless@example.com');
	const file = await makeFile(deps, { ownerId: id, name: 'left.txt', bytes: Buffer.from('left') });
	await deleteAccount(id);
	expect(await problems()).toEqual([]);
	await deps.db.deleteFrom('jobs').execute();
	expect(await problems()).toEqual([{ kind: 'ownerless-node', what: `${file} left.txt` }]);
	await deps.db.deleteFrom('nodes').where('id', '=', file).execute();
	expect(await problems()).toMatchObject([{ kind: 'wrong-totals' }, { kind: 'wrong-space' }]);
	await deleteSpace(deps.db, id);
	expect(await problems()).toEqual([]);
	testApp.clock.advance(2 * 24 * 3600);
	expect(await problems()).toMatchObject([{ kind: 'unused-blob' }]);
});
