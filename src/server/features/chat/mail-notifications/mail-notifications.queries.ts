import type { ChatSide } from '#contract/chat/chat.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';
import type { ConversationRow } from '../chat.queries.ts';

export async function hasDueMail(db: Db, side: ChatSide, now: string): Promise<boolean> {
	const due = db.selectFrom('conversations').select('user_id').where(`${side}_mail_due_at`, '<=', now).limit(1);
	return (await due.executeTakeFirst()) !== undefined;
}

/** Finds and locks the next conversation with a mail due to a side; skips rows that other processes have locked. */
export function lockDueMail(tx: Db, side: ChatSide, now: string): Promise<ConversationRow | undefined> {
	const column = `${side}_mail_due_at` as const;
	const due = tx.selectFrom('conversations').selectAll().where(column, '<=', now).orderBy(column).limit(1);
	return lockRows(tx, due, 'skip').executeTakeFirst();
}

/** Reads one side's messages after a sequence: the first `limit`, the total number, and the last sequence. */
export async function readUnread(
	tx: Db,
	userId: string,
	sender: ChatSide,
	{ above, limit }: { above: number; limit: number },
) {
	const unseen = tx
		.selectFrom('messages')
		.where('user_id', '=', userId)
		.where('sender', '=', sender)
		.where('sequence', '>', above);
	const first = await unseen
		.select(['message', 'file_name as fileName', 'blob_id as blobId'])
		.orderBy('sequence')
		.limit(limit)
		.execute();
	const { count, last } = await unseen
		.select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max<number | null>('sequence').as('last')])
		.executeTakeFirstOrThrow();
	return { first, count, last };
}

/** Finds the member of a conversation if the account is active, with the language of their newest order. */
export async function findMailedMember(tx: Db, userId: string) {
	const member = await tx
		.selectFrom('users')
		.select(['email', 'name'])
		.where('id', '=', userId)
		.where('active', '=', 1)
		// An admin reads their own conversation in the inbox, so the mails to the owner are enough.
		.where('role', '=', 'user')
		.executeTakeFirst();
	if (member === undefined) return undefined;
	const order = await tx
		.selectFrom('orders')
		.select('locale')
		.where('user_id', '=', userId)
		.where('locale', 'is not', null)
		.orderBy('created_at', 'desc')
		.limit(1)
		.executeTakeFirst();
	return { ...member, orderLocale: order?.locale ?? null };
}
