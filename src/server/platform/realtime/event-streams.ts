import type { ServerEvent } from '#contract/core/events.ts';
import type { Actor } from '../actor.ts';
import type { Audience } from './bus.ts';

/** An event stream that somebody has open. */
export interface EventStream {
	actor: Actor;
	send(event: Buffer): void;
	end(): void;
}

/** The event streams of this process, by whom they are of: a hint costs nothing to those whom it is not for. */
export interface EventStreamRegistry {
	add(line: EventStream): void;
	remove(line: EventStream): void;
	/** Those whom a hint is for, each once; the same people as {@link isAddressed} says. */
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

/** A hint as it stands in a stream (HTML standard, section 9.2.5): made once, however many hear it. */
export function encodeEvent(hint: ServerEvent): Buffer {
	return Buffer.from(`data: ${JSON.stringify(hint)}\n\n`);
}
