import { beforeEach, describe, expect, test } from 'vitest';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { deleteAllMessages, markViewed, sendMessage, setTyping } from '#server/features/chat/chat.service.ts';
import { collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import type { MemberCaller } from '#server/platform/actor.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import { type HttpClient, postFile } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { joinAs } from '../../support/app/users.ts';
import { newClientId, readChat, sendChatFile, sendText } from '../../support/fixtures/chat.ts';

const { testApp, admin } = await openTestApp();
const url = await listen(testApp.app);
let member: HttpClient;
let memberId: string;
let email: string;

const join = () => joinAs(testApp);
const textsOf = ({ items }: { items: ChatMessage[] }) => items.map(({ message }) => message);
const list = async (query = '') => (await admin.call('GET', `/api/chats${query}`)).json();

beforeEach(async () => {
	({ client: member, id: memberId, email } = await join());
	testApp.clock.advance(60);
});

describe('chat messages', () => {
	test('are numbered in one sequence for both sides, and both sides see the same conversation', async () => {
		expect((await readChat(member, memberId)).items).toEqual([]);
		const first = await sendText(member, memberId, 'नमस्ते, I have paid.\nWhen do I get the book?');
		expect(first.statusCode).toBe(200);
		await sendText(admin, memberId, 'A moment please.');
		const seen = await readChat(member, memberId);
		expect(seen).toEqual(await readChat(admin, memberId));
		expect(seen.items).toMatchObject([
			{ sequence: 1, sender: 'user', message: 'नमस्ते, I have paid.\nWhen do I get the book?', isFile: false },
			{ sequence: 2, sender: 'admin', message: 'A moment please.', fileName: null },
		]);
		expect(seen.items[0]).toEqual(first.json());
		expect(seen.state).toMatchObject({ lastSequence: 2, clearedThrough: 0, viewedThrough: { user: 0, admin: 0 } });
	});

	test('are stored once for each client ID of a sender, and separately when both sides use the same client ID', async () => {
		const clientId = newClientId();
		const [one, two] = await Promise.all([
			sendText(member, memberId, 'once', clientId),
			sendText(member, memberId, 'once', clientId),
		]);
		expect(two?.json()).toEqual(one?.json());
		expect((await sendText(member, memberId, 'once, told again', clientId)).json()).toEqual(one?.json());
		const [said, again] = [
			await sendText(admin, memberId, 'the owner', clientId),
			await sendText(admin, memberId, 'the owner, told again', clientId),
		];
		expect([again.statusCode, again.json()]).toEqual([200, said.json()]);
		expect(textsOf(await readChat(member, memberId))).toEqual(['once', 'the owner']);
	});

	test('are returned in pages: the newest messages, or the messages before or after a sequence number', async () => {
		for (let at = 1; at <= 7; at++) await sendText(member, memberId, `${at}`);
		const newest = await readChat(member, memberId, '?limit=3');
		expect([textsOf(newest), newest.isMore]).toEqual([['5', '6', '7'], true]);
		const older = await readChat(member, memberId, '?limit=4&before=5');
		expect([textsOf(older), older.isMore]).toEqual([['1', '2', '3', '4'], false]);
		const after = await readChat(member, memberId, '?limit=2&after=2');
		expect([textsOf(after), after.isMore]).toEqual([['3', '4'], true]);
		expect(textsOf(await readChat(member, memberId, '?after=7'))).toEqual([]);
	});

	test.each(['before', 'after', 'around'])(
		'returns INVALID_INPUT for ?%s= with a sequence number that is negative or above 2^31 - 1',
		async (parameter) => {
			await sendText(member, memberId, 'one');
			const at = (sequence: number) => member.call('GET', `/api/chats/${memberId}/messages?${parameter}=${sequence}`);
			expect((await at(2 ** 31 - 1)).statusCode).toBe(200);
			for (const sequence of [2 ** 31, Number.MAX_SAFE_INTEGER, -1])
				expect([(await at(sequence)).statusCode, (await at(sequence)).json().code]).toEqual([422, 'INVALID_INPUT']);
		},
	);

	const blank = ['', '   \n\t', '\u200b\u200e\u2800', '\u202e'];
	const invisible = ['\uffa0', '\u034f', '\ufe0f', '\u180b', '\u17b4', '\u17b5', '\u{e0100}', '\u3164\u115f\u1160'];
	test.each([...blank, ...invisible, 'with \0 in it', 'x'.repeat(10_001)])(
		'returns an error at the message field for the text %j and stores nothing',
		async (text) => {
			const before = await dumpDatabase(testApp.deps.connection);
			const answer = await sendText(member, memberId, text);
			expect(answer.statusCode).toBe(422);
			expect(Object.keys(answer.json().fields)).toEqual(['message']);
			expect(await dumpDatabase(testApp.deps.connection)).toEqual(before);
		},
	);

	test.each([
		['x'.repeat(10_000)],
		['<img src=x onerror=alert(1)>'],
		['\u202eright to left'],
		['=cmd|calc'],
		['\u2764\ufe0f'],
		['\ud800', '\ufffd'],
		['a\udc00b', 'a\ufffdb'],
	])('are stored and returned as typed, except for lone surrogates (%#)', async (typed, text = typed) => {
		expect((await sendText(member, memberId, typed)).json().message).toBe(text);
		expect(textsOf(await readChat(admin, memberId))).toEqual([text]);
	});

	test('returns 401 for a message whose authorId is the ID of another user', async () => {
		const { client: other, id: otherId } = await join();
		const path = `/api/chats/${memberId}/messages`;
		const words = { clientId: newClientId(), message: 'the words of the owner' };
		const before = await dumpDatabase(testApp.deps.connection);
		const ownerId = (await admin.call('GET', '/api/me')).json().id;
		for (const authorId of [ownerId, otherId, 'nobody', '']) {
			const answer = await member.call('POST', path, { ...words, authorId });
			expect([answer.statusCode, answer.json().code]).toEqual([401, 'UNAUTHORIZED']);
		}
		expect(await dumpDatabase(testApp.deps.connection)).toEqual(before);
		const own = { clientId: newClientId(), message: 'mine', authorId: memberId };
		expect((await member.call('POST', path, own)).json()).toMatchObject({ sender: 'user', message: 'mine' });
		expect((await admin.call('POST', path, { ...words, authorId: ownerId })).json().sender).toBe('admin');
		expect((await other.call('POST', path, { ...words, authorId: otherId })).statusCode).toBe(404);
	});
});

test('viewed messages are no longer counted as unread, also after a later report of a lower sequence number', async () => {
	for (const text of ['one', 'two', 'three']) await sendText(member, memberId, text);
	await sendText(admin, memberId, 'four');
	const unread = async () => (await member.call('GET', '/api/chat-unread')).json().unread;
	const before = (await list()).unread;
	expect(await unread()).toBe(1);
	await admin.call('POST', `/api/chats/${memberId}/viewed`, { through: 2 });
	expect((await list()).unread).toBe(before - 2);
	expect((await list()).items[0]).toMatchObject({ userId: memberId, unread: 1 });
	await admin.call('POST', `/api/chats/${memberId}/viewed`, { through: 1 });
	await member.call('POST', '/api/chat-viewed', { through: 4 });
	expect((await readChat(member, memberId)).state.viewedThrough).toEqual({ user: 4, admin: 2 });
	await admin.call('POST', `/api/chats/${memberId}/viewed`, { through: 99 });
	expect(await unread()).toBe(0);
	expect((await readChat(member, memberId)).state.viewedThrough).toEqual({ user: 4, admin: 4 });
});

describe('typing indicator', () => {
	const typingOf = async () => (await readChat(member, memberId)).state.typing;

	test('shows the side that typed last until this side sends a message or a second has passed', async () => {
		await member.call('POST', `/api/chats/${memberId}/typing`, {});
		expect(await typingOf()).toBe('user');
		testApp.clock.advance(0.4);
		await admin.call('POST', `/api/chats/${memberId}/typing`, {});
		expect(await typingOf()).toBe('admin');
		await sendText(admin, memberId, 'sent');
		expect(await typingOf()).toBe('user');
		testApp.clock.advance(0.7);
		expect(await typingOf()).toBe('none');
	});

	test('is written to the database for a key press, but not for another key press 0.1 s later', async () => {
		const press = () => member.call('POST', `/api/chats/${memberId}/typing`, {});
		await press();
		const written = await dumpDatabase(testApp.deps.connection);
		testApp.clock.advance(0.1);
		expect((await press()).statusCode).toBe(200);
		expect(await dumpDatabase(testApp.deps.connection)).toEqual(written);
		testApp.clock.advance(0.1);
		await press();
		expect(await dumpDatabase(testApp.deps.connection)).not.toEqual(written);
	});
});

describe('the event stream', () => {
	test('delivers messages and typing only to the member of the conversation and to admins', async () => {
		const { client: other } = await join();
		const [toMember, toAdmin, toOther] = await Promise.all(
			[member, admin, other].map((client) => openEventStream(url, client.cookie())),
		);
		await member.call('POST', `/api/chats/${memberId}/typing`, {});
		const sent = (await sendText(member, memberId, 'for the owner alone')).json();
		const long = (await sendText(member, memberId, 'y'.repeat(9000))).json();
		for (const stream of [toMember, toAdmin]) {
			expect(await stream?.waitFor('message')).toEqual({ topic: 'message', person: memberId, message: sent });
			expect(await stream?.waitFor('typing')).toEqual({ topic: 'typing', person: memberId, typing: 'user' });
			expect(await stream?.waitFor('chat')).toEqual({ topic: 'chat', person: memberId });
		}
		expect(textsOf(await readChat(admin, memberId, `?after=${long.sequence - 1}`))).toEqual(['y'.repeat(9000)]);
		const chatEvents = toOther?.events.filter(({ topic }) => ['message', 'typing', 'chat'].includes(topic));
		expect(chatEvents).toEqual([]);
		for (const stream of [toMember, toAdmin, toOther]) stream?.close();
	});

	test('delivers a chat event when a stored message is sent again with its client ID', async () => {
		const clientId = newClientId();
		await sendText(member, memberId, 'taken by a process that died', clientId);
		const stream = await openEventStream(url, admin.cookie());
		await sendText(member, memberId, 'taken by a process that died', clientId);
		expect(await stream.waitFor('chat')).toEqual({ topic: 'chat', person: memberId });
		stream.close();
	});
});

test('GET /api/chats lists the conversations with messages in pages, the newest first', async () => {
	const others = await Promise.all([join(), join()]);
	await sendText(member, memberId, 'the first');
	for (const { client, id } of others) {
		testApp.clock.advance(1);
		await sendText(client, id, `a line\nfrom ${id}`);
	}
	testApp.clock.advance(1);
	await sendText(admin, memberId, 'an answer');
	const page = await list('?limit=2');
	expect(page.items).toMatchObject([
		{ userId: memberId, unread: 1, lastMessage: { sender: 'admin', text: 'an answer' } },
		{ userId: others[1]?.id, lastMessage: { sender: 'user', text: `a line from ${others[1]?.id}` } },
	]);
	const next = await list(`?limit=1&cursor=${page.nextCursor}`);
	expect(next.items).toMatchObject([{ userId: others[0]?.id }]);
});

describe('Delete All Chat', () => {
	test('hides the messages of a conversation immediately, deletes texts and rows later, and continues the sequence', async () => {
		const { client: other, id: otherId } = await join();
		await sendText(other, otherId, 'stays');
		for (const text of ['one', 'two']) await sendText(member, memberId, text);
		await sendText(admin, memberId, 'the third of all');
		expect((await admin.call('DELETE', `/api/chats/${memberId}/messages`)).statusCode).toBe(200);
		const [entry] = (await admin.call('GET', '/api/audit?limit=1')).json().items;
		expect(entry).toMatchObject({ action: 'chat-cleared', whom: email });
		const cleared = await readChat(member, memberId, '?after=0');
		expect([cleared.items, cleared.state.clearedThrough]).toEqual([[], 3]);
		expect((await member.call('GET', '/api/chat-unread')).json()).toEqual({ unread: 0 });
		expect((await list()).items.map((item: { userId: string }) => item.userId)).not.toContain(memberId);
		expect((await list('?search=third of all')).items).toEqual([]);
		await testApp.runDueWork();
		const rows = testApp.deps.db.selectFrom('messages').selectAll().where('user_id', '=', memberId).orderBy('sequence');
		const nothing = { message: '', search_key: '', blob_id: null, file_name: null, file_type: null };
		expect(await rows.execute()).toEqual(Array.from({ length: 3 }, () => expect.objectContaining(nothing)));
		const searchRows = testApp.deps.db.selectFrom('messages_search').select('id');
		expect(await searchRows.where('search_key', 'like', '%third of all%').execute()).toEqual([]);
		expect((await sendText(member, memberId, 'anew')).json().sequence).toBe(4);
		expect(textsOf(await readChat(other, otherId))).toEqual(['stays']);
		testApp.clock.advance(25 * 3600);
		await sendText(admin, memberId, 'of the day after');
		await collectGarbage(testApp.deps);
		expect((await rows.execute()).map(({ message }) => message)).toEqual(['anew', 'of the day after']);
	});

	test('returns no text and stores no new message when a deleted message is sent again', async () => {
		const names = [newClientId(), newClientId(), newClientId()];
		const bytes = Buffer.from('a file');
		const { id: replyId } = (await admin.call('POST', '/api/canned-replies', { name: 'x', message: 'x' })).json();
		const added = await postFile(admin, replyFilesPath(replyId), 'kept.txt', bytes, 'text/plain');
		const sendAll = async () => {
			const [text = '', file = '', reply = ''] = names;
			const answers = [
				await sendText(member, memberId, 'told before', text),
				await sendChatFile(member, memberId, { name: 'told.txt', bytes }, file),
				await admin.call('POST', `/api/chats/${memberId}/reply-files`, { clientId: reply, fileId: added.json().id }),
			];
			expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
			return answers.map((answer): ChatMessage => answer.json());
		};
		const sent = await sendAll();
		await admin.call('DELETE', `/api/chats/${memberId}/messages`);
		const nothing = { message: '', isFile: false, fileType: null, fileName: null, fileSizeBytes: null };
		const withoutText = sent.map((message) => ({ ...message, ...nothing }));
		expect(await sendAll()).toEqual(withoutText);
		await testApp.runDueWork();
		expect(await sendAll()).toEqual(withoutText);
		const seen = await readChat(member, memberId);
		expect([seen.items, seen.state.clearedThrough]).toEqual([[], 3]);
		expect((await list()).items.map((item: { userId: string }) => item.userId)).not.toContain(memberId);
		await sendText(member, memberId, 'goes on');
		expect(textsOf(await readChat(admin, memberId))).toEqual(['goes on']);
	});
});

/** Runs the due work. @returns the chat tables that contain rows of a user */
async function tablesWithRowsOf(userId: string): Promise<string[]> {
	await testApp.runDueWork();
	const dump = await dumpDatabase(testApp.deps.connection);
	return (['messages', 'conversations'] as const).filter((table) => dump[table]?.join().includes(userId));
}

test('stores no message from or to a user whose data is being deleted', async () => {
	for (let round = 0; round < 6; round += 1) {
		const { client, id } = await join();
		const deletion = admin.call('POST', '/delete-user-all', { uid: id });
		const calls = Array.from({ length: 4 }, () => [
			sendText(client, id, 'the last words'),
			client.call('POST', `/api/chats/${id}/typing`, {}),
			sendText(admin, id, 'stay!'),
			admin.call('DELETE', `/api/chats/${id}/messages`),
		]).flat();
		const answers = await Promise.all(calls);
		expect((await deletion).statusCode).toBe(200);
		expect(answers.map(({ statusCode }) => [200, 401, 404].includes(statusCode))).not.toContain(false);
		expect(await tablesWithRowsOf(id)).toEqual([]);
	}
});

test('sendMessage, setTyping and markViewed reject for a deleted member, and deleteAllMessages for a stranger', async () => {
	await sendText(member, memberId, 'goodbye');
	const stranger = { actor: { userId: 'stranger', role: 'user' }, locale: 'en' } as MemberCaller;
	await expect(deleteAllMessages(testApp.deps, stranger, memberId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
	await admin.call('POST', '/delete-user-all', { uid: memberId });
	expect((await list('?search=goodbye')).items).toEqual([]);
	expect(await tablesWithRowsOf(memberId)).toEqual([]);
	const ownerId = (await admin.call('GET', '/api/me')).json().id;
	for (const [userId, role] of [
		[memberId, 'user'],
		[ownerId, 'admin'],
	] as const) {
		const caller = { actor: { userId, role }, locale: 'en' } as MemberCaller;
		const message = { clientId: newClientId(), message: 'to nobody' };
		for (const call of [
			() => sendMessage(testApp.deps, caller, memberId, message),
			() => setTyping(testApp.deps, caller, memberId),
			() => markViewed(testApp.deps, caller, memberId, 1),
		])
			await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
	}
	expect((await admin.call('GET', `/api/chats/${memberId}/messages`)).statusCode).toBe(404);
	expect(await tablesWithRowsOf(memberId)).toEqual([]);
});
