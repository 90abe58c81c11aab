import type { ServerEvent } from '#contract/core/events.ts';
import type { Actor } from '../actor.ts';
import type { Audience } from './bus.ts';

export interface EventStream {
	actor: Actor;
	send(event: Buffer): void;
	end(): void;
}

/** The event streams of this process by user, so that an event is sent without checking every stream. */
export interface EventStreamRegistry {
	add(line: EventStream): void;
	remove(line: EventStream): void;
	/** Returns the streams of an audience, each once; the same users as in {@link isAddressed}. */
	of(audience: Audience): Iterable<EventStream>;
}

export function createEventStreamRegistry(): EventStreamRegistry {
	const all = new Set<EventStream>();
	const admins = new Set<EventStream>();
	const byPerson = new Map<string, Set<EventStream>>();
	const ofPerson = (userId: string): Iterable<EventStream> => byPerson.get(userId) ?? [];

	return {
		add(line) {
			const { userId, role } = line.actor;
			all.add(line);
			if (role === 'admin') admins.add(line);
			const own = byPerson.get(userId);
			if (own === undefined) byPerson.set(userId, new Set([line]));
			else own.add(line);
		},
		remove(line) {
			const own = byPerson.get(line.actor.userId);
			all.delete(line);
			admins.delete(line);
			own?.delete(line);
			if (own?.size === 0) byPerson.delete(line.actor.userId);
		},
		of(audience) {
			if (audience.to === 'everyone') return all;
			if (audience.to === 'admins') return admins;
			if (audience.to === 'user') return ofPerson(audience.userId);
			return new Set([...admins, ...ofPerson(audience.userId)]);
		},
	};
}

/** Encodes an event for streams (HTML standard, section 9.2.5), once for all its recipients. */
export function encodeEvent(event: ServerEvent): Buffer {
	return Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}
