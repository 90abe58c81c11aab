import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordServerTime, serverNow } from '#web/platform/api/server-clock.ts';
import { laterPosition, readLocalPosition, storeLocalPosition } from '#web/platform/browser/local-reading-position.ts';
import { isLater } from './offline-position-sync.ts';

const real = Date.parse('2026-11-20T10:00:00.000Z');
const hour = 3_600_000;
const document = 'part-1-en';
let kept: Map<string, string>;
const store = {
	getItem: (key: string) => kept.get(key) ?? null,
	setItem: (key: string, value: string) => void kept.set(key, value),
};

beforeEach(() => {
	kept = new Map();
	vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** Records the time of the server on a device whose clock is `aheadMs` ahead of it. */
function hear(at: number, aheadMs: number): void {
	vi.setSystemTime(at + aheadMs);
	recordServerTime(new Date(at).toUTCString(), store);
}
const read = (page: number) =>
	storeLocalPosition(store, 'asha', document, { page, pageCount: 200, chapter: null, at: serverNow(store) });
const keptOn = (at: number, page: number) => ({
	page,
	pageCount: 200,
	offset: 0,
	chapter: null,
	readAt: new Date(at).toISOString(),
});
const recall = () => readLocalPosition(store, 'asha', document) ?? expect.fail('nothing is remembered');

test.each([2 * hour, -2 * hour, 0])('the later reading position wins when the clock is off by %i ms', (aheadMs) => {
	hear(real, aheadMs);
	read(41);
	expect(recall().at).toBe(real);
	vi.setSystemTime(real + 2 * hour + aheadMs);
	// Another device stored a position one hour after the position here.
	const elsewhere = keptOn(real + hour, 90);
	expect(laterPosition(elsewhere, recall())?.page).toBe(90);
	expect(isLater(recall(), elsewhere)).toBe(false);
	read(42);
	expect(laterPosition(elsewhere, recall())?.page).toBe(42);
	expect(isLater(recall(), elsewhere)).toBe(true);
});

test('a stored position with a future time never wins over another and is never sent', () => {
	storeLocalPosition(store, 'asha', document, { page: 41, pageCount: 200, chapter: null, at: real + 2 * hour });
	hear(real, 0);
	expect(recall()).toMatchObject({ page: 41, at: 0 });
	expect(laterPosition(keptOn(real - 24 * hour, 90), recall())?.page).toBe(90);
	expect([isLater(recall(), keptOn(real - 24 * hour, 90)), isLater(recall(), null)]).toEqual([false, false]);
	expect(laterPosition(null, recall())?.page).toBe(41);
});

test('serverNow uses the device clock after a correction, without a valid date and without a store', () => {
	hear(real, 2 * hour);
	hear(real + hour, 0);
	expect(serverNow(store)).toBe(real + hour);
	recordServerTime(null, store);
	recordServerTime('soon', store);
	expect(serverNow(store)).toBe(real + hour);
	const forbidden = () => {
		throw new DOMException('', 'SecurityError');
	};
	const none = { getItem: forbidden, setItem: forbidden };
	recordServerTime(new Date(real).toUTCString(), none);
	expect(serverNow(none)).toBe(real + hour);
});
