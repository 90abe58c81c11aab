import type { MemberCaller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { getSetting, getSettingForUpdate, securitySetting, writeSetting } from '../../../platform/database/settings.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit } from '../../audit/index.ts';
import { findTwoFactorForUpdate, listAdminsWithoutTwoFactor } from './two-factor.queries.ts';

export async function getAdminRequirement(deps: Deps): Promise<{ isRequiredOfAdmins: boolean }> {
	return { isRequiredOfAdmins: (await getSetting(deps.db, securitySetting)).value.isTwoFactorRequiredOfAdmins };
}

/**
 * Saves whether admins must use two-factor sign-in. If they must, an admin without it can do nothing but set it up.
 * @throws AppError TWO_FACTOR_OWN_FIRST when the caller would require it without using it
 */
export async function saveAdminRequirement(deps: Deps, caller: MemberCaller, input: { isRequiredOfAdmins: boolean }) {
	await inTransaction(deps.db, async (tx) => {
		const own = await findTwoFactorForUpdate(tx, caller.actor.userId);
		if (input.isRequiredOfAdmins && (own?.since ?? null) === null) throw new AppError('TWO_FACTOR_OWN_FIRST');
		const { value, version } = await getSettingForUpdate(tx, securitySetting);
		if (value.isTwoFactorRequiredOfAdmins === input.isRequiredOfAdmins) return;
		const setting = { isTwoFactorRequiredOfAdmins: input.isRequiredOfAdmins };
		await writeSetting(tx, securitySetting.key, JSON.stringify(setting), version + 1, isoAt(deps.clock));
		await recordAudit(deps, tx, caller, 'two-factor-requirement-changed', ['settings', 'security'], setting);
	});
	if (input.isRequiredOfAdmins) {
		// Ends their event streams, downloads and uploads. Their sessions continue, so that they can set it up.
		for (const userId of await listAdminsWithoutTwoFactor(deps.db))
			deps.bus.publish({ kind: 'ended', ended: { userId, reason: 'view' } });
	}
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
	return input;
}
