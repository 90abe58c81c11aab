import { viewSeconds } from '#contract/view-as/view-as.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type MemberCaller, sessionOwnerOf } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { findViewableMember, setView } from '../../platform/auth/sessions.queries.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { findUserById, recordViewEnd } from '../account/account.service.ts';
import { recordAudit, recordAuditOf } from '../audit/audit.service.ts';
import { clearView, findLapsedViews, type LapsedView } from './view-as.queries.ts';

const viewsPerStep = 100;

/**
 * From here on the admin's session is that member's, read only: the guard refuses every write. It ends by itself after
 * an hour, at the logout, and when the member is deactivated or deleted.
 * @throws AppError NOT_FOUND, VIEW_NOT_POSSIBLE for another admin and for somebody who is not active
 */
export async function startView(deps: Deps, caller: MemberCaller, userId: string): Promise<void> {
	const { actor } = caller;
	// One that has just run out is written down before another takes its place.
	await endLapsedViews(deps);
	await inTransaction(deps.db, async (tx) => {
		const member = await findViewableMember(tx, userId);
		if (member === undefined) {
			throw new AppError((await findUserById(tx, userId)) === undefined ? 'NOT_FOUND' : 'VIEW_NOT_POSSIBLE');
		}
		const endsAt = isoAt(deps.clock, viewSeconds);
		await setView(tx, actor.sessionId, { userId: member.id, endsAt });
		await recordAudit(deps, tx, caller, {
			action: 'view-as-started',
			subjectKind: 'user',
			subjectId: member.id,
			detail: { email: member.email, until: endsAt },
		});
	});
	showAnew(deps, sessionOwnerOf(actor).userId, actor.sessionId);
}

/** The session is the admin's own again; harmless without a view. */
export async function endView(deps: Deps, caller: MemberCaller): Promise<void> {
	const { actor } = caller;
	if (actor.viewedBy === null) return;
	await inTransaction(deps.db, async (tx) => {
		await setView(tx, actor.sessionId, null);
		await recordViewEnd(deps, tx, caller, actor);
	});
	showAnew(deps, sessionOwnerOf(actor).userId, actor.sessionId);
}

/**
 * Once a minute: writes down the end of views that ended by themselves, each once, and closes what they hold open. The
 * guard lets nobody use such a view in the meantime.
 */
export async function endLapsedViews(deps: Deps): Promise<void> {
	const now = isoAt(deps.clock);
	const views = await findLapsedViews(deps.db, now, viewsPerStep);
	for (const view of views) {
		const isFirst = await inTransaction(deps.db, async (tx) => {
			if (!(await clearView(tx, view))) return false;
			await recordLapse(deps, tx, view, now);
			return true;
		});
		if (isFirst) showAnew(deps, view.adminId, view.sessionId);
	}
}

/** By the admin whose view it was, and from nowhere: nobody asked for it. */
async function recordLapse(deps: Deps, tx: Db, view: LapsedView, now: string): Promise<void> {
	const isHourOver = view.endsAt !== null && view.endsAt <= now;
	await recordAuditOf(
		deps,
		tx,
		{ actor: { userId: view.adminId, email: view.adminEmail }, ip: 'Unknown' },
		{
			action: 'view-as-ended',
			subjectKind: 'user',
			subjectId: view.memberId ?? '',
			detail: { email: view.memberEmail, isByItself: true, ...(isHourOver && { until: view.endsAt }) },
		},
	);
}

/** Closes what the session holds open, so that every tab comes back as who it is now. */
function showAnew(deps: Deps, adminId: string, sessionId: string): void {
	deps.bus.publish({ kind: 'ended', ended: { userId: adminId, sessionIds: [sessionId], reason: 'view' } });
}
