import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AdaptiveTimeout } from './adaptive-timeout.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const after = (ms: number, answer: string | null = 'answer') =>
	new Promise<string | null>((resolve) => setTimeout(resolve, ms, answer));

/** Returns the answer and the milliseconds until it. */
async function ask(patience: AdaptiveTimeout, asked: Promise<string | null>): Promise<[string | null, number]> {
	const begun = Date.now();
	const answered = patience.waitFor(asked).then((answer): [string | null, number] => [answer, Date.now() - begun]);
	await vi.advanceTimersByTimeAsync(10_000);
	return answered;
}

test('AdaptiveTimeout waits 8 seconds once and then only 0.5 seconds until an answer is in time', async () => {
	const patience = new AdaptiveTimeout();
	expect(await ask(patience, after(7900))).toEqual(['answer', 7900]);
	expect(await ask(patience, after(9000))).toEqual([null, 8000]);
	expect(await ask(patience, after(9000))).toEqual([null, 500]);
	// Each further late answer keeps the short timeout.
	for (let minute = 0; minute < 10; minute++) expect(await ask(patience, after(9000))).toEqual([null, 500]);
	expect(await ask(patience, after(200))).toEqual(['answer', 200]);
	expect(await ask(patience, after(7900))).toEqual(['answer', 7900]);
});

test('AdaptiveTimeout waits longer again after a minute and returns a failure at once', async () => {
	const patience = new AdaptiveTimeout();
	expect(await ask(patience, after(9000))).toEqual([null, 8000]);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(await ask(patience, after(3000))).toEqual(['answer', 3000]);
	expect(await ask(patience, after(10, null))).toEqual([null, 10]);
	expect(await ask(patience, after(3000))).toEqual(['answer', 3000]);
});
