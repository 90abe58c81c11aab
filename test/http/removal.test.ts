import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { createPasswordLink } from '#server/features/account/password-links.service.ts';
import { forgetSpace } from '#server/features/files/totals.queries.ts';
import { checkEverything } from '#server/features/upkeep/upkeep.service.ts';
import { beginUpload, finishUpload, receiveHere } from '#server/features/uploads/uploads.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import type { MemberCaller } from '#server/platform/actor.ts';
import { isoAt } from '#server/platform/clock.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { makeFile, makeFolder } from '../support/files.ts';
import { createHttpClient, type HttpClient, multipart } from '../support/http.ts';
import { listen, openEvents, withinASecond } from '../support/listening.ts';
import { makeOrder } from '../support/orders.ts';
import { joinWorld, makePerson, testPassword } from '../support/people.ts';
import { makePicture } from '../support/pictures.ts';
import { arriveHere, findGathered } from '../support/uploads.ts';

let world: TestApp;
let url: string;
let admin: HttpClient;
let adminId: string;

beforeAll(async () => {
	world = await createTestApp({ RATE_LIMIT_FACTOR: '1' });
	({ id: adminId, client: admin } = await joinWorld(world, 'admin@example.com', 'admin'));
	url = await listen(world.app);
});
afterAll(() => world.close());

const remove = (uid: string, by = admin) => by.call('POST', '/delete-user-all', { uid });
const rowsOf = (table: 'sessions' | 'login_history' | 'password_links', userId: string) =>
	world.deps.db.selectFrom(table).selectAll().where('user_id', '=', userId).execute();
const nodesOf = (ownerId: string) =>
	world.deps.db.selectFrom('nodes').selectAll().where('owner_id', '=', ownerId).execute();
const problems = async () => (await checkEverything(world.deps)).problems;
const adminCaller = (): MemberCaller => ({
	actor: {
		userId: adminId,
		email: 'admin@example.com',
		name: null,
		role: 'admin',
		sessionId: '',
		hasInitialPassword: false,
		mustSetUpTwoFactor: false,
		viewedBy: null,
	},
	ip: 'Unknown',
	userAgent: 'test',
	locale: 'en',
});

/** A person with everything that one can have: files in folders, a file in the trash, an order, sign-ins, a link. */
async function settle(email: string, files = 3) {
	const id = await makePerson(world.deps, email);
	const outer = await makeFolder(world.deps, email, 'Outer');
	const inner = await makeFolder(world.deps, email, 'Inner', outer.path);
	for (let number = 1; number <= files; number += 1) {
		await makeFile(world.deps, {
			ownerId: id,
			name: `${number}.txt`,
			bytes: Buffer.from(`${email} ${number}`),
			folder: inner,
		});
	}
	const trashed = await makeFile(world.deps, { ownerId: id, name: 'trashed.txt', bytes: Buffer.from('trash') });
	await admin.call('DELETE', `/api/nodes/${trashed}`);
	const order = await makeOrder(world.deps, { userId: id, email, status: 'Complete' });
	const client = createHttpClient(world.app);
	await client.signIn(email, testPassword);
	const { token } = await inTransaction(world.deps.db, (tx) => createPasswordLink(world.deps, tx, id, 3600));
	const keys = await world.deps.db
		.selectFrom('blobs')
		.innerJoin('nodes', 'nodes.blob_id', 'blobs.id')
		.select('storage_key')
		.where('owner_id', '=', id)
		.execute();
	return { id, email, client, order, token, keys: keys.map((row) => row.storage_key) };
}

async function startUpload(email: string, by = adminCaller()): Promise<string> {
	const id = randomUUID();
	await beginUpload(world.deps, by, id, { owner: email, path: '', name: `${id}.bin`, sizeBytes: 4 });
	await receiveHere(world.deps, id, Readable.from([Buffer.from('fu')]));
	return id;
}

describe('POST /delete-user-all', () => {
	test('takes the person away at once, then all they hold; orders and the audit stay', async () => {
		const bystander = await settle('stays@example.com');
		const person = await settle('goes@example.com', 230);
		const unfinished = await startUpload(person.email);
		expect(await findGathered(world.deps, unfinished)).not.toEqual([]);
		const answer = await remove(person.id);
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
		await world.settle();
		expect((await admin.call('GET', '/api/removals')).json()).toEqual([]);
		expect(await nodesOf(person.id)).toEqual([]);
		for (const key of person.keys) expect(await world.deps.storage.findSize(key)).toBeNull();
		expect(await findGathered(world.deps, unfinished)).toEqual([]);
		expect(await world.deps.db.selectFrom('uploads').select('id').where('id', '=', unfinished).execute()).toEqual([]);
		expect(
			await world.deps.db.selectFrom('orders').select(['user_id']).where('id', '=', person.order.id).execute(),
		).toEqual([{ user_id: null }]);
		const proof = await admin.call('GET', `/api/proofs/${person.order.proofId}/image`);
		expect(proof.statusCode).toBe(200);
		expect(
			await world.deps.db
				.selectFrom('audit')
				.select(['action', 'actor_id', 'subject_id', 'detail', 'ip'])
				.where('action', '=', 'user-deleted')
				.execute(),
		).toEqual([
			{
				action: 'user-deleted',
				actor_id: adminId,
				subject_id: person.id,
				detail: JSON.stringify({ email: person.email, files: 231 }),
				ip: '203.0.113.7',
			},
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
	])('%s is answered with success: false and an error in words', async (_what, body, status) => {
		const answer = await admin.call('POST', '/delete-user-all', body);
		expect([status].flat()).toContain(answer.statusCode);
		expect(answer.json()).toMatchObject({ success: false, error: expect.stringMatching(/\w+.*\.$/u) });
	});

	test('works for a plain HTTP client, with an admin session only', async () => {
		const { id } = await settle('plain@example.com', 1);
		const member = createHttpClient(world.app);
		await makePerson(world.deps, 'member@example.com');
		await member.signIn('member@example.com', testPassword);
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
		await world.settle();
	});

	test('a second deletion of the same person finds nobody', async () => {
		const { id } = await settle('twice@example.com', 1);
		const answers = await Promise.all([remove(id), remove(id)]);
		expect(answers.map((answer) => answer.json().success).sort()).toEqual([false, true]);
		await world.settle();
	});

	test('the last active admin stays, whoever else is deactivated', async () => {
		const sleeper = await makePerson(world.deps, 'sleeping-admin@example.com', 'admin');
		await admin.call('POST', `/api/users/${sleeper}/active`, { active: false });
		const answer = await remove(adminId);
		expect([answer.statusCode, answer.json()]).toMatchObject([
			409,
			{ success: false, error: 'The last active admin cannot be deleted.' },
		]);
		expect((await remove(sleeper)).json()).toEqual({ success: true, error: null });
		await world.settle();
	});
});

test('everything that a deleted person holds open ends within a second', async () => {
	const person = await settle('live@example.com', 1);
	const desk = await openEvents(url, admin.cookie());
	const stream = await openEvents(url, person.client.cookie());
	const big = await makeFile(world.deps, { ownerId: person.id, name: 'big.bin', bytes: Buffer.alloc(24_000_000) });
	const download = await fetch(`${url}/api/files/${big}/content`, { headers: { cookie: person.client.cookie() } });
	const reader = download.body?.getReader();
	await reader?.read();
	await remove(person.id);
	expect(await stream.waitFor('ended')).toEqual({ topic: 'ended', reason: 'deletion' });
	await withinASecond(stream.closed, 'the stream');
	const drain = async () => {
		for (;;) if ((await reader?.read())?.done) throw new Error('the download came whole');
	};
	await expect(withinASecond(drain(), 'the download')).rejects.toThrow(/terminated|aborted/u);
	await desk.waitFor('users');
	await desk.waitFor('removals');
	desk.close();
	await world.settle();
});

describe('two admins', () => {
	test('who delete each other at the same moment: one remains', async () => {
		for (let round = 1; round <= 3; round += 1) {
			const house = await createTestApp();
			try {
				const emails = ['one@example.com', 'two@example.com'];
				const ids = await Promise.all(emails.map((email) => makePerson(house.deps, email, 'admin')));
				const clients = emails.map(() => createHttpClient(house.app));
				await Promise.all(clients.map((client, i) => client.signIn(emails[i] ?? '', testPassword)));
				const answers = await Promise.all(clients.map((client, i) => remove(ids[1 - i] ?? '', client)));
				expect(answers.filter((answer) => answer.json().success === true)).toHaveLength(1);
				expect(await house.deps.db.selectFrom('users').select('role').execute()).toEqual([{ role: 'admin' }]);
			} finally {
				await house.close();
			}
		}
	});

	test('of whom one was deactivated or deleted a moment ago: their deletion is refused', async () => {
		const { removePerson } = await import('#server/features/removal/removal.service.ts');
		const other = await makePerson(world.deps, 'other-admin@example.com', 'admin');
		const target = await makePerson(world.deps, 'target@example.com');
		const caller = { ...adminCaller(), actor: { ...adminCaller().actor, userId: other } };
		await admin.call('POST', `/api/users/${other}/active`, { active: false });
		await expect(removePerson(world.deps, caller, target)).rejects.toMatchObject({ code: 'FORBIDDEN' });
		await remove(other);
		await expect(removePerson(world.deps, caller, target)).rejects.toMatchObject({ code: 'FORBIDDEN' });
		await world.settle();
	});
});

describe('uploads under way', () => {
	test('into the space of a deleted person never become files', async () => {
		const person = await settle('target-of-upload@example.com', 1);
		const id = await startUpload(person.email);
		await arriveHere(world.deps, id, Buffer.from('ll'));
		await remove(person.id);
		await expect(finishUpload(world.deps, adminCaller(), id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
		await world.settle();
		expect(await nodesOf(person.id)).toEqual([]);
		expect(await problems()).toEqual([]);
	});

	test('by a deleted admin are dropped with their bytes, what they finished stays', async () => {
		const uploader = await makePerson(world.deps, 'uploader@example.com', 'admin');
		const by = { ...adminCaller(), actor: { ...adminCaller().actor, userId: uploader } };
		const [finished, begun] = [await startUpload('guest', by), await startUpload('guest', by)];
		await arriveHere(world.deps, finished, Buffer.from('ll'));
		await finishUpload(world.deps, by, finished);
		await remove(uploader);
		await world.settle();
		expect(await findGathered(world.deps, begun)).toEqual([]);
		const names = (await nodesOf('guest')).map((node) => node.name);
		expect(names).toContain(`${finished}.bin`);
		expect(names).not.toContain(`${begun}.bin`);
		expect(await problems()).toEqual([]);
	});
});

async function buy(email: string): Promise<number> {
	const { body, headers } = multipart(
		{ name: 'Back Again', phone: '98230 55512', email, upiId: 'back@examplebank' },
		{ field: 'screenshot', name: 'receipt.png', type: 'image/png', bytes: await makePicture() },
	);
	const visitor = createHttpClient(world.app, '198.51.100.4');
	return (await visitor.call('POST', '/purchase', body, { ...headers, accept: 'application/json' })).statusCode;
}

describe.each([
	['while the removal is still under way', false],
	['after the removal', true],
])('somebody deleted who comes back %s', (when, isSettled) => {
	test.each(['registered', 'buying'])('%s inherits nothing', async (way) => {
		const email = `${way}-${isSettled}@example.com`;
		const person = await settle(email, isSettled ? 2 : 205);
		await world.deps.db
			.insertInto('imported_logins')
			.values({ email_key: email, email, verifier: 'x', created_at: isoAt(world.deps.clock) })
			.execute();
		const wrong = createHttpClient(world.app, '198.51.100.9');
		for (let i = 0; i < 10; i += 1) await wrong.call('POST', '/api/sign-in', { email, password: 'wrong' });
		await remove(person.id);
		expect((await wrong.call('POST', '/api/sign-in', { email, password: testPassword })).statusCode).toBe(401);
		if (isSettled) await world.settle();
		else await runNextJob(world.deps, jobHandlers);

		if (way === 'buying') expect(await buy(email)).toBe(200);
		else await admin.call('POST', '/api/users', { email, password: testPassword, role: 'user' });
		const back = await world.deps.db
			.selectFrom('users')
			.selectAll()
			.where('email', '=', email)
			.executeTakeFirstOrThrow();
		expect(back.id).not.toBe(person.id);
		expect(back).toMatchObject({ role: 'user', active: 1, login_count: 0, last_login_at: null });
		expect(when).toContain(isSettled ? 'after' : 'while');
		await makeFile(world.deps, { ownerId: back.id, name: '1.txt', bytes: Buffer.from('new') });
		await world.settle();

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
		await remove(back.id);
		await world.settle();
	});
});

describe('fsck', () => {
	test('finds what lies in a space without an owner, unless it is being removed', async () => {
		const id = await makePerson(world.deps, 'ownerless@example.com');
		const file = await makeFile(world.deps, { ownerId: id, name: 'left.txt', bytes: Buffer.from('left') });
		await remove(id);
		expect(await problems()).toEqual([]);
		await world.deps.db.deleteFrom('jobs').execute();
		expect(await problems()).toEqual([{ kind: 'ownerless-node', what: `${file} left.txt` }]);
		await world.deps.db.deleteFrom('nodes').where('id', '=', file).execute();
		expect(await problems()).toMatchObject([{ kind: 'wrong-totals' }, { kind: 'wrong-space' }]);
		await forgetSpace(world.deps.db, id);
		expect(await problems()).toEqual([]);
		world.clock.advance(2 * 24 * 3600);
		expect(await problems()).toMatchObject([{ kind: 'unused-blob' }]);
	});
});
