import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { limits } from '#contract/core/limits.ts';
import { makeMessage } from '../../../../../test/support/fixtures/chat.ts';
import type { ChatPage } from './chat-log.ts';
import {
	type ConversationStore,
	type ConversationStoreOptions,
	createConversationStore,
	type PageQuery,
} from './conversation-store.ts';

const lost = new Error('no answer');
const refused = new Error('refused');
const tooFast = new Error('too fast');
const never = new Promise<never>(() => {});

/** Creates the conversation store of a member and the fake server that it calls. */
function serve(over: Partial<ConversationStoreOptions> = {}) {
	const server = {
		messages: [] as ChatMessage[],
		clearedThrough: 0,
		isDown: false,
		isTooFast: false,
		/** Stores the message, but the answer is lost. */
		losesAnswers: false,
		/** Neither stores the message nor answers. */
		isSilent: false,
		isSignedIn: true,
		sent: [] as string[],
		typed: 0,
		viewed: [] as number[],
		asked: [] as PageQuery[],
		kept: { draft: '', texts: [], attached: [] } as ConversationStoreOptions['stored'],
	};
	let named = 0;

	function say(text: string, clientId: string, sender: ChatMessage['sender']): ChatMessage {
		const before = server.messages.find((one) => one.clientId === clientId);
		if (before !== undefined) return before;
		const message = makeMessage(server.messages.length + 1, { clientId, sender, message: text });
		server.messages.push(message);
		return message;
	}

	async function take(clientId: string, text: string): Promise<ChatMessage> {
		server.sent.push(text);
		if (server.isSilent) await never;
		if (server.isDown) throw lost;
		if (server.isTooFast) throw tooFast;
		if (text.startsWith('bad')) throw refused;
		const message = say(text, clientId, 'user');
		if (server.losesAnswers) throw lost;
		return message;
	}

	const room = createConversationStore('asha', {
		side: 'user',
		isReadOnly: false,
		fetchPage: async (place): Promise<ChatPage> => {
			server.asked.push(place);
			if (server.isSilent) await never;
			if (server.isDown) throw lost;
			const { before = Number.POSITIVE_INFINITY, after = 0, around, limit } = place;
			const lastSequence = server.messages.length;
			const all = server.messages.filter(
				({ sequence }) => sequence > Math.max(after, server.clearedThrough) && sequence < before,
			);
			const items = place.after === undefined ? all.slice(-limit) : all.slice(0, limit);
			const state = { lastSequence, clearedThrough: server.clearedThrough, viewedThrough: { user: 0, admin: 0 } };
			if (around !== undefined) {
				const half = Math.ceil(limit / 2);
				const earlier = all.filter(({ sequence }) => sequence < around);
				const later = all.filter(({ sequence }) => sequence >= around).slice(0, half);
				return { items: [...earlier.slice(-half), ...later], isMore: earlier.length > half, state };
			}
			return { items, isMore: all.length > items.length, state };
		},
		sendText: take,
		sendFile: (clientId, file, onProgress) => {
			onProgress(0.5);
			return take(clientId, file.name);
		},
		sendReplyFile: (clientId, fileId) => take(clientId, `reply ${fileId}`),
		reportTyping: async () => {
			server.typed += 1;
		},
		reportViewed: async (through) => {
			if (server.isDown) throw lost;
			server.viewed.push(through);
		},
		describeError: (error) => {
			if (error === refused) return { isPassing: false, text: 'Not this.' };
			return { isPassing: true, text: error === tooFast ? 'Wait a moment.' : '' };
		},
		isAuthorSignedIn: () => server.isSignedIn,
		newClientId: () => `client-${++named}`,
		stored: server.kept,
		save: (words) => {
			server.kept = words;
		},
		...over,
	});
	/** Stores a message of the owner and returns its event. */
	const answer = (text: string) =>
		({ topic: 'message', person: 'asha', message: say(text, `owner ${text}`, 'admin') }) as const;
	return { server, room, answer };
}

const settled = () => vi.advanceTimersByTimeAsync(0);
const textsOf = (room: ConversationStore) => room.getView().log.messages.map(({ message }) => message);
const unsentOf = (room: ConversationStore) => room.getView().log.unsent.map(({ text, status }) => `${text} ${status}`);

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

async function opened(over?: Partial<ConversationStoreOptions>) {
	const made = serve(over);
	made.room.open();
	await settled();
	return made;
}

describe('a message of the other side', () => {
	test('arrives by the event stream, and a missing one before it is fetched', async () => {
		const { server, room, answer } = await opened();
		room.handleEvent(answer('one'));
		expect(textsOf(room)).toEqual(['one']);
		answer('two');
		room.handleEvent(answer('three'));
		expect(textsOf(room)).toEqual(['one']);
		await settled();
		expect(textsOf(room)).toEqual(['one', 'two', 'three']);
		expect(server.asked.at(-1)).toMatchObject({ after: 1 });
	});

	test('is fetched after a resync, with all others sent while the stream was disconnected', async () => {
		const { room, answer } = await opened();
		room.handleEvent(answer('first'));
		for (let count = 0; count < 1200; count += 1) answer(`text ${count}`);
		room.handleEvent({ topic: 'resync' });
		await settled();
		expect(textsOf(room)).toHaveLength(1201);
	});

	test('is not shown when it belongs to another conversation', async () => {
		const { room, answer } = await opened();
		room.handleEvent({ ...answer('secret'), person: 'dev' });
		expect(textsOf(room)).toEqual([]);
	});

	test('disappears when the conversation is cleared', async () => {
		const { server, room, answer } = await opened();
		room.handleEvent(answer('one'));
		server.clearedThrough = 1;
		room.handleEvent({ topic: 'chat', person: 'asha' });
		await settled();
		expect(textsOf(room)).toEqual([]);
	});

	test('is shown when a failed request is repeated', async () => {
		const { server, room, answer } = serve();
		server.isDown = true;
		room.open();
		await settled();
		expect(room.getView().failure).toBe(lost);
		answer('one');
		server.isDown = false;
		room.open();
		expect(room.getView().failure).toBeNull();
		await settled();
		expect(textsOf(room)).toEqual(['one']);
	});
});

test('fetchOlder loads the messages before the first shown one, also after a failure', async () => {
	const { server, room, answer } = serve();
	for (let count = 1; count <= 120; count += 1) answer(`text ${count}`);
	room.open();
	await settled();
	expect(textsOf(room)[0]).toBe('text 71');
	await room.fetchOlder();
	expect([textsOf(room)[0], server.asked.at(-1)]).toEqual(['text 21', { before: 71, limit: 50 }]);
	server.isDown = true;
	await room.fetchOlder();
	expect(room.getView()).toMatchObject({ older: { isFailed: true, isFetching: false } });
	server.isDown = false;
	await room.fetchOlder();
	expect(textsOf(room)).toHaveLength(120);
	const asked = server.asked.length;
	await room.fetchOlder();
	expect(server.asked).toHaveLength(asked);
});

describe('a message that the user sends', () => {
	test('is sent after the one before it', async () => {
		const { server, room } = await opened();
		room.sendText('one');
		room.sendText('two');
		expect(unsentOf(room)).toEqual(['one sending', 'two waiting']);
		await settled();
		expect([textsOf(room), unsentOf(room), server.sent]).toEqual([['one', 'two'], [], ['one', 'two']]);
	});

	test('waits in order while the server is unreachable and is sent after a resync', async () => {
		const { server, room } = await opened();
		server.isDown = true;
		room.sendText('one');
		room.sendText('two');
		await settled();
		expect(unsentOf(room)).toEqual(['one failed', 'two waiting']);
		room.sendText('three');
		await settled();
		// A later message is not sent before an earlier one.
		expect(server.sent).toEqual(['one']);
		server.isDown = false;
		room.handleEvent({ topic: 'resync' });
		await settled();
		expect([textsOf(room), unsentOf(room)]).toEqual([['one', 'two', 'three'], []]);
	});

	test('is sent again after a while even without an event', async () => {
		const { server, room } = await opened();
		server.isDown = true;
		room.sendText('one');
		await vi.advanceTimersByTimeAsync(5000);
		expect(server.sent.length).toBeGreaterThan(1);
		server.isDown = false;
		await vi.advanceTimersByTimeAsync(20_000);
		expect(textsOf(room)).toEqual(['one']);
	});

	test('is stored once when only the answer was lost', async () => {
		const { server, room } = await opened();
		server.losesAnswers = true;
		room.sendText('one');
		await settled();
		expect(unsentOf(room)).toEqual(['one failed']);
		server.losesAnswers = false;
		room.retry('client-1');
		await settled();
		expect([textsOf(room), unsentOf(room), server.messages.length]).toEqual([['one'], [], 1]);
	});

	test('shows the reason when it is refused for a moment, and is sent again automatically', async () => {
		const { room, server } = await opened();
		server.isTooFast = true;
		room.sendText('one');
		await settled();
		expect(room.getView().log.unsent).toMatchObject([
			{ text: 'one', status: 'failed', errorText: '', retryReason: 'Wait a moment.' },
		]);
		server.isTooFast = false;
		room.handleEvent({ topic: 'resync' });
		await settled();
		expect([textsOf(room), unsentOf(room)]).toEqual([['one'], []]);
	});

	test('shows the reason when it is refused for good, and does not delay the next one', async () => {
		const { room } = await opened();
		room.sendText('bad');
		room.sendText('good');
		await settled();
		expect([textsOf(room), unsentOf(room)]).toEqual([['good'], ['bad failed']]);
		expect(room.getView().log.unsent[0]?.errorText).toBe('Not this.');
		room.handleEvent({ topic: 'resync' });
		await settled();
		expect(unsentOf(room)).toEqual(['bad failed']);
		room.removeUnsent('client-1');
		expect([unsentOf(room), room.hasUnsent()]).toEqual([[], false]);
	});

	test('is stored together with the draft over a reload until it is sent', async () => {
		const first = await opened();
		first.server.isDown = true;
		first.room.sendText('one');
		first.room.sendText('two');
		first.room.updateDraft('half a sent');
		await settled();
		expect(first.server.kept).toMatchObject({ draft: 'half a sent', texts: [{ text: 'one' }, { text: 'two' }] });
		const again = await opened({ stored: first.server.kept });
		expect(again.room.getDraft()).toBe('half a sent');
		expect(again.server.messages.map(({ clientId }) => clientId)).toEqual(['client-1', 'client-2']);
		expect(again.server.kept.texts).toEqual([]);
	});

	test('is sent from a conversation that is not open and then removed from the storage', async () => {
		const texts = [{ clientId: 'client-9', text: 'left behind', writtenAt: '2026-11-22T05:00:00.000Z' }];
		const { server, room } = serve({ stored: { draft: '', texts, attached: [] } });
		room.retry();
		await settled();
		expect([server.messages.map(({ clientId }) => clientId), server.kept.texts]).toEqual([['client-9'], []]);
		room.open();
		await settled();
		expect([textsOf(room), unsentOf(room)]).toEqual([['left behind'], []]);
	});

	test('is sent again after a timeout when the server does not answer', async () => {
		const { server, room, answer } = await opened();
		server.isSilent = true;
		room.sendText('one');
		answer('said meanwhile');
		room.handleEvent({ topic: 'resync' });
		await vi.advanceTimersByTimeAsync(14_000);
		expect([textsOf(room), unsentOf(room)]).toEqual([[], ['one sending']]);
		server.isSilent = false;
		await vi.advanceTimersByTimeAsync(6000);
		expect([textsOf(room), unsentOf(room)]).toEqual([['said meanwhile', 'one'], []]);
	});

	test('waits behind one in flight while its author is signed out', async () => {
		const { server, room } = await opened();
		room.sendText('one');
		room.sendText('two');
		server.isSignedIn = false;
		await vi.advanceTimersByTimeAsync(60_000);
		expect([server.sent, unsentOf(room)]).toEqual([['one'], ['two waiting']]);
		server.isSignedIn = true;
		room.handleEvent({ topic: 'resync' });
		await settled();
		expect(textsOf(room)).toEqual(['one', 'two']);
	});

	test('is not sent again after a failure while its author is signed out', async () => {
		const { server, room } = await opened();
		server.isDown = true;
		room.sendText('one');
		await settled();
		server.isDown = false;
		server.isSignedIn = false;
		room.handleEvent({ topic: 'resync' });
		await vi.advanceTimersByTimeAsync(60_000);
		expect(server.messages).toEqual([]);
		server.isSignedIn = true;
		room.open();
		await settled();
		expect(textsOf(room)).toEqual(['one']);
	});
});

describe('files that the user sends', () => {
	const file = (name: string, size: number) => {
		const made = new File(['x'], name);
		Object.defineProperty(made, 'size', { value: size });
		return made;
	};

	test('are sent as separate messages and count as unsent until then', async () => {
		const { server, room } = await opened();
		server.isDown = true;
		room.sendFiles([file('a.png', 10), file('b.pdf', 10)]);
		await settled();
		expect([room.hasUnsentFiles(), room.findFile('client-1')?.name]).toEqual([true, 'a.png']);
		expect(server.kept.texts).toEqual([]);
		server.isDown = false;
		room.retry();
		await settled();
		expect([textsOf(room), room.hasUnsentFiles(), room.findFile('client-1')]).toEqual([
			['a.png', 'b.pdf'],
			false,
			undefined,
		]);
	});

	test('are refused without a request when they are too large or empty', async () => {
		const { server, room } = await opened();
		room.sendFiles([
			file('large', limits.chatFileMaxBytes + 1),
			file('none', 0),
			file('fits', limits.chatFileMaxBytes),
		]);
		await settled();
		expect(room.getView().log.unsent.map(({ errorText: refusal }) => refusal)).toEqual([
			'This file is larger than 25 MB.',
			'This file is empty.',
		]);
		expect(room.getView().log.unsent.map(({ clientId }) => room.canRetry(clientId))).toEqual([false, false]);
		expect(server.sent).toEqual(['fits']);
		expect(room.hasUnsentFiles()).toBe(false);
	});

	test('count as unsent after the server has refused them, until the user removes them', async () => {
		const { server, room } = await opened();
		room.sendFiles([file('bad.png', 10)]);
		await settled();
		expect(room.getView().log.unsent).toMatchObject([{ status: 'failed', errorText: 'Not this.' }]);
		expect([room.canRetry('client-1'), room.hasUnsentFiles()]).toEqual([true, true]);
		room.removeUnsent('client-1');
		expect([room.hasUnsentFiles(), server.sent]).toEqual([false, ['bad.png']]);
	});
});

describe('files of canned replies', () => {
	const file = (fileId: string) => ({ fileId, name: `${fileId}.png`, sizeBytes: 7 });

	test('stay attached to the draft over a reload and are sent after the text', async () => {
		const first = await opened();
		first.room.attach([file('qr'), file('how')]);
		first.room.attach([file('qr')]);
		first.room.detach('how');
		expect([first.room.getView().attached, first.server.sent]).toEqual([[file('qr')], []]);
		const { server, room } = await opened({ stored: first.server.kept });
		room.sendText('Please pay here');
		await settled();
		expect(server.sent).toEqual(['Please pay here', 'reply qr']);
		expect([room.getView().attached, server.kept.attached, unsentOf(room)]).toEqual([[], [], []]);
	});

	test('are sent without a text, and a refused one shows its error and does not block the next message', async () => {
		const { server, room } = await opened({
			sendReplyFile: async (_clientId, fileId) => {
				server.sent.push(fileId);
				throw refused;
			},
		});
		room.attach([file('gone')]);
		room.sendText('  ');
		await settled();
		expect([server.sent, room.getView().log.unsent]).toMatchObject([['gone'], [{ errorText: 'Not this.' }]]);
		room.sendText('next');
		await settled();
		expect(textsOf(room)).toEqual(['next']);
	});
});

describe('the typing indicator', () => {
	test('is reported on input, at most every quarter of a second', async () => {
		const { server, room } = await opened();
		for (const draft of ['a', 'ab', 'abc']) room.updateDraft(draft);
		expect(server.typed).toBe(1);
		vi.advanceTimersByTime(250);
		room.updateDraft('abcd');
		expect(server.typed).toBe(2);
		vi.advanceTimersByTime(250);
		// An unchanged or an emptied draft is not reported.
		room.updateDraft('abcd');
		room.updateDraft('');
		expect(server.typed).toBe(2);
	});

	test('of the other side disappears a second after the last input or with the message', async () => {
		const { room, answer } = await opened();
		const key = () => room.handleEvent({ topic: 'typing', person: 'asha', typing: 'admin' });
		key();
		vi.advanceTimersByTime(900);
		key();
		vi.advanceTimersByTime(999);
		expect(room.getView().isTyping).toBe(true);
		vi.advanceTimersByTime(1);
		expect(room.getView().isTyping).toBe(false);
		key();
		room.handleEvent(answer('done'));
		expect(room.getView().isTyping).toBe(false);
		room.handleEvent({ topic: 'typing', person: 'asha', typing: 'user' });
		expect(room.getView().isTyping).toBe(false);
	});
});

describe('a viewed conversation', () => {
	test('reports the last shown message once, and again after a failure', async () => {
		const { server, room, answer } = await opened();
		room.reportShown();
		expect(server.viewed).toEqual([]);
		room.handleEvent(answer('one'));
		server.isDown = true;
		room.reportShown();
		await settled();
		server.isDown = false;
		room.reportShown();
		room.reportShown();
		await settled();
		expect(server.viewed).toEqual([1]);
	});

	test('reports and sends nothing when it is read-only', async () => {
		const { server, room, answer } = await opened({ isReadOnly: true });
		room.handleEvent(answer('one'));
		room.reportShown();
		room.updateDraft('a');
		room.sendText('b');
		await settled();
		expect([server.viewed, server.typed, server.sent]).toEqual([[], 0, []]);
	});
});

describe('a searched message', () => {
	/** Opens a conversation of 400 messages at one of them. */
	async function openedAt(sequence: number) {
		const made = serve();
		for (let at = 1; at <= 400; at += 1) made.answer(`${at}`);
		made.room.open(true);
		await made.room.goTo(sequence);
		return made;
	}
	const edges = (room: ConversationStore) => [textsOf(room)[0], textsOf(room).at(-1)];

	test('is opened with the messages around it in one request', async () => {
		const { server, room } = await openedAt(200);
		await settled();
		expect(edges(room)).toEqual(['175', '224']);
		expect(server.asked).toEqual([{ around: 200, limit: 50 }]);
		await room.goTo(210);
		expect(server.asked).toHaveLength(1);
	});

	test('is followed by newer pages on request, and a resync does not fetch them all', async () => {
		const { server, room, answer } = await openedAt(320);
		room.handleEvent(answer('new'));
		room.handleEvent({ topic: 'resync' });
		await settled();
		expect(server.asked.at(-1)).toEqual({ after: 344, limit: 1 });
		expect(edges(room)).toEqual(['295', '345']);
		await room.fetchNewer();
		expect(edges(room)).toEqual(['295', '395']);
		await room.fetchNewer();
		expect(edges(room)).toEqual(['295', 'new']);
		room.handleEvent(answer('newer'));
		expect(edges(room)).toEqual(['295', 'newer']);
	});

	test('is left for the newest messages by goToNewest, by sending and by opening again', async () => {
		const { room } = await openedAt(100);
		await room.goToNewest();
		expect(edges(room)).toEqual(['351', '400']);
		await room.goTo(100);
		room.sendText('mine');
		await settled();
		expect(edges(room).at(-1)).toBe('mine');
		await room.goTo(100);
		room.open();
		await settled();
		expect(edges(room).at(-1)).toBe('mine');
	});

	test('is replaced by a later jump, and late answers of earlier jumps are dropped', async () => {
		const { room } = await openedAt(200);
		const older = room.fetchOlder();
		const first = room.goTo(50);
		const second = room.goTo(390);
		await Promise.all([older, first, second]);
		expect(edges(room)).toEqual(['365', '400']);
		const away = room.goTo(100);
		await room.goToNewest();
		await away;
		expect(edges(room)).toEqual(['365', '400']);
	});

	test('does not mark messages below the shown ones as viewed', async () => {
		const { server, room } = await openedAt(200);
		room.reportShown();
		expect(server.viewed).toEqual([]);
		await room.goToNewest();
		room.reportShown();
		expect(server.viewed).toEqual([400]);
	});

	test('shows the failure when it cannot be fetched, and the newest messages can be opened', async () => {
		const { server, room, answer } = serve();
		answer('hello');
		server.isDown = true;
		room.open(true);
		await expect(room.goTo(1)).rejects.toBe(lost);
		expect(room.getView().failure).toBe(lost);
		server.isDown = false;
		room.open();
		await settled();
		expect(textsOf(room)).toEqual(['hello']);
		expect(room.getView().failure).toBeNull();
	});
});
