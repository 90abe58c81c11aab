import { impersonationSeconds } from '#contract/accounts/impersonation.ts';
import { getSessionOwner, type MemberCaller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { findImpersonableMember, setImpersonation } from '../../../platform/auth/sessions/sessions.queries.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit, recordAuditFor } from '../../audit/index.ts';
import { findUserById } from '../users/users.queries.ts';
import { recordImpersonationEnd } from '../users/users.service.ts';
import { clearImpersonation, type ExpiredImpersonation, findExpiredImpersonations } from './impersonation.queries.ts';

const impersonationsPerStep = 100;

/**
 * From here on the admin's session is that member's, read only: the guard refuses every write. It ends by itself after
 * an hour, at the logout, and when the member is deactivated or deleted.
 * @throws AppError NOT_FOUND, VIEW_NOT_POSSIBLE for another admin and for somebody who is not active
 */
export async function startImpersonation(deps: Deps, caller: MemberCaller, userId: string): Promise<void> {
	const { actor } = caller;
	// One that has just run out is written down before another takes its place.
	await endExpiredImpersonations(deps);
	await inTransaction(deps.db, async (tx) => {
		const member = await findImpersonableMember(tx, userId);
		if (member === undefined) {
			throw new AppError((await findUserById(tx, userId)) === undefined ? 'NOT_FOUND' : 'VIEW_NOT_POSSIBLE');
		}
		const endsAt = isoAt(deps.clock, impersonationSeconds);
		await setImpersonation(tx, actor.sessionId, { userId: member.id, endsAt });
		await recordAudit(deps, tx, caller, {
			action: 'view-as-started',
			subjectKind: 'user',
			subjectId: member.id,
			detail: { email: member.email, until: endsAt },
		});
	});
	closeSessionConnections(deps, getSessionOwner(actor).userId, actor.sessionId);
}

/** The session is the admin's own again; harmless without a view. */
export async function endImpersonation(deps: Deps, caller: MemberCaller): Promise<void> {
	const { actor } = caller;
	if (actor.impersonatedBy === null) return;
	await inTransaction(deps.db, async (tx) => {
		await setImpersonation(tx, actor.sessionId, null);
		await recordImpersonationEnd(deps, tx, caller, actor);
	});
	closeSessionConnections(deps, getSessionOwner(actor).userId, actor.sessionId);
}

/**
 * Once a minute: writes down the end of views that ended by themselves, each once, and closes what they hold open. The
 * guard lets nobody use such a view in the meantime.
 */
export async function endExpiredImpersonations(deps: Deps): Promise<void> {
	const now = isoAt(deps.clock);
	const expired = await findExpiredImpersonations(deps.db, now, impersonationsPerStep);
	for (const impersonation of expired) {
		const isFirst = await inTransaction(deps.db, async (tx) => {
			if (!(await clearImpersonation(tx, impersonation))) return false;
			await recordImpersonationExpiry(deps, tx, impersonation, now);
			return true;
		});
		if (isFirst) closeSessionConnections(deps, impersonation.adminId, impersonation.sessionId);
	}
}

/** By the admin whose view it was, and from nowhere: nobody asked for it. */
async function recordImpersonationExpiry(
	deps: Deps,
	tx: Db,
	impersonation: ExpiredImpersonation,
	now: string,
): Promise<void> {
	const isHourOver = impersonation.endsAt !== null && impersonation.endsAt <= now;
	await recordAuditFor(
		deps,
		tx,
		{ actor: { userId: impersonation.adminId, email: impersonation.adminEmail }, ip: 'Unknown' },
		{
			action: 'view-as-ended',
			subjectKind: 'user',
			subjectId: impersonation.memberId ?? '',
			detail: {
				email: impersonation.memberEmail,
				isByItself: true,
				...(isHourOver && { until: impersonation.endsAt }),
			},
		},
	);
}

/** Closes what the session holds open, so that every tab comes back as who it is now. */
function closeSessionConnections(deps: Deps, adminId: string, sessionId: string): void {
	deps.bus.publish({ kind: 'ended', ended: { userId: adminId, sessionIds: [sessionId], reason: 'view' } });
}
