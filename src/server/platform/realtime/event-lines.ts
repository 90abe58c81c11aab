import type { Hint } from '#contract/core/events.ts';
import type { Actor } from '../actor.ts';
import type { Audience } from './bus.ts';

/** An event stream that somebody has open. */
export interface EventLine {
	actor: Actor;
	send(event: Buffer): void;
	end(): void;
}

/** The event streams of this process, by whom they are of: a hint costs nothing to those whom it is not for. */
export interface EventLines {
	add(line: EventLine): void;
	remove(line: EventLine): void;
	/** Those whom a hint is for, each once; the same people as {@link isAddressed} says. */
	of(audience: Audience): Iterable<EventLine>;
}

export function createEventLines(): EventLines {
	const all = new Set<EventLine>();
	const admins = new Set<EventLine>();
	const byPerson = new Map<string, Set<EventLine>>();
	const ofPerson = (userId: string): Iterable<EventLine> => byPerson.get(userId) ?? [];

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
export function eventOf(hint: Hint): Buffer {
	return Buffer.from(`data: ${JSON.stringify(hint)}\n\n`);
}
