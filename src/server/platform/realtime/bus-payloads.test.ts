import { expect, test } from 'vitest';
import type { BusMessage } from './bus.ts';
import { channel, chunkChannel, createReceiver, encodeMessage } from './bus-payloads.ts';

const limitBytes = 8000;

function messageOf(text: string): BusMessage {
	return {
		kind: 'event',
		audience: { to: 'conversation', userId: 'meera' },
		event: {
			topic: 'message',
			person: 'meera',
			message: {
				id: 'm1',
				sequence: 1,
				clientId: 'c1',
				sender: 'user',
				message: text,
				isFile: false,
				fileType: null,
				fileName: null,
				fileSizeBytes: null,
				createdAt: '2026-11-20T03:42:00.000Z',
			},
		},
	};
}

test.each([
	['short words', 'namaste', 1],
	['10,000 letters of three bytes', 'क'.repeat(10_000), 5],
	['letters beside signs of four bytes, which no cut may divide', 'अ😀a'.repeat(3000), 4],
	['what JSON writes with six signs', '\u0001"\\'.repeat(3000), 5],
	['half a sign', '\ud83d'.repeat(4000), 4],
])('%s arrive unchanged in payloads below the limit of PostgreSQL', (_what, text, count) => {
	const payloads = encodeMessage('sender', 7, messageOf(text));
	expect(payloads).toHaveLength(count);
	for (const payload of payloads) expect(Buffer.byteLength(payload.text)).toBeLessThan(limitBytes);
	const receiver = createReceiver();
	const received = payloads.map((payload) => receiver.receive(payload));
	expect(received.slice(0, -1)).toEqual(Array(count - 1).fill(null));
	expect(received.at(-1)).toEqual({ from: 'sender', message: messageOf(text) });
});

test('createReceiver keeps chunks of two senders apart and ignores chunks without the first one', () => {
	const receiver = createReceiver();
	const one = encodeMessage('one', 1, messageOf('क'.repeat(6000)));
	const other = encodeMessage('other', 1, messageOf('ख'.repeat(6000)));
	expect(one).toHaveLength(3);
	const order = [one[0], other[0], other[1], one[1], other[2], one[2]];
	const whole = order.flatMap((payload) => (payload === undefined ? [] : (receiver.receive(payload) ?? [])));
	expect(whole.map(({ from }) => from)).toEqual(['other', 'one']);
	expect(whole[0]?.message).toEqual(messageOf('ख'.repeat(6000)));

	const late = createReceiver();
	for (const payload of one.slice(1)) expect(late.receive(payload)).toBeNull();
});

test('createReceiver drops an incomplete message after a timeout and after a reset', () => {
	let nowMs = 0;
	const receiver = createReceiver(() => nowMs);
	const [first, second, third] = encodeMessage('one', 1, messageOf('क'.repeat(6000)));
	if (first === undefined || second === undefined || third === undefined) throw new Error('not three pieces');
	receiver.receive(first);
	nowMs = 31_000;
	for (const payload of [second, third]) expect(receiver.receive(payload)).toBeNull();
	receiver.receive(first);
	receiver.reset();
	for (const payload of [second, third]) expect(receiver.receive(payload)).toBeNull();
});

test('createReceiver ignores an unknown kind of message, and long messages use the chunk channel', () => {
	const receiver = createReceiver();
	const text = JSON.stringify({ from: 'newer', message: { kind: 'something-new' } });
	expect(receiver.receive({ channel, text })).toBeNull();
	expect(
		encodeMessage('one', 1, messageOf('x'.repeat(9000))).every((payload) => payload.channel === chunkChannel),
	).toBe(true);
});
