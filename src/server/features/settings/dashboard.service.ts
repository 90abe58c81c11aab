import type { Db } from '../../db/schema.ts';
import { findSetting, findSettingForUpdate, writeSetting } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { recordAudit } from '../audit/audit.service.ts';

const dashboardKey = 'dashboard';

/** The specification's `settings/dashboard`: true when missing. */
export interface Dashboard {
	showSharedFolders: boolean;
}

export async function getDashboard(db: Db): Promise<Dashboard> {
	const row = await findSetting(db, dashboardKey);
	return row === undefined ? { showSharedFolders: true } : (JSON.parse(row.value) as Dashboard);
}

/** What the dashboard button opens from now on, on open pages too. */
export async function saveDashboard(deps: Deps, caller: Caller, wanted: Dashboard): Promise<Dashboard> {
	await inTransaction(deps.db, async (tx) => {
		const row = await findSettingForUpdate(tx, dashboardKey);
		await writeSetting(tx, dashboardKey, JSON.stringify(wanted), (row?.version ?? 0) + 1, isoAt(deps.clock));
		await recordAudit(deps, tx, caller, {
			action: 'dashboard-set',
			subjectKind: 'settings',
			subjectId: dashboardKey,
			detail: { showSharedFolders: wanted.showSharedFolders },
		});
	});
	deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'dashboard' } });
	return wanted;
}
