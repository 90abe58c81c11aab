import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { limits } from '#contract/core/limits.ts';
import { makeMessage } from '../../../../../test/support/fixtures/chat.ts';
import type { ChatPage } from './chat-log.ts';
import {
	type ConversationStore,
	type ConversationStoreOptions,
	createConversationStore,
} from './conversation-store.ts';
import type { PageQuery } from './page-loader.ts';

const connectionError = new Error('no response');
const rejection = new Error('rejected');
const rateLimitError = new Error('too fast');
const never = new Promise<never>(() => {});

/** Creates the conversation store of a member and a fake server. */
function createStore(over: Partial<ConversationStoreOptions> = {}) {
	const server = {
		messages: [] as ChatMessage[],
		clearedThrough: 0,
		/** `lost`: stores messages, but the responses are lost. `silent`: does not respond. */
		mode: 'up' as 'up' | 'down' | 'too fast' | 'lost' | 'silent',
		isSignedIn: true,
		sent: [] as string[],
		typed: 0,
		viewed: [] as number[],
		queries: [] as PageQuery[],
		saved: { draft: '', texts: [], attached: [] } as ConversationStoreOptions['stored'],
	};
	let clientIdCount = 0;

	function addMessage(text: string, clientId: string, sender: ChatMessage['sender']): ChatMessage {
		const before = server.messages.find((message) => message.clientId === clientId);
		if (before !== undefined) return before;
		const message = makeMessage(server.messages.length + 1, { clientId, sender, message: text });
		server.messages.push(message);
		return message;
	}

	async function respond(): Promise<void> {
		if (server.mode === 'silent') await never;
		if (server.mode === 'down') throw connectionError;
	}

	async function receive(clientId: string, text: string): Promise<ChatMessage> {
		server.sent.push(text);
		await respond();
		if (server.mode === 'too fast') throw rateLimitError;
		if (text.includes('bad')) throw rejection;
		const message = addMessage(text, clientId, 'user');
		if (server.mode === 'lost') throw connectionError;
		return message;
	}

	const store = createConversationStore('asha', {
		side: 'user',
		isReadOnly: false,
		fetchPage: async (place): Promise<ChatPage> => {
			server.queries.push(place);
			await respond();
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
		sendText: receive,
		sendFile: (clientId, file, onProgress) => {
			onProgress(0.5);
			return receive(clientId, file.name);
		},
		sendReplyFile: (clientId, fileId) => receive(clientId, `reply ${fileId}`),
		reportTyping: async () => {
			server.typed += 1;
		},
		reportViewed: async (through) => {
			if (server.mode === 'down') throw connectionError;
			server.viewed.push(through);
		},
		describeError: (error) => {
			if (error === rejection) return { isPassing: false, text: 'Not this.' };
			return { isPassing: true, text: error === rateLimitError ? 'Wait a moment.' : '' };
		},
		isAuthorSignedIn: () => server.isSignedIn,
		newClientId: () => `client-${++clientIdCount}`,
		stored: server.saved,
		save: (unsent) => {
			server.saved = unsent;
		},
		...over,
	});
	/** Adds a message of the owner and returns its event. */
	const addOwnerMessage = (text: string) =>
		({ topic: 'message', person: 'asha', message: addMessage(text, `owner ${text}`, 'admin') }) as const;
	return { server, store, addOwnerMessage };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
function resync(store: ConversationStore) {
	store.handleEvent({ topic: 'resync' });
	return settle();
}
const textsOf = (store: ConversationStore) => store.getView().log.messages.map(({ message }) => message);
const unsentOf = (store: ConversationStore) =>
	store.getView().log.unsent.map(({ text, status }) => `${text} ${status}`);

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

async function openStore(over?: Partial<ConversationStoreOptions>) {
	const setup = createStore(over);
	setup.store.open();
	await settle();
	return setup;
}

describe('a message from the other side', () => {
	test('arrives by the event stream, and missing earlier messages are fetched', async () => {
		const { server, store, addOwnerMessage } = await openStore();
		store.handleEvent(addOwnerMessage('one'));
		expect(textsOf(store)).toEqual(['one']);
		addOwnerMessage('two');
		store.handleEvent(addOwnerMessage('three'));
		expect(textsOf(store)).toEqual(['one']);
		await settle();
		expect(textsOf(store)).toEqual(['one', 'two', 'three']);
		expect(server.queries.at(-1)).toMatchObject({ after: 1 });
	});

	test('is fetched after a resync if the event stream was disconnected', async () => {
		const { store, addOwnerMessage } = await openStore();
		store.handleEvent(addOwnerMessage('first'));
		for (let count = 0; count < 1200; count += 1) addOwnerMessage(`text ${count}`);
		await resync(store);
		expect(textsOf(store)).toHaveLength(1201);
	});

	test('is not shown in another conversation', async () => {
		const { store, addOwnerMessage } = await openStore();
		store.handleEvent({ ...addOwnerMessage('secret'), person: 'dev' });
		expect(textsOf(store)).toEqual([]);
	});

	test('disappears when the conversation is cleared', async () => {
		const { server, store, addOwnerMessage } = await openStore();
		store.handleEvent(addOwnerMessage('one'));
		server.clearedThrough = 1;
		store.handleEvent({ topic: 'chat', person: 'asha' });
		await settle();
		expect(textsOf(store)).toEqual([]);
	});
});

test.each([
	['the newest messages', false],
	['a searched message', true],
])('a failure to load %s is shown until the conversation is opened again', async (_what, isAtTarget) => {
	const { server, store, addOwnerMessage } = createStore();
	addOwnerMessage('hello');
	server.mode = 'down';
	store.open(isAtTarget);
	if (isAtTarget) await expect(store.goTo(1)).rejects.toBe(connectionError);
	await settle();
	expect(store.getView().failure).toBe(connectionError);
	server.mode = 'up';
	store.open();
	expect(store.getView().failure).toBeNull();
	await settle();
	expect(textsOf(store)).toEqual(['hello']);
});

test('fetchOlder loads the messages before the first shown message, also after a failure', async () => {
	const { server, store, addOwnerMessage } = createStore();
	for (let count = 1; count <= 120; count += 1) addOwnerMessage(`text ${count}`);
	store.open();
	await settle();
	expect(textsOf(store)[0]).toBe('text 71');
	await store.fetchOlder();
	expect([textsOf(store)[0], server.queries.at(-1)]).toEqual(['text 21', { before: 71, limit: 50 }]);
	server.mode = 'down';
	await store.fetchOlder();
	expect(store.getView()).toMatchObject({ older: { isFailed: true, isFetching: false } });
	server.mode = 'up';
	await store.fetchOlder();
	expect(textsOf(store)).toHaveLength(120);
	const queryCount = server.queries.length;
	await store.fetchOlder();
	expect(server.queries).toHaveLength(queryCount);
});

describe('a message that the user sends', () => {
	test('is sent after the previous message', async () => {
		const { server, store } = await openStore();
		store.sendText('one');
		store.sendText('two');
		expect(unsentOf(store)).toEqual(['one sending', 'two waiting']);
		await settle();
		expect([textsOf(store), unsentOf(store), server.sent]).toEqual([['one', 'two'], [], ['one', 'two']]);
	});

	test.each([
		['a lost connection', 'down', ''],
		['a lost response', 'lost', ''],
		['a temporary rejection', 'too fast', 'Wait a moment.'],
	] as const)('is sent again in order and stored once after %s', async (_what, mode, retryReason) => {
		const { server, store } = await openStore();
		server.mode = mode;
		store.sendText('one');
		store.sendText('two');
		await settle();
		store.sendText('three');
		await settle();
		expect([unsentOf(store), server.sent]).toEqual([['one failed', 'two waiting', 'three waiting'], ['one']]);
		expect(store.getView().log.unsent[0]).toMatchObject({ errorText: '', retryReason });
		server.mode = 'up';
		await resync(store);
		expect([textsOf(store), unsentOf(store), server.messages.length]).toEqual([['one', 'two', 'three'], [], 3]);
	});

	test.each([
		['was unreachable', 'down', 'one failed', 20_000],
		['did not respond', 'silent', 'one sending', 6000],
	] as const)('is sent again automatically after the server %s', async (_what, mode, unsent, withinMs) => {
		const { server, store, addOwnerMessage } = await openStore();
		server.mode = mode;
		store.sendText('one');
		addOwnerMessage('said meanwhile');
		store.handleEvent({ topic: 'resync' });
		await vi.advanceTimersByTimeAsync(14_000);
		expect([textsOf(store), unsentOf(store)]).toEqual([[], [unsent]]);
		server.mode = 'up';
		await vi.advanceTimersByTimeAsync(withinMs);
		expect([textsOf(store), unsentOf(store)]).toEqual([['said meanwhile', 'one'], []]);
	});

	test('that is rejected permanently shows the reason, is sent again only by Retry, and does not block the next message', async () => {
		const { server, store } = await openStore();
		store.sendText('bad');
		store.sendText('good');
		await settle();
		expect([textsOf(store), unsentOf(store)]).toEqual([['good'], ['bad failed']]);
		expect(store.getView().log.unsent[0]?.errorText).toBe('Not this.');
		await resync(store);
		store.retry('client-1');
		await settle();
		expect([unsentOf(store), server.sent]).toEqual([['bad failed'], ['bad', 'good', 'bad']]);
		store.removeUnsent('client-1');
		expect([unsentOf(store), store.hasUnsent()]).toEqual([[], false]);
	});

	test('is stored with the draft until it is sent, and is sent after a reload even if the conversation is not open', async () => {
		const first = await openStore();
		first.server.mode = 'down';
		first.store.sendText('one');
		first.store.sendText('two');
		first.store.updateDraft('half a sent');
		await settle();
		expect(first.server.saved).toMatchObject({ draft: 'half a sent', texts: [{ text: 'one' }, { text: 'two' }] });
		const { server, store } = createStore({ stored: first.server.saved });
		expect(store.getDraft()).toBe('half a sent');
		store.retry();
		await settle();
		expect([server.messages.map(({ clientId }) => clientId), server.saved.texts]).toEqual([
			['client-1', 'client-2'],
			[],
		]);
		store.open();
		await settle();
		expect([textsOf(store), unsentOf(store)]).toEqual([['one', 'two'], []]);
	});

	test('is not sent while its author is signed out, not even by a retry', async () => {
		const { server, store } = await openStore();
		store.sendText('one');
		store.sendText('two');
		server.isSignedIn = false;
		await vi.advanceTimersByTimeAsync(60_000);
		expect([server.sent, unsentOf(store)]).toEqual([['one'], ['two waiting']]);
		server.isSignedIn = true;
		server.mode = 'down';
		await resync(store);
		expect(unsentOf(store)).toEqual(['two failed']);
		server.isSignedIn = false;
		server.mode = 'up';
		await resync(store);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(textsOf(store)).toEqual(['one']);
		server.isSignedIn = true;
		store.open();
		await settle();
		expect(textsOf(store)).toEqual(['one', 'two']);
	});
});

describe('files that the user sends', () => {
	const file = (name: string, size: number) => {
		const sizedFile = new File(['x'], name);
		Object.defineProperty(sizedFile, 'size', { value: size });
		return sizedFile;
	};

	test('are sent as separate messages, and hasUnsentFiles returns true until then', async () => {
		const { server, store } = await openStore();
		server.mode = 'down';
		store.sendFiles([file('a.png', 10), file('b.pdf', 10)]);
		await settle();
		expect([store.hasUnsentFiles(), store.findFile('client-1')?.name]).toEqual([true, 'a.png']);
		expect(server.saved.texts).toEqual([]);
		server.mode = 'up';
		store.retry();
		await settle();
		expect([textsOf(store), store.hasUnsentFiles(), store.findFile('client-1')]).toEqual([
			['a.png', 'b.pdf'],
			false,
			undefined,
		]);
	});

	test('show the reason of a rejection and can be removed, and are not sent if they are too large or empty', async () => {
		const { server, store } = await openStore();
		const [large, fits] = [limits.chatFileMaxBytes + 1, limits.chatFileMaxBytes];
		store.sendFiles([file('large', large), file('none', 0), file('fits', fits), file('bad.png', 10)]);
		await settle();
		expect(store.getView().log.unsent.map(({ clientId, errorText }) => [errorText, store.canRetry(clientId)])).toEqual([
			['This file is larger than 25 MB.', false],
			['This file is empty.', false],
			['Not this.', true],
		]);
		expect([store.hasUnsentFiles(), server.sent]).toEqual([true, ['fits', 'bad.png']]);
		store.removeUnsent('client-4');
		expect(store.hasUnsentFiles()).toBe(false);
	});
});

describe('files of canned replies', () => {
	const file = (fileId: string) => ({ fileId, name: `${fileId}.png` });

	test('stay attached to the draft after a reload and are sent after the text', async () => {
		const first = await openStore();
		first.store.attach([file('qr'), file('how')]);
		first.store.attach([file('qr')]);
		first.store.detach('how');
		expect([first.store.getView().attached, first.server.sent]).toEqual([[file('qr')], []]);
		const { server, store } = await openStore({ stored: first.server.saved });
		store.sendText('Please pay here');
		await settle();
		expect(server.sent).toEqual(['Please pay here', 'reply qr']);
		expect([store.getView().attached, server.saved.attached, unsentOf(store)]).toEqual([[], [], []]);
	});

	test('can be sent without a text, show the error after a rejection, and do not block the next message', async () => {
		const { server, store } = await openStore();
		store.attach([file('bad')]);
		store.sendText('  ');
		await settle();
		expect([server.sent, store.getView().log.unsent]).toMatchObject([['reply bad'], [{ errorText: 'Not this.' }]]);
		store.sendText('next');
		await settle();
		expect(textsOf(store)).toEqual(['next']);
	});
});

test('typing is reported on input, at most every quarter of a second', async () => {
	const { server, store } = await openStore();
	for (const draft of ['a', 'ab', 'abc']) store.updateDraft(draft);
	expect(server.typed).toBe(1);
	vi.advanceTimersByTime(250);
	store.updateDraft('abcd');
	expect(server.typed).toBe(2);
	vi.advanceTimersByTime(250);
	// An unchanged or empty draft is not reported.
	store.updateDraft('abcd');
	store.updateDraft('');
	expect(server.typed).toBe(2);
});

describe('a viewed conversation', () => {
	test('reports the last shown message once, or again after a failure', async () => {
		const { server, store, addOwnerMessage } = await openStore();
		store.reportShown();
		expect(server.viewed).toEqual([]);
		store.handleEvent(addOwnerMessage('one'));
		server.mode = 'down';
		store.reportShown();
		await settle();
		server.mode = 'up';
		store.reportShown();
		store.reportShown();
		await settle();
		expect(server.viewed).toEqual([1]);
	});

	test('sends neither messages nor reports when it is read-only', async () => {
		const { server, store, addOwnerMessage } = await openStore({ isReadOnly: true });
		store.handleEvent(addOwnerMessage('one'));
		store.reportShown();
		store.updateDraft('a');
		store.sendText('b');
		await settle();
		expect([server.viewed, server.typed, server.sent]).toEqual([[], 0, []]);
	});
});

describe('a search match', () => {
	async function openStoreAt(sequence: number) {
		const setup = createStore();
		for (let at = 1; at <= 400; at += 1) setup.addOwnerMessage(`${at}`);
		setup.store.open(true);
		await setup.store.goTo(sequence);
		return setup;
	}
	const edges = (store: ConversationStore) => [textsOf(store)[0], textsOf(store).at(-1)];

	test('is loaded with the messages around it in one request', async () => {
		const { server, store } = await openStoreAt(200);
		await settle();
		expect(edges(store)).toEqual(['175', '224']);
		expect(server.queries).toEqual([{ around: 200, limit: 50 }]);
		await store.goTo(210);
		expect(server.queries).toHaveLength(1);
	});

	test('is followed by newer pages on request, but a resync does not fetch all newer pages', async () => {
		const { server, store, addOwnerMessage } = await openStoreAt(320);
		store.handleEvent(addOwnerMessage('new'));
		await resync(store);
		expect(server.queries.at(-1)).toEqual({ after: 344, limit: 1 });
		expect(edges(store)).toEqual(['295', '345']);
		await store.fetchNewer();
		expect(edges(store)).toEqual(['295', '395']);
		await store.fetchNewer();
		expect(edges(store)).toEqual(['295', 'new']);
		store.handleEvent(addOwnerMessage('newer'));
		expect(edges(store)).toEqual(['295', 'newer']);
	});

	test('is replaced by the newest messages after goToNewest, after sending and after reopening', async () => {
		const { store } = await openStoreAt(100);
		await store.goToNewest();
		expect(edges(store)).toEqual(['351', '400']);
		await store.goTo(100);
		store.sendText('mine');
		await settle();
		expect(edges(store).at(-1)).toBe('mine');
		await store.goTo(100);
		store.open();
		await settle();
		expect(edges(store).at(-1)).toBe('mine');
	});

	test('is replaced by a later goTo, and late responses to earlier goTo calls are ignored', async () => {
		const { store } = await openStoreAt(200);
		const older = store.fetchOlder();
		const first = store.goTo(50);
		const second = store.goTo(390);
		await Promise.all([older, first, second]);
		expect(edges(store)).toEqual(['365', '400']);
		const away = store.goTo(100);
		await store.goToNewest();
		await away;
		expect(edges(store)).toEqual(['365', '400']);
	});

	test('is not reported as viewed while newer messages are not shown', async () => {
		const { server, store } = await openStoreAt(200);
		store.reportShown();
		expect(server.viewed).toEqual([]);
		await store.goToNewest();
		store.reportShown();
		expect(server.viewed).toEqual([400]);
	});
});
