import type { InputOf } from '#contract/core/endpoint.ts';
import { type ContactInfo, type dashboardSettings, noContactInfo } from '#contract/settings/site-settings.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Db } from '../../platform/database/schema.ts';
import { getSetting, type StoredSetting } from '../../platform/database/settings.ts';
import type { Deps } from '../../platform/deps.ts';
import { getVersionedSetting, saveSetting } from './settings-store.ts';

const contactInfoSetting: StoredSetting<ContactInfo> = { key: 'contact-info', defaults: noContactInfo };

/** Returns the owner's contact details; empty, with version 0, if none were saved. */
export function getContactInfo(db: Db): Promise<ContactInfo & { version: number }> {
	return getVersionedSetting(db, contactInfoSetting);
}

/** Saves the contact details, which open pages and the storefront show at once. @throws AppError STALE */
export async function saveContactInfo(deps: Deps, caller: Caller, input: ContactInfo & { version: number }) {
	const saved = await saveSetting(deps, caller, contactInfoSetting, input, 'contact-info-saved');
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'contact-info' } });
	return saved;
}

type DashboardSettings = InputOf<typeof dashboardSettings.save>;
const dashboardSetting: StoredSetting<DashboardSettings> = { key: 'dashboard', defaults: { showSharedFolders: true } };

export async function getDashboardSettings(db: Db): Promise<DashboardSettings> {
	return (await getSetting(db, dashboardSetting)).value;
}

export async function saveDashboardSettings(deps: Deps, caller: Caller, settings: DashboardSettings) {
	await saveSetting(deps, caller, dashboardSetting, settings, 'dashboard-set');
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'dashboard' } });
	return settings;
}
