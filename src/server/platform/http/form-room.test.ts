import { describe, expect, test, vi } from 'vitest';
import { createFormRoom } from './form-room.ts';

/** Forms that enter a room and note who was cut off. */
function visit(most: { ofLine: number; inAll: number }) {
	const room = createFormRoom({ ...most, minutes: 10 });
	const cutOff: string[] = [];
	const enter = (name: string, address: string) => room.enter(address, () => cutOff.push(name));
	return { enter, cutOff };
}

describe('posted forms in memory', () => {
	test('of one line, the oldest that is still coming gives way, and nobody of another line', () => {
		const { enter, cutOff } = visit({ ofLine: 10, inAll: 100 });
		const [other, first, second] = [
			enter('other', '192.0.2.9'),
			enter('first', '192.0.2.1'),
			enter('second', '192.0.2.1'),
		];
		other.grow(9);
		first.grow(5);
		second.grow(5);
		expect(cutOff).toEqual([]);
		enter('third', '192.0.2.1').grow(1);
		expect(cutOff).toEqual(['first']);
		expect(() => first.grow(1)).toThrow('BUSY');
	});

	test('of all lines, the oldest gives way; an IPv6 line has one place for its whole net', () => {
		const { enter, cutOff } = visit({ ofLine: 10, inAll: 15 });
		enter('first', '2001:db8::1').grow(10);
		enter('second', '192.0.2.1').grow(5);
		enter('third', '192.0.2.2').grow(1);
		expect(cutOff).toEqual(['first']);
		const neighbour = enter('fourth', '2001:db8::2');
		neighbour.grow(9);
		expect(() => enter('fifth', '2001:db8::3').grow(11)).toThrow('BUSY');
	});

	test('one that is whole stays, and the newest hears so; whoever has left makes room', () => {
		const { enter, cutOff } = visit({ ofLine: 10, inAll: 10 });
		const whole = enter('whole', '192.0.2.1');
		whole.grow(8);
		whole.close();
		expect(() => enter('late', '192.0.2.2').grow(3)).toThrow('BUSY');
		whole.leave();
		whole.leave();
		enter('later', '192.0.2.2').grow(10);
		expect(cutOff).toEqual([]);
	});

	test('one that takes too long is cut off, but for one that is whole', () => {
		vi.useFakeTimers();
		try {
			const { enter, cutOff } = visit({ ofLine: 10, inAll: 10 });
			enter('slow', 'a person').grow(1);
			enter('whole', 'a person').close();
			enter('gone', 'a person').leave();
			vi.advanceTimersByTime(10 * 60_000 - 1);
			expect(cutOff).toEqual([]);
			vi.advanceTimersByTime(1);
			expect(cutOff).toEqual(['slow']);
		} finally {
			vi.useRealTimers();
		}
	});
});
