import type { Updateable } from 'kysely';
import { databaseTime } from '../../../platform/database/connection.ts';
import { insertInto, pageAfter } from '../../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

export const insertMail = insertInto('outbox');

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

/** A mail that this process has leased. `expiries`: expiry times that its row may have during a renewal. */
interface LeasedMail {
	id: string;
	expiries: string[];
}

/** Changes a mail, unless another process has leased it meanwhile. */
export function updateLeasedMail(db: Db, { id, expiries }: LeasedMail, changes: Updateable<Schema['outbox']>) {
	return db
		.updateTable('outbox')
		.set(changes)
		.where('id', '=', id)
		.where('state', '=', 'waiting')
		.where('leased_until', 'in', expiries)
		.executeTakeFirst();
}

export async function releaseMailLeases(db: Db): Promise<void> {
	await db.updateTable('outbox').set({ leased_until: null }).where('leased_until', 'is not', null).execute();
}

/** Marks a mail as sent or written to a file, and erases its content unless it is kept for sending the mail later. */
export async function markMailDone(
	tx: Db,
	id: string,
	{ state, isContentKept, now }: { state: 'sent' | 'file'; isContentKept: boolean; now: string },
): Promise<void> {
	await tx
		.updateTable('outbox')
		.set({ state, sent_at: now, leased_until: null, last_error: null })
		.$if(!isContentKept, (mail) => mail.set({ payload_sealed: null }))
		.where('id', '=', id)
		.execute();
}

const unsentStates = ['file', 'failed'] as const;

/** Lists unsent mails after a position, those that were due last first. Reads the index of each state in order. */
export async function listUnsentMails(db: Db, after: [string, string] | null, limit: number) {
	const pages = unsentStates.map((state) =>
		db
			.selectFrom('outbox')
			.select(['id', 'message_id as messageId', 'kind', 'recipient', 'state', 'last_error as error'])
			.select(['next_attempt_at as at'])
			.select((eb) => eb('payload_sealed', 'is not', null).as('hasContent'))
			.where('state', '=', state)
			.$call(pageAfter(after, ['next_attempt_at', 'id'], 'desc', limit))
			.execute(),
	);
	const rows = (await Promise.all(pages)).flat();
	const keyOf = ({ at, id }: { at: string; id: string }) => `${at} ${id}`;
	return rows.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1)).slice(0, limit);
}

export function findUnsentMail(db: Db, id: string) {
	return db
		.selectFrom('outbox')
		.select(['kind', 'recipient', 'message_id as messageId'])
		.where('id', '=', id)
		.where('state', 'in', unsentStates)
		.executeTakeFirst();
}

/** Lets an unsent mail be sent again. @returns false if it was sent or deleted meanwhile, or has no content */
export async function enqueueUnsentMail(tx: Db, id: string, now: string): Promise<boolean> {
	const { numUpdatedRows } = await tx
		.updateTable('outbox')
		.set({ state: 'waiting', attempts: 0, next_attempt_at: now, sent_at: null, last_error: null })
		.where('id', '=', id)
		.where('state', 'in', unsentStates)
		.where('payload_sealed', 'is not', null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function deleteUnsentMail(tx: Db, id: string): Promise<void> {
	await tx.deleteFrom('outbox').where('id', '=', id).where('state', 'in', unsentStates).execute();
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

export async function deleteUnsentOrderMails(tx: Db, orderLinkId: string): Promise<void> {
	await tx.deleteFrom('outbox').where('order_link_id', '=', orderLinkId).where('state', '=', 'waiting').execute();
}

/** Deletes the unsent mails that notify one side of a conversation of new messages. */
export async function deleteUnsentChatMails(tx: Db, chatKey: string): Promise<void> {
	await tx.deleteFrom('outbox').where('chat_key', '=', chatKey).where('state', '=', 'waiting').execute();
}

/**
 * Deletes the mails that notify either side of conversations, sent or not.
 * @returns the Message-IDs of mails that were written to files
 */
export async function deleteChatMails(tx: Db, chatKeys: readonly string[]): Promise<string[]> {
	const mails = tx.deleteFrom('outbox').where('chat_key', 'in', chatKeys);
	return filesOf(await mails.returning(['message_id as messageId', 'state']).execute());
}

/** Lists the mails to an address since a moment, oldest first, except these kinds. */
export function listMailsTo(db: Db, recipient: string, since: string, exceptKinds: readonly string[]) {
	return db
		.selectFrom('outbox')
		.select(['id', 'message_id as messageId', 'kind', 'state', 'last_error as error'])
		.where('recipient', '=', recipient)
		.where('created_at', '>=', since)
		.where('kind', 'not in', exceptKinds)
		.orderBy('created_at')
		.orderBy('id')
		.execute();
}

/**
 * Deletes every mail to an address, sent or not, except these kinds.
 * @returns the Message-IDs of mails that were written to files
 */
export async function deleteMailsTo(tx: Db, recipient: string, exceptKinds: readonly string[]): Promise<string[]> {
	let mails = tx.deleteFrom('outbox').where('recipient', '=', recipient);
	if (exceptKinds.length > 0) mails = mails.where('kind', 'not in', exceptKinds);
	return filesOf(await mails.returning(['message_id as messageId', 'state']).execute());
}

function filesOf(rows: ReadonlyArray<{ messageId: string; state: string }>): string[] {
	return rows.flatMap(({ messageId, state }) => (state === 'file' ? [messageId] : []));
}
