import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DatabaseError, PoolClient } from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { addMembers, createGroup } from '#server/features/accounts/groups/groups.service.ts';
import { importLogins } from '#server/features/accounts/import/login-import.ts';
import { createPasswordLink } from '#server/features/accounts/passwords/password-links.ts';
import { findUserByEmailKeyForUpdate } from '#server/features/accounts/users/users.queries.ts';
import { mailNextUnread } from '#server/features/chat/mail-notifications/mail-notifications.service.ts';
import { createMailSender } from '#server/features/mail/outbox/mail-sender.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { shareNodes } from '#server/features/sharing/sharing.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient, type HttpClient, multipart, smallPng } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { adminCaller, makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { sendChatFile, sendText } from '../../support/fixtures/chat.ts';
import { pngFile, sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { makeFolder, makePdfFile, makeTextFile } from '../../support/fixtures/files.ts';
import { publishedLogin } from '../../support/fixtures/imported-logins.ts';
import { disableOrderMails, makeOrder } from '../../support/fixtures/orders.ts';
import { beginUpload, encodeBatch } from '../../support/fixtures/uploads.ts';

/**
 * Runs writing calls against each other on PostgreSQL. The short run takes some of the calls, eight at a time; with
 * `FOLIO_LOCK_ORDER=long` each call runs alone, with itself and with each other call. `-t 'upload a batch'` runs only
 * the rounds with this call.
 */
const { testApp, deps, admin, adminId } = await openTestApp({ RATE_LIMIT_FACTOR: '100000' });
const caller = adminCaller(adminId, 'admin@example.com');
await disableOrderMails(deps);
let count = 0;
/** An admin who sends half of the calls, until a call deletes the account. */
let writer: Awaited<ReturnType<typeof makeSignedInUser>> | undefined;

/** Creates the objects on which the calls of a round run. */
async function createObjects() {
	count += 1;
	const [email, otherEmail, unusedEmail] = ['pair', 'other', 'unused'].map(
		(name) => `${name}-${count}@example.com`,
	) as [string, string, string];
	const { id: userId, client: member } = await makeSignedInUser(testApp, email);
	writer ??= await makeSignedInUser(testApp, `writer-${count}@example.com`, 'admin');
	const [otherId, unusedId] = [await makeUser(deps, otherEmail), await makeUser(deps, unusedEmail)];
	// An account whose last sign-in is later than an order keeps its address.
	testApp.clock.advance(1);
	const folder = await makeFolder(deps, email, 'Folder');
	const otherFolder = await makeFolder(deps, email, 'Other folder');
	const inner = await makeFolder(deps, email, 'Inner', folder.path);
	const file = await makeTextFile(deps, userId, 'file.txt', email, folder);
	const trashed = await makeTextFile(deps, userId, 'trashed.txt');
	const lesson = await makePdfFile(deps, otherId, { name: `lesson-${count}.pdf` });
	const utr = String(632600000000 + count);
	// Completed first, because a later submission would be added to a Pending order.
	const complete = await makeOrder(deps, { userId, email, utr, status: 'Complete' });
	const order = await makeOrder(deps, { userId, email, utr });
	const unused = await makeOrder(deps, { userId: unusedId, email: unusedEmail, utr });
	await deps.db.updateTable('users').set({ has_initial_password: 1 }).where('id', '=', unusedId).execute();
	await deps.db.updateTable('order_links').set({ made_account: 1 }).where('order_id', '=', unused.id).execute();
	const { id: groupId } = await createGroup(deps, caller, { name: `Group ${count}` });
	await addMembers(deps, caller, { id: groupId, userIds: [userId, otherId] });
	const { token } = await inTransaction(deps.db, (tx) => createPasswordLink(deps, tx, userId, 3600));
	await admin.call('DELETE', `/api/nodes/${trashed}`);
	const share = (id: string, recipient: { email: string } | { groupId: string }) =>
		shareNodes(deps, caller, { ids: [id], recipients: [recipient] });
	await share(inner.id, { email: otherEmail });
	await share(folder.id, { groupId });
	await share(lesson, { email });
	await sendText(admin, userId, 'hello');
	return {
		...{ email, userId, member, otherEmail, otherId, unusedEmail, unusedId, unused, token, groupId },
		...{ folder, otherFolder, inner, file, trashed, lesson, utr, order, complete },
	};
}

type Objects = Awaited<ReturnType<typeof createObjects>>;
type Answer = ReturnType<HttpClient['call']>;

const visitor = createHttpClient(testApp.app);
const png = { name: 'paid.png', bytes: smallPng };
const post = (client: HttpClient, url: string, body: object = {}) => client.call('POST', url, body);
const form = (url: string, fields: Record<string, string>, hasFile = false) => {
	const { body, headers } = multipart(fields, hasFile ? { ...pngFile, bytes: smallPng } : undefined);
	return visitor.call('POST', url, body, headers);
};

async function upload(client: HttpClient, { email, folder }: Objects) {
	const file = (number: number) => ({
		...{ owner: email, path: folder.path, name: `${newId()}-${number}.txt`, bytes: Buffer.from(newId()) },
	});
	const { body, headers } = encodeBatch([file(1), file(2)]);
	return client.call('POST', '/api/upload-batches', body, headers);
}

const sendNextMail = createMailSender(deps);
/** The number of jobs of each lane, and of mails, that one call runs. */
const workPerCall = 4;

async function runJobs(max: number): Promise<undefined> {
	for (const lane of ['main', 'pictures', 'documents', 'copies', 'main'] as const)
		for (let jobs = 0; jobs < max && (await runNextJob(deps, jobHandlers, lane)); jobs += 1);
}

async function sendMails(): Promise<undefined> {
	for (let mails = 0; mails < workPerCall && (await sendNextMail()); mails += 1);
	await mailNextUnread(deps);
}

/** The writing calls. `client`: one of two admins. */
const calls: Record<string, (objects: Objects, client: HttpClient) => Answer | Promise<undefined>> = {
	'delete the user': ({ userId }, client) => post(client, '/delete-user-all', { uid: userId }),
	'delete the admin who writes': () => {
		const uid = writer?.id;
		writer = undefined;
		return post(admin, '/delete-user-all', { uid });
	},
	'deactivate the user': ({ userId }, client) => post(client, `/api/users/${userId}/active`, { active: false }),
	'activate the user': ({ userId }, client) => post(client, `/api/users/${userId}/active`, { active: true }),
	'change the role': ({ userId }, client) => post(client, `/api/users/${userId}/role`, { role: 'admin' }),
	'deactivate several': ({ userId, otherId }, client) =>
		post(client, '/api/users-bulk', { action: 'deactivate', selection: { ids: [otherId, userId] } }),
	'activate several': ({ userId, otherId }, client) =>
		post(client, '/api/users-bulk', { action: 'activate', selection: { ids: [userId, otherId] } }),
	'mail logins to several': ({ userId, otherId }, client) =>
		post(client, '/api/users-bulk', { action: 'send-login', selection: { ids: [userId, otherId] } }),
	'give the book to several': ({ userId, otherId }, client) =>
		post(client, '/api/users-bulk', { action: 'give-book', selection: { ids: [otherId, userId] } }),
	'register a user': (_objects, client) =>
		post(client, '/api/users', { email: `${newId()}@example.com`, password: testPassword, role: 'user' }),
	'import users': ({ email }, client) =>
		post(client, '/api/users-import', { csv: `email\n${newId()}@example.com\n${email}\n${newId()}@example.com` }),
	'sign in': ({ email }) =>
		createHttpClient(testApp.app).call('POST', '/api/sign-in', { email, password: testPassword }),
	'end all sessions': ({ userId }, client) => post(client, `/api/users/${userId}/sessions/end-all`),
	'change the password': ({ member }) =>
		post(member, '/api/password/change', { currentPassword: testPassword, password: 'another word' }),
	'request a password link': ({ email }) => post(visitor, '/api/password/request-reset', { email }),
	'begin two-factor sign-in': ({ member }) => post(member, '/api/two-factor/begin', { password: testPassword }),
	'view as the user': async ({ userId }, client) => {
		const answer = await post(client, `/api/users/${userId}/view-as`);
		await post(client, '/api/view-as/end');
		return answer;
	},
	'set the password by a link': ({ token }) => post(visitor, '/api/password/set', { token, password: 'a new word' }),
	'give the book': ({ userId }, client) => client.call('PUT', `/api/users/${userId}/book-grant`, { isGranted: true }),
	'mail the login': ({ userId }, client) => post(client, `/api/chats/${userId}/login`),
	'add to the group': ({ groupId, userId, otherId }, client) =>
		post(client, `/api/groups/${groupId}/members`, { userIds: [userId, otherId] }),
	'remove from the group': ({ groupId, userId, otherId }, client) =>
		post(client, `/api/groups/${groupId}/members/remove`, { userIds: [otherId, userId] }),
	'rename the group': ({ groupId }, client) => post(client, `/api/groups/${groupId}/rename`, { name: newId() }),
	'delete the group': ({ groupId }, client) => client.call('DELETE', `/api/groups/${groupId}`),
	'buy again': ({ email, utr }) => sendCheckoutForm(visitor, { email, utr }, png),
	'buy with the same reference': ({ utr }) => sendCheckoutForm(visitor, { email: `${newId()}@example.com`, utr }, png),
	'send a further proof': ({ order, utr }) => form(`/order/${order.token}/proof`, { utr }, true),
	'correct the address': ({ order }) => form(`/order/${order.token}/address`, { email: `${newId()}@example.com` }),
	'correct the address to a known one': ({ order, otherEmail }) =>
		form(`/order/${order.token}/address`, { email: otherEmail }),
	'correct the address of an unused account': ({ unused }) =>
		form(`/order/${unused.token}/address`, { email: `${newId()}@example.com` }),
	'correct the address of an unused account to a known one': ({ unused, otherEmail }) =>
		form(`/order/${unused.token}/address`, { email: otherEmail }),
	'write to the unused account': ({ unusedId }, client) => sendText(client, unusedId, 'words'),
	'upload for the unused account': ({ unusedEmail }, client) =>
		beginUpload(client, { owner: unusedEmail, filename: newId() }, 4, Buffer.from('four')),
	'send a further proof of the unused account': ({ unused, utr }) =>
		form(`/order/${unused.token}/proof`, { utr }, true),
	'request the login again': ({ order }) => form(`/order/${order.token}/login`, {}),
	'complete orders': ({ order, complete }, client) =>
		post(client, '/api/orders-complete', { orders: [order, complete].map(({ id }) => ({ id, version: 1 })) }),
	'edit the order': ({ order, email }, client) => {
		const fields = { name: 'New name', email, phone: '1', upiId: 'new@bank', status: 'Complete', version: 1 };
		return client.call('PUT', `/api/orders/${order.id}`, fields);
	},
	'request a proof': ({ order }, client) =>
		post(client, `/api/orders/${order.id}/note`, { note: newId(), was: null, isProofWanted: true }),
	'delete the order': ({ order }, client) => client.call('DELETE', `/api/orders/${order.id}`),
	'delete the complete order': ({ complete }, client) => client.call('DELETE', `/api/orders/${complete.id}`),
	'upload a batch': (objects, client) => upload(client, objects),
	'upload a file': ({ email, folder }, client) =>
		beginUpload(client, { owner: email, path: folder.path, filename: newId() }, 4, Buffer.from('four')),
	'replace a file': ({ email, folder }, client) =>
		beginUpload(
			client,
			{ owner: email, path: folder.path, filename: 'file.txt', conflict: 'replace' },
			4,
			Buffer.from('four'),
		),
	'create a folder': ({ email, folder }, client) =>
		post(client, `/api/spaces/${email}/folders`, { path: folder.path, name: newId() }),
	'create folders': ({ email, folder }, client) =>
		post(client, `/api/spaces/${email}/folder-paths`, {
			path: folder.path,
			paths: [
				['A', 'B'],
				['A', 'C'],
			],
		}),
	'rename the folder': ({ folder }, client) => post(client, `/api/nodes/${folder.id}/rename`, { name: newId() }),
	'move the folder': ({ inner, otherFolder }, client) =>
		post(client, '/api/nodes/move', { ids: [inner.id], path: otherFolder.path }),
	'copy the folder': ({ folder }, client) =>
		post(client, '/api/nodes/copy', { ids: [folder.id], owner: 'guest', path: '' }),
	'copy the file': ({ file, email, otherFolder }, client) =>
		post(client, '/api/nodes/copy', { ids: [file], owner: email, path: otherFolder.path }),
	'delete the folder': ({ folder }, client) => post(client, '/api/nodes/remove', { ids: [folder.id] }),
	'restore the file': ({ trashed }, client) => post(client, '/api/trash/restore', { ids: [trashed] }),
	'empty the trash': ({ email }, client) => post(client, `/api/spaces/${email}/trash/empty`),
	'set the quota': ({ email }, client) => client.call('PUT', `/api/spaces/${email}/quota`, { quotaBytes: 2 ** 30 }),
	'share with several': ({ otherFolder, groupId, otherEmail }, client) =>
		post(client, '/api/shares/many', {
			ids: [otherFolder.id],
			recipients: [{ groupId }, { email: otherEmail }],
		}),
	'share with the user': async ({ email, otherEmail }, client) => {
		const { id } = await makeFolder(deps, otherEmail, newId());
		return post(client, '/api/shares', { nodeId: id, email });
	},
	unshare: ({ inner, otherEmail }, client) =>
		post(client, '/api/shares/remove', { nodeId: inner.id, email: otherEmail }),
	'unshare with the group': ({ folder, groupId }, client) =>
		post(client, '/api/shares/remove', { nodeId: folder.id, groupId }),
	'send a message': ({ userId, member }) => sendText(member, userId, 'words'),
	'answer a message': ({ userId }, client) => sendText(client, userId, 'words'),
	'send a file': ({ userId, member }) => sendChatFile(member, userId, { name: 'f.txt', bytes: Buffer.from(newId()) }),
	'mark as viewed': ({ member }) => post(member, '/api/chat-viewed', { through: 1 }),
	'delete the messages': ({ userId }, client) => client.call('DELETE', `/api/chats/${userId}/messages`),
	'save the lesson': ({ lesson, member }) =>
		member.call('PUT', `/api/course/lessons/${lesson}/progress`, { position: 1, total: 2 }),
	'save the position': ({ lesson, member }) =>
		member.call('PUT', `/api/reading/${lesson}/place`, {
			...{ page: 1, pageCount: 1, offset: 0, chapter: null, readAt: '2026-11-20T03:00:00.000Z' },
		}),
	'save an annotation': ({ lesson, member }) =>
		member.call('PUT', `/api/reading/${lesson}/marks/${randomUUID()}`, {
			...{ kind: 'bookmark', page: 1, boxes: [], quote: '', note: '', color: 'green', chapter: null },
		}),
	'save the storefront': async (_objects, client) => {
		const { fields } = (await client.call('GET', '/api/storefront/draft')).json();
		const version = fields.find(({ field }: { field: string }) => field === 'author').version;
		const saved = await client.call('PUT', '/api/storefront/draft/author', { value: { en: newId(), hi: '' }, version });
		if (saved.statusCode !== 200) return saved;
		return post(client, '/api/storefront/publish', { fields: [{ field: 'author', version: saved.json().version }] });
	},
	'save the book': async (_objects, client) => {
		const book = (await client.call('GET', '/api/settings/book')).json();
		return client.call('PUT', '/api/settings/book', { ...book, editions: [] });
	},
	'make a test purchase': (_objects, client) => post(client, '/api/test-purchase', { email: `${newId()}@example.com` }),
	'remove the test purchase': (_objects, client) => client.call('DELETE', '/api/test-purchase'),
	'save a filter': (_objects, client) =>
		post(client, '/api/saved-filters', { list: 'users', name: newId(), query: '' }),
	'run jobs': () => runJobs(workPerCall),
	'send mails': sendMails,
};

/** Deadlocks as PostgreSQL reported them, also those after which a transaction was repeated. */
const deadlocks: string[] = [];
let isSlow = false;
const queryDelayMs = 8;
/** The calls of a round start within this time, because some do much before their transaction. */
const startWithinMs = 100;

/** Makes the transactions of a round overlap, and records deadlocks. */
function watchQueries(): void {
	deps.db = deps.db.withPlugin({
		transformQuery: ({ node }) => node,
		async transformResult({ result }) {
			if (isSlow && Math.random() < 0.5) await sleep(Math.random() * queryDelayMs);
			return result;
		},
	});
	const watched = new WeakSet<PoolClient>();
	deps.connection.pool?.on('acquire', (client) => {
		if (watched.has(client)) return;
		watched.add(client);
		const send = client.query.bind(client) as (...parameters: unknown[]) => unknown;
		client.query = ((...parameters: unknown[]) => {
			const answer = send(...parameters);
			if (answer instanceof Promise)
				answer.catch(({ code, detail, where }: DatabaseError) => {
					if (code === '40P01') deadlocks.push([parameters[0], detail, where].join('\n'));
				});
			return answer;
		}) as typeof client.query;
	});
}

/** Returns rounds of calls, in which each two calls, also twice the same, run together at least once. */
function coverPairs(names: readonly string[], callsPerRound: number): string[][] {
	const keyOf = (one: string, two: string) => [one, two].sort().join('|');
	const open = new Map(names.flatMap((one) => names.map((two) => [keyOf(one, two), [one, two] as [string, string]])));
	const rounds: string[][] = [];
	for (const pair of open.values()) {
		const round: string[] = [...pair];
		const gainOf = (name: string) => round.filter((other) => open.has(keyOf(name, other))).length;
		while (round.length < callsPerRound) {
			const others = names.filter((name) => !round.includes(name));
			round.push(others.reduce((best, name) => (gainOf(name) > gainOf(best) ? name : best)));
		}
		for (const [index, one] of round.entries()) for (const two of round.slice(index + 1)) open.delete(keyOf(one, two));
		rounds.push(round);
	}
	return rounds;
}

/** Runs calls at the same moment. @returns the failed calls, and the deadlocks */
async function runRound(names: readonly string[]): Promise<string[]> {
	const objects = await createObjects();
	const clients = [admin, writer?.client ?? admin];
	const deadlocksBefore = deadlocks.length;
	isSlow = true;
	const answers = await Promise.all(
		names.map(async (name, index) => {
			await sleep(Math.random() * startWithinMs);
			const answer = await calls[name]?.(objects, clients[index % 2] ?? admin).catch(String);
			return `${name}: ${typeof answer === 'string' ? answer : (answer?.statusCode ?? 200)}`;
		}),
	);
	isSlow = false;
	const failed = answers.filter((answer) => !/: [234]\d\d$/u.test(answer));
	return [...failed, ...deadlocks.slice(deadlocksBefore)];
}

/** The calls of the short run: one or two of each kind. The other calls lock similar rows. */
const shortCalls = [
	...['delete the user', 'delete the admin who writes', 'deactivate several', 'import users', 'sign in'],
	...['set the password by a link', 'give the book to several', 'mail logins to several', 'add to the group'],
	...['delete the group', 'buy again', 'buy with the same reference', 'send a further proof', 'complete orders'],
	...['correct the address of an unused account to a known one', 'delete the order', 'upload a batch'],
	...['move the folder', 'delete the folder', 'share with several', 'unshare', 'send a message'],
	...['delete the messages', 'save the storefront', 'run jobs', 'send mails'],
];
/** In a round with other calls, the deletion is mostly done before the batch of files is stored. */
const slowPair = ['upload a batch', 'delete the user'];
const isLong = process.env.FOLIO_LOCK_ORDER === 'long';
const rounds = isLong ? coverPairs(Object.keys(calls), 2) : [...coverPairs(shortCalls, 8), slowPair];
const runsOf = (names: readonly string[]) => (isLong ? 3 : names === slowPair ? 10 : 2);

describe('writing calls on the same objects', () => {
	test.each(isLong ? Object.entries(calls) : [])('succeed alone: %s', async (_name, send) => {
		const answer = await send(await createObjects(), admin);
		expect(answer?.statusCode ?? 200).toBeLessThan(400);
	});

	beforeAll(watchQueries);

	test.each(rounds.map((names) => [names.join(', '), names] as const))(
		'neither deadlock nor fail with a server error: %s',
		async (_title, names) => {
			for (let run = 0; run < runsOf(names); run += 1) expect(await runRound(names)).toEqual([]);
		},
	);

	test('lock a user before the imported login that becomes its password', async () => {
		const { config, hash: passwordHash, salt, password } = publishedLogin;
		const email = 'imported@example.com';
		await importLogins(deps, JSON.stringify({ hash_config: config, users: [{ email, passwordHash, salt }] }));
		await post(visitor, '/api/password/request-reset', { email });
		await runJobs(Number.POSITIVE_INFINITY);
		// Not `inTransaction`, in which the sign-in could begin no transaction.
		const { signIn } = await deps.db.transaction().execute(async (tx) => {
			await findUserByEmailKeyForUpdate(tx, email);
			const call = post(createHttpClient(testApp.app), '/api/sign-in', { email, password });
			const waiting = sql`select 1 from pg_stat_activity
				where datname = current_database() and wait_event_type = 'Lock'`;
			await vi.waitUntil(async () => (await waiting.execute(deps.db)).rows.length > 0, { timeout: 10_000 });
			const login = tx.selectFrom('imported_logins').select('email').where('email_key', '=', email);
			expect(await login.forUpdate().noWait().execute()).toEqual([{ email }]);
			return { signIn: call };
		});
		expect((await signIn).statusCode).toBe(200);
	});

	test('leave consistent data', async () => {
		await runJobs(Number.POSITIVE_INFINITY);
		expect((await checkIntegrity(deps)).problems).toEqual([]);
		const owners = new Set(['guest', 'book', ...(await findRows(deps, 'users')).map(({ id }) => id)]);
		expect((await findRows(deps, 'spaces')).filter(({ owner_id }) => !owners.has(owner_id))).toEqual([]);
	});
});
