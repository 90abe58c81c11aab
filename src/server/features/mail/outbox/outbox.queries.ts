import { databaseTime } from '../../../platform/database/connection.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

interface NewMail {
	id: string;
	messageId: string;
	kind: string;
	recipient: string;
	payloadSealed: string;
	now: string;
	dueAt: string;
	orderLinkId: string | null;
	chatKey: string | null;
}

export async function insertMail(tx: Db, mail: NewMail): Promise<void> {
	await tx
		.insertInto('outbox')
		.values({
			id: mail.id,
			message_id: mail.messageId,
			kind: mail.kind,
			recipient: mail.recipient,
			payload_sealed: mail.payloadSealed,
			state: 'waiting',
			next_attempt_at: mail.dueAt,
			leased_until: null,
			created_at: mail.now,
			sent_at: null,
			last_error: null,
			order_link_id: mail.orderLinkId,
			chat_key: mail.chatKey,
		})
		.execute();
}

/** Leases the next due mail for some seconds by the database's clock, inside the caller's transaction. */
export async function leaseNextMail(tx: Db, now: string, seconds: number) {
	const due = await lockRows(
		tx,
		tx
			.selectFrom('outbox')
			.select(['id', 'message_id as messageId', 'kind', 'recipient', 'payload_sealed as payloadSealed', 'attempts'])
			.select(databaseTime(tx, seconds).as('leasedUntil'))
			.where('state', '=', 'waiting')
			.where('next_attempt_at', '<=', now)
			.where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', databaseTime(tx))]))
			.orderBy('next_attempt_at')
			.limit(1),
		'skip',
	).executeTakeFirst();
	if (due === undefined) return undefined;
	await tx
		.updateTable('outbox')
		.set({ leased_until: due.leasedUntil, attempts: due.attempts + 1 })
		.where('id', '=', due.id)
		.execute();
	return due;
}

/** Holds a mail for longer, where it still says one of the moments up to which it was taken. @returns false where not */
export async function renewMailLease(db: Db, id: string, moments: string[], leasedUntil: string): Promise<boolean> {
	const rows = await db
		.updateTable('outbox')
		.set({ leased_until: leasedUntil })
		.where('id', '=', id)
		.where('state', '=', 'waiting')
		.where('leased_until', 'in', moments)
		.returning('id')
		.execute();
	return rows.length > 0;
}

/** Ends all leases of waiting mails. */
export async function releaseMailLeases(db: Db): Promise<void> {
	await db.updateTable('outbox').set({ leased_until: null }).where('leased_until', 'is not', null).execute();
}

/** The mail was sent (or written to a file): its content is erased. */
export async function markMailDone(tx: Db, id: string, state: 'sent' | 'file', now: string): Promise<void> {
	await tx
		.updateTable('outbox')
		.set({ state, sent_at: now, payload_sealed: null, leased_until: null, last_error: null })
		.where('id', '=', id)
		.execute();
}

export async function postponeMail(db: Db, id: string, nextAttemptAt: string, error: string): Promise<void> {
	await db
		.updateTable('outbox')
		.set({ next_attempt_at: nextAttemptAt, leased_until: null, last_error: error })
		.where('id', '=', id)
		.execute();
}

/** A mail that can never go out, such as one to an address that the server refuses for good. */
export async function markMailFailed(db: Db, id: string, error: string): Promise<void> {
	await db
		.updateTable('outbox')
		.set({ state: 'failed', leased_until: null, last_error: error })
		.where('id', '=', id)
		.execute();
}

export async function countMailsByState(db: Db): Promise<Map<string, number>> {
	const rows = await db
		.selectFrom('outbox')
		.select((eb) => ['state', eb.fn.countAll<number>().as('count')])
		.groupBy('state')
		.execute();
	return new Map(rows.map((row) => [row.state, row.count]));
}

export async function findLastMailError(db: Db): Promise<string | null> {
	const row = await db
		.selectFrom('outbox')
		.select('last_error as lastError')
		.where('state', 'in', ['waiting', 'failed'])
		.where('last_error', 'is not', null)
		.orderBy('created_at', 'desc')
		.limit(1)
		.executeTakeFirst();
	return row?.lastError ?? null;
}

/** Takes back what waits for the answer to a submission. */
export async function deleteUnsentOrderMails(tx: Db, orderLinkId: string): Promise<void> {
	await tx.deleteFrom('outbox').where('order_link_id', '=', orderLinkId).where('state', '=', 'waiting').execute();
}

/** Takes back what tells a side of a conversation of its messages. */
export async function deleteUnsentChatMails(tx: Db, chatKey: string): Promise<void> {
	await tx.deleteFrom('outbox').where('chat_key', '=', chatKey).where('state', '=', 'waiting').execute();
}

/** Deletes every mail to an address, sent or not. @returns the Message-IDs of those that were kept as files */
export async function deleteMailsTo(tx: Db, recipient: string): Promise<string[]> {
	const rows = await tx
		.deleteFrom('outbox')
		.where('recipient', '=', recipient)
		.returning(['message_id as messageId', 'state'])
		.execute();
	return rows.flatMap(({ messageId, state }) => (state === 'file' ? [messageId] : []));
}
