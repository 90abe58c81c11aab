import { viewSeconds } from '#contract/view-as/view-as.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type MemberCaller, sessionOwnerOf } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { findViewableMember } from '../../platform/auth/sessions.queries.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { findUserById, recordViewEnd } from '../account/account.service.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { setView } from './view-as.queries.ts';

/**
 * From here on the admin's session is that member's, read only: the guard refuses every write. It ends by itself after
 * an hour, at the logout, and when the member is deactivated or deleted.
 * @throws AppError NOT_FOUND, VIEW_NOT_POSSIBLE for another admin and for somebody who is not active
 */
export async function startView(deps: Deps, caller: MemberCaller, userId: string): Promise<void> {
	const { actor } = caller;
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
	showAnew(deps, actor);
}

/** The session is the admin's own again; harmless without a view. */
export async function endView(deps: Deps, caller: MemberCaller): Promise<void> {
	const { actor } = caller;
	if (actor.viewedBy === null) return;
	await inTransaction(deps.db, async (tx) => {
		await setView(tx, actor.sessionId, null);
		await recordViewEnd(deps, tx, caller, actor);
	});
	showAnew(deps, actor);
}

/** Closes what the session holds open, so that every tab comes back as who it is now. */
function showAnew(deps: Deps, actor: MemberCaller['actor']): void {
	const { userId } = sessionOwnerOf(actor);
	deps.bus.publish({ kind: 'ended', ended: { userId, sessionIds: [actor.sessionId], reason: 'view' } });
}
