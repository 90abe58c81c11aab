import { type ContactInfo, noContactInfo } from '#contract/settings/contact-info.ts';
import type { Db } from '../../db/schema.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { changeSetting, readSetting, type Setting } from './saved-settings.service.ts';

const setting: Setting<ContactInfo> = { key: 'contact-info', defaults: noContactInfo };

/** How one reaches the owner; version 0 and nothing where nothing was saved. */
export async function getContactInfo(db: Db): Promise<ContactInfo & { version: number }> {
	const { value, version } = await readSetting(db, setting);
	return { ...value, version };
}

/** Saves it; open pages and the storefront show it at once. @throws AppError STALE */
export async function saveContactInfo(
	deps: Deps,
	caller: Caller,
	{ version, ...wanted }: ContactInfo & { version: number },
): Promise<{ version: number }> {
	const saved = await changeSetting(deps, caller, setting, {
		version,
		change: () => wanted,
		action: 'contact-info-saved',
		tell: () => ({ ...wanted }),
	});
	deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'contact-info' } });
	return saved;
}
