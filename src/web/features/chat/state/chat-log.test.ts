import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { makeMessage } from '../../../../../test/support/fixtures/chat.ts';
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
	type UnsentMessage,
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
const written = (...clientIds: string[]): ChatLogAction => ({ kind: 'written', unsent: clientIds.map(unsent) });

function unsent(clientId: string): UnsentMessage {
	return {
		clientId,
		text: clientId,
		file: null,
		writtenAt: '2026-11-22T05:00:00.000Z',
		status: 'waiting',
		progress: 0,
		errorText: '',
		retryReason: '',
	};
}

const logOf = (...changes: ChatLogAction[]): ChatLog => changes.reduce(reduceChatLog, emptyLog);
const sequences = (log: ChatLog) => log.messages.map(({ sequence }) => sequence);
const unsentIds = (log: ChatLog) => log.unsent.map(({ clientId }) => clientId);

describe('a message from the event stream', () => {
	test('is added after the newest page, and only once', () => {
		const log = logOf(
			page('newest', messages(4, 6), { isMore: true }),
			received(7),
			received(7),
			received(5),
			received(8),
		);
		expect(sequences(log)).toEqual([4, 5, 6, 7, 8]);
		expect([log.isOlder, hasGap(log), lastShownSequence(log)]).toEqual([true, false, 8]);
	});

	test('waits after a gap until the missing messages have arrived in any order', () => {
		const withGap = logOf(page('newest', messages(1, 3)), received(6), received(5));
		expect(sequences(withGap)).toEqual([1, 2, 3]);
		expect([hasGap(withGap), lastShownSequence(withGap)]).toEqual([true, 3]);
		const complete = reduceChatLog(withGap, received(4));
		expect(sequences(complete)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(hasGap(complete)).toBe(false);
		expect(sequences(reduceChatLog(withGap, page('newer', messages(4, 7))))).toEqual([1, 2, 3, 4, 5, 6, 7]);
	});

	test('is not lost when it arrives before the first page', () => {
		const beforeFirstPage = logOf(received(3), received(4));
		expect([sequences(beforeFirstPage), hasGap(beforeFirstPage)]).toEqual([[], false]);
		expect(sequences(reduceChatLog(beforeFirstPage, page('newest', messages(1, 3))))).toEqual([1, 2, 3, 4]);
	});

	test('is shown as the first message of an empty conversation', () => {
		expect(sequences(logOf(page('newest', []), received(1)))).toEqual([1]);
	});
});

test('older pages are added before the shown messages without duplicates', () => {
	const log = logOf(page('newest', messages(5, 6), { isMore: true }), page('older', messages(3, 5), { isMore: true }));
	expect([sequences(log), log.isOlder]).toEqual([[3, 4, 5, 6], true]);
	const all = reduceChatLog(log, page('older', messages(1, 2)));
	expect([sequences(all), all.isOlder]).toEqual([[1, 2, 3, 4, 5, 6], false]);
	// `isMore` of a newer page says nothing about older messages.
	expect(reduceChatLog(all, page('newer', [makeMessage(7)], { isMore: true })).isOlder).toBe(false);
});

describe('when a conversation is cleared', () => {
	const cleared = page('newer', [], { clearedThrough: 4, user: 4, admin: 4 });

	test('the cleared messages disappear and later ones stay', () => {
		const log = logOf(page('newest', messages(2, 5), { isMore: true }), cleared);
		expect([sequences(log), log.isOlder, lastShownSequence(log)]).toEqual([[5], false, 5]);
	});

	test('the next message follows without a gap even if all messages were cleared', () => {
		const log = logOf(page('newest', messages(1, 4)), cleared);
		expect([sequences(log), lastShownSequence(log)]).toEqual([[], 4]);
		expect(sequences(reduceChatLog(log, received(5)))).toEqual([5]);
	});

	test('a late response does not show the cleared messages again', () => {
		const log = logOf(
			page('newest', messages(3, 4), { isMore: true }),
			cleared,
			page('older', messages(1, 2)),
			received(4),
		);
		expect([sequences(log), log.ahead]).toEqual([[], []]);
	});

	test('an own message that was cleared is removed from the unsent messages', () => {
		const sent = logOf(page('newest', []), written('mine'), received(4, { clientId: 'mine' }));
		expect(unsentIds(sent)).toEqual(['mine']);
		expect([unsentIds(reduceChatLog(sent, cleared)), hasGap(reduceChatLog(sent, cleared))]).toEqual([[], false]);
	});
});

describe('an own message', () => {
	const own = { clientId: 'mine', sender: 'user' } as const;

	test('leaves the unsent messages when it arrives, also when it arrives twice', () => {
		const before = logOf(page('newest', messages(1, 2)), written('mine', 'next'));
		expect(unsentIds(before)).toEqual(['mine', 'next']);
		for (const log of [
			reduceChatLog(before, received(3, own)),
			[received(3, own), received(3, own)].reduce(reduceChatLog, before),
		]) {
			expect([sequences(log), unsentIds(log)]).toEqual([[1, 2, 3], ['next']]);
		}
	});

	test('stays visible as sent while messages before it are missing', () => {
		const log = logOf(page('newest', messages(1, 2)), written('mine'), received(4, own));
		expect(log.unsent).toMatchObject([{ clientId: 'mine', status: 'sent' }]);
		const complete = reduceChatLog(log, received(3));
		expect([sequences(complete), unsentIds(complete)]).toEqual([[1, 2, 3, 4], []]);
	});

	test('appears once when it is sent again although the first attempt had arrived', () => {
		const change = { status: 'failed', errorText: '' } as const;
		const failed = logOf(page('newest', []), written('mine'), { kind: 'unsent', clientId: 'mine', change });
		expect(failed.unsent).toMatchObject([change]);
		// The first attempt had arrived: the event stream sends its message, then the second attempt returns it.
		const log = [received(1, own), received(1, own)].reduce(reduceChatLog, failed);
		expect([sequences(log), unsentIds(log)]).toEqual([[1], []]);
	});

	test('that was stored over a reload is recognised in the first page', () => {
		expect(unsentIds(logOf(written('mine'), page('newest', [makeMessage(1, own)])))).toEqual([]);
		expect(unsentIds(logOf(page('newest', [makeMessage(1, own)]), written('mine')))).toEqual([]);
		expect(unsentIds(logOf(written('mine'), written('mine')))).toEqual(['mine']);
	});

	test('that is older than the shown messages is removed from the unsent messages', () => {
		const log = logOf(page('newest', messages(51, 60), { isMore: true }), written('mine'), received(9, own));
		expect([log.messages.length, unsentIds(log), hasGap(log)]).toEqual([10, [], false]);
	});

	test('is removed when the user deletes it', () => {
		expect(unsentIds(logOf(written('one', 'two'), { kind: 'removed', clientId: 'one' }))).toEqual(['two']);
	});
});

describe('viewed messages', () => {
	const log = logOf(page('newest', messages(1, 6), { user: 2, admin: 3 }));

	test('include all messages up to the last message that the other side has viewed', () => {
		expect(log.messages.filter((message) => isViewedByOther(log, message)).map(({ sequence }) => sequence)).toEqual([
			1, 2, 3,
		]);
	});

	test('stay viewed when an older state arrives', () => {
		const later = reduceChatLog(log, page('newer', [], { user: 1, admin: 5 }));
		expect(later.viewedThrough).toEqual({ user: 2, admin: 5 });
	});

	test('are reported up to the newest message of the other side, and only once', () => {
		expect([findUnviewedThrough(log, 'user'), findUnviewedThrough(log, 'admin')]).toEqual([6, 5]);
		const reported = reduceChatLog(log, page('newer', [], { user: 6 }));
		expect(findUnviewedThrough(reported, 'user')).toBeNull();
		expect(findUnviewedThrough(emptyLog, 'user')).toBeNull();
	});

	test('countReceivedAfter counts the messages of the other side after a sequence number', () => {
		expect([countReceivedAfter(log, 'user', 2), countReceivedAfter(log, 'admin', 2)]).toEqual([2, 2]);
	});
});

describe('a page around a searched message', () => {
	const around = (from: number, to: number, lastSequence: number) =>
		page('around', messages(from, to), { isMore: from > 1, lastSequence });

	test('shows the messages near it and appends no new message after the gap', () => {
		const log = logOf(page('newest', messages(951, 1000), { isMore: true }), around(476, 525, 1000), received(1001));
		expect([sequences(log)[0], lastShownSequence(log), log.isOlder, log.isNewer]).toEqual([476, 525, true, true]);
		expect(hasGap(log)).toBe(false);
		expect([log.newest, hasMessage(log, 500), hasMessage(log, 1001)]).toEqual([1001, true, false]);
		expect(countReceivedAfter(log, 'admin', 1000)).toBe(1);
	});

	test('is continued by newer pages until nothing is missing, and then by the received messages', () => {
		const above = logOf(around(5, 6, 10), received(11), received(12));
		const nearer = reduceChatLog(above, page('newer', messages(7, 8), { isMore: true, lastSequence: 12 }));
		expect([sequences(nearer), nearer.isNewer]).toEqual([[5, 6, 7, 8], true]);
		const joined = reduceChatLog(nearer, page('newer', messages(9, 10), { lastSequence: 10 }));
		expect([sequences(joined), joined.isNewer, hasGap(joined)]).toEqual([[5, 6, 7, 8, 9, 10, 11, 12], false, false]);
		expect(sequences(reduceChatLog(joined, received(13))).at(-1)).toBe(13);
	});

	test('has no newer messages when it reaches the newest message', () => {
		const log = logOf(around(8, 10, 10), received(11));
		expect([sequences(log), log.isNewer]).toEqual([[8, 9, 10, 11], false]);
	});

	test('is extended by older pages', () => {
		const log = logOf(around(5, 6, 10), page('older', messages(3, 4), { isMore: true, lastSequence: 10 }));
		expect([sequences(log), log.isOlder, log.isNewer]).toEqual([[3, 4, 5, 6], true, true]);
	});

	test('is replaced by the newest page', () => {
		const log = logOf(around(5, 6, 100), received(101), page('newest', messages(99, 101), { isMore: true }));
		expect([sequences(log), log.isNewer, log.ahead]).toEqual([[99, 100, 101], false, []]);
	});

	test('is followed by later messages when all of its messages were cleared', () => {
		const cleared = page('newer', [], { clearedThrough: 10, lastSequence: 12 });
		const log = logOf(around(5, 6, 10), received(11), cleared);
		expect([sequences(log), log.isNewer, log.isOlder]).toEqual([[11], false, false]);
	});

	test('keeps an own message unsent until a page contains it', () => {
		const log = logOf(around(5, 6, 10), written('client-11'), received(11));
		expect([sequences(log), unsentIds(log)]).toEqual([[5, 6], ['client-11']]);
		const newest = reduceChatLog(log, page('newest', messages(9, 11), { isMore: true }));
		expect([sequences(newest), unsentIds(newest)]).toEqual([[9, 10, 11], []]);
	});

	test('has no gap and no duplicate after pages and messages in any order, and a newer page completes it', () => {
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
					else if (action.kind === 'newest')
						log = reduceChatLog(log, page('newest', messages(last - 4, last), { isMore: true }));
					else if (action.kind === 'around') {
						const from = Math.max(1, action.at - 2);
						log = reduceChatLog(log, around(from, Math.min(last, action.at + 1), last));
					} else if (action.kind === 'older' && first > 1) {
						const from = Math.max(1, first - 3);
						log = reduceChatLog(
							log,
							page('older', messages(from, first - 1), { isMore: from > 1, lastSequence: last }),
						);
					} else if (action.kind === 'newer' && log.isLoaded && lastShownSequence(log) < last) {
						const to = Math.min(last, lastShownSequence(log) + 3);
						log = reduceChatLog(
							log,
							page('newer', messages(lastShownSequence(log) + 1, to), { isMore: to < last, lastSequence: last }),
						);
					}
					const shown = sequences(log);
					expect(shown).toEqual(shown.map((_, at) => (shown[0] ?? 0) + at));
					if (log.isLoaded && shown.length > 0) expect(log.isNewer).toBe(lastShownSequence(log) < last);
				}
				if (!log.isLoaded) return;
				log = reduceChatLog(log, page('newer', messages(lastShownSequence(log) + 1, last), { lastSequence: last }));
				expect([lastShownSequence(log), hasGap(log)]).toEqual([last, false]);
			}),
		);
	});
});
