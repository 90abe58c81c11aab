import { expect, test } from 'vitest';
import type { Role } from '#contract/accounts/account.ts';
import type { Actor } from '../actor.ts';
import type { Audience } from './bus.ts';
import { createEventStreamRegistry, type EventStream } from './event-streams.ts';
import { isAddressed } from './recent-events.ts';

function streamOf(userId: string, role: Role): EventStream {
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

test('createEventStreamRegistry returns exactly the addressed streams, each once, also after role changes and removals', () => {
	const registry = createEventStreamRegistry();
	let openStreams = [
		streamOf('meera', 'user'),
		streamOf('meera', 'user'),
		streamOf('arjun', 'user'),
		streamOf('owner', 'admin'),
		streamOf('owner', 'admin'),
		streamOf('helper', 'admin'),
	];
	const expectAddressedStreams = () => {
		for (const audience of audiences) {
			const addressed = [...registry.of(audience)];
			expect(new Set(addressed), JSON.stringify(audience)).toEqual(
				new Set(openStreams.filter(({ actor }) => isAddressed(audience, actor))),
			);
			expect(addressed).toHaveLength(new Set(addressed).size);
		}
	};
	for (const stream of openStreams) registry.add(stream);
	expectAddressedStreams();

	for (const stream of openStreams.filter(({ actor }) => actor.userId === 'meera' || actor.userId === 'helper')) {
		registry.remove(stream);
		stream.actor = { ...stream.actor, role: stream.actor.role === 'admin' ? 'user' : 'admin' };
		registry.add(stream);
	}
	expectAddressedStreams();

	for (const stream of openStreams.slice(0, 4)) registry.remove(stream);
	openStreams = openStreams.slice(4);
	expectAddressedStreams();
});
