import { beforeEach, describe, expect, test } from 'vitest';
import type { ChatSummary } from '#contract/chat/chat.ts';
import { collapseWhitespace } from '#server/platform/database/migrations/steps/0012-chat-mail.ts';
import { watchEventLoop } from '../../support/app/cpu-time.ts';
import { getRow, insertRows } from '../../support/app/database-rows.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { readAllItems } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { joinAs } from '../../support/app/users.ts';
import { newClientId, readChat, sendChatFile, sendText } from '../../support/fixtures/chat.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';

const { testApp, admin } = await openTestApp();
let member: HttpClient;
let memberId: string;
let email: string;

const join = () => joinAs(testApp);
const list = async (query: string): Promise<{ items: ChatSummary[] }> =>
	(await admin.call('GET', `/api/chats?${query}`)).json();
const foundOf = async (search: string) =>
	(await list(`search=${encodeURIComponent(search)}`)).items.find(({ userId }) => userId === memberId)?.found;
const hitsOf = async (search: string) =>
	(await admin.call('GET', `/api/chats/${memberId}/hits?search=${encodeURIComponent(search)}`)).json();

beforeEach(async () => {
	({ client: member, id: memberId, email } = await join());
	testApp.clock.advance(60);
});

describe('search in conversations', () => {
	test('returns the newest matching message of a conversation with time, sequence number and the text around the match', async () => {
		await sendText(member, memberId, 'The ledger of May');
		testApp.clock.advance(60);
		const at = testApp.clock.now().toISOString();
		await sendText(admin, memberId, 'Where is the\nLEDGER of June?');
		testApp.clock.advance(60);
		await sendText(member, memberId, 'Thank you');
		expect(await foundOf('ledger%of')).toBeUndefined();
		expect(await foundOf('ledger  OF')).toEqual({
			sequence: 2,
			at,
			isFile: false,
			before: 'Where is the ',
			hit: 'LEDGER of',
			after: ' June?',
		});
		expect(await hitsOf('ledger')).toEqual({ sequences: [2, 1], isMore: false });
	});

	test('finds a file by its name and a message by Hindi text', async () => {
		await sendChatFile(member, memberId, { name: 'October ledger.pdf', bytes: Buffer.from('%PDF-1.7') });
		await sendText(member, memberId, 'मेरी किताब कहाँ है?');
		expect(await foundOf('october')).toMatchObject({ isFile: true, hit: 'October', after: ' ledger.pdf' });
		expect(await foundOf('किताब')).toMatchObject({ sequence: 2, before: 'मेरी ', hit: 'किताब', after: ' कहाँ है?' });
		expect(await hitsOf('है')).toMatchObject({ sequences: [2] });
	});

	test('finds a conversation by its email address although no message matches, and finds no message for a blank search', async () => {
		await sendText(member, memberId, 'nothing of that');
		const { client: other, id: otherId } = await join();
		await sendText(other, otherId, 'something else');
		const found = await list(`search=${email.toUpperCase()}`);
		expect(found.items).toMatchObject([{ userId: memberId, found: null }]);
		expect(await foundOf('')).toBeNull();
		expect(await foundOf('  \t ')).toBeNull();
		expect(await hitsOf('   ')).toEqual({ sequences: [], isMore: false });
		expect((await admin.call('GET', '/api/chats/nobody/hits?search=that')).statusCode).toBe(404);
	});

	test('does not find a deleted message while its row still exists', async () => {
		await sendText(member, memberId, 'a secret of old');
		await admin.call('DELETE', `/api/chats/${memberId}/messages`);
		await sendText(member, memberId, 'hello again');
		expect(await foundOf('secret')).toBeUndefined();
		expect(await foundOf('member')).toBeNull();
		expect(await hitsOf('secret')).toEqual({ sequences: [], isMore: false });
	});

	test.each(['%', '_', '\\', "'", '"', '*', 'a%b_c\\'])(
		'searches for special characters literally: %j',
		async (character) => {
			await sendText(member, memberId, 'plain words');
			expect((await hitsOf(character)).sequences).toEqual([]);
			await sendText(member, memberId, `before ${character} after`);
			expect((await hitsOf(character)).sequences).toEqual([2]);
			expect(await foundOf(character)).toMatchObject({ before: 'before ', hit: character, after: ' after' });
		},
	);

	test('finds an old message after the migration that collapses whitespace in search keys', async () => {
		await sendText(member, memberId, 'an old\n\n  message\tof two lines');
		const key = { search_key: 'an old\n\n  message\tof two lines' };
		await testApp.deps.db.updateTable('messages').set(key).where('user_id', '=', memberId).execute();
		expect((await hitsOf('old message of')).sequences).toEqual([]);
		await collapseWhitespace(testApp.deps.db as never);
		expect((await hitsOf('old message of')).sequences).toEqual([1]);
		expect(await foundOf('old message of')).toMatchObject({ hit: 'old message of' });
	});

	test('returns the newest 500 matches, with isMore true when there are more', async () => {
		await sendText(member, memberId, 'needle');
		const row = await getRow(testApp.deps, 'messages', { user_id: memberId });
		const more = Array.from({ length: 500 }, (_, at) => {
			return { ...row, id: newClientId(), client_id: newClientId(), sequence: at + 2 };
		});
		await insertRows(testApp.deps, 'messages', more);
		const { sequences, isMore } = await hitsOf('needle');
		expect([sequences.length, sequences[0], sequences.at(-1), isMore]).toEqual([500, 501, 2, true]);
	});

	test('searches 50 long conversations, and never blocks the event loop for 400 ms', async () => {
		await sendText(member, memberId, `ज़रूरत ${'नमस्ते '.repeat(1426)}`);
		const message = await getRow(testApp.deps, 'messages', { user_id: memberId });
		const ids = Array.from({ length: 49 }, () => newClientId());
		const user = await getRow(testApp.deps, 'users', { id: memberId });
		const users = ids.map((id) => ({ ...user, id, email: `${id}@example.com`, email_key: `${id}@example.com` }));
		await insertRows(testApp.deps, 'users', users);
		const conversation = await getRow(testApp.deps, 'conversations', { user_id: memberId });
		const conversations = ids.map((id) => ({ ...conversation, user_id: id }));
		await insertRows(testApp.deps, 'conversations', conversations);
		const messages = ids.map((id) => ({ ...message, id, user_id: id }));
		await insertRows(testApp.deps, 'messages', messages);
		const { result, longestMs } = await watchEventLoop(list(`search=${encodeURIComponent('ज़रूरत')}`));
		expect(result.items.map(({ found }) => found?.hit)).toEqual(Array.from({ length: 50 }, () => 'ज़रूरत'));
		expect(longestMs).toBeLessThan(400);
	});
});

describe('GET /api/chats/:id/messages?around', () => {
	const around = async (query: string) => {
		const { items, isMore } = await readChat(member, memberId, `?${query}`);
		return [items.map(({ sequence }) => sequence), isMore];
	};

	test('returns the messages around a sequence number, and whether there are older messages', async () => {
		for (let line = 1; line <= 20; line += 1) await sendText(member, memberId, `line ${line}`);
		expect(await around('around=10&limit=6')).toEqual([[7, 8, 9, 10, 11, 12], true]);
		expect(await around('around=2&limit=6')).toEqual([[1, 2, 3, 4], false]);
		expect(await around('around=4&limit=6')).toEqual([[1, 2, 3, 4, 5, 6], false]);
		expect(await around('around=20&limit=6')).toEqual([[17, 18, 19, 20], true]);
		expect(await around('around=99&limit=6')).toEqual([[18, 19, 20], true]);
	});

	test('returns the first remaining messages when the message with the given sequence number was deleted', async () => {
		for (let line = 1; line <= 5; line += 1) await sendText(member, memberId, `line ${line}`);
		await admin.call('DELETE', `/api/chats/${memberId}/messages`);
		expect(await around('around=3')).toEqual([[], false]);
		for (let line = 6; line <= 8; line += 1) await sendText(member, memberId, `line ${line}`);
		expect(await around('around=3')).toEqual([[6, 7, 8], false]);
	});
});

describe('GET /api/chats?show', () => {
	const idsOf = async (query: string) => (await list(query)).items.map(({ userId }) => userId);

	test('returns conversations with unread messages or conversations of buyers, the newest first', async () => {
		const buyer = await join();
		await makeOrder(testApp.deps, { userId: buyer.id, email: buyer.email });
		await sendText(member, memberId, 'unread');
		testApp.clock.advance(1);
		await sendText(admin, buyer.id, 'seen by whoever wrote it');
		expect((await idsOf('show=all')).slice(0, 2)).toEqual([buyer.id, memberId]);
		expect(await idsOf('')).toEqual(await idsOf('show=all'));
		const unread = await idsOf('show=unread');
		expect([unread[0], unread.includes(buyer.id)]).toEqual([memberId, false]);
		expect(await idsOf('show=buyers')).toEqual([buyer.id]);
		expect(await idsOf(`show=buyers&search=${buyer.email}`)).toEqual([buyer.id]);
		expect(await idsOf(`show=unread&search=${buyer.email}`)).toEqual([]);
		await admin.call('POST', `/api/chats/${memberId}/viewed`, { through: 1 });
		expect(await idsOf('show=unread')).not.toContain(memberId);
		expect((await admin.call('GET', '/api/chats?show=mine')).statusCode).toBe(422);
	});

	test('lists each conversation once across pages, also when several have the same time', async () => {
		await testApp.deps.db.updateTable('conversations').set({ admin_unread: 0 }).execute();
		const members = await Promise.all(Array.from({ length: 9 }, join));
		for (const { client, id } of members) await sendText(client, id, 'at once');
		const read = await readAllItems<ChatSummary>(admin, '/api/chats?show=unread&limit=2');
		expect(read.map(({ userId }) => userId)).toEqual(members.map(({ id }) => id).toSorted());
	});
});
