import { type VisitSettings, visitDefaults } from '#contract/visits/visits.ts';
import type { Db } from '../../db/schema.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { enqueueJob } from '../../platform/jobs/jobs.ts';
import { changeSetting, readSetting, type Setting } from '../settings/saved-settings.service.ts';

const setting: Setting<VisitSettings> = { key: 'visits', defaults: visitDefaults };

/** Applies the settings to what is kept already. */
export const visitsJob = 'tidy-visits';

/** How visits are counted; version 0 and the defaults where nothing was saved. */
export async function getVisitSettings(db: Db): Promise<VisitSettings & { version: number }> {
	const { value, version } = await readSetting(db, setting);
	return { ...value, version };
}

/** Saves them; visits from here on follow them, and a job brings what is kept into line. @throws AppError STALE */
export async function saveVisitSettings(
	deps: Deps,
	caller: Caller,
	{ version, ...wanted }: VisitSettings & { version: number },
): Promise<{ version: number }> {
	const saved = await changeSetting(deps, caller, setting, {
		version,
		change: async (tx) => {
			await enqueueJob(deps, tx, visitsJob, {});
			return wanted;
		},
		action: 'visit-settings-saved',
		tell: () => ({ ...wanted }),
	});
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'visits' } });
	return saved;
}
