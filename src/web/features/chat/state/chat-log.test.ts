import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { makeMessage, makeUnsent } from '../../../../../test/support/fixtures/chat.ts';
import {
	type ChatLog,
	type ChatLogAction,
	countReceivedAfter,
	emptyLog,
	findUnviewedThrough,
	hasGap,
	hasMessage,
	isViewedByOther,
	lastShownSequence,
	type PageDirection,
	reduceChatLog,
} from './chat-log.ts';

const messages = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => makeMessage(from + i));

const page = (
	at: PageDirection,
	items: ChatMessage[],
	{ isMore = false, clearedThrough = 0, user = 0, admin = 0, lastSequence = items.at(-1)?.sequence ?? 0 } = {},
): ChatLogAction => ({
	kind: 'page',
	at,
	page: { items, isMore, state: { lastSequence, clearedThrough, viewedThrough: { user, admin } } },
});
const received = (sequence: number, over?: Partial<ChatMessage>): ChatLogAction => ({
	kind: 'received',
	message: makeMessage(sequence, over),
});
const written = (...clientIds: string[]): ChatLogAction => ({
	kind: 'written',
	unsent: clientIds.map((clientId) => makeUnsent({ clientId })),
});

const logOf = (...changes: ChatLogAction[]): ChatLog => changes.reduce(reduceChatLog, emptyLog);
const sequences = (log: ChatLog) => log.messages.map(({ sequence }) => sequence);
const newest = (from: number, to: number) => page('newest', messages(from, to), { isMore: from > 1 });
const around = (from: number, to: number, lastSequence: number) =>
	page('around', messages(from, to), { isMore: from > 1, lastSequence });
const cleared = page('newer', [], { clearedThrough: 4, lastSequence: 8 });
const own = { clientId: 'mine', sender: 'user' } as const;

const receivedCases: Array<[string, ChatLogAction[], object]> = [
	['is not shown before the first page', [received(3), received(4)], { shown: [], hasGap: false }],
	[
		'is shown with the first page if it arrived earlier',
		[received(3), received(4), newest(1, 3)],
		{ shown: [1, 2, 3, 4] },
	],
];

const clearedCases: Array<[string, ChatLogAction[], object]> = [
	['removes shown messages and keeps later messages', [newest(2, 5), cleared], { shown: [5], isOlder: false, last: 5 }],
	['lets the next message follow without a gap', [newest(1, 4), cleared, received(5)], { shown: [5] }],
	['hides messages of a late page', [newest(3, 4), cleared, page('older', messages(1, 2))], { shown: [] }],
	['hides a message that is received late', [newest(3, 4), cleared, received(4)], { shown: [], ahead: [] }],
	['removes an own message', [newest(1, 0), written('mine'), received(4, own), cleared], { unsent: [], hasGap: false }],
	[
		'shows the newest messages again if it removes all messages around a search match',
		[around(2, 3, 4), received(5), cleared],
		{ shown: [5], isNewer: false, isOlder: false },
	],
];

const ownCases: Array<[string, ChatLogAction[], object]> = [
	[
		'has the status sent while messages before it are missing',
		[newest(1, 2), written('mine'), received(4, own)],
		{ unsent: ['mine sent'] },
	],
	[
		'is shown after the missing messages',
		[newest(1, 2), written('mine'), received(4, own), received(3)],
		{ shown: [1, 2, 3, 4], unsent: [] },
	],
	[
		'that is restored after the first page arrived is recognised in the page',
		[page('newest', [makeMessage(1, own)]), written('mine')],
		{ unsent: [] },
	],
	['is added to the unsent messages only once', [written('mine'), written('mine')], { unsent: ['mine waiting'] }],
	[
		'is removed from the unsent messages if it is older than the shown messages',
		[newest(51, 52), written('mine'), received(9, own)],
		{ unsent: [], hasGap: false },
	],
	[
		'is sent but not shown while the messages around a search match are shown',
		[around(5, 6, 10), written('mine'), received(11, own)],
		{ shown: [5, 6], unsent: ['mine sent'] },
	],
	[
		'is shown in the newest page after a search',
		[around(5, 6, 10), written('mine'), received(11, own), page('newest', [makeMessage(10), makeMessage(11, own)])],
		{ shown: [10, 11], unsent: [], isNewer: false, ahead: [] },
	],
];

describe.each([
	['a message from the event stream', receivedCases],
	['clearing a conversation', clearedCases],
	['an own message', ownCases],
])('%s', (_subject, cases) => {
	test.each(cases)('%s', (_title, changes, expected) => {
		const log = logOf(...changes);
		expect({
			...log,
			shown: sequences(log),
			last: lastShownSequence(log),
			hasGap: hasGap(log),
			unsent: log.unsent.map(({ clientId, status }) => `${clientId} ${status}`),
		}).toMatchObject(expected);
	});
});

test('the sequence number up to which a side has viewed messages never decreases', () => {
	const log = logOf(page('newest', messages(1, 6), { user: 2, admin: 3 }));
	expect(log.messages.map((message) => isViewedByOther(log, message))).toEqual([true, true, true, false, false, false]);
	expect([findUnviewedThrough(log, 'user'), findUnviewedThrough(log, 'admin')]).toEqual([6, 5]);
	expect([countReceivedAfter(log, 'user', 2), countReceivedAfter(log, 'admin', 2)]).toEqual([2, 2]);
	const later = reduceChatLog(log, page('newer', [], { user: 6, admin: 1 }));
	expect(later.viewedThrough).toEqual({ user: 6, admin: 3 });
	expect([findUnviewedThrough(later, 'user'), findUnviewedThrough(emptyLog, 'user')]).toEqual([null, null]);
});

test('around a search match, countReceivedAfter includes messages that are not shown, and hasMessage does not', () => {
	const log = logOf(around(476, 525, 1000), received(1001));
	expect([hasMessage(log, 500), hasMessage(log, 1001), countReceivedAfter(log, 'admin', 1000)]).toEqual([
		true,
		false,
		1,
	]);
});

test('a log has no gaps or duplicates after pages and messages in any order, and a newer page completes the log', () => {
	const last = 30;
	const place = fc.integer({ min: 1, max: last });
	const step = fc.oneof(
		place.map((at) => ({ kind: 'around' as const, at })),
		place.map((at) => ({ kind: 'received' as const, at })),
		fc.constantFrom({ kind: 'older' as const }, { kind: 'newer' as const }, { kind: 'newest' as const }),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			let log = emptyLog;
			for (const action of steps) {
				const first = log.messages[0]?.sequence ?? 1;
				if (action.kind === 'received') log = reduceChatLog(log, received(action.at));
				else if (action.kind === 'newest') log = reduceChatLog(log, newest(last - 4, last));
				else if (action.kind === 'around') {
					const from = Math.max(1, action.at - 2);
					log = reduceChatLog(log, around(from, Math.min(last, action.at + 1), last));
				} else if (action.kind === 'older' && first > 1) {
					const from = Math.max(1, first - 3);
					log = reduceChatLog(log, page('older', messages(from, first), { isMore: from > 1, lastSequence: last }));
				} else if (action.kind === 'newer' && log.isLoaded && lastShownSequence(log) < last) {
					const to = Math.min(last, lastShownSequence(log) + 3);
					log = reduceChatLog(
						log,
						page('newer', messages(lastShownSequence(log) + 1, to), { isMore: to < last, lastSequence: last }),
					);
				}
				const shown = sequences(log);
				expect(shown).toEqual(shown.map((_, at) => (shown[0] ?? 0) + at));
				if (!log.isLoaded) continue;
				expect([log.isOlder, log.isNewer]).toEqual([(shown[0] ?? 0) > 1, lastShownSequence(log) < last]);
			}
			if (!log.isLoaded) return;
			log = reduceChatLog(log, page('newer', messages(lastShownSequence(log) + 1, last), { lastSequence: last }));
			expect([lastShownSequence(log), hasGap(log)]).toEqual([last, false]);
		}),
	);
});
