import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReadingPlace } from '#contract/reader/reading.ts';
import { keepEveryMs, PlaceKeeper, settleMs } from './place-keeper.ts';

const start = Date.parse('2026-11-20T03:42:00.000Z');
const at = (page: number, offset = 0) => ({ page, pageCount: 200, offset, chapter: null });
const after = (seconds: number) => new Date(start + seconds * 1000).toISOString();
let sent: ReadingPlace[];
let isUp: boolean;
let keeper: PlaceKeeper;

beforeEach(() => {
	vi.useFakeTimers({ now: start });
	sent = [];
	isUp = true;
	keeper = new PlaceKeeper(at(41), async (place) => {
		sent.push(place);
		return isUp;
	});
});
afterEach(() => vi.useRealTimers());

test('whoever opens a document and leaves it where it was has read nothing', () => {
	keeper.note(at(41));
	keeper.flush();
	expect(sent).toEqual([]);
});

test('the first move is kept soon, then the newest every few seconds, the last one too', async () => {
	for (let second = 1; second <= 7; second += 1) {
		await vi.advanceTimersByTimeAsync(1000);
		keeper.note(at(41 + second));
	}
	expect(sent.map(({ page }) => page)).toEqual([42, 47]);
	await vi.advanceTimersByTimeAsync(keepEveryMs);
	expect(sent.at(-1)).toEqual({ ...at(48), readAt: after(7) });
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent).toHaveLength(3);
});

test('a place goes with the moment at which the person came there, however late it is sent', async () => {
	keeper.note(at(42));
	await vi.advanceTimersByTimeAsync(1000);
	keeper.note(at(43, 0.5));
	vi.setSystemTime(start + 3_600_000);
	keeper.note(at(43, 0.5));
	keeper.flush();
	expect(sent).toEqual([
		{ ...at(42), readAt: after(0) },
		{ ...at(43, 0.5), readAt: after(1) },
	]);
	keeper.flush();
	expect(sent).toHaveLength(2);
});

test('what could not be kept is tried again, once', async () => {
	isUp = false;
	keeper.note(at(42));
	await vi.advanceTimersByTimeAsync(settleMs);
	isUp = true;
	keeper.flush();
	await vi.advanceTimersByTimeAsync(0);
	keeper.flush();
	expect(sent).toEqual([
		{ ...at(42), readAt: after(0) },
		{ ...at(42), readAt: after(0) },
	]);
});

test('without a place before, the first one is kept', async () => {
	const fresh = new PlaceKeeper(null, async (place) => sent.push(place) > 0);
	fresh.note(at(1));
	await vi.advanceTimersByTimeAsync(settleMs);
	expect(sent).toEqual([{ ...at(1), readAt: after(0) }]);
});
