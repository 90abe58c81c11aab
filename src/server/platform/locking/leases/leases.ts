/**
 * A lease in the database gives one process the exclusive right to a name, or to a row of jobs or mails. A lease of a
 * process marks it as running (process-leases.ts). Leases are renewed, and expire by the database's clock after the
 * process has died. The fencing token identifies the owner of a lease: an id, or the moments at which a row's lease may
 * expire. All writes under a lease are conditional on the token, so a former owner changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readDatabaseTime } from '../../database/connection.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { deleteLease, insertLease, renewLease } from './leases.queries.ts';

interface RenewalOptions {
	log: Log;
	/** Fields for the log that identify the lease. */
	what: Record<string, unknown>;
	/** How long the lease is valid after each renewal. */
	seconds: number;
	everyMs?: number | undefined;
	/** @returns false when another owner has taken the lease */
	renew(): Promise<boolean>;
	/** Called once when another owner has taken the lease, or it was not renewed in time; renewals stop then. */
	onLost?: () => void;
}

/** Renews a lease that was just acquired; a failed renewal is logged and retried. */
export function startRenewals(options: RenewalOptions) {
	const { log, what, seconds, everyMs = (seconds * 1000) / 3, renew, onLost } = options;
	let validUntil = 0;
	let expiry: NodeJS.Timeout | undefined;
	const isExpired = () => performance.now() >= validUntil;
	let isInterrupted = false;
	/** Also true after `onLost` was called. */
	let isStopped = false;
	let renewing: Promise<void> | null = null;
	function extendFrom(moment: number): void {
		validUntil = moment + seconds * 1000;
		clearTimeout(expiry);
		// A timer reports the loss, because a renewal on a dead connection may get no response for minutes.
		if (!isStopped && onLost !== undefined) expiry = setTimeout(reportLoss, validUntil - performance.now()).unref();
	}
	function reportLoss(): void {
		if (isStopped || onLost === undefined) return;
		end();
		onLost();
	}
	function end(): void {
		isStopped = true;
		clearInterval(timer);
		clearTimeout(expiry);
	}
	async function renewNow(): Promise<void> {
		const startedAt = performance.now();
		const isRenewed = await renew().catch((error: unknown) => {
			log.warn({ err: error, ...what }, 'lease not renewed yet');
			return null;
		});
		isInterrupted ||= isRenewed === false || isExpired();
		if (isRenewed) extendFrom(startedAt);
		if (isRenewed === false || isExpired()) reportLoss();
	}
	extendFrom(performance.now());
	const timer = setInterval(() => {
		renewing ??= renewNow().finally(() => {
			renewing = null;
		});
	}, everyMs);
	timer.unref();
	return {
		/** Whether the lease was always renewed in time, so that no other process can have taken it. */
		isUninterrupted: () => !isInterrupted && !isExpired(),
		/** Stops the renewals, and waits for a renewal in progress. */
		async stop(): Promise<void> {
			end();
			await renewing;
		},
	};
}

/** Time after which the lease of a name expires if its process was killed. */
const namedLeaseSeconds = 15;
/** How often a waiting process tries to acquire the lease, and how often it asks the owner to release it. */
const pollIntervalMs = 250;
const requestIntervalMs = 1000;

type LeaseDeps = Pick<Deps, 'db' | 'bus' | 'log'>;

/** A lease of a name. Only one owner on all servers has it, until the owner releases it or its process has died. */
export interface Lease {
	/** Releases the name. Never throws: without a database the lease expires by itself. */
	release(): Promise<void>;
}

interface LeaseOptions {
	/** How long to wait while another owner has the lease. */
	waitMs: number;
	signal?: AbortSignal;
	/** Called whenever a process asks for the lease, and once if the lease is lost. */
	onRequested?: () => void;
}

/** Acquires the lease of a name. @returns null when it was not acquired in time */
export async function acquireLease(deps: LeaseDeps, name: string, options: LeaseOptions): Promise<Lease | null> {
	const owner = newId();
	const tryInsert = () => insertLease(deps.db, name, owner, namedLeaseSeconds);
	const deadline = performance.now() + options.waitMs;
	let isAcquired = await tryInsert();
	for (
		let requestAt = 0;
		!isAcquired && performance.now() < deadline && !options.signal?.aborted;
		isAcquired = await tryInsert()
	) {
		if (performance.now() >= requestAt) {
			deps.bus.publish({ kind: 'lease', name, is: 'wanted' });
			requestAt = performance.now() + requestIntervalMs;
		}
		await waitUntilReleased(deps, name, options.signal);
	}
	return isAcquired ? maintainLease(deps, name, owner, options.onRequested) : null;
}

/** Waits until the owner reports the release, at most until the next poll. */
async function waitUntilReleased({ bus }: LeaseDeps, name: string, signal?: AbortSignal): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const unsubscribe = bus.subscribe((message) => {
		if (message.kind === 'lease' && message.name === name && message.is === 'free') resolve();
	});
	await Promise.race([promise, sleep(pollIntervalMs, undefined, { signal }).catch(() => {})]);
	unsubscribe();
}

function maintainLease({ db, bus, log }: LeaseDeps, name: string, owner: string, onRequested = () => {}): Lease {
	let isRequested = false;
	let isReleasing = false;
	const unsubscribe = bus.subscribe((message) => {
		if (message.kind !== 'lease' || message.name !== name || message.is !== 'wanted') return;
		isRequested = true;
		if (!isReleasing) onRequested();
	});
	const renewals = startRenewals({
		log,
		what: { lease: name },
		seconds: namedLeaseSeconds,
		renew: () => renewLease(db, name, owner, namedLeaseSeconds),
		onLost: onRequested,
	});
	return {
		async release() {
			isReleasing = true;
			// Not awaited: a renewal that is still running finds the lease deleted and changes nothing.
			void renewals.stop();
			await deleteLease(db, name, owner).catch((error: unknown) =>
				log.warn({ err: error, lease: name }, 'lease not released: it expires by itself'),
			);
			unsubscribe();
			if (isRequested) bus.publish({ kind: 'lease', name, is: 'free' });
		},
	};
}

/** Seconds by the database's clock. */
export const rowLeaseSeconds = 30;

/**
 * Renews the lease of a row until stopped. `expiries` are the moments at which this process's lease may expire. They
 * identify the lease, because leases of other processes expire at other moments. `renew` extends the lease if the row's
 * expiry is one of them.
 */
export function startRowLease(
	{ db, log }: Deps,
	leasedUntil: string,
	renew: (expiries: string[], leasedUntil: string) => Promise<boolean>,
	everyMs?: number,
) {
	let expiries = [leasedUntil];
	const { stop } = startRenewals({
		log,
		what: { leasedUntil },
		seconds: rowLeaseSeconds,
		everyMs,
		async renew() {
			const before = expiries;
			const next = await readDatabaseTime(db, rowLeaseSeconds);
			// The row may have either expiry until the renewal has a response.
			expiries = [...before, next];
			const isRenewed = await renew(before, next);
			if (isRenewed) expiries = [next];
			else log.warn('lease lost: another process repeats the work');
			return isRenewed;
		},
	});
	return { expiries: () => expiries, stop };
}
