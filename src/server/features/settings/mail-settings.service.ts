import type { Locale } from '#contract/storefront/landing.ts';
import type { Db } from '../../db/schema.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { findFirstAdmin } from '../account/account.service.ts';
import { changeSetting, readSetting, type Setting } from './saved-settings.service.ts';

interface StoredMailSettings {
	isOrderMailed: boolean;
	isChatMailed: boolean;
	/** Of both. */
	orderMailTo: string;
	seller: string;
	/** Of whoever saved last: the language of mails to the owner. */
	locale: Locale;
}

export interface MailSettings extends StoredMailSettings {
	/** 0 while nothing was ever saved. */
	version: number;
}

const setting: Setting<StoredMailSettings> = {
	key: 'mail',
	defaults: { isOrderMailed: true, isChatMailed: true, orderMailTo: '', seller: '', locale: 'en' },
};

export async function getMailSettings(db: Db): Promise<MailSettings> {
	const { value, version } = await readSetting(db, setting);
	return { ...value, version };
}

/** What the settings page shows. */
export async function getMailSettingsForAdmin(deps: Deps) {
	const { locale: _locale, ...settings } = await getMailSettings(deps.db);
	return { ...settings, firstAdmin: (await findFirstAdmin(deps.db))?.email ?? '' };
}

/** @throws AppError STALE */
export function saveMailSettings(
	deps: Deps,
	caller: Caller,
	{ version, ...wanted }: Omit<MailSettings, 'locale'>,
): Promise<{ version: number }> {
	return changeSetting(deps, caller, setting, {
		version,
		change: () => ({ ...wanted, locale: caller.locale }),
		action: 'mail-settings-saved',
		tell: () => wanted,
	});
}

/** Who hears of a new order, in which language; null when nobody wants to. */
export async function findOrderMailTo(tx: Db): Promise<{ to: string; locale: Locale } | null> {
	const settings = await getMailSettings(tx);
	return settings.isOrderMailed ? findMailTo(tx, settings) : null;
}

/** The same of messages in the chat that nobody has looked at. */
export async function findChatMailTo(tx: Db): Promise<{ to: string; locale: Locale } | null> {
	const settings = await getMailSettings(tx);
	return settings.isChatMailed ? findMailTo(tx, settings) : null;
}

/** Where warnings that cannot be turned off go: the address of the mail settings, else the first admin. */
export async function findOwnerMailTo(tx: Db): Promise<{ to: string; locale: Locale } | null> {
	return findMailTo(tx, await getMailSettings(tx));
}

/** The language of mails from the owner, where nobody knows the reader's. */
export async function findOwnerLocale(tx: Db): Promise<Locale> {
	return (await getMailSettings(tx)).locale;
}

async function findMailTo(tx: Db, { orderMailTo, locale }: MailSettings) {
	const to = orderMailTo === '' ? (await findFirstAdmin(tx))?.email : orderMailTo;
	return to === undefined ? null : { to, locale };
}
