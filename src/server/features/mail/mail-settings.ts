import type { InputOf } from '#contract/core/endpoint.ts';
import type { Locale } from '#contract/core/text.ts';
import type { mailSettings } from '#contract/mail/mail.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Db } from '../../platform/database/schema.ts';
import { createRegistration, type Deps } from '../../platform/deps.ts';
import { getVersionedSetting, type StoredSetting, updateSetting } from '../settings/index.ts';

interface MailAccounts {
	findFirstAdmin(db: Db): Promise<{ email: string } | undefined>;
	/** Starts the lifetime of a link; called in the transaction that marks its mail as sent. */
	startPasswordLinkExpiry(deps: Deps, tx: Db, linkId: string): Promise<void>;
	findUserByEmail(db: Db, email: string): Promise<{ id: string } | undefined>;
	/** Mails a user a new link to set a password. @throws AppError LOGIN_NOT_OPEN, TOO_MANY_RESETS */
	sendLogin(deps: Deps, caller: Caller, userId: string): Promise<unknown>;
	/** Creates a link to set a password, whose lifetime starts at once. @throws AppError LOGIN_NOT_OPEN, FORBIDDEN */
	createLoginLink(deps: Deps, caller: Caller, userId: string): Promise<{ url: string }>;
}

export const mailAccounts = createRegistration<MailAccounts>('accounts for mails');

type SavedSettings = InputOf<typeof mailSettings.save>;
/** `locale` is the language of mails to the owner: the language of the admin who saved the settings last. */
type MailSettings = Omit<SavedSettings, 'version'> & { locale: Locale };

const mailSetting: StoredSetting<MailSettings> = {
	key: 'mail',
	defaults: { isOrderMailed: true, isChatMailed: true, orderMailTo: '', seller: '', locale: 'en' },
};

export function getMailSettings(db: Db) {
	return getVersionedSetting(db, mailSetting);
}

export async function getMailSettingsForAdmin(deps: Deps) {
	const { locale: _locale, ...settings } = await getMailSettings(deps.db);
	return { ...settings, firstAdmin: (await mailAccounts().findFirstAdmin(deps.db))?.email ?? '' };
}

/** @throws AppError STALE */
export function saveMailSettings(deps: Deps, caller: Caller, { version, ...settings }: SavedSettings) {
	return updateSetting(deps, caller, mailSetting, {
		version,
		change: () => ({ ...settings, locale: caller.locale }),
		action: 'mail-settings-saved',
		auditDetail: () => settings,
	});
}

/**
 * Returns the address and language for mails to the owner: the address in the mail settings, or else that of the first
 * admin. Returns null without an address, or if `optional` is a kind of mail that is turned off.
 */
export async function findOwnerMailRecipient(tx: Db, optional?: 'isOrderMailed' | 'isChatMailed') {
	const { orderMailTo, locale, ...settings } = await getMailSettings(tx);
	if (optional !== undefined && !settings[optional]) return null;
	const to = orderMailTo === '' ? (await mailAccounts().findFirstAdmin(tx))?.email : orderMailTo;
	return to === undefined ? null : { to, locale };
}
