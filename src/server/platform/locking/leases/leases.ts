/**
 * Leases are exclusive work recorded in the database: of a name, of a row of jobs or mails, or of a running process
 * (process-leases.ts). Each is renewed until its work ends and expires by the database's clock after its process died.
 * What identifies the owner (an id, or the moments at which a row's lease may end) is the fencing token: renewals,
 * releases and the writes of the work are conditional on it, so that a former owner changes nothing.
 */
import { readDatabaseTime } from '../../database/connection.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { deleteLease, insertLease, renewLease } from './leases.queries.ts';

interface Renewals {
	/** Whether the lease was always renewed in time, so that no other process can have seen it expired. */
	isUninterrupted(): boolean;
	/** Stops the renewals and waits for a running one. */
	stop(): Promise<void>;
}

interface RenewalOptions {
	log: Log;
	/** What is leased, for the log. */
	what: Record<string, unknown>;
	/** How long the lease is valid after each renewal. */
	seconds: number;
	everyMs?: number | undefined;
	/** @returns false when another owner has taken the lease */
	renew(): Promise<boolean>;
	/** Called once when the lease is lost, or not renewed in time; then it is not renewed any more. */
	onLost?: () => void;
}

/** Renews a lease that was just taken; a failed renewal is logged and tried again. */
export function startRenewals(options: RenewalOptions): Renewals {
	const { log, what, seconds, everyMs = (seconds * 1000) / 3, renew, onLost } = options;
	let validUntil = 0;
	let expiry: NodeJS.Timeout | undefined;
	const isExpired = () => performance.now() >= validUntil;
	let isInterrupted = false;
	/** Also once the loss is reported. */
	let isStopped = false;
	let renewing: Promise<void> | null = null;
	function extendFrom(moment: number): void {
		validUntil = moment + seconds * 1000;
		clearTimeout(expiry);
		// A renewal on a dead connection may not be answered for minutes.
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
		const askedAt = performance.now();
		const isRenewed = await renew().catch((error: unknown) => {
			log.warn({ err: error, ...what }, 'lease not renewed yet');
			return null;
		});
		isInterrupted ||= isRenewed === false || isExpired();
		if (isRenewed) extendFrom(askedAt);
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
		isUninterrupted: () => !isInterrupted && !isExpired(),
		async stop() {
			end();
			await renewing;
		},
	};
}

/** The lease of a name of a killed process expires after this time. */
const namedLeaseSeconds = 15;
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

/** Acquires the lease of a name. @returns null when it was not acquired in time */
export async function acquireLease(deps: LeaseDeps, name: string, options: LeaseOptions): Promise<Lease | null> {
	const owner = newId();
	const take = () => insertLease(deps.db, name, owner, namedLeaseSeconds);
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

function maintainLease({ db, bus, log }: LeaseDeps, name: string, owner: string, onRequested = () => {}): Lease {
	let isWanted = false;
	let isReleasing = false;
	const unsubscribe = bus.subscribe((message) => {
		if (message.kind !== 'lease' || message.name !== name || message.is !== 'wanted') return;
		isWanted = true;
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
			// Not waited for: a renewal that is answered later finds no lease to renew.
			void renewals.stop();
			await deleteLease(db, name, owner).catch((error: unknown) =>
				log.warn({ err: error, lease: name }, 'lease not released: it expires'),
			);
			unsubscribe();
			if (isWanted) bus.publish({ kind: 'lease', name, is: 'free' });
		},
	};
}

/** Length of the lease of a row by the database's clock. */
export const rowLeaseSeconds = 30;

/** A lease of a row that this process works on. */
interface RowLease {
	/** The moments at which our lease may end. They identify it: a later lease never ends at one of them. */
	expiries(): string[];
	/** Stops the renewals and waits for a running one. */
	stop(): Promise<void>;
}

/** Renews a row's lease until stopped; `renew` extends the expiry if it is still one of ours. */
export function startRowLease(
	{ db, log }: Deps,
	leasedUntil: string,
	renew: (expiries: string[], leasedUntil: string) => Promise<boolean>,
	everyMs?: number,
): RowLease {
	let expiries = [leasedUntil];
	const { stop } = startRenewals({
		log,
		what: { leasedUntil },
		seconds: rowLeaseSeconds,
		everyMs,
		async renew() {
			const before = expiries;
			const next = await readDatabaseTime(db, rowLeaseSeconds);
			// Both, because until the renewal is answered it is unknown which of them the row has.
			expiries = [...before, next];
			const isRenewed = await renew(before, next);
			if (isRenewed) expiries = [next];
			else log.warn('a lease is lost: another process does the work again');
			return isRenewed;
		},
	});
	return { expiries: () => expiries, stop };
}
