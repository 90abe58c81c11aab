import * as z from 'zod';
import type { InputOf } from '#contract/core/endpoint.ts';
import { reservedOwners } from '#contract/files/files.ts';
import type { SpaceUsage, spaces } from '#contract/files/spaces.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { version } from '../../../platform/config.ts';
import { toPage, unpackCursor } from '../../../platform/cursor.ts';
import { findExecutedMigrations } from '../../../platform/database/migrations/migration-state.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { getFreeBytes } from '../../../platform/storage/free-space.ts';
import { recordAudit } from '../../audit/index.ts';
import { publishNodesChanged } from '../tree/tree.service.ts';
import { requireSpace } from './spaces.policy.ts';
import * as totals from './spaces.queries.ts';

/** Used bytes and owner id of a non-empty space; 0 and the email key of an empty space. */
const spaceCursor = z.tuple([z.number(), z.string()]);

/** Returns one page of all spaces: non-empty ones by size, largest first, then empty ones by email address. */
export async function listSpaces(deps: Deps, input: { cursor?: string | undefined; limit: number }) {
	const after = unpackCursor(input.cursor, spaceCursor);
	const rows = await listSpacesAfter(deps.db, after, input.limit + 1);
	const { page, nextCursor } = toPage(rows, input.limit, (last) => last.cursor);
	const freeBytes = await getFreeBytes(deps.storage);
	const usedIds = page.flatMap(({ use }) => (use.usedBytes > 0 ? use.ownerId : []));
	const trash = await totals.sumTrashBytes(deps.db, usedIds);
	return {
		items: page.map(({ use }): SpaceUsage => ({ ...use, trashBytes: trash.get(use.ownerId) ?? 0 })),
		nextCursor,
		totals: { ...(await totals.sumSpaces(deps.db)), freeBytes: Number.isFinite(freeBytes) ? freeBytes : null },
		version: { program: version, database: (await findExecutedMigrations(deps.db)).at(-1) ?? '' },
	};
}

interface SpaceRow {
	use: Omit<SpaceUsage, 'trashBytes'>;
	cursor: z.output<typeof spaceCursor>;
}

async function listSpacesAfter(db: Db, after: z.output<typeof spaceCursor> | null, limit: number): Promise<SpaceRow[]> {
	const isAmongEmpty = after !== null && after[0] === 0;
	const used = isAmongEmpty
		? []
		: await totals.listNonEmptySpaces(db, after && { usedBytes: after[0], ownerId: after[1] }, limit);
	const rows = used.map((row): SpaceRow => {
		return { use: { ...row, email: row.email ?? row.ownerId }, cursor: [row.usedBytes, row.ownerId] };
	});
	if (rows.length === limit) return rows;
	return [...rows, ...(await listEmptySpaces(db, isAmongEmpty ? after[1] : '', limit - rows.length))];
}

async function listEmptySpaces(db: Db, afterKey: string, limit: number): Promise<SpaceRow[]> {
	const userSpaces = await totals.listUsersWithEmptySpaces(db, afterKey, limit);
	const reservedSpaces = new Map((await totals.findSpaces(db, reservedOwners)).map((space) => [space.ownerId, space]));
	const reserved = reservedOwners
		.map((name) => ({ ownerId: name, email: name, emailKey: name, ...reservedSpaces.get(name) }))
		.filter(({ emailKey, usedBytes = 0 }) => emailKey > afterKey && usedBytes === 0);
	return [...userSpaces, ...reserved]
		.map(({ ownerId, email, emailKey, fileCount, usedBytes, quotaBytes }): SpaceRow => {
			const use = { fileCount: fileCount ?? 0, usedBytes: usedBytes ?? 0, quotaBytes: quotaBytes ?? null };
			return { use: { ownerId, email, ...use }, cursor: [0, emailKey] };
		})
		.sort((one, other) => (one.cursor[1] < other.cursor[1] ? -1 : 1))
		.slice(0, limit);
}

export async function setQuota(deps: Deps, caller: Caller, input: InputOf<typeof spaces.setQuota>) {
	const space = await requireSpace(deps, caller, input.owner);
	await inTransaction(deps.db, async (tx) => {
		if (!(await totals.lockSpace(tx, space.id))) throw new AppError('NOT_FOUND');
		await totals.setQuota(tx, space.id, input.quotaBytes);
		const detail = { owner: space.email, bytes: input.quotaBytes };
		await recordAudit(deps, tx, caller, 'quota-set', ['user', space.id], detail);
	});
	publishNodesChanged(deps, space.id);
	const [usage] = await totals.findSpaces(deps.db, [space.id]);
	const trash = await totals.sumTrashBytes(deps.db, [space.id]);
	return { email: space.email, ...required(usage, 'NOT_FOUND'), trashBytes: trash.get(space.id) ?? 0 };
}
