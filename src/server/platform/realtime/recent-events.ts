import { eventRetentionMs, type ServerEvent } from '#contract/core/events.ts';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Audience, BusMessage } from './bus.ts';

const maxRetained = 1000;

interface RecentEvents {
	record(message: BusMessage): void;
	/** Returns the events for a user of the last `ageMs` milliseconds, each once; `resync` if these are not stored. */
	of(actor: Actor, ageMs: number): ServerEvent[];
}

/** Stores recent events, because a page reads data before it listens and would miss the events in between. */
export function createRecentEvents(clock: Clock): RecentEvents {
	const now = () => clock.now().getTime();
	let kept: Array<{ atMs: number; audience: Audience; event: ServerEvent }> = [];
	let knownSinceMs = now();

	const forgetOld = () => {
		const oldestMs = now() - eventRetentionMs;
		const first = kept.findIndex(({ atMs }) => atMs >= oldestMs);
		const isTooMany = kept.length > maxRetained;
		kept = isTooMany ? [] : kept.slice(first === -1 ? kept.length : first);
		knownSinceMs = isTooMany ? now() : Math.max(knownSinceMs, oldestMs);
	};
	return {
		record(message) {
			if (message.kind === 'resync') {
				kept = [];
				knownSinceMs = now();
			}
			if (message.kind !== 'event') return;
			kept.push({ atMs: now(), audience: message.audience, event: message.event });
			if (kept.length > maxRetained || (kept[0]?.atMs ?? 0) < now() - 2 * eventRetentionMs) forgetOld();
		},
		of(actor, ageMs) {
			forgetOld();
			const sinceMs = now() - ageMs;
			if (sinceMs < knownSinceMs) return [{ topic: 'resync' }];
			const heard = kept.filter(({ atMs, audience }) => atMs >= sinceMs && isAddressed(audience, actor));
			return [...new Map(heard.map(({ event }) => [JSON.stringify(event), event])).values()];
		},
	};
}

export function isAddressed(audience: Audience, actor: Actor): boolean {
	if (audience.to === 'everyone') return true;
	const isAdmin = actor.role === 'admin';
	if (audience.to === 'admins') return isAdmin;
	return actor.userId === audience.userId || (audience.to === 'conversation' && isAdmin);
}
