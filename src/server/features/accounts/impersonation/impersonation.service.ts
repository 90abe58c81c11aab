import { impersonationSeconds } from '#contract/accounts/sessions.ts';
import { getSessionOwner, type MemberCaller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import {
	clearImpersonation,
	findImpersonableMember,
	setImpersonation,
} from '../../../platform/auth/sessions/sessions.queries.ts';
import { isoAt } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit } from '../../audit/index.ts';
import { lockUserIfExists } from '../users/users.queries.ts';
import { stopImpersonation } from '../users/users.service.ts';
import { findExpiredImpersonations } from './impersonation.queries.ts';

const impersonationsPerStep = 100;

/**
 * Starts an impersonation of a member in the admin's session. While it lasts, writes are refused. It ends after an
 * hour, with the session, and when the admin or the member is deactivated, deleted or gets another role.
 * @throws AppError NOT_FOUND, VIEW_NOT_POSSIBLE for another admin and for an inactive user
 */
export async function startImpersonation(deps: Deps, caller: MemberCaller, userId: string): Promise<void> {
	const { actor } = caller;
	// Records the end of an expired impersonation before the new one replaces it.
	await endExpiredImpersonations(deps);
	await inTransaction(deps.db, async (tx) => {
		if (!(await lockUserIfExists(tx, userId))) throw new AppError('NOT_FOUND');
		const member = required(await findImpersonableMember(tx, userId), 'VIEW_NOT_POSSIBLE');
		const endsAt = isoAt(deps.clock, impersonationSeconds);
		await setImpersonation(tx, actor.sessionId, { userId: member.id, endsAt });
		await recordAudit(deps, tx, caller, 'view-as-started', ['user', member.id], { email: member.email, until: endsAt });
	});
	closeSessionConnections(deps, getSessionOwner(actor).userId, actor.sessionId);
}

export async function endImpersonation(deps: Deps, caller: MemberCaller): Promise<void> {
	const { actor } = caller;
	if (actor.impersonatedBy === null) return;
	await inTransaction(deps.db, (tx) => stopImpersonation(deps, tx, caller, actor));
	closeSessionConnections(deps, getSessionOwner(actor).userId, actor.sessionId);
}

/**
 * Ends expired impersonations: records the end of each one once, and closes the open connections of its session. Also
 * called once a minute.
 */
export async function endExpiredImpersonations(deps: Deps): Promise<void> {
	const now = isoAt(deps.clock);
	const expired = await findExpiredImpersonations(deps.db, now, impersonationsPerStep);
	for (const impersonation of expired) {
		const isRecordedHere = await inTransaction(deps.db, async (tx) => {
			if (!(await clearImpersonation(tx, impersonation))) return false;
			// The audit entry contains the admin but no IP address, because no request caused the end.
			const { adminId, adminEmail, memberId, memberEmail, endsAt } = impersonation;
			const admin = { actor: { userId: adminId, email: adminEmail }, ip: 'Unknown' };
			await recordAudit(deps, tx, admin, 'view-as-ended', ['user', memberId ?? ''], {
				email: memberEmail,
				isByItself: true,
				...(endsAt !== null && endsAt <= now && { until: endsAt }),
			});
			return true;
		});
		if (isRecordedHere) closeSessionConnections(deps, impersonation.adminId, impersonation.sessionId);
	}
}

/** Closes the session's open connections, so that every tab reconnects as the session's current user. */
function closeSessionConnections(deps: Deps, adminId: string, sessionId: string): void {
	deps.bus.publish({ kind: 'ended', ended: { userId: adminId, sessionIds: [sessionId], reason: 'view' } });
}
