import { type Caller, getSessionOwner } from '../../platform/actor.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/schema.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { hasAuditEntry, insertAuditEntry } from './audit.queries.ts';

/** What happened to whom; `detail` holds no secret. */
interface AuditEvent {
	action: string;
	subjectKind: 'user' | 'order' | 'node' | 'settings' | 'credential' | 'system';
	subjectId: string;
	detail?: Record<string, unknown>;
	/** Comparable address of a person whom this takes away: it keeps finding what they did. */
	deletedEmailKey?: string;
}

/** Writes who did it, when and from where, in the transaction of the change itself. */
export function recordAudit(deps: Deps, tx: Db, { actor, ip }: Caller, event: AuditEvent): Promise<void> {
	return recordAuditFor(deps, tx, { actor: actor && getSessionOwner(actor), ip }, event);
}

/** The same for a user who is responsible for the change without being the caller. */
export async function recordAuditFor(
	deps: Deps,
	tx: Db,
	{ actor, ip }: { actor: { userId: string; email: string } | null; ip: string },
	event: AuditEvent,
): Promise<void> {
	await insertAuditEntry(tx, {
		id: newId(),
		at: isoAt(deps.clock),
		actor_id: actor?.userId ?? null,
		actor_email: actor?.email ?? '',
		action: event.action,
		subject_kind: event.subjectKind,
		subject_id: event.subjectId,
		detail: JSON.stringify(event.detail ?? {}),
		ip,
		deleted_email_key: event.deletedEmailKey ?? null,
	});
	afterCommit(() => deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'audit' } }));
}

/** Whether a user has done something since a moment. */
export function hasRecentAuditEntry(db: Db, actorId: string, action: string, since: string): Promise<boolean> {
	return hasAuditEntry(db, actorId, action, since);
}

/** The caller of work that no request caused: the start, the command line, jobs. */
export const systemCaller: Caller = { actor: null, ip: 'Unknown', userAgent: 'folio', locale: 'en' };
