import type { ServerEvent } from '#contract/core/events.ts';
import type { Actor } from '../actor.ts';
import type { Audience } from './bus.ts';

export interface EventStream {
	actor: Actor;
	send(event: Buffer): void;
	end(): void;
}

/** The event streams of this process by user, so that sending an event does not check every stream. */
export interface EventStreamRegistry {
	add(stream: EventStream): void;
	remove(stream: EventStream): void;
	/** Returns the streams of an audience, each once. Must agree with {@link isAddressed}. */
	of(audience: Audience): Iterable<EventStream>;
}

export function createEventStreamRegistry(): EventStreamRegistry {
	const all = new Set<EventStream>();
	const admins = new Set<EventStream>();
	const byUser = new Map<string, Set<EventStream>>();
	const ofUser = (userId: string): Iterable<EventStream> => byUser.get(userId) ?? [];

	return {
		add(stream) {
			const { userId, role } = stream.actor;
			all.add(stream);
			if (role === 'admin') admins.add(stream);
			const userStreams = byUser.get(userId);
			if (userStreams === undefined) byUser.set(userId, new Set([stream]));
			else userStreams.add(stream);
		},
		remove(stream) {
			const userStreams = byUser.get(stream.actor.userId);
			all.delete(stream);
			admins.delete(stream);
			userStreams?.delete(stream);
			if (userStreams?.size === 0) byUser.delete(stream.actor.userId);
		},
		of(audience) {
			if (audience.to === 'everyone') return all;
			if (audience.to === 'admins') return admins;
			if (audience.to === 'user') return ofUser(audience.userId);
			return new Set([...admins, ...ofUser(audience.userId)]);
		},
	};
}

/** Encodes an event as a server-sent event (HTML standard, section 9.2.5). */
export function encodeEvent(event: ServerEvent): Buffer {
	return Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}
