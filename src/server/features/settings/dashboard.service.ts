import type { Db } from '../../db/schema.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { changeSetting, readSetting, type Setting } from './saved-settings.service.ts';

/** The specification's `settings/dashboard`: true when missing. */
export interface Dashboard {
	showSharedFolders: boolean;
}
const setting: Setting<Dashboard> = { key: 'dashboard', defaults: { showSharedFolders: true } };

export async function getDashboard(db: Db): Promise<Dashboard> {
	return (await readSetting(db, setting)).value;
}

/** What the dashboard button opens from now on, on open pages too. */
export async function saveDashboard(deps: Deps, caller: Caller, wanted: Dashboard): Promise<Dashboard> {
	await changeSetting(deps, caller, setting, {
		change: () => wanted,
		action: 'dashboard-set',
		tell: ({ showSharedFolders }) => ({ showSharedFolders }),
	});
	deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'dashboard' } });
	return wanted;
}
