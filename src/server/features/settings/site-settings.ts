import { type ContactInfo, noContactInfo } from '#contract/settings/site-settings.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { getSetting, type StoredSetting, updateSetting } from './settings-store.ts';

const contactInfoSetting: StoredSetting<ContactInfo> = { key: 'contact-info', defaults: noContactInfo };

/** How one reaches the owner; version 0 and nothing where nothing was saved. */
export async function getContactInfo(db: Db): Promise<ContactInfo & { version: number }> {
	const { value, version } = await getSetting(db, contactInfoSetting);
	return { ...value, version };
}

/** Saves it; open pages and the storefront show it at once. @throws AppError STALE */
export async function saveContactInfo(
	deps: Deps,
	caller: Caller,
	{ version, ...wanted }: ContactInfo & { version: number },
): Promise<{ version: number }> {
	const saved = await updateSetting(deps, caller, contactInfoSetting, {
		version,
		change: () => wanted,
		action: 'contact-info-saved',
		auditDetail: () => ({ ...wanted }),
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'contact-info' } });
	return saved;
}

/** The specification's `settings/dashboard`: true when missing. */
interface DashboardSettings {
	showSharedFolders: boolean;
}
const dashboardSetting: StoredSetting<DashboardSettings> = { key: 'dashboard', defaults: { showSharedFolders: true } };

export async function getDashboardSettings(db: Db): Promise<DashboardSettings> {
	return (await getSetting(db, dashboardSetting)).value;
}

/** What the dashboard button opens from now on, on open pages too. */
export async function saveDashboardSettings(
	deps: Deps,
	caller: Caller,
	wanted: DashboardSettings,
): Promise<DashboardSettings> {
	await updateSetting(deps, caller, dashboardSetting, {
		change: () => wanted,
		action: 'dashboard-set',
		auditDetail: ({ showSharedFolders }) => ({ showSharedFolders }),
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'dashboard' } });
	return wanted;
}
