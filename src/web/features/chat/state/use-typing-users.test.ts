import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChatSide } from '#contract/chat/chat.ts';
import { makeMessage } from '../../../../../test/support/fixtures/chat.ts';
import { trackTyping } from './use-typing-users.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

function startTracking() {
	const changes: string[][] = [];
	const { handleEvent } = trackTyping('user', (users) => changes.push([...users]));
	const type = (person: string, typing: ChatSide = 'user') => handleEvent({ topic: 'typing', person, typing });
	return { changes, handleEvent, type };
}

test('a member counts as typing without interruption until exactly a second after the last typing event', () => {
	const { changes, type } = startTracking();
	for (const pauseMs of [40, 240, 480, 999]) {
		type('asha');
		type('dev', 'admin');
		vi.advanceTimersByTime(pauseMs);
	}
	expect(changes).toEqual([['asha']]);
	vi.advanceTimersByTime(1);
	expect(changes).toEqual([['asha'], []]);
});

test('a member no longer counts as typing when the message arrives', () => {
	const { changes, handleEvent, type } = startTracking();
	type('asha');
	type('dev');
	handleEvent({ topic: 'message', person: 'asha', message: makeMessage(1, { sender: 'admin' }) });
	handleEvent({ topic: 'message', person: 'asha', message: makeMessage(2, { sender: 'user' }) });
	expect(changes).toEqual([['asha'], ['asha', 'dev'], ['dev']]);
});
