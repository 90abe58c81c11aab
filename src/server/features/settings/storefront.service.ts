import {
	type Storefront,
	type StorefrontContact,
	storefrontDefaults,
} from '#contract/storefront/storefront-settings.ts';
import type { Db } from '../../db/schema.ts';
import { findSetting, findSettingForUpdate, writeSetting } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { recordAudit } from '../audit/audit.service.ts';

const storefrontKey = 'storefront';

/** The storefront's settings as they stand; version 0 and the defaults where nothing was saved. */
export async function getStorefront(db: Db): Promise<Storefront & { version: number }> {
	const row = await findSetting(db, storefrontKey);
	const stored = row === undefined ? storefrontDefaults : (JSON.parse(row.value) as Storefront);
	return { ...storefrontDefaults, ...stored, version: row?.version ?? 0 };
}

/** What every page of the storefront shows: without the fine print, which is long. */
export function contactOf({ socialLinks, chatUrl, contactEmail }: Storefront): StorefrontContact {
	return { socialLinks, chatUrl, contactEmail };
}

/** Saves them; live on the storefront's pages at once. @throws AppError STALE */
export async function saveStorefront(
	deps: Deps,
	caller: Caller,
	{ version, ...wanted }: Storefront & { version: number },
): Promise<{ version: number }> {
	const saved = await inTransaction(deps.db, async (tx) => {
		const current = (await findSettingForUpdate(tx, storefrontKey))?.version ?? 0;
		if (current !== version) throw new AppError('STALE');
		await writeSetting(tx, storefrontKey, JSON.stringify(wanted), current + 1, isoAt(deps.clock));
		await recordAudit(deps, tx, caller, {
			action: 'storefront-saved',
			subjectKind: 'settings',
			subjectId: storefrontKey,
			detail: {
				socialLinks: wanted.socialLinks.map(({ url }) => url),
				chatUrl: wanted.chatUrl,
				contactEmail: wanted.contactEmail,
			},
		});
		return current + 1;
	});
	deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'book-settings' } });
	return { version: saved };
}
