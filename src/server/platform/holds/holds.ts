import { hostname } from 'node:os';
import type { Schema } from '../../db/schema.ts';
import { ConfigError } from '../config.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { version } from '../version.ts';
import { deleteHold, insertHold, listHolds, renewHold } from './holds.queries.ts';

/** Something that this process holds: renewed until it is let go; of a process that died it lapses by itself. */
export interface Hold {
	id: string;
	/** @throws Error when it could not be renewed in time: others may believe that this process is gone */
	requireKept(): void;
	release(): Promise<void>;
}

/** How long each kind outlives its process, in seconds by the database's clock; renewed three times as often. */
const lifetimes: Record<Schema['holds']['kind'], number> = { server: 60, backup: 300, move: 120 };

type HoldDeps = Pick<Deps, 'db' | 'log'>;

/** Takes a hold of one kind; it stands in the database when this returns. */
export async function takeHold(deps: HoldDeps, kind: Schema['holds']['kind']): Promise<Hold> {
	const id = newId();
	const lifetime = lifetimes[kind];
	const detail = JSON.stringify({ version, host: hostname(), pid: process.pid });
	const insert = () => insertHold(deps.db, { id, kind, detail, seconds: lifetime });
	await insert().catch((error: unknown) => {
		// On a full disk a server still starts; it says so when there is room.
		if (kind !== 'server') throw error;
		deps.log.warn({ err: error }, 'hold not taken yet');
	});
	let keptAt = performance.now();
	let isLost = false;
	const isLate = () => performance.now() - keptAt > lifetime * 1000;

	const renew = async () => {
		if (await renewHold(deps.db, id, lifetime)) {
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
		requireKept() {
			if (isLost || isLate())
				throw new Error(`This ${kind} was interrupted for more than ${lifetime} s. Run it again.`);
		},
		async release() {
			clearInterval(timer);
			await renewing;
			await deleteHold(deps.db, id);
		},
	};
}

/**
 * Says that a server runs on this installation, for as long as it does.
 * @throws ConfigError while the installation is being moved: what a server writes then would be left behind; and beside
 *   another server of this machine on an embedded database, for what each keeps in memory the other does not know
 */
export async function takeServerHold(deps: HoldDeps & Pick<Deps, 'connection'>): Promise<Hold> {
	const hold = await takeHold(deps, 'server');
	try {
		// In this order: whoever moves looks for servers after taking their own hold.
		await requireNoMove(deps);
		if (deps.connection.kind === 'sqlite') await requireNoServer(deps);
		return hold;
	} catch (error) {
		await hold.release();
		throw error;
	}
}

/** @throws ConfigError while the installation is being moved: what is written then would be left behind */
export async function requireNoMove(deps: Pick<Deps, 'db'>): Promise<void> {
	const movers = await describeHolders(deps, 'move');
	if (movers.length > 0)
		throw new ConfigError(`This installation is being moved (${movers.join('; ')}): wait until that is over.`);
}

async function requireNoServer(deps: Pick<Deps, 'db'>): Promise<void> {
	const holders = await listHolders(deps, 'server');
	const other = holders.find(({ host, pid }) => host === hostname() && pid !== process.pid);
	if (other !== undefined)
		throw new ConfigError(
			`Process ${other.pid} serves this DATA_DIR already, and one alone serves an embedded database. Stop it first, or move to PostgreSQL.`,
		);
}

/** Who holds something of this kind now, in words: version, machine and process. */
export async function describeHolders(deps: Pick<Deps, 'db'>, kind: Schema['holds']['kind']): Promise<string[]> {
	const holders = await listHolders(deps, kind);
	return holders.map(
		({ version: theirs, host, pid, createdAt }) => `version ${theirs}, process ${pid} on ${host}, since ${createdAt}`,
	);
}

/** One of this machine that has died holds nothing. */
async function listHolders(deps: Pick<Deps, 'db'>, kind: Schema['holds']['kind']) {
	const holds = await listHolds(deps.db, kind);
	return holds
		.map(({ detail, createdAt }) => ({
			...(JSON.parse(detail) as { version: string; host: string; pid: number }),
			createdAt,
		}))
		.filter((holder) => !hasDied(holder));
}

/** Whether a process is known to have ended: of another machine nobody can tell. */
export function hasDied({ host, pid }: { host: string; pid: number }): boolean {
	if (host !== hostname()) return false;
	try {
		process.kill(pid, 0);
		return false;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code !== 'EPERM';
	}
}
