import { describe, expect, test, vi } from 'vitest';
import { createMemoryBudget } from './memory-budget.ts';

/** Reserves memory for named forms and records the names of evicted ones. */
function visit(most: { perClientBytes: number; totalBytes: number }) {
	const room = createMemoryBudget({ ...most, maxMinutes: 10 });
	const cutOff: string[] = [];
	const enter = (name: string, address: string) => room.reserve(address, () => cutOff.push(name));
	return { enter, cutOff };
}

describe('createMemoryBudget', () => {
	test('evicts the oldest unfinished form of the same client, never one of another client', () => {
		const { enter, cutOff } = visit({ perClientBytes: 10, totalBytes: 100 });
		const [other, first, second] = [
			enter('other', '192.0.2.9'),
			enter('first', '192.0.2.1'),
			enter('second', '192.0.2.1'),
		];
		other.add(9);
		first.add(5);
		second.add(5);
		expect(cutOff).toEqual([]);
		enter('third', '192.0.2.1').add(1);
		expect(cutOff).toEqual(['first']);
		expect(() => first.add(1)).toThrow('BUSY');
	});

	test('evicts the oldest form when the total is exceeded, and counts an IPv6 network as one client', () => {
		const { enter, cutOff } = visit({ perClientBytes: 10, totalBytes: 15 });
		enter('first', '2001:db8::1').add(10);
		enter('second', '192.0.2.1').add(5);
		enter('third', '192.0.2.2').add(1);
		expect(cutOff).toEqual(['first']);
		const neighbour = enter('fourth', '2001:db8::2');
		neighbour.add(9);
		expect(() => enter('fifth', '2001:db8::3').add(11)).toThrow('BUSY');
	});

	test('refuses the newest form instead of evicting a complete one, and reuses released bytes', () => {
		const { enter, cutOff } = visit({ perClientBytes: 10, totalBytes: 10 });
		const whole = enter('whole', '192.0.2.1');
		whole.add(8);
		whole.markComplete();
		expect(() => enter('late', '192.0.2.2').add(3)).toThrow('BUSY');
		whole.release();
		whole.release();
		enter('later', '192.0.2.2').add(10);
		expect(cutOff).toEqual([]);
	});

	test('evicts an incomplete form after the time limit and keeps a complete one', () => {
		vi.useFakeTimers();
		try {
			const { enter, cutOff } = visit({ perClientBytes: 10, totalBytes: 10 });
			enter('slow', 'a person').add(1);
			enter('whole', 'a person').markComplete();
			enter('gone', 'a person').release();
			vi.advanceTimersByTime(10 * 60_000 - 1);
			expect(cutOff).toEqual([]);
			vi.advanceTimersByTime(1);
			expect(cutOff).toEqual(['slow']);
		} finally {
			vi.useRealTimers();
		}
	});
});
