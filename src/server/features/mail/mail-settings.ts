import type { Locale } from '#contract/core/text.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { createRegistration } from '../../platform/registration.ts';
import { getSetting, type StoredSetting, updateSetting } from '../settings/index.ts';

/** What the mail feature needs from accounts. */
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
	/** 0 while nothing was ever saved. */
	version: number;
}

const mailSetting: StoredSetting<StoredMailSettings> = {
	key: 'mail',
	defaults: { isOrderMailed: true, isChatMailed: true, orderMailTo: '', seller: '', locale: 'en' },
};

export async function getMailSettings(db: Db): Promise<MailSettings> {
	const { value, version } = await getSetting(db, mailSetting);
	return { ...value, version };
}

/** What the settings page shows. */
export async function getMailSettingsForAdmin(deps: Deps) {
	const { locale: _locale, ...settings } = await getMailSettings(deps.db);
	return { ...settings, firstAdmin: (await mailAccounts().findFirstAdmin(deps.db))?.email ?? '' };
}

/** @throws AppError STALE */
export function saveMailSettings(
	deps: Deps,
	caller: Caller,
	{ version, ...wanted }: Omit<MailSettings, 'locale'>,
): Promise<{ version: number }> {
	return updateSetting(deps, caller, mailSetting, {
		version,
		change: () => ({ ...wanted, locale: caller.locale }),
		action: 'mail-settings-saved',
		auditDetail: () => wanted,
	});
}

/** Who is mailed about a new order, in which language; null when these mails are off or there is no admin. */
export async function findOrderMailRecipient(tx: Db): Promise<{ to: string; locale: Locale } | null> {
	const settings = await getMailSettings(tx);
	return settings.isOrderMailed ? resolveRecipient(tx, settings) : null;
}

/** The same for unread chat messages. */
export async function findChatMailRecipient(tx: Db): Promise<{ to: string; locale: Locale } | null> {
	const settings = await getMailSettings(tx);
	return settings.isChatMailed ? resolveRecipient(tx, settings) : null;
}

/** Where warnings that cannot be turned off go: the address of the mail settings, else the first admin. */
export async function findOwnerMailRecipient(tx: Db): Promise<{ to: string; locale: Locale } | null> {
	return resolveRecipient(tx, await getMailSettings(tx));
}

/** The language of mails from the owner when the reader's is unknown. */
export async function findOwnerLocale(tx: Db): Promise<Locale> {
	return (await getMailSettings(tx)).locale;
}

async function resolveRecipient(tx: Db, { orderMailTo, locale }: MailSettings) {
	const to = orderMailTo === '' ? (await mailAccounts().findFirstAdmin(tx))?.email : orderMailTo;
	return to === undefined ? null : { to, locale };
}
