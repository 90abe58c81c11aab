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
	listServersBeforeMigration,
	renewProcessLease,
} from './process-leases.queries.ts';

/** A lease of this process: renewed until it is released; one of a process that died expires by itself. */
interface ProcessLease {
	id: string;
	/** @throws Error when the lease was not renewed in time, so that others may take this process for dead */
	requireValid(): void;
	release(): Promise<void>;
}

/** How long each kind outlives its process, in seconds by the database's clock; renewed three times as often. */
const lifetimeSeconds: Record<Schema['process_leases']['kind'], number> = { server: 60, backup: 300, move: 120 };

type ProcessLeaseDeps = Pick<Deps, 'db' | 'log'>;
type MoveDeps = ProcessLeaseDeps & Pick<Deps, 'connection' | 'config'>;

/** Takes a lease of one kind; it is in the database when this returns. */
export async function acquireProcessLease(
	deps: ProcessLeaseDeps,
	kind: Schema['process_leases']['kind'],
): Promise<ProcessLease> {
	const id = newId();
	const lifetime = lifetimeSeconds[kind];
	const detail = JSON.stringify({ version, host: hostname(), pid: process.pid });
	const insert = () => insertProcessLease(deps.db, { id, kind, detail, seconds: lifetime });
	await insert().catch((error: unknown) => {
		// On a full disk a server still starts; the lease is inserted once there is space.
		if (kind !== 'server') throw error;
		deps.log.warn({ err: error }, 'process lease not taken yet');
	});
	let keptAt = performance.now();
	let isLost = false;
	const isLate = () => performance.now() - keptAt > lifetime * 1000;

	const renew = async () => {
		if (await renewProcessLease(deps.db, id, lifetime)) {
			isLost ||= isLate();
		} else {
			isLost = true;
			// A server takes its lease again when the database is reachable again.
			if (kind === 'server') await insert();
		}
		keptAt = performance.now();
	};
	let renewing = Promise.resolve();
	const timer = setInterval(
		() => {
			renewing = renewing
				.then(renew)
				.catch((error: unknown) => deps.log.warn({ err: error, kind }, 'process lease not renewed'));
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
 * Registers that a server runs on this installation's PostgreSQL, for as long as it does. An embedded database has a
 * lock instead (locking/process-lock.ts), which the caller has acquired.
 * @returns null for an embedded database
 * @throws ConfigError while the installation is being moved, because what a server writes then would be lost
 */
export async function acquireServerLease(deps: MoveDeps): Promise<ProcessLease | null> {
	if (deps.connection.kind === 'sqlite') {
		await releaseMoveLeases(deps);
		return null;
	}
	const lease = await acquireProcessLease(deps, 'server');
	try {
		// Checked after taking the lease, because a move looks for servers after it has taken its own.
		await requireNoMove(deps);
		return lease;
	} catch (error) {
		await lease.release();
		throw error;
	}
}

/**
 * Requires that no move is under way, and deletes the leases of killed moves.
 * @throws ConfigError while the installation is being moved, because what is written then would be lost
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

/** Takes the lock of a move; null while another process holds it. */
async function acquireMoveLock({ connection, config }: MoveDeps): Promise<(() => Promise<void>) | null> {
	if (connection.kind === 'postgres') return acquireDatabaseLock(connection, 'move');
	const lock = acquireEmbeddedDatabaseLock(config);
	return lock === null ? null : async () => lock.release();
}

/** Deletes the leases of killed moves. The caller holds the move lock, so no move is running. */
export async function releaseMoveLeases(deps: ProcessLeaseDeps): Promise<void> {
	// On a full disk a server still starts; the leases expire.
	await deleteProcessLeasesOfKind(deps.db, 'move').catch((error: unknown) =>
		deps.log.warn({ err: error }, 'process leases not released'),
	);
}

/** Describes the owners of leases of this kind for messages: version, machine and process. */
export async function describeLeaseOwners(
	deps: Pick<Deps, 'db'>,
	kind: Schema['process_leases']['kind'],
): Promise<string[]> {
	return (await listProcessLeases(deps.db, kind)).map(describeOwner);
}

function describeOwner({ detail, createdAt }: { detail: string; createdAt: string }): string {
	const { version: theirs, host, pid } = JSON.parse(detail) as { version: string; host: string; pid: number };
	return `version ${theirs}, process ${pid} on ${host}, since ${createdAt}`;
}

/**
 * Requires that no server of the previous version runs on a PostgreSQL database before an incompatible migration; an
 * embedded database has one server. A server counts until it has stopped, or for a minute after it was killed.
 * @param executed the migrations that the database has
 * @throws ConfigError naming the servers
 */
export async function requireServersStopped(
	{ connection }: Pick<Deps, 'connection'>,
	executed: string[],
): Promise<void> {
	if (connection.kind === 'sqlite') return;
	const servers = (await listServersBeforeMigration(connection.db, executed)).map(describeOwner);
	if (servers.length > 0)
		throw new ConfigError(
			`This version changes the database in a way that servers of the version before cannot go on with. Stop them, and start again; one that was killed counts for a minute. They are: ${servers.join('; ')}.`,
		);
}
