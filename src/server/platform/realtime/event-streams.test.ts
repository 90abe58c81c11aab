import { expect, test } from 'vitest';
import type { Role } from '#contract/accounts/account.ts';
import type { Actor } from '../actor.ts';
import type { Audience } from './bus.ts';
import { createEventStreamRegistry, type EventStream } from './event-streams.ts';
import { isAddressed } from './recent-events.ts';

function lineOf(userId: string, role: Role): EventStream {
	const actor: Actor = {
		userId,
		email: `${userId}@example.com`,
		name: null,
		role,
		sessionId: `session of ${userId}`,
		hasInitialPassword: false,
		mustSetUpTwoFactor: false,
		impersonatedBy: null,
	};
	return { actor, send: () => {}, end: () => {} };
}

const audiences: Audience[] = [
	{ to: 'everyone' },
	{ to: 'admins' },
	...['meera', 'owner', 'nobody'].flatMap((userId): Audience[] => [
		{ to: 'user', userId },
		{ to: 'conversation', userId },
	]),
];

test('createEventStreamRegistry returns exactly the addressed streams, each once, also after changes', () => {
	const lines = createEventStreamRegistry();
	let open = [
		lineOf('meera', 'user'),
		lineOf('meera', 'user'),
		lineOf('arjun', 'user'),
		lineOf('owner', 'admin'),
		lineOf('owner', 'admin'),
		lineOf('helper', 'admin'),
	];
	const expectAll = () => {
		for (const audience of audiences) {
			const heard = [...lines.of(audience)];
			expect(new Set(heard), JSON.stringify(audience)).toEqual(
				new Set(open.filter(({ actor }) => isAddressed(audience, actor))),
			);
			expect(heard).toHaveLength(new Set(heard).size);
		}
	};
	for (const line of open) lines.add(line);
	expectAll();

	for (const line of open.filter(({ actor }) => actor.userId === 'meera' || actor.userId === 'helper')) {
		lines.remove(line);
		line.actor = { ...line.actor, role: line.actor.role === 'admin' ? 'user' : 'admin' };
		lines.add(line);
	}
	expectAll();

	for (const line of open.slice(0, 4)) lines.remove(line);
	open = open.slice(4);
	expectAll();
});
