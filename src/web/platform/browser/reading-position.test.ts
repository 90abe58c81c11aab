import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReadingPosition } from '#contract/book/reading.ts';
import { stubForbiddenStorage, stubStorage } from '../../../../test/support/fixtures/browser-storage.ts';
import { recordServerTime, serverNow } from '../api/server-clock.ts';
import { reportConnection } from '../events/connection-status.ts';
import {
	findLastRead,
	findReadingPosition,
	firstSendDelayMs,
	flushOnEvents,
	isLater,
	laterPosition,
	PositionSync,
	readLocalPosition,
	sendIntervalMs,
	storeLocalPosition,
} from './reading-position.ts';

const start = Date.parse('2026-11-20T10:00:00.000Z');
const hour = 3_600_000;
const document = 'part-1-en';
let localStorageValues: Record<string, string>;

beforeEach(() => {
	localStorageValues = stubStorage();
	vi.useFakeTimers({ now: start });
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

const store = (page: number, at: number, key = document) =>
	storeLocalPosition('asha', key, { page, pageCount: 200, chapter: null, at });
const readStored = () => readLocalPosition('asha', document) ?? expect.fail('no position is stored');
const savedAt = (at: number, page: number): ReadingPosition => {
	return { page, pageCount: 200, offset: 0, chapter: null, readAt: new Date(at).toISOString() };
};

describe('PositionSync', () => {
	let sent: Array<[position: unknown, reachedAfterMs: number]>;
	let isUp: boolean;
	let sync: PositionSync<{ page: number }, { isDone: boolean }>;

	beforeEach(() => {
		[sent, isUp] = [[], true];
		sync = new PositionSync(async (position, reachedAt, mark) => {
			sent.push([{ ...position, ...mark }, reachedAt - start]);
			return isUp;
		});
	});

	test('flush sends nothing without a position', () => {
		sync.flush();
		expect(sent).toEqual([]);
	});

	test('sends the first position soon, then the newest position every few seconds, and the last position', async () => {
		for (let second = 1; second <= 7; second += 1) {
			await vi.advanceTimersByTimeAsync(1000);
			sync.record({ page: second });
		}
		expect(sent).toEqual([
			[{ page: 1 }, 1000],
			[{ page: 6 }, 6000],
		]);
		expect([firstSendDelayMs, sendIntervalMs]).toEqual([400, 5000]);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(sent.slice(2)).toEqual([[{ page: 7 }, 7000]]);
	});

	test('sends each position once, with the time when the user reached the position', async () => {
		sync.record({ page: 42 });
		await vi.advanceTimersByTimeAsync(1000);
		sync.record({ page: 43 });
		vi.setSystemTime(start + hour);
		sync.record({ page: 43 });
		sync.flush();
		sync.flush();
		expect(sent).toEqual([
			[{ page: 42 }, 0],
			[{ page: 43 }, 1000],
		]);
	});

	test('sends a failed position again until it is stored', async () => {
		isUp = false;
		sync.record({ page: 42 });
		await vi.advanceTimersByTimeAsync(firstSendDelayMs);
		isUp = true;
		sync.flush();
		await vi.advanceTimersByTimeAsync(0);
		sync.flush();
		expect(sent).toEqual([
			[{ page: 42 }, 0],
			[{ page: 42 }, 0],
		]);
	});

	test('sends a mark and the newest position at once, even if the same mark was sent before', () => {
		sync.sendMark({ isDone: true }, { page: 0 });
		sync.record({ page: 4 });
		sync.sendMark({ isDone: false }, { page: 0 });
		sync.sendMark({ isDone: false }, { page: 0 });
		expect(sent.map(([position]) => position)).toEqual([
			{ page: 0, isDone: true },
			{ page: 4, isDone: false },
			{ page: 4, isDone: false },
		]);
	});

	test('does not repeat a position that was sent with a mark', async () => {
		sync.record({ page: 9 });
		sync.sendMark({ isDone: false }, { page: 0 });
		sync.record({ page: 9 });
		sync.flush();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(sent.map(([position]) => position)).toEqual([{ page: 9, isDone: false }]);
	});

	test('does not repeat a failed position if the same position has been stored with a mark in the meantime', async () => {
		const resolvers: Array<(isStored: boolean) => void> = [];
		sync = new PositionSync(() => new Promise<boolean>((resolve) => resolvers.push(resolve)));
		sync.record({ page: 9 });
		sync.flush();
		sync.sendMark({ isDone: false }, { page: 0 });
		resolvers[1]?.(true);
		resolvers[0]?.(false);
		await vi.advanceTimersByTimeAsync(0);
		sync.flush();
		expect(resolvers).toHaveLength(2);
	});
});

test.each([
	[true, ['hidden', 'pagehide', 'online', 'reconnected']],
	[false, ['hidden', 'pagehide']],
])('flushOnEvents with sendsOnReconnect %s flushes on %j', (sendsOnReconnect, expected) => {
	const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
	const tab = Object.assign(new EventTarget(), { setTimeout, clearTimeout });
	vi.stubGlobal('document', page);
	vi.stubGlobal('window', tab);
	let event = '';
	const flushed: string[] = [];
	const happenAll = () => {
		for (event of ['visible', 'hidden']) {
			page.visibilityState = event;
			page.dispatchEvent(new Event('visibilitychange'));
		}
		for (event of ['pagehide', 'online']) tab.dispatchEvent(new Event(event));
		event = 'reconnected';
		reportConnection(false);
		vi.advanceTimersByTime(10_000);
		reportConnection(true);
	};
	const stop = flushOnEvents(() => flushed.push(event), { sendsOnReconnect });
	happenAll();
	stop();
	happenAll();
	expect(flushed).toEqual(expected);
});

describe('local reading position', () => {
	test('readLocalPosition returns the position of one user in one document', () => {
		store(4, 5);
		expect(readStored().page).toBe(4);
		expect(readLocalPosition('asha', 'part-1-hi')).toBeUndefined();
		expect(readLocalPosition('rohan', document)).toBeUndefined();
	});

	test('readLocalPosition returns no page beyond the last page, and undefined for invalid data or a disabled storage', () => {
		store(400, 5);
		expect(readStored().page).toBe(200);
		for (const invalid of ['{"page":"four"}', 'not json']) {
			localStorageValues['reading:asha:part-1-en'] = invalid;
			expect(readLocalPosition('asha', document)).toBeUndefined();
		}
		stubForbiddenStorage();
		storeLocalPosition('asha', document, { page: 1, pageCount: 1, chapter: null, at: 1 });
		expect(readLocalPosition('asha', document)).toBeUndefined();
	});

	test('findLastRead and findReadingPosition use the later of the local and the remote position', () => {
		store(2, 1);
		store(3, 2, 'part-1-hi');
		const unread = (key: string) => ({ key, place: null });
		expect(findLastRead('asha', [unread(document), unread('part-1-hi')])).toBe('part-1-hi');
		expect(findLastRead('asha', [unread(document)])).toBe(document);
		expect(findLastRead('asha', [unread('part-2-en')])).toBeUndefined();
		const place = savedAt(start, 9);
		expect(findLastRead('asha', [{ key: 'part-2-en', place }, unread('part-1-hi')])).toBe('part-2-en');
		expect(findReadingPosition('asha', { key: document, place })).toMatchObject({ page: 9, pageCount: 200 });
		store(4, start + 1);
		expect(findReadingPosition('asha', { key: document, place })).toMatchObject({ page: 4 });
	});
});

describe('with a wrong device clock', () => {
	/** Sets the device clock to `at + aheadMs` and receives `at` as the server's time. */
	function receiveServerTime(at: number, aheadMs: number): void {
		vi.setSystemTime(at + aheadMs);
		recordServerTime(new Date(at).toUTCString());
	}

	test.each([2 * hour, -2 * hour, 0])('the later reading position wins if the clock is wrong by %i ms', (aheadMs) => {
		receiveServerTime(start, aheadMs);
		store(41, serverNow());
		expect(readStored().at).toBe(start);
		vi.setSystemTime(start + 2 * hour + aheadMs);
		// Another device stored a position an hour after this device.
		const remotePosition = savedAt(start + hour, 90);
		expect(laterPosition(remotePosition, readStored())?.page).toBe(90);
		expect(isLater(readStored(), remotePosition)).toBe(false);
		store(42, serverNow());
		expect(laterPosition(remotePosition, readStored())?.page).toBe(42);
		expect(isLater(readStored(), remotePosition)).toBe(true);
	});

	test('a stored position with a future time is treated as older than any other position and is never sent', () => {
		store(41, start + 2 * hour);
		receiveServerTime(start, 0);
		expect(readStored()).toMatchObject({ page: 41, at: 0 });
		const remotePosition = savedAt(start - 24 * hour, 90);
		expect(laterPosition(remotePosition, readStored())?.page).toBe(90);
		expect([isLater(readStored(), remotePosition), isLater(readStored(), null)]).toEqual([false, false]);
		expect(laterPosition(null, readStored())?.page).toBe(41);
	});

	test('serverNow returns the device time after the clock was corrected, after an invalid date, and without storage', () => {
		receiveServerTime(start, 2 * hour);
		receiveServerTime(start + hour, 0);
		expect(serverNow()).toBe(start + hour);
		recordServerTime(null);
		recordServerTime('soon');
		expect(serverNow()).toBe(start + hour);
		stubForbiddenStorage();
		recordServerTime(new Date(start).toUTCString());
		expect(serverNow()).toBe(start + hour);
	});
});
