import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AdaptiveTimeout } from './adaptive-timeout.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const respondAfter = (ms: number, outcome: string | null = 'answer') =>
	new Promise<string | null>((resolve) => setTimeout(resolve, ms, outcome));

async function measure(timeout: AdaptiveTimeout, response: Promise<string | null>): Promise<[string | null, number]> {
	const startedAt = Date.now();
	const answered = timeout
		.waitFor(response)
		.then((outcome): [string | null, number] => [outcome, Date.now() - startedAt]);
	await vi.advanceTimersByTimeAsync(10_000);
	return answered;
}

test('AdaptiveTimeout waits up to 8 seconds, but only 0.5 seconds between a timeout and the next response in time', async () => {
	const timeout = new AdaptiveTimeout();
	expect(await measure(timeout, respondAfter(7900))).toEqual(['answer', 7900]);
	expect(await measure(timeout, respondAfter(9000))).toEqual([null, 8000]);
	expect(await measure(timeout, respondAfter(9000))).toEqual([null, 500]);
	for (let minute = 0; minute < 10; minute++) expect(await measure(timeout, respondAfter(9000))).toEqual([null, 500]);
	expect(await measure(timeout, respondAfter(200))).toEqual(['answer', 200]);
	expect(await measure(timeout, respondAfter(7900))).toEqual(['answer', 7900]);
});

test('AdaptiveTimeout waits 8 seconds again a minute after a timeout, and returns null at once if the request fails', async () => {
	const timeout = new AdaptiveTimeout();
	expect(await measure(timeout, respondAfter(9000))).toEqual([null, 8000]);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(await measure(timeout, respondAfter(3000))).toEqual(['answer', 3000]);
	expect(await measure(timeout, respondAfter(10, null))).toEqual([null, 10]);
	expect(await measure(timeout, respondAfter(3000))).toEqual(['answer', 3000]);
});
