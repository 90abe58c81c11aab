import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';
import { deleteExpiredLeases, deleteLease, findLeasedNames, insertLease, renewLease } from './leases.queries.ts';

/** What a killed process held is free after so long. */
const leaseSeconds = 15;
const renewEveryMs = 4000;
/** A waiting process looks again so often, and asks the holder for it so often. */
const pollIntervalMs = 250;
const requestIntervalMs = 1000;

type LeaseDeps = Pick<Deps, 'db' | 'bus' | 'log'>;

/** A name that only one on all servers holds, until it is given back or its process is gone. */
export interface Lease {
	/** Gives the name back. Never throws: without a database it lapses by itself. */
	release(): Promise<void>;
}

export interface LeaseOptions {
	/** For how long it is waited for while somebody else holds it. */
	waitMs: number;
	/** Ends the waiting. */
	signal?: AbortSignal;
	/** Called whenever somebody waits for it, on this server or another; and once if it is lost. */
	onRequested?: () => void;
}

/** Takes a name by a row that is renewed while it is held. @returns null when it could not be had in time */
export async function acquireLease(deps: LeaseDeps, name: string, wish: LeaseOptions): Promise<Lease | null> {
	const holder = newId();
	const take = () => insertLease(deps.db, name, holder, leaseSeconds);
	const deadline = performance.now() + wish.waitMs;
	let isTaken = await take();
	for (let askAt = 0; !isTaken && performance.now() < deadline && !wish.signal?.aborted; isTaken = await take()) {
		if (performance.now() >= askAt) {
			deps.bus.publish({ kind: 'lease', name, is: 'wanted' });
			askAt = performance.now() + requestIntervalMs;
		}
		await waitUntilReleased(deps, name, wish.signal);
	}
	return isTaken ? maintainLease(deps, name, holder, wish.onRequested) : null;
}

/** Which of these names are held, on whichever server. */
export function findActiveLeases(deps: Pick<Deps, 'db'>, names: string[]): Promise<string[]> {
	return findLeasedNames(deps.db, names);
}

/** Takes away what killed processes held and nobody has asked for since. */
export function removeExpiredLeases(deps: Pick<Deps, 'db'>): Promise<void> {
	return deleteExpiredLeases(deps.db);
}

/** Until it is said to be free, and no longer than until the next look. */
function waitUntilReleased({ bus }: LeaseDeps, name: string, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const end = () => {
			clearTimeout(timer);
			unsubscribe();
			signal?.removeEventListener('abort', end);
			resolve();
		};
		const timer = setTimeout(end, pollIntervalMs);
		const unsubscribe = bus.subscribe((message) => {
			if (message.kind === 'lease' && message.name === name && message.is === 'free') end();
		});
		signal?.addEventListener('abort', end);
	});
}

function maintainLease({ db, bus, log }: LeaseDeps, name: string, holder: string, onWanted = () => {}): Lease {
	let isWanted = false;
	let isOver = false;
	let safeUntil = performance.now() + leaseSeconds * 1000;
	const unsubscribe = bus.subscribe((message) => {
		if (message.kind !== 'lease' || message.name !== name || message.is !== 'wanted') return;
		isWanted = true;
		onWanted();
	});
	const timer = setInterval(() => void renew(), renewEveryMs);
	timer.unref();

	async function renew(): Promise<void> {
		const askedAt = performance.now();
		const isOurs = await renewLease(db, name, holder, leaseSeconds).catch((error: unknown) => {
			log.warn({ err: error, lease: name }, 'lease not renewed');
			return performance.now() < safeUntil ? null : false;
		});
		if (isOurs === true) safeUntil = askedAt + leaseSeconds * 1000;
		if (isOurs !== false || isOver) return;
		clearInterval(timer);
		onWanted();
	}

	return {
		async release() {
			isOver = true;
			clearInterval(timer);
			unsubscribe();
			await deleteLease(db, name, holder).catch((error: unknown) =>
				log.warn({ err: error, lease: name }, 'lease not given back: it lapses'),
			);
			if (isWanted) bus.publish({ kind: 'lease', name, is: 'free' });
		},
	};
}
