import { describe, expect, test, vi } from 'vitest';
import { createMemoryBudget } from './memory-budget.ts';

/** Creates a budget whose `reserve` takes a name for each posted form. `evicted` lists the names of evicted forms. */
function createRecordedBudget(limits: { perClientBytes: number; totalBytes: number }) {
	const budget = createMemoryBudget({ ...limits, maxMinutes: 10 });
	const evicted: string[] = [];
	const reserve = (name: string, address: string) => budget.reserve(address, () => evicted.push(name));
	return { reserve, evicted };
}

describe('createMemoryBudget', () => {
	test('evicts the oldest unfinished form of the same client, never one of another client', () => {
		const { reserve, evicted } = createRecordedBudget({ perClientBytes: 10, totalBytes: 100 });
		const [other, first, second] = [
			reserve('other', '192.0.2.9'),
			reserve('first', '192.0.2.1'),
			reserve('second', '192.0.2.1'),
		];
		other.add(9);
		first.add(5);
		second.add(5);
		expect(evicted).toEqual([]);
		reserve('third', '192.0.2.1').add(1);
		expect(evicted).toEqual(['first']);
		expect(() => first.add(1)).toThrow('BUSY');
	});

	test('evicts the oldest form when the total is exceeded, and treats an IPv6 network as one client', () => {
		const { reserve, evicted } = createRecordedBudget({ perClientBytes: 10, totalBytes: 15 });
		reserve('first', '2001:db8::1').add(10);
		reserve('second', '192.0.2.1').add(5);
		reserve('third', '192.0.2.2').add(1);
		expect(evicted).toEqual(['first']);
		const neighbour = reserve('fourth', '2001:db8::2');
		neighbour.add(9);
		expect(() => reserve('fifth', '2001:db8::3').add(11)).toThrow('BUSY');
	});

	test('refuses the newest form instead of evicting a complete form, and reuses released bytes', () => {
		const { reserve, evicted } = createRecordedBudget({ perClientBytes: 10, totalBytes: 10 });
		const whole = reserve('whole', '192.0.2.1');
		whole.add(8);
		whole.markComplete();
		expect(() => reserve('late', '192.0.2.2').add(3)).toThrow('BUSY');
		whole.release();
		whole.release();
		reserve('later', '192.0.2.2').add(10);
		expect(evicted).toEqual([]);
	});

	test('evicts an incomplete form after the time limit and keeps a complete one', () => {
		vi.useFakeTimers();
		try {
			const { reserve, evicted } = createRecordedBudget({ perClientBytes: 10, totalBytes: 10 });
			reserve('slow', 'user-id').add(1);
			reserve('whole', 'user-id').markComplete();
			reserve('gone', 'user-id').release();
			vi.advanceTimersByTime(10 * 60_000 - 1);
			expect(evicted).toEqual([]);
			vi.advanceTimersByTime(1);
			expect(evicted).toEqual(['slow']);
		} finally {
			vi.useRealTimers();
		}
	});
});
