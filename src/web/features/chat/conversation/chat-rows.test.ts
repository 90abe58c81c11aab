import { expect, test } from 'vitest';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { formatDate } from '#web/platform/formats/format.ts';
import { makeMessage, makeUnsent } from '../../../../../test/support/fixtures/chat.ts';
import { buildRows, dayLabel } from './chat-rows.ts';

const message = (sequence: number, createdAt: string, sender: ChatMessage['sender']) =>
	makeMessage(sequence, { createdAt, sender });

const unsent = makeUnsent();

test('buildRows marks the first row of each day in the business time zone, and each row with a new sender', () => {
	const messages = [
		// In India, the first message is from 23:50 and the second from 00:10 on the next day.
		message(1, '2026-11-20T18:20:00.000Z', 'user'),
		message(2, '2026-11-20T18:40:00.000Z', 'user'),
		message(3, '2026-11-21T10:00:00.000Z', 'admin'),
		message(4, '2026-11-21T10:01:00.000Z', 'admin'),
	];
	const rows = buildRows({ messages, unsent: [unsent] }, 'user');
	expect(rows.map(({ key, day, isFirst }) => `${key} ${day === null ? '-' : formatDate(day)} ${isFirst}`)).toEqual([
		'client-1 20 Nov 2026 true',
		'client-2 21 Nov 2026 true',
		'id-3 - true',
		'id-4 - false',
		'mine 22 Nov 2026 true',
	]);
});

test('buildRows returns the same key for a message before and after sending', () => {
	const before = buildRows({ messages: [], unsent: [unsent] }, 'user').at(-1)?.key;
	const sent = { ...message(1, unsent.writtenAt, 'user'), clientId: 'mine' };
	expect(buildRows({ messages: [sent], unsent: [] }, 'user').at(-1)?.key).toBe(before);
});

test.each([
	['2026-11-22T18:29:00.000Z', 'Today'],
	['2026-11-21T18:30:00.000Z', 'Today'],
	['2026-11-21T18:29:00.000Z', 'Yesterday'],
	['2026-11-20T18:29:00.000Z', '20 Nov 2026'],
])('dayLabel of the time %s is %s', (at, label) => {
	expect(dayLabel(at, new Date('2026-11-22T12:00:00.000Z'))).toBe(label);
});
