import { afterAll, expect, test } from 'vitest';
import type { ChatMessage } from '#contract/chat/chat.ts';
import type { Node } from '#contract/files/files.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { createSecondProcess, createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { readChat, sendText } from '../../support/fixtures/chat.ts';
import { disableOrderMails, makeOrder, purchase } from '../../support/fixtures/orders.ts';
import { testDatabase } from '../../support/services/test-database.ts';

/** One number for each simultaneous write, which on PostgreSQL are spread over two servers. */
const writers = Array.from({ length: 64 }, (_, index) => index);

const world = await createTestApp({ RATE_LIMIT_FACTOR: '10000' });
const servers: TestApp[] = [world];
if (testDatabase === 'postgres') servers.push(await createSecondProcess(world));
afterAll(async () => {
	for (const server of servers.toReversed()) await server.close();
});
await disableOrderMails(world.deps);
const { client: admin } = await makeSignedInUser(world, 'admin@example.com', 'admin');
const admins: HttpClient[] = [admin];
for (const { app } of servers.slice(1)) {
	const client = createHttpClient(app);
	await client.signIn('admin@example.com', testPassword);
	admins.push(client);
}
const adminOf = (nth: number): HttpClient => admins[nth % admins.length] ?? admin;

async function expectConsistent(): Promise<void> {
	await world.runDueWork();
	expect((await checkIntegrity(world.deps)).problems).toEqual([]);
}

test('loses no update when many writers increment with retries', async () => {
	type Contact = { email: string; phone: string; version: number };
	await admin.call('PUT', '/api/settings/contact-info', { email: '', phone: '0', version: 0 });
	let late = 0;
	await Promise.all(
		writers.map(async (nth) => {
			const client = adminOf(nth);
			for (;;) {
				const { email, phone, version } = (await client.call('GET', '/api/contact-info')).json<Contact>();
				const next = { email, phone: String(Number(phone) + 1), version };
				const { statusCode } = await client.call('PUT', '/api/settings/contact-info', next);
				if (statusCode === 200) return;
				expect(statusCode).toBe(409);
				late += 1;
			}
		}),
	);
	expect(late).toBeGreaterThan(0);
	expect((await admin.call('GET', '/api/contact-info')).json()).toMatchObject({ phone: '64' });
});

test('64 simultaneous messages in one conversation get sequence numbers without a gap', async () => {
	const { id, client: member } = await makeSignedInUser(world, 'talker@example.com');
	const answers = await Promise.all(
		writers.map((nth) => sendText(nth % 3 === 0 ? member : adminOf(nth), id, `words ${nth}`)),
	);
	expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
	const { items } = await readChat(admin, id, '?limit=100');
	expect(items.map(({ sequence }) => sequence)).toEqual(writers.map((nth) => nth + 1));
	const words = new Set(writers.map((nth) => `words ${nth}`));
	expect(new Set(items.map(({ message }: ChatMessage) => message))).toEqual(words);
});

test('64 simultaneous requests for a folder of one name create one folder', async () => {
	const answers = await Promise.all(
		writers.map((nth) => adminOf(nth).call('POST', '/api/spaces/guest/folders', { path: '', name: 'Only one' })),
	);
	const codes = answers.map((answer) => (answer.statusCode === 200 ? 'made' : answer.json().code)).sort();
	expect(codes).toEqual([...writers.slice(1).map(() => 'NAME_EXISTS'), 'made']);
	await expectConsistent();
});

test('64 simultaneous updates of the same version of an order store one, and the others get 409', async () => {
	const userId = await makeUser(world.deps, 'edited@example.com');
	const { id } = await makeOrder(world.deps, { userId, email: 'edited@example.com' });
	const order = (await admin.call('GET', `/api/orders/${id}/row`)).json();
	const answers = await Promise.all(
		writers.map((nth) => adminOf(nth).call('PUT', `/api/orders/${id}`, { ...order, name: `Name ${nth}` })),
	);
	const kept = writers.filter((nth) => answers[nth]?.statusCode === 200);
	expect(kept).toHaveLength(1);
	expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]));
	expect((await admin.call('GET', `/api/orders/${id}/row`)).json()).toMatchObject({ name: `Name ${kept[0]}` });
});

test('crossing purchases, shares, moves, completions, messages, notes and deletions never deadlock', async () => {
	const make = async (name: string) =>
		(await admin.call('POST', '/api/spaces/guest/folders', { path: '', name })).json<Node>();
	const folders = [await make('Left'), await make('Right')] as const;
	const shared = (await admin.call('POST', '/api/spaces/me/folders', { path: '', name: 'To share' })).json<Node>();
	const { id: memberId, client: member } = await makeSignedInUser(world, 'crossed@example.com');
	const newOrder = () => makeOrder(world.deps, { userId: memberId, email: 'crossed@example.com' });
	const orders = await Promise.all([newOrder(), newOrder()]);
	const work: Array<(client: HttpClient, nth: number) => ReturnType<HttpClient['call']>> = [
		(_client, nth) => {
			const { app } = servers[nth % servers.length] ?? world;
			return purchase(createHttpClient(app), { email: `crossed-${nth % 4}@example.com` });
		},
		(client, nth) => {
			const share = { nodeId: shared.id, email: 'crossed@example.com' };
			return client.call('POST', nth % 2 === 0 ? '/api/shares' : '/api/shares/remove', share);
		},
		(client, nth) => {
			const [from, to] = nth % 2 === 0 ? folders : folders.toReversed();
			return client.call('POST', '/api/nodes/move', { ids: [from?.id], path: to?.realPath });
		},
		(client, nth) => {
			const ids = nth % 2 === 0 ? orders : orders.toReversed();
			const chosen = ids.map(({ id }) => ({ id, version: 1 }));
			return client.call('POST', '/api/orders-complete', { orders: chosen });
		},
		(_client, nth) => sendText(member, memberId, `crossing ${nth}`),
		(client, nth) => {
			const note = { note: `note ${nth}`, was: null, isProofWanted: false };
			return client.call('POST', `/api/orders/${orders[nth % 2]?.id}/note`, note);
		},
		(client, nth) => client.call('POST', '/api/spaces/guest/folders', { path: '', name: `Folder ${nth % 5}` }),
		(client) => client.call('POST', '/api/spaces/guest/trash/empty', {}),
	];
	for (let round = 0; round < 3; round += 1) {
		const answers = await Promise.all(
			writers.map(async (nth) => (await work[(nth + round) % work.length]?.(adminOf(nth), nth))?.statusCode ?? 0),
		);
		// A deadlock would be answered with 503.
		expect(answers.filter((status) => status === 0 || status >= 500)).toEqual([]);
		expect(answers.filter((status) => status < 300).length).toBeGreaterThan(16);
	}
	await expectConsistent();
});
