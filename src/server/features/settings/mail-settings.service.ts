import type { Locale } from '#contract/storefront/landing.ts';
import type { Db } from '../../db/schema.ts';
import { findSetting, findSettingForUpdate, writeSetting } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { findFirstAdmin } from '../account/account.service.ts';
import { recordAudit } from '../audit/audit.service.ts';

const mailKey = 'mail';

interface StoredMailSettings {
	isOrderMailed: boolean;
	orderMailTo: string;
	seller: string;
	/** Of whoever saved last: the language of mails to the owner. */
	locale: Locale;
}

export interface MailSettings extends StoredMailSettings {
	/** 0 while nothing was ever saved. */
	version: number;
}

const defaults: StoredMailSettings = { isOrderMailed: true, orderMailTo: '', seller: '', locale: 'en' };

export async function getMailSettings(db: Db): Promise<MailSettings> {
	const row = await findSetting(db, mailKey);
	const stored = row === undefined ? defaults : (JSON.parse(row.value) as StoredMailSettings);
	return { ...stored, version: row?.version ?? 0 };
}

/** What the settings page shows. */
export async function getMailSettingsForAdmin(deps: Deps) {
	const { locale: _locale, ...settings } = await getMailSettings(deps.db);
	return { ...settings, firstAdmin: (await findFirstAdmin(deps.db))?.email ?? '' };
}

/** @throws AppError STALE */
export async function saveMailSettings(
	deps: Deps,
	caller: Caller,
	{ version, ...wanted }: Omit<MailSettings, 'locale'>,
): Promise<{ version: number }> {
	return inTransaction(deps.db, async (tx) => {
		const current = (await findSettingForUpdate(tx, mailKey))?.version ?? 0;
		if (current !== version) throw new AppError('STALE');
		const stored: StoredMailSettings = { ...wanted, locale: caller.locale };
		await writeSetting(tx, mailKey, JSON.stringify(stored), current + 1, isoAt(deps.clock));
		await recordAudit(deps, tx, caller, {
			action: 'mail-settings-saved',
			subjectKind: 'settings',
			subjectId: mailKey,
			detail: { ...wanted },
		});
		return { version: current + 1 };
	});
}

/** Who hears of a new order, in which language; null when nobody wants to. */
export async function findOrderMailTo(tx: Db): Promise<{ to: string; locale: Locale } | null> {
	const { isOrderMailed, orderMailTo, locale } = await getMailSettings(tx);
	if (!isOrderMailed) return null;
	const to = orderMailTo === '' ? (await findFirstAdmin(tx))?.email : orderMailTo;
	return to === undefined ? null : { to, locale };
}
