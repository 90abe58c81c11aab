import { type Caller, getSessionOwner } from '../../platform/actor.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/schema.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { hasAuditEntry, insertAuditEntry } from './audit.queries.ts';

/** What was changed, and its id. */
type AuditSubject = readonly [kind: 'user' | 'order' | 'node' | 'settings' | 'credential' | 'system', id: string];

/** Transactions that publish the event already: one is enough for all their entries. */
const transactionsWithEvent = new WeakSet<Db>();

/** Writes who did it, when and from where, in the transaction of the change itself. `detail` holds no secret. */
export function recordAudit(
	deps: Deps,
	tx: Db,
	{ actor, ip }: Caller,
	action: string,
	subject: AuditSubject,
	detail?: Record<string, unknown>,
	deletedEmailKey?: string,
): Promise<void> {
	const owner = { actor: actor && getSessionOwner(actor), ip };
	return recordAuditFor(deps, tx, owner, action, subject, detail, deletedEmailKey);
}

/**
 * The same for a user who is responsible for the change without being the caller.
 * @param deletedEmailKey comparable address of a deleted user, whose entries are still found by it
 */
export async function recordAuditFor(
	deps: Deps,
	tx: Db,
	{ actor, ip }: { actor: { userId: string; email: string } | null; ip: string },
	action: string,
	[subject_kind, subject_id]: AuditSubject,
	detail: Record<string, unknown> = {},
	deletedEmailKey: string | null = null,
): Promise<void> {
	await insertAuditEntry(tx, {
		id: newId(),
		at: isoAt(deps.clock),
		actor_id: actor?.userId ?? null,
		actor_email: actor?.email ?? '',
		action,
		subject_kind,
		subject_id,
		detail: JSON.stringify(detail),
		ip,
		deleted_email_key: deletedEmailKey,
	});
	if (transactionsWithEvent.has(tx)) return;
	transactionsWithEvent.add(tx);
	afterCommit(() => deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'audit' } }));
}

/** Whether a user has done something since a moment. */
export function hasRecentAuditEntry(db: Db, actorId: string, action: string, since: string): Promise<boolean> {
	return hasAuditEntry(db, actorId, action, since);
}

/** The caller of work that no request caused: the start, the command line, jobs. */
export const systemCaller: Caller = { actor: null, ip: 'Unknown', userAgent: 'folio', locale: 'en' };
