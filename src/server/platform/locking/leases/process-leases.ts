import { hostname } from 'node:os';
import { ConfigError, version } from '../../config.ts';
import { isPostgres } from '../../database/connection.ts';
import type { Schema } from '../../database/schema.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';
import {
	deleteProcessLease,
	insertProcessLease,
	listServersBeforeMigration,
	renewProcessLease,
} from './leases.queries.ts';
import { startRenewals } from './leases.ts';

/** Seconds until the lease of a dead process expires, by the database's clock. Three renewals fit into this time. */
const lifetimeSeconds: Record<Schema['process_leases']['kind'], number> = { server: 60, backup: 300 };

type ProcessLeaseDeps = Pick<Deps, 'db' | 'log'>;

/** Inserts a lease of this process and renews it until it is released. After a kill the lease expires. */
export async function acquireProcessLease(deps: ProcessLeaseDeps, kind: Schema['process_leases']['kind']) {
	const id = newId();
	const lifetime = lifetimeSeconds[kind];
	const detail = JSON.stringify({ version, host: hostname(), pid: process.pid });
	const insert = () => insertProcessLease(deps.db, { id, kind, detail, seconds: lifetime });
	await insert().catch((error: unknown) => {
		// A server starts even on a full disk. A renewal inserts its lease once there is space.
		if (kind !== 'server') throw error;
		deps.log.warn({ err: error }, 'process lease not taken yet');
	});
	const renewals = startRenewals({
		log: deps.log,
		what: { kind },
		seconds: lifetime,
		async renew() {
			if (await renewProcessLease(deps.db, id, lifetime)) return true;
			// A server inserts its expired lease again when it reaches the database again.
			if (kind === 'server') await insert();
			return kind === 'server';
		},
	});
	return {
		id,
		/** @throws Error when the lease was not renewed in time, so that other processes may have ignored it */
		requireValid() {
			if (!renewals.isUninterrupted())
				throw new Error(`This ${kind} was interrupted for more than ${lifetime} s. Run it again.`);
		},
		async release(): Promise<void> {
			await renewals.stop();
			await deleteProcessLease(deps.db, id);
		},
	};
}

/**
 * Registers this process as a server of a PostgreSQL database while it runs. For an embedded database the caller
 * acquires a lock instead (locking/process-lock.ts).
 * @returns null for an embedded database
 */
export async function acquireServerLease(deps: ProcessLeaseDeps) {
	return isPostgres(deps.db) ? acquireProcessLease(deps, 'server') : null;
}

/**
 * Requires that no server runs on a PostgreSQL database, for a restore or an incompatible migration. An embedded
 * database has a lock instead. After a kill, a server is treated as running for one minute.
 * @param executed the migrations that the database has
 * @param why start of the error message
 * @throws ConfigError with the running servers
 */
export async function requireServersStopped({ connection }: Pick<Deps, 'connection'>, executed: string[], why: string) {
	if (connection.kind === 'sqlite') return;
	const servers = (await listServersBeforeMigration(connection.db, executed)).map(({ detail, createdAt }) => {
		const { version: serverVersion, host, pid } = JSON.parse(detail) as { version: string; host: string; pid: number };
		return `version ${serverVersion}, process ${pid} on ${host}, since ${createdAt}`;
	});
	if (servers.length > 0) throw new ConfigError(`${why} Running servers: ${servers.join('; ')}.`);
}
