import type { ChatMessage } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { formatDate, isToday } from '#web/platform/formats/format.ts';
import type { ChatLog, UnsentMessage } from '../state/chat-log.ts';

/**
 * A row of a conversation as it is rendered. `day`: the time of the first row of a day: the day mark is part of the
 * row, so that the scroll position depends on messages and not on a mark that moves when older messages load.
 * `isFirst`: the sender has changed.
 */
export type ChatRow = { key: string; day: string | null; isFirst: boolean } & (
	| { kind: 'message'; message: ChatMessage }
	| { kind: 'unsent'; unsent: UnsentMessage }
);

/** Returns the rows of the messages, with day marks, followed by the unsent messages. */
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
			// A message keeps its key when it was sent, so that its bubble stays in place. The client IDs of others are not
			// trusted to be unique.
			const key = message.sender === own ? message.clientId : message.id;
			return { kind: 'message', key, message, ...startRow(message.createdAt, message.sender) };
		}),
		...unsent.map((one): ChatRow => {
			return { kind: 'unsent', key: one.clientId, unsent: one, ...startRow(one.writtenAt, own) };
		}),
	];
}

const dayMs = 24 * 60 * 60 * 1000;

/** Returns `Today`, `Yesterday`, or the date. */
export function dayLabel(at: string, now: Date = new Date()): string {
	if (isToday(at, now)) return m.chat_today();
	if (isToday(at, new Date(now.getTime() - dayMs))) return m.chat_yesterday();
	return formatDate(at);
}
