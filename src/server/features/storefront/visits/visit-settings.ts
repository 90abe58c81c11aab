import { type VisitSettings, visitDefaults } from '#contract/storefront/visits.ts';
import type { Caller } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { enqueueJob } from '../../../platform/jobs/jobs.ts';
import { getVersionedSetting, type StoredSetting, updateSetting } from '../../settings/index.ts';

const setting: StoredSetting<VisitSettings> = { key: 'visits', defaults: visitDefaults };

export const visitsJob = 'tidy-visits';

export function getVisitSettings(db: Db): Promise<VisitSettings & { version: number }> {
	return getVersionedSetting(db, setting);
}

/** Saves the settings for new visits. A job applies them to stored visits. @throws AppError STALE */
export async function saveVisitSettings(
	deps: Deps,
	caller: Caller,
	{ version, ...settings }: VisitSettings & { version: number },
): Promise<{ version: number }> {
	const saved = await updateSetting(deps, caller, setting, {
		version,
		change: async (tx) => {
			await enqueueJob(deps, tx, visitsJob, {});
			return settings;
		},
		action: 'visit-settings-saved',
		auditDetail: () => ({ ...settings }),
	});
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'visits' } });
	return saved;
}
