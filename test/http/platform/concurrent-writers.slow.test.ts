import { afterAll, expect, test } from 'vitest';
import type { ChatMessage } from '#contract/chat/chat.ts';
import type { Node } from '#contract/files/files.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { readChat, sendText } from '../../support/fixtures/chat.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { disableOrderMails, makeOrder } from '../../support/fixtures/orders.ts';
import { testDatabase } from '../../support/services/test-database.ts';

/** The numbers of the simultaneous requests. With PostgreSQL, the requests alternate between two servers. */
const writers = Array.from({ length: 64 }, (_, index) => index);

const { testApp, admin } = await openTestApp({ RATE_LIMIT_FACTOR: '10000' });
const secondApp = testDatabase === 'postgres' ? await createSecondProcess(testApp) : testApp;
if (secondApp !== testApp) afterAll(() => secondApp.close());
await disableOrderMails(testApp.deps);
const secondAdmin = createHttpClient(secondApp.app);
await secondAdmin.signIn('admin@example.com', testPassword);
const adminOf = (index: number): HttpClient => (index % 2 === 0 ? admin : secondAdmin);

async function expectConsistent(): Promise<void> {
	await testApp.runDueWork();
	expect((await checkIntegrity(testApp.deps)).problems).toEqual([]);
}

test('many writers that increment a number with retries lose no increment', async () => {
	type Contact = { email: string; phone: string; version: number };
	await admin.call('PUT', '/api/settings/contact-info', { email: '', phone: '0', version: 0 });
	let conflicts = 0;
	await Promise.all(
		writers.map(async (index) => {
			const client = adminOf(index);
			for (;;) {
				const { email, phone, version } = (await client.call('GET', '/api/contact-info')).json<Contact>();
				const next = { email, phone: String(Number(phone) + 1), version };
				const { statusCode } = await client.call('PUT', '/api/settings/contact-info', next);
				if (statusCode === 200) return;
				expect(statusCode).toBe(409);
				conflicts += 1;
			}
		}),
	);
	expect(conflicts).toBeGreaterThan(0);
	expect((await admin.call('GET', '/api/contact-info')).json()).toMatchObject({ phone: '64' });
});

test('64 simultaneous messages in a conversation have sequence numbers without a gap', async () => {
	const { id, client: member } = await makeSignedInUser(testApp, 'talker@example.com');
	const answers = await Promise.all(
		writers.map((index) => sendText(index % 3 === 0 ? member : adminOf(index), id, `words ${index}`)),
	);
	expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
	const { items } = await readChat(admin, id, '?limit=100');
	expect(items.map(({ sequence }) => sequence)).toEqual(writers.map((index) => index + 1));
	const words = new Set(writers.map((index) => `words ${index}`));
	expect(new Set(items.map(({ message }: ChatMessage) => message))).toEqual(words);
});

test('64 simultaneous requests for folders whose names differ only in case create one folder', async () => {
	const names = ['Only one', 'ONLY ONE', 'only one'];
	const create = (client: HttpClient, name = '', path = '') =>
		client.call('POST', '/api/spaces/guest/folders', { path, name });
	const answers = await Promise.all(writers.map((index) => create(adminOf(index), names[index % names.length])));
	const codes = answers.map((answer) => (answer.statusCode === 200 ? 'made' : answer.json().code)).sort();
	expect(codes).toEqual([...writers.slice(1).map(() => 'NAME_EXISTS'), 'made']);
	// A name must be unique only within its folder.
	const made = answers.find(({ statusCode }) => statusCode === 200)?.json<Node>();
	expect((await create(admin, names[0], made?.realPath ?? '')).statusCode).toBe(200);
	await expectConsistent();
});

test('one of 64 simultaneous updates with the same version of an order is stored, and the others get 409', async () => {
	const userId = await makeUser(testApp.deps, 'edited@example.com');
	const { id } = await makeOrder(testApp.deps, { userId, email: 'edited@example.com' });
	const order = (await admin.call('GET', `/api/orders/${id}/row`)).json();
	const answers = await Promise.all(
		writers.map((index) => adminOf(index).call('PUT', `/api/orders/${id}`, { ...order, name: `Name ${index}` })),
	);
	const accepted = writers.filter((index) => answers[index]?.statusCode === 200);
	expect(accepted).toHaveLength(1);
	const refused = writers.filter((index) => index !== accepted[0]);
	for (const index of refused) expect(answers[index]?.json()).toMatchObject({ status: 409, code: 'ORDER_STALE' });
	expect((await admin.call('GET', `/api/orders/${id}/row`)).json()).toMatchObject({ name: `Name ${accepted[0]}` });
});

test('simultaneous purchases, shares, moves, completions, messages, notes and deletions never deadlock', async () => {
	const make = async (name: string) =>
		(await admin.call('POST', '/api/spaces/guest/folders', { path: '', name })).json<Node>();
	const folders = [await make('Left'), await make('Right')] as const;
	const shared = (await admin.call('POST', '/api/spaces/me/folders', { path: '', name: 'To share' })).json<Node>();
	const { id: memberId, client: member } = await makeSignedInUser(testApp, 'crossed@example.com');
	const newOrder = () => makeOrder(testApp.deps, { userId: memberId, email: 'crossed@example.com' });
	const orders = await Promise.all([newOrder(), newOrder()]);
	const work: Array<(client: HttpClient, index: number) => ReturnType<HttpClient['call']>> = [
		(_client, index) => {
			const { app } = index % 2 === 0 ? testApp : secondApp;
			return sendCheckoutForm(createHttpClient(app), { email: `crossed-${index % 4}@example.com` });
		},
		(client, index) => {
			const share = { nodeId: shared.id, email: 'crossed@example.com' };
			return client.call('POST', index % 2 === 0 ? '/api/shares' : '/api/shares/remove', share);
		},
		(client, index) => {
			const [from, to] = index % 2 === 0 ? folders : folders.toReversed();
			return client.call('POST', '/api/nodes/move', { ids: [from?.id], path: to?.realPath });
		},
		(client, index) => {
			const ids = index % 2 === 0 ? orders : orders.toReversed();
			const chosen = ids.map(({ id }) => ({ id, version: 1 }));
			return client.call('POST', '/api/orders-complete', { orders: chosen });
		},
		(_client, index) => sendText(member, memberId, `crossing ${index}`),
		(client, index) => {
			const note = { note: `note ${index}`, was: null, isProofWanted: false };
			return client.call('POST', `/api/orders/${orders[index % 2]?.id}/note`, note);
		},
		(client, index) => client.call('POST', '/api/spaces/guest/folders', { path: '', name: `Folder ${index % 5}` }),
		(client) => client.call('POST', '/api/spaces/guest/trash/empty', {}),
	];
	for (let round = 0; round < 3; round += 1) {
		const answers = await Promise.all(
			writers.map(
				async (index) => (await work[(index + round) % work.length]?.(adminOf(index), index))?.statusCode ?? 0,
			),
		);
		// The response to a deadlock would be 503.
		expect(answers.filter((status) => status === 0 || status >= 500)).toEqual([]);
		expect(answers.filter((status) => status < 300).length).toBeGreaterThan(16);
	}
	await expectConsistent();
});
