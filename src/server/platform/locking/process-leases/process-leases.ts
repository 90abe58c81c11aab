import { hostname } from 'node:os';
import { ConfigError } from '../../config.ts';
import { acquireDatabaseLock } from '../../database/bulk-copy/bulk-load.ts';
import type { Schema } from '../../database/schema.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';
import { version } from '../../version.ts';
import { acquireEmbeddedDatabaseLock } from '../process-lock.ts';
import {
	deleteProcessLease,
	deleteProcessLeasesOfKind,
	insertProcessLease,
	listProcessLeases,
	renewProcessLease,
} from './process-leases.queries.ts';

/** Something that this process holds: renewed until it is let go; of a process that died it lapses by itself. */
export interface ProcessLease {
	id: string;
	/** @throws Error when it could not be renewed in time: others may believe that this process is gone */
	requireValid(): void;
	release(): Promise<void>;
}

/** How long each kind outlives its process, in seconds by the database's clock; renewed three times as often. */
const lifetimeSeconds: Record<Schema['holds']['kind'], number> = { server: 60, backup: 300, move: 120 };

type ProcessLeaseDeps = Pick<Deps, 'db' | 'log'>;
type MoveDeps = ProcessLeaseDeps & Pick<Deps, 'connection' | 'config'>;

/** Takes a hold of one kind; it stands in the database when this returns. */
export async function acquireProcessLease(
	deps: ProcessLeaseDeps,
	kind: Schema['holds']['kind'],
): Promise<ProcessLease> {
	const id = newId();
	const lifetime = lifetimeSeconds[kind];
	const detail = JSON.stringify({ version, host: hostname(), pid: process.pid });
	const insert = () => insertProcessLease(deps.db, { id, kind, detail, seconds: lifetime });
	await insert().catch((error: unknown) => {
		// On a full disk a server still starts; it says so when there is room.
		if (kind !== 'server') throw error;
		deps.log.warn({ err: error }, 'hold not taken yet');
	});
	let keptAt = performance.now();
	let isLost = false;
	const isLate = () => performance.now() - keptAt > lifetime * 1000;

	const renew = async () => {
		if (await renewProcessLease(deps.db, id, lifetime)) {
			isLost ||= isLate();
		} else {
			isLost = true;
			// A server is there again when its database is.
			if (kind === 'server') await insert();
		}
		keptAt = performance.now();
	};
	let renewing = Promise.resolve();
	const timer = setInterval(
		() => {
			renewing = renewing
				.then(renew)
				.catch((error: unknown) => deps.log.warn({ err: error, kind }, 'hold not renewed'));
		},
		(lifetime * 1000) / 3,
	);
	timer.unref();
	return {
		id,
		requireValid() {
			if (isLost || isLate())
				throw new Error(`This ${kind} was interrupted for more than ${lifetime} s. Run it again.`);
		},
		async release() {
			clearInterval(timer);
			await renewing;
			await deleteProcessLease(deps.db, id);
		},
	};
}

/**
 * Says that a server runs on this installation's PostgreSQL, for as long as it does. An embedded database has a lock
 * instead (locking/process-lock.ts), which the caller holds.
 * @returns null for an embedded database
 * @throws ConfigError while the installation is being moved: what a server writes then would be left behind
 */
export async function acquireServerLease(deps: MoveDeps): Promise<ProcessLease | null> {
	if (deps.connection.kind === 'sqlite') {
		await releaseMoveLeases(deps);
		return null;
	}
	const hold = await acquireProcessLease(deps, 'server');
	try {
		// In this order: whoever moves looks for servers after taking their own hold.
		await requireNoMove(deps);
		return hold;
	} catch (error) {
		await hold.release();
		throw error;
	}
}

/**
 * Requires that no move is under way, and deletes the holds that a killed move has left.
 * @throws ConfigError while the installation is being moved: what is written then would be left behind
 */
export async function requireNoMove(deps: MoveDeps): Promise<void> {
	const movers = await describeLeaseOwners(deps, 'move');
	if (movers.length === 0) return;
	const release = await acquireMoveLock(deps);
	if (release === null)
		throw new ConfigError(`This installation is being moved (${movers.join('; ')}): wait until that is over.`);
	await releaseMoveLeases(deps);
	await release();
}

/** The lock that a move holds while its process lives. */
async function acquireMoveLock({ connection, config }: MoveDeps): Promise<(() => Promise<void>) | null> {
	if (connection.kind === 'postgres') return acquireDatabaseLock(connection, 'move');
	const lock = acquireEmbeddedDatabaseLock(config);
	return lock === null ? null : async () => lock.release();
}

/** Deletes what killed moves have left; the caller holds the lock of a move, so none is under way. */
export async function releaseMoveLeases(deps: ProcessLeaseDeps): Promise<void> {
	// On a full disk a server still starts; what is left lapses by itself.
	await deleteProcessLeasesOfKind(deps.db, 'move').catch((error: unknown) =>
		deps.log.warn({ err: error }, 'holds not released'),
	);
}

/** Who holds something of this kind now, in words for a person: version, machine and process. */
export async function describeLeaseOwners(deps: Pick<Deps, 'db'>, kind: Schema['holds']['kind']): Promise<string[]> {
	const holds = await listProcessLeases(deps.db, kind);
	return holds.map(({ detail, createdAt }) => {
		const { version: theirs, host, pid } = JSON.parse(detail) as { version: string; host: string; pid: number };
		return `version ${theirs}, process ${pid} on ${host}, since ${createdAt}`;
	});
}
