import type { AuditAction } from '#contract/audit/audit-kinds.ts';
import type { Actor, Caller } from '../../platform/actor.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/schema.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { newTimedId } from '../../platform/ids.ts';
import { insertAuditEntries } from './audit.queries.ts';

type AuditSubject = readonly [
	kind: 'user' | 'order' | 'node' | 'settings' | 'credential' | 'group' | 'system',
	id: string,
];

/** Transactions that will publish an event. One event is enough for all audit entries of a transaction. */
const transactionsWithEvent = new WeakSet<Db>();

type AuditDeps = Pick<Deps, 'clock' | 'bus'>;

interface AuditAuthor {
	actor: { userId: string; email: string; impersonatedBy?: Actor['impersonatedBy'] } | null;
	ip: string;
}

/**
 * Adds an audit entry in the transaction of the change. `detail` must not contain secrets. During an impersonation, the
 * admin is the actor.
 * @param deletedEmailKey email key of a deleted user, by which the user's entries are still found
 */
export function recordAudit(
	deps: AuditDeps,
	tx: Db,
	author: AuditAuthor,
	action: AuditAction,
	subject: AuditSubject,
	detail: Record<string, unknown> = {},
	deletedEmailKey: string | null = null,
): Promise<void> {
	return recordAudits(deps, tx, [{ author, action, subject, detail, deletedEmailKey }]);
}

interface NewAuditEntry {
	author: AuditAuthor;
	action: AuditAction;
	subject: AuditSubject;
	detail: Record<string, unknown>;
	deletedEmailKey?: string | null;
}

/** Adds entries like {@link recordAudit}, many in one statement. */
export async function recordAudits(deps: AuditDeps, tx: Db, entries: readonly NewAuditEntry[]): Promise<void> {
	const at = isoAt(deps.clock);
	const rows = entries.map(
		({ author, action, subject: [subject_kind, subject_id], detail, deletedEmailKey = null }) => {
			const owner = author.actor?.impersonatedBy ?? author.actor;
			return {
				id: newTimedId(),
				at,
				actor_id: owner?.userId ?? null,
				actor_email: owner?.email ?? '',
				action,
				subject_kind,
				subject_id,
				detail: JSON.stringify(detail),
				ip: author.ip,
				deleted_email_key: deletedEmailKey,
			};
		},
	);
	await insertAuditEntries(tx, rows);
	if (transactionsWithEvent.has(tx)) return;
	if (tx.isTransaction) transactionsWithEvent.add(tx);
	afterCommit(() => deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'audit' } }));
}

/** The caller of work without a request: the server's start, the command line, jobs. */
export const systemCaller: Caller = { actor: null, ip: 'Unknown', userAgent: 'folio', locale: 'en' };
