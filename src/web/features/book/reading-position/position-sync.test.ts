import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReadingPosition } from '#contract/book/reading.ts';
import { firstSendDelayMs, PositionSync, sendIntervalMs } from './position-sync.ts';

const start = Date.parse('2026-11-20T03:42:00.000Z');
const at = (page: number, offset = 0) => ({ page, pageCount: 200, offset, chapter: null });
const after = (seconds: number) => new Date(start + seconds * 1000).toISOString();
let sent: ReadingPosition[];
let isUp: boolean;
let keeper: PositionSync;

beforeEach(() => {
	vi.useFakeTimers({ now: start });
	sent = [];
	isUp = true;
	keeper = new PositionSync(at(41), async (place) => {
		sent.push(place);
		return isUp;
	});
});
afterEach(() => vi.useRealTimers());

test('opening a document without moving stores no position', () => {
	keeper.record(at(41));
	keeper.flush();
	expect(sent).toEqual([]);
});

test('the first move is sent soon, then the newest position every few seconds, and finally the last', async () => {
	for (let second = 1; second <= 7; second += 1) {
		await vi.advanceTimersByTimeAsync(1000);
		keeper.record(at(41 + second));
	}
	expect(sent.map(({ page }) => page)).toEqual([42, 47]);
	await vi.advanceTimersByTimeAsync(sendIntervalMs);
	expect(sent.at(-1)).toEqual({ ...at(48), readAt: after(7) });
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent).toHaveLength(3);
});

test('a position is sent with the time at which the user reached it, however late it is sent', async () => {
	keeper.record(at(42));
	await vi.advanceTimersByTimeAsync(1000);
	keeper.record(at(43, 0.5));
	vi.setSystemTime(start + 3_600_000);
	keeper.record(at(43, 0.5));
	keeper.flush();
	expect(sent).toEqual([
		{ ...at(42), readAt: after(0) },
		{ ...at(43, 0.5), readAt: after(1) },
	]);
	keeper.flush();
	expect(sent).toHaveLength(2);
});

test('a position that could not be stored is sent once more', async () => {
	isUp = false;
	keeper.record(at(42));
	await vi.advanceTimersByTimeAsync(firstSendDelayMs);
	isUp = true;
	keeper.flush();
	await vi.advanceTimersByTimeAsync(0);
	keeper.flush();
	expect(sent).toEqual([
		{ ...at(42), readAt: after(0) },
		{ ...at(42), readAt: after(0) },
	]);
});

test('the first position is sent when there was none before', async () => {
	const fresh = new PositionSync(null, async (place) => sent.push(place) > 0);
	fresh.record(at(1));
	await vi.advanceTimersByTimeAsync(firstSendDelayMs);
	expect(sent).toEqual([{ ...at(1), readAt: after(0) }]);
});
