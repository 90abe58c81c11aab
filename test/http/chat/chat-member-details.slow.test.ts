import { beforeEach, describe, expect, test } from 'vitest';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { joinAs, testPassword } from '../../support/app/users.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { makeFile, makePdfFile } from '../../support/fixtures/files.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';
import { readStoredMails } from '../../support/services/received-mails.ts';

const { testApp, admin } = await openTestApp();
const { deps } = testApp;
let email: string;
let id: string;
let client: HttpClient;

beforeEach(async () => {
	({ id, client, email } = await joinAs(testApp));
	testApp.clock.advance(60);
});

const card = async () => (await admin.call('GET', `/api/chats/${id}/person`)).json();
const sendLogin = (userId = id) => admin.call('POST', `/api/chats/${userId}/login`, {});

describe('GET /api/chats/:id/person', () => {
	test('returns no orders, book access or course progress for a member without an order, and returns 404 for an unknown ID', async () => {
		expect(await card()).toMatchObject({
			person: { id, email, active: true, loginCount: 1, fileCount: 0 },
			memberSince: expect.any(String),
			orders: [],
			book: { access: 'none', editions: [] },
			course: { begun: 0, done: 0, last: null },
		});
		expect((await admin.call('GET', '/api/chats/nobody/person')).statusCode).toBe(404);
	});

	test('returns only the orders of the member with their payment proofs, newest first', async () => {
		const first = await makeOrder(deps, { userId: id, email, status: 'Complete', pricePaise: 49_900 });
		testApp.clock.advance(3600);
		const second = await makeOrder(deps, { userId: id, email, utr: '412345678901', phone: '12' });
		const other = await joinAs(testApp);
		await makeOrder(deps, { userId: other.id, email: other.email });
		const { orders } = await card();
		expect(orders.map(({ code }: { code: string }) => code)).toEqual([second.code, first.code]);
		expect(orders[0]).toMatchObject({
			status: 'Pending',
			title: 'Build Your Empire',
			utr: '412345678901',
			oddFields: expect.arrayContaining(['phone']),
			proofs: [{ id: second.proofId, url: `/api/proofs/${second.proofId}/image` }],
		});
		expect(orders[1]).toMatchObject({ status: 'Complete', totalPrice: 499, utr: null });
		const [row] = (await admin.call('GET', `/api/orders?search=${email}`)).json().items;
		expect(orders[0]).toMatchObject(row);
	});

	test('returns the same book access and editions as GET /api/shelf after the order became Complete', async () => {
		const fileId = await makePdfFile(deps, 'book', { name: 'part-2.pdf' });
		const bank = { name: 'Bank', accountNumber: '1234 5678', ifsc: 'EXMP0000001', accountHolder: 'R. Rao' };
		const editions = [{ key: 'part-2-hi', fileId }];
		expect((await saveBook(admin, { bank, editions })).statusCode).toBe(200);
		const order = await makeOrder(deps, { userId: id, email });
		expect((await card()).book).toEqual({ access: 'pending', editions: [] });
		const [{ version }] = (await card()).orders;
		const done = await admin.call('POST', '/api/orders-complete', { orders: [{ id: order.id, version }] });
		expect(done.json().items).toEqual([{ id: order.id, outcome: 'done' }]);
		expect((await card()).book).toEqual({
			access: 'open',
			editions: [{ key: 'part-2-hi', part: 2, language: 'hi' }],
		});
		const shelf = (await client.call('GET', '/api/shelf')).json();
		expect(shelf).toMatchObject({ access: 'open', editions: [{ key: 'part-2-hi' }] });
		const late = await admin.call('POST', '/api/orders-complete', { orders: [{ id: order.id, version: version + 9 }] });
		expect(late.json().items).toEqual([{ id: order.id, outcome: 'done' }]);
	});

	test('returns the numbers of started and finished lessons, and the position in the last lesson', async () => {
		const sharer = await joinAs(testApp);
		const nodes = await Promise.all(
			['one.txt', 'two.pdf'].map((name) => makeFile(deps, { ownerId: sharer.id, name, bytes: Buffer.from(name) })),
		);
		for (const nodeId of nodes) await admin.call('POST', '/api/shares', { nodeId, email });
		const put = (node: string | undefined, body: object) =>
			client.call('PUT', `/api/course/lessons/${node}/progress`, body);
		await put(nodes[0], { position: 0, total: 0, isDone: true });
		testApp.clock.advance(60);
		await put(nodes[1], { position: 30, total: 120 });
		expect((await card()).course).toEqual({
			begun: 2,
			done: 1,
			last: {
				name: 'two.pdf',
				position: 30,
				total: 120,
				isDone: false,
				at: testApp.clock.now().toISOString(),
			},
		});
	});
});

describe('POST /api/chats/:id/login', () => {
	const mailsTo = async (to: string) => {
		await testApp.runDueWork();
		return (await readStoredMails(deps.config.DATA_DIR)).filter((mail) => mail.to === to);
	};

	test('mails the order code and a link that can replace the password once', async () => {
		const { code } = await makeOrder(deps, { userId: id, email, name: 'Asha Rao' });
		expect((await sendLogin()).json()).toEqual({ email });
		const [mail] = await mailsTo(email);
		expect(mail?.subject).toBe('Your login for Build Your Empire');
		expect(mail?.text).toContain(code);
		expect(mail?.password).toBe('');
		const token = new URL(mail?.link ?? '').hash.replace('#token=', '');
		const set = await client.call('POST', '/api/password/set', { token, password: 'a new password' });
		expect(set.statusCode).toBe(200);
		const signIn = (password: string) => client.call('POST', '/api/sign-in', { email, password });
		expect((await signIn(testPassword)).statusCode).toBe(401);
		expect((await signIn('a new password')).statusCode).toBe(200);
		const again = await client.call('POST', '/api/password/set', { token, password: 'another one' });
		expect(again.json().code).toBe('LINK_INVALID');
	});

	test('also mails a user without an order, and writes an audit entry without the token of the link', async () => {
		await sendLogin();
		const [mail] = await mailsTo(email);
		expect(mail?.subject).toBe('Your account is ready');
		const [entry] = (await admin.call('GET', '/api/audit?kind=people&limit=1')).json().items;
		expect(entry).toMatchObject({ action: 'login-sent', kind: 'people' });
		expect(JSON.stringify(entry)).not.toContain(new URL(mail?.link ?? '').hash.slice(7));
		// Password resets that the member requests have another rate limit.
		for (let at = 0; at < 6; at += 1) await client.call('POST', '/api/password/request-reset', { email });
		expect((await sendLogin()).statusCode).toBe(200);
	});

	test('returns LOGIN_NOT_OPEN for a deactivated user and 404 for an unknown user, and changes nothing', async () => {
		await admin.call('POST', `/api/users/${id}/active`, { active: false });
		const before = await dumpDatabase(testApp.deps.connection);
		const answer = await sendLogin();
		expect([answer.statusCode, answer.json().code]).toEqual([409, 'LOGIN_NOT_OPEN']);
		expect((await sendLogin('nobody')).statusCode).toBe(404);
		expect(await dumpDatabase(testApp.deps.connection)).toEqual(before);
	});
});
