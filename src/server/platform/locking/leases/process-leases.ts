import { hostname } from 'node:os';
import { ConfigError } from '../../config.ts';
import { isPostgres } from '../../database/connection.ts';
import type { Schema } from '../../database/schema.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';
import { version } from '../../version.ts';
import {
	deleteProcessLease,
	insertProcessLease,
	listServersBeforeMigration,
	renewProcessLease,
} from './leases.queries.ts';
import { startRenewals } from './leases.ts';

/** A lease of this process: renewed until it is released; one of a process that died expires by itself. */
interface ProcessLease {
	id: string;
	/** @throws Error when the lease was not renewed in time, so that others may take this process for dead */
	requireValid(): void;
	release(): Promise<void>;
}

/** How long each kind outlives its process, in seconds by the database's clock; renewed three times as often. */
const lifetimeSeconds: Record<Schema['process_leases']['kind'], number> = { server: 60, backup: 300 };

type ProcessLeaseDeps = Pick<Deps, 'db' | 'log'>;

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
	const renewals = startRenewals({
		log: deps.log,
		what: { kind },
		seconds: lifetime,
		async renew() {
			if (await renewProcessLease(deps.db, id, lifetime)) return true;
			// A server takes its lease again when the database is reachable again.
			if (kind === 'server') await insert();
			return kind === 'server';
		},
	});
	return {
		id,
		requireValid() {
			if (!renewals.isUninterrupted())
				throw new Error(`This ${kind} was interrupted for more than ${lifetime} s. Run it again.`);
		},
		async release() {
			await renewals.stop();
			await deleteProcessLease(deps.db, id);
		},
	};
}

/**
 * Registers that a server runs on this installation's PostgreSQL, for as long as it does. An embedded database has a
 * lock instead (locking/process-lock.ts), which the caller has acquired.
 * @returns null for an embedded database
 */
export async function acquireServerLease(deps: ProcessLeaseDeps): Promise<ProcessLease | null> {
	return isPostgres(deps.db) ? acquireProcessLease(deps, 'server') : null;
}

function describeOwner({ detail, createdAt }: { detail: string; createdAt: string }): string {
	const { version: theirs, host, pid } = JSON.parse(detail) as { version: string; host: string; pid: number };
	return `version ${theirs}, process ${pid} on ${host}, since ${createdAt}`;
}

/**
 * Requires that no server runs on a PostgreSQL database, for a restore or an incompatible migration; an embedded
 * database has a lock instead. A server counts until it has stopped, or for a minute after it was killed.
 * @param executed the migrations that the database has
 * @param why first sentences of the message
 * @throws ConfigError naming the servers
 */
export async function requireServersStopped(
	{ connection }: Pick<Deps, 'connection'>,
	executed: string[],
	why: string,
): Promise<void> {
	if (connection.kind === 'sqlite') return;
	const servers = (await listServersBeforeMigration(connection.db, executed)).map(describeOwner);
	if (servers.length > 0) throw new ConfigError(`${why} They are: ${servers.join('; ')}.`);
}
