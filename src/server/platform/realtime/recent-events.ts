import { eventRetentionMs, type ServerEvent } from '#contract/core/events.ts';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Audience, BusMessage } from './bus.ts';

const maxRetained = 1000;

/** Stores recent events, because a page misses those between fetching its data and opening the event stream. */
export function createRecentEvents(clock: Clock) {
	const now = () => clock.now().getTime();
	let events: Array<{ atMs: number; audience: Audience; event: ServerEvent }> = [];
	let completeSinceMs = now();

	const removeOldEvents = () => {
		// The clock was set back, so the age of the stored events is unknown.
		if (completeSinceMs > now()) {
			events = [];
			completeSinceMs = now();
		}
		const oldestMs = now() - eventRetentionMs;
		const first = events.findIndex(({ atMs }) => atMs >= oldestMs);
		const isTooMany = events.length > maxRetained;
		events = isTooMany ? [] : events.slice(first === -1 ? events.length : first);
		completeSinceMs = isTooMany ? now() : Math.max(completeSinceMs, oldestMs);
	};
	return {
		record(message: BusMessage): void {
			if (message.kind === 'resync') {
				events = [];
				completeSinceMs = now();
			}
			if (message.kind !== 'event') return;
			// A page that connects later is sent the events of all groups, because only a query knows its own.
			const audience: Audience = message.audience.to === 'group' ? { to: 'everyone' } : message.audience;
			events.push({ atMs: now(), audience, event: message.event });
			if (events.length > maxRetained || (events[0]?.atMs ?? 0) < now() - 2 * eventRetentionMs) removeOldEvents();
		},
		/** Returns a user's events of the last `ageMs` milliseconds without repetitions; `resync` if some are lost. */
		of(actor: Actor, ageMs: number): ServerEvent[] {
			removeOldEvents();
			const sinceMs = now() - ageMs;
			if (sinceMs < completeSinceMs) return [{ topic: 'resync' }];
			const addressed = events.filter(({ atMs, audience }) => atMs >= sinceMs && isAddressed(audience, actor));
			return [...new Map(addressed.map(({ event }) => [JSON.stringify(event), event])).values()];
		},
	};
}

export function isAddressed(audience: Audience, actor: Actor): boolean {
	if (audience.to === 'everyone') return true;
	if (audience.to === 'group') return false;
	const isAdmin = actor.role === 'admin';
	if (audience.to === 'admins') return isAdmin;
	return actor.userId === audience.userId || (audience.to === 'conversation' && isAdmin);
}
