import { type VisitSettings, visitDefaults } from '#contract/visits/visits.ts';
import type { Db } from '../../db/schema.ts';
import { findSetting, findSettingForUpdate, writeSetting } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { enqueueJob } from '../../platform/jobs/jobs.ts';
import { recordAudit } from '../audit/audit.service.ts';

const visitsKey = 'visits';

/** Applies the settings to what is kept already. */
export const visitsJob = 'tidy-visits';

/** How visits are counted; version 0 and the defaults where nothing was saved. */
export async function getVisitSettings(db: Db): Promise<VisitSettings & { version: number }> {
	const row = await findSetting(db, visitsKey);
	const stored = row === undefined ? visitDefaults : (JSON.parse(row.value) as VisitSettings);
	return { ...visitDefaults, ...stored, version: row?.version ?? 0 };
}

/** Saves them; visits from here on follow them, and a job brings what is kept into line. @throws AppError STALE */
export async function saveVisitSettings(
	deps: Deps,
	caller: Caller,
	{ version, ...wanted }: VisitSettings & { version: number },
): Promise<{ version: number }> {
	const saved = await inTransaction(deps.db, async (tx) => {
		const current = (await findSettingForUpdate(tx, visitsKey))?.version ?? 0;
		if (current !== version) throw new AppError('STALE');
		await writeSetting(tx, visitsKey, JSON.stringify(wanted), current + 1, isoAt(deps.clock));
		await recordAudit(deps, tx, caller, {
			action: 'visit-settings-saved',
			subjectKind: 'settings',
			subjectId: visitsKey,
			detail: { ...wanted },
		});
		await enqueueJob(deps, tx, visitsJob, {});
		return current + 1;
	});
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'visits' } });
	return { version: saved };
}
