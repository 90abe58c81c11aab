import type { ContactInfo } from '#contract/settings/site-settings.ts';
import {
	type Storefront,
	type StorefrontContact,
	storefrontDefaults,
} from '#contract/storefront/storefront-settings.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { getContactInfo, getSetting, type StoredSetting, updateSetting } from '../settings/index.ts';

const setting: StoredSetting<Storefront> = { key: 'storefront', defaults: storefrontDefaults };

/** The storefront's settings as they stand; version 0 and the defaults where nothing was saved. */
export async function getStorefront(db: Db): Promise<Storefront & { version: number }> {
	const { value, version } = await getSetting(db, setting);
	return { ...value, version };
}

/** What every page of the storefront shows: without the fine print, which is long. */
export function contactOf({ socialLinks, chatUrl }: Storefront, { email, phone }: ContactInfo): StorefrontContact {
	return { socialLinks, chatUrl, email, phone };
}

/** The same as it stands now. */
export async function getStorefrontContact(deps: Deps): Promise<StorefrontContact> {
	return contactOf(await getStorefront(deps.db), await getContactInfo(deps.db));
}

/** Saves them; live on the storefront's pages at once. @throws AppError STALE */
export async function saveStorefront(
	deps: Deps,
	caller: Caller,
	{ version, ...wanted }: Storefront & { version: number },
): Promise<{ version: number }> {
	const saved = await updateSetting(deps, caller, setting, {
		version,
		change: () => wanted,
		action: 'storefront-saved',
		auditDetail: ({ socialLinks, chatUrl }) => ({ socialLinks: socialLinks.map(({ url }) => url), chatUrl }),
	});
	deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'book-settings' } });
	return saved;
}
