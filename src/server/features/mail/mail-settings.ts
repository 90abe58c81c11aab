import type { Locale } from '#contract/core/text.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { createRegistration } from '../../platform/registration.ts';
import { getVersionedSetting, type StoredSetting, updateSetting } from '../settings/index.ts';

interface MailAccounts {
	findFirstAdmin(db: Db): Promise<{ email: string } | undefined>;
	/** Starts the link's expiry period; called in the transaction that marks its mail as sent. */
	startPasswordLinkExpiry(deps: Deps, tx: Db, linkId: string): Promise<void>;
}

export const mailAccounts = createRegistration<MailAccounts>('accounts for mails');

interface StoredMailSettings {
	isOrderMailed: boolean;
	isChatMailed: boolean;
	/** Recipient of mails about orders and chats; '' means the first admin. */
	orderMailTo: string;
	seller: string;
	/** Language of the admin who saved last: the language of mails to the owner. */
	locale: Locale;
}

export interface MailSettings extends StoredMailSettings {
	/** 0 if the settings were never saved. */
	version: number;
}

const mailSetting: StoredSetting<StoredMailSettings> = {
	key: 'mail',
	defaults: { isOrderMailed: true, isChatMailed: true, orderMailTo: '', seller: '', locale: 'en' },
};

export function getMailSettings(db: Db): Promise<MailSettings> {
	return getVersionedSetting(db, mailSetting);
}

export async function getMailSettingsForAdmin(deps: Deps) {
	const { locale: _locale, ...settings } = await getMailSettings(deps.db);
	return { ...settings, firstAdmin: (await mailAccounts().findFirstAdmin(deps.db))?.email ?? '' };
}

/** @throws AppError STALE */
export function saveMailSettings(deps: Deps, caller: Caller, { version, ...settings }: Omit<MailSettings, 'locale'>) {
	return updateSetting(deps, caller, mailSetting, {
		version,
		change: () => ({ ...settings, locale: caller.locale }),
		action: 'mail-settings-saved',
		auditDetail: () => settings,
	});
}

/** Finds the recipient and language of mails about new orders; null if these mails are off or there is no admin. */
export async function findOrderMailRecipient(tx: Db): Promise<{ to: string; locale: Locale } | null> {
	const settings = await getMailSettings(tx);
	return settings.isOrderMailed ? resolveRecipient(tx, settings) : null;
}

/** Like {@link findOrderMailRecipient}, for mails about unread chat messages. */
export async function findChatMailRecipient(tx: Db): Promise<{ to: string; locale: Locale } | null> {
	const settings = await getMailSettings(tx);
	return settings.isChatMailed ? resolveRecipient(tx, settings) : null;
}

/** Finds the recipient of warnings, which are always on: the address in the mail settings, else the first admin. */
export async function findOwnerMailRecipient(tx: Db): Promise<{ to: string; locale: Locale } | null> {
	return resolveRecipient(tx, await getMailSettings(tx));
}

/** Finds the language of mails to users whose own language is unknown: the owner's. */
export async function findOwnerLocale(tx: Db): Promise<Locale> {
	return (await getMailSettings(tx)).locale;
}

async function resolveRecipient(tx: Db, { orderMailTo, locale }: MailSettings) {
	const to = orderMailTo === '' ? (await mailAccounts().findFirstAdmin(tx))?.email : orderMailTo;
	return to === undefined ? null : { to, locale };
}
