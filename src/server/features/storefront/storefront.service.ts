import type { ContactInfo } from '#contract/settings/site-settings.ts';
import {
	type Storefront,
	type StorefrontContact,
	storefrontDefaults,
} from '#contract/storefront/storefront-settings.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { getContactInfo, getVersionedSetting, type StoredSetting, updateSetting } from '../settings/index.ts';

const setting: StoredSetting<Storefront> = { key: 'storefront', defaults: storefrontDefaults };

export function getStorefront(db: Db): Promise<Storefront & { version: number }> {
	return getVersionedSetting(db, setting);
}

/** Returns the links and contact details that every page of the storefront shows, without the long legal texts. */
export function contactOf({ socialLinks, chatUrl }: Storefront, { email, phone }: ContactInfo): StorefrontContact {
	return { socialLinks, chatUrl, email, phone };
}

export async function getStorefrontContact(deps: Deps): Promise<StorefrontContact> {
	return contactOf(await getStorefront(deps.db), await getContactInfo(deps.db));
}

/** Saves the storefront's settings, which take effect on its pages at once. @throws AppError STALE */
export async function saveStorefront(
	deps: Deps,
	caller: Caller,
	{ version, ...settings }: Storefront & { version: number },
): Promise<{ version: number }> {
	const saved = await updateSetting(deps, caller, setting, {
		version,
		change: () => settings,
		action: 'storefront-saved',
		auditDetail: ({ socialLinks, chatUrl }) => ({ socialLinks: socialLinks.map(({ url }) => url), chatUrl }),
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-settings' } });
	return saved;
}
