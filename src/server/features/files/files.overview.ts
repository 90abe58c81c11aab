import * as z from 'zod';
import type { FilesSettings, SpaceUse } from '#contract/files/spaces.ts';
import { findSettingForUpdate, writeSetting } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { filesSettingsKey } from './files.limits.ts';
import { publishNodes } from './files.service.ts';
import { requireSpace } from './files.spaces.ts';
import * as totals from './totals.queries.ts';

const place = z.tuple([z.number(), z.string()]);

/** One page of all spaces, the largest first. */
export async function listSpaces(deps: Deps, input: { cursor?: string | undefined; limit: number }) {
	const after = unpackCursor(input.cursor, place);
	const rows = await totals.listSpaces(deps.db, after && { usedBytes: after[0], ownerId: after[1] }, input.limit + 1);
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	return {
		items: page.map((row): SpaceUse => ({ ...row, email: row.email ?? row.ownerId })),
		nextCursor: rows.length > page.length && last ? packCursor([last.usedBytes, last.ownerId]) : null,
		totals: { ...(await totals.sumSpaces(deps.db)), freeBytes: await deps.storage.freeBytes() },
	};
}

/** @throws AppError NOT_FOUND */
export async function setQuota(
	deps: Deps,
	caller: Caller,
	input: { owner: string; quotaBytes: number | null },
): Promise<SpaceUse> {
	const space = await requireSpace(deps, caller, input.owner);
	await inTransaction(deps.db, async (tx) => {
		await totals.lockSpace(tx, space.id);
		await totals.setQuota(tx, space.id, input.quotaBytes);
		await recordAudit(deps, tx, caller, {
			action: 'quota-set',
			subjectKind: 'user',
			subjectId: space.id,
			detail: { owner: space.email, bytes: input.quotaBytes },
		});
	});
	publishNodes(deps, space.id);
	const use = await totals.findSpaceUse(deps.db, space.id);
	if (use === undefined) throw new AppError('NOT_FOUND');
	return { ownerId: space.id, email: space.email, ...use };
}

/** @throws AppError STALE when somebody else saved meanwhile */
export async function saveFilesSettings(
	deps: Deps,
	caller: Caller,
	input: FilesSettings & { version: number },
): Promise<{ version: number }> {
	const { version, ...settings } = input;
	return inTransaction(deps.db, async (tx) => {
		const current = (await findSettingForUpdate(tx, filesSettingsKey))?.version ?? 0;
		if (current !== version) throw new AppError('STALE');
		await writeSetting(tx, filesSettingsKey, JSON.stringify(settings), version + 1, isoAt(deps.clock));
		await recordAudit(deps, tx, caller, {
			action: 'files-settings-saved',
			subjectKind: 'settings',
			subjectId: filesSettingsKey,
			detail: settings,
		});
		return { version: version + 1 };
	});
}
