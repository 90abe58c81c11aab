import type { ChatMessage } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { formatDate, isToday } from '#web/platform/formats/format.ts';
import type { ChatLog, UnsentMessage } from '../state/chat-log.ts';

/**
 * A line of a conversation as it is drawn. `day`: its moment, where it is the first of a day: the mark belongs to the
 * line, so that a place is kept by what was said and not by a mark that moves up when older ones come. `isFirst`: the
 * speaker has changed.
 */
export type ChatRow = { key: string; day: string | null; isFirst: boolean } & (
	| { kind: 'message'; message: ChatMessage }
	| { kind: 'unsent'; unsent: UnsentMessage }
);

/** Messages with the days on which they were written, and below them what is still to be sent. */
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
			// The same key before and after it was sent: the bubble stays where it is. What others call theirs, is their choice.
			const key = message.sender === own ? message.clientId : message.id;
			return { kind: 'message', key, message, ...startRow(message.createdAt, message.sender) };
		}),
		...unsent.map((one): ChatRow => {
			return { kind: 'unsent', key: one.clientId, unsent: one, ...startRow(one.writtenAt, own) };
		}),
	];
}

const dayMs = 24 * 60 * 60 * 1000;

/** `Today`, `Yesterday`, or the date. */
export function dayLabel(at: string, now: Date = new Date()): string {
	if (isToday(at, now)) return m.chat_today();
	if (isToday(at, new Date(now.getTime() - dayMs))) return m.chat_yesterday();
	return formatDate(at);
}
