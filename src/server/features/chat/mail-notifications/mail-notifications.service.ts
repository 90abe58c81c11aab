import { type ChatSide, chatMailDelaySeconds, chatSides, otherSide } from '#contract/chat/chat.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import {
	deleteChatMails,
	deleteUnsentChatMails,
	enqueueMail,
	excerptForMail,
	findOwnerMailRecipient,
	getMailSettings,
	sanitizeMailName,
} from '../../mail/index.ts';
import { type ConversationRow, updateConversation } from '../chat.queries.ts';
import * as queries from './mail-notifications.queries.ts';

const maxQuotedMessages = 5;

type MailPlan = Partial<Pick<ConversationRow, 'user_mail_due_at' | 'admin_mail_due_at'>>;

/**
 * Plans the mails to both sides after a message. The reader's mail is due a fixed time after the first unread message.
 * A reader who was mailed already gets no other mail until the messages are read. A mail that is due to the sender is
 * postponed, because the sender is present.
 */
export function planAfterMessage(deps: Deps, conversation: ConversationRow, sender: ChatSide): MailPlan {
	const reader = otherSide(sender);
	const dueAt = isoAt(deps.clock, chatMailDelaySeconds);
	const isReaderMailed = conversation[`${reader}_mailed_through`] > conversation[`${reader}_viewed_through`];
	return {
		[`${sender}_mail_due_at`]: conversation[`${sender}_mail_due_at`] && dueAt,
		[`${reader}_mail_due_at`]: conversation[`${reader}_mail_due_at`] ?? (isReaderMailed ? null : dueAt),
	};
}

/**
 * Updates the mails to a side that has viewed messages: deletes an unsent mail if all its messages were viewed, and
 * plans another if later messages are unread.
 */
export async function planAfterView(
	deps: Deps,
	tx: Db,
	conversation: ConversationRow,
	side: ChatSide,
	{ seen, unread }: { seen: number; unread: number },
): Promise<MailPlan> {
	const mailedThrough = conversation[`${side}_mailed_through`];
	const isMailed = mailedThrough > seen;
	if (!isMailed && mailedThrough > conversation[`${side}_viewed_through`])
		await deleteUnsentChatMails(tx, chatKeyOf(conversation.user_id, side));
	return { [`${side}_mail_due_at`]: unread === 0 || isMailed ? null : isoAt(deps.clock, chatMailDelaySeconds) };
}

/** Cancels mails about a conversation's messages, in the transaction that deletes the messages. */
export async function cancelChatMails(tx: Db, userId: string): Promise<void> {
	await updateConversation(tx, userId, { user_mail_due_at: null, admin_mail_due_at: null });
	for (const side of chatSides) await deleteUnsentChatMails(tx, chatKeyOf(userId, side));
}

/**
 * Cancels the mails about a conversation whose account is being deleted, and deletes those that were sent.
 * @returns the Message-IDs of mails that were written to files
 */
export async function deleteMailsOfConversation(tx: Db, userId: string): Promise<string[]> {
	await cancelChatMails(tx, userId);
	return deleteChatMails(
		tx,
		chatSides.map((side) => chatKeyOf(userId, side)),
	);
}

/**
 * Mails the unread messages of one conversation to the side whose mail is due. The mail is enqueued in the transaction
 * that locks and updates the conversation. So it is sent only once, also with several processes and after a kill.
 * @returns false when no mail was due
 */
export async function mailNextUnread(deps: Deps): Promise<boolean> {
	for (const side of chatSides) {
		if (!(await queries.hasDueMail(deps.db, side, isoAt(deps.clock)))) continue;
		const isDone = await inTransaction(deps.db, async (tx) => {
			const conversation = await queries.lockDueMail(tx, side, isoAt(deps.clock));
			if (conversation !== undefined) await mailUnread(deps, tx, conversation, side);
			return conversation !== undefined;
		});
		if (!isDone) continue;
		deps.wakeWorkers();
		return true;
	}
	return false;
}

async function mailUnread(deps: Deps, tx: Db, conversation: ConversationRow, side: ChatSide): Promise<void> {
	const { user_id: userId, cleared_through: cleared } = conversation;
	const unseen = await queries.readUnread(tx, userId, otherSide(side), {
		above: Math.max(conversation[`${side}_viewed_through`], cleared),
		limit: maxQuotedMessages,
	});
	const reader = unseen.last === null ? null : await findReader(tx, conversation, side);
	const mailedThrough = reader === null ? {} : { [`${side}_mailed_through`]: unseen.last };
	await updateConversation(tx, userId, { [`${side}_mail_due_at`]: null, ...mailedThrough });
	if (reader === null) return;
	const quotes = unseen.first.map(({ message, fileName, blobId }) => {
		return { text: excerptForMail(fileName ?? message), isFile: blobId !== null };
	});
	await enqueueMail(deps, tx, { ...reader, quotes, count: unseen.count }, { chatKey: chatKeyOf(userId, side) });
}

/** Finds the recipient and language of a mail; null for an inactive member, and if the owner wants no mails. */
async function findReader(tx: Db, { user_id: userId, user_locale: locale }: ConversationRow, side: ChatSide) {
	const member = await queries.findMailedMember(tx, userId);
	if (member === undefined) return null;
	const name = sanitizeMailName(member.name ?? '') || member.email;
	if (side === 'user') {
		const memberLocale = locale ?? member.orderLocale ?? (await getMailSettings(tx)).locale;
		return { kind: 'chat-to-member', to: member.email, locale: memberLocale, name } as const;
	}
	const owner = await findOwnerMailRecipient(tx, 'isChatMailed');
	return owner && ({ kind: 'chat-to-owner', ...owner, name, email: member.email } as const);
}

function chatKeyOf(userId: string, side: ChatSide): string {
	return `${userId} ${side}`;
}
