import { eventRetentionMs, type ServerEvent } from '#contract/core/events.ts';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Audience, BusMessage } from './bus.ts';

const maxRetained = 1000;

/** What was said lately. */
export interface RecentEvents {
	record(message: BusMessage): void;
	/** What concerns somebody of the last so many milliseconds, each once; `resync` where that is not known any more. */
	of(actor: Actor, ageMs: number): ServerEvent[];
}

/** A page asks first and listens then: what is said in between would never reach it. */
export function createRecentEvents(clock: Clock): RecentEvents {
	const now = () => clock.now().getTime();
	let kept: Array<{ atMs: number; audience: Audience; hint: ServerEvent }> = [];
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
			if (message.kind !== 'hint') return;
			kept.push({ atMs: now(), audience: message.audience, hint: message.hint });
			if (kept.length > maxRetained || (kept[0]?.atMs ?? 0) < now() - 2 * eventRetentionMs) forgetOld();
		},
		of(actor, ageMs) {
			forgetOld();
			const sinceMs = now() - ageMs;
			if (sinceMs < knownSinceMs) return [{ topic: 'resync' }];
			const heard = kept.filter(({ atMs, audience }) => atMs >= sinceMs && isAddressed(audience, actor));
			return [...new Map(heard.map(({ hint }) => [JSON.stringify(hint), hint])).values()];
		},
	};
}

/** Whether somebody is among those whom a hint is for. */
export function isAddressed(audience: Audience, actor: Actor): boolean {
	if (audience.to === 'everyone') return true;
	const isAdmin = actor.role === 'admin';
	if (audience.to === 'admins') return isAdmin;
	return actor.userId === audience.userId || (audience.to === 'conversation' && isAdmin);
}
