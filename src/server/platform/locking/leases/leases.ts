import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';
import { deleteExpiredLeases, deleteLease, findLeasedNames, insertLease, renewLease } from './leases.queries.ts';

/** The lease of a killed process expires after this time. */
const leaseSeconds = 15;
const renewEveryMs = 4000;
/** How often a waiting process tries to take the lease, and how often it asks the owner for it. */
const pollIntervalMs = 250;
const requestIntervalMs = 1000;

type LeaseDeps = Pick<Deps, 'db' | 'bus' | 'log'>;

/** A lease of a name: one holder on all servers, until it is released or its process has died. */
export interface Lease {
	/** Releases the name. Never throws: without a database the lease expires by itself. */
	release(): Promise<void>;
}

interface LeaseOptions {
	/** How long to wait while another holder has the lease. */
	waitMs: number;
	/** Ends the waiting. */
	signal?: AbortSignal;
	/** Called whenever a caller on any server waits for the lease, and once if the lease is lost. */
	onRequested?: () => void;
}

/** Acquires a lease: a row that is renewed until it is released. @returns null when it was not acquired in time */
export async function acquireLease(deps: LeaseDeps, name: string, options: LeaseOptions): Promise<Lease | null> {
	const owner = newId();
	const take = () => insertLease(deps.db, name, owner, leaseSeconds);
	const deadline = performance.now() + options.waitMs;
	let isTaken = await take();
	for (let askAt = 0; !isTaken && performance.now() < deadline && !options.signal?.aborted; isTaken = await take()) {
		if (performance.now() >= askAt) {
			deps.bus.publish({ kind: 'lease', name, is: 'wanted' });
			askAt = performance.now() + requestIntervalMs;
		}
		await waitUntilReleased(deps, name, options.signal);
	}
	return isTaken ? maintainLease(deps, name, owner, options.onRequested) : null;
}

/** Returns those of the names that are leased, on any server. */
export function findActiveLeases(deps: Pick<Deps, 'db'>, names: string[]): Promise<string[]> {
	return findLeasedNames(deps.db, names);
}

/** Deletes expired leases of killed processes. */
export function removeExpiredLeases(deps: Pick<Deps, 'db'>): Promise<void> {
	return deleteExpiredLeases(deps.db);
}

/** Waits until the lease is reported free, at most until the next poll. */
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

function maintainLease({ db, bus, log }: LeaseDeps, name: string, owner: string, onWanted = () => {}): Lease {
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
		const isOurs = await renewLease(db, name, owner, leaseSeconds).catch((error: unknown) => {
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
			await deleteLease(db, name, owner).catch((error: unknown) =>
				log.warn({ err: error, lease: name }, 'lease not given back: it lapses'),
			);
			if (isWanted) bus.publish({ kind: 'lease', name, is: 'free' });
		},
	};
}
