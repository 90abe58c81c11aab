import { type VisitSettings, visitDefaults } from '#contract/storefront/visits.ts';
import type { Caller } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { enqueueJob } from '../../../platform/jobs/jobs.ts';
import { getSetting, type StoredSetting, updateSetting } from '../../settings/index.ts';

const setting: StoredSetting<VisitSettings> = { key: 'visits', defaults: visitDefaults };

/** Kind of the job that applies the settings to stored visits. */
export const visitsJob = 'tidy-visits';

/** Returns the settings for counting visits; before anything is saved, the defaults and version 0. */
export async function getVisitSettings(db: Db): Promise<VisitSettings & { version: number }> {
	const { value, version } = await getSetting(db, setting);
	return { ...value, version };
}

/** Saves the settings; new visits follow them, and a job applies them to stored visits. @throws AppError STALE */
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
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'visits' } });
	return saved;
}
