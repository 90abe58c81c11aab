import { type VisitSettings, visitDefaults } from '#contract/storefront/visits.ts';
import type { Caller } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { enqueueJob } from '../../../platform/jobs/jobs.ts';
import { getSetting, type StoredSetting, updateSetting } from '../../settings/index.ts';

const setting: StoredSetting<VisitSettings> = { key: 'visits', defaults: visitDefaults };

/** Applies the settings to what is kept already. */
export const visitsJob = 'tidy-visits';

/** How visits are counted; version 0 and the defaults where nothing was saved. */
export async function getVisitSettings(db: Db): Promise<VisitSettings & { version: number }> {
	const { value, version } = await getSetting(db, setting);
	return { ...value, version };
}

/** Saves them; visits from here on follow them, and a job brings what is kept into line. @throws AppError STALE */
export async function saveVisitSettings(
	deps: Deps,
	caller: Caller,
	{ version, ...wanted }: VisitSettings & { version: number },
): Promise<{ version: number }> {
	const saved = await updateSetting(deps, caller, setting, {
		version,
		change: async (tx) => {
			await enqueueJob(deps, tx, visitsJob, {});
			return wanted;
		},
		action: 'visit-settings-saved',
		auditDetail: () => ({ ...wanted }),
	});
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'visits' } });
	return saved;
}
