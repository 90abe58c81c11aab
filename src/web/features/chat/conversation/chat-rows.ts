import type { ChatMessage } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { formatDate, isToday } from '#web/platform/formats/format.ts';
import type { ChatLog, UnsentMessage } from '../state/chat-log.ts';

/**
 * A rendered row of a conversation. `day`: the message's time in the first row of a day; null in other rows. The date
 * is not a separate row, because such a row would move when older messages are loaded. `isFirst`: whether the row above
 * is from another sender or day.
 */
export type ChatRow = { key: string; day: string | null; isFirst: boolean } & (
	| { kind: 'message'; message: ChatMessage }
	| { kind: 'unsent'; unsent: UnsentMessage }
);

/** Returns a row for each message, followed by a row for each unsent message. */
export function buildRows(
	{ messages, unsent }: Pick<ChatLog, 'messages' | 'unsent'>,
	own: ChatMessage['sender'],
): ChatRow[] {
	let date = '';
	let speaker = '';
	const startRow = (at: string, sender: string): Pick<ChatRow, 'day' | 'isFirst'> => {
		const before = { date, speaker };
		date = formatDate(at);
		speaker = sender;
		const isNewDay = date !== before.date;
		return { day: isNewDay ? at : null, isFirst: isNewDay || speaker !== before.speaker };
	};
	return [
		...messages.map((message): ChatRow => {
			// The user's message has the same key before and after sending, so that its bubble is not replaced. The client IDs
			// of the other side are not used, because they may not be unique.
			const key = message.sender === own ? message.clientId : message.id;
			return { kind: 'message', key, message, ...startRow(message.createdAt, message.sender) };
		}),
		...unsent.map((unsentMessage): ChatRow => {
			return {
				kind: 'unsent',
				key: unsentMessage.clientId,
				unsent: unsentMessage,
				...startRow(unsentMessage.writtenAt, own),
			};
		}),
	];
}

const dayMs = 24 * 60 * 60 * 1000;

/** Returns `Today`, `Yesterday`, or the date. */
export function dayLabel(at: string, now = new Date(), format = formatDate): string {
	if (isToday(at, now)) return m.chat_today();
	if (isToday(at, new Date(now.getTime() - dayMs))) return m.chat_yesterday();
	return format(at);
}
