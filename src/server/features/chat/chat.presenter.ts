import {
	attachmentsPath,
	type ChatMessage,
	type ChatSearchMatch,
	type ChatState,
	type ChatSummary,
	type Typing,
	typingMs,
} from '#contract/chat/chat.ts';
import { type Clock, clockToleranceSeconds, isoAt } from '../../platform/clock.ts';
import type * as queries from './chat.queries.ts';
import { createExcerpt } from './search-excerpt.ts';

const excerptLength = 120;

export function presentMessage(row: queries.MessageRow): ChatMessage {
	const isFile = row.blob_id !== null;
	return {
		id: row.id,
		sequence: row.sequence,
		clientId: row.client_id,
		sender: row.sender,
		message: isFile ? `${attachmentsPath(row.user_id)}/${row.id}` : row.message,
		isFile,
		fileType: row.file_type,
		fileName: row.file_name,
		fileSizeBytes: row.file_size_bytes,
		createdAt: row.created_at,
	};
}

/** Maps a message that its author sends again. If the message was deleted, the text and file are omitted. */
export function presentSent(row: queries.MessageRow, clearedThrough: number): ChatMessage {
	const isKept = row.sequence > clearedThrough;
	const erasedContent = { message: '', blob_id: null, file_type: null, file_name: null, file_size_bytes: null };
	return presentMessage(isKept ? row : { ...row, ...erasedContent });
}

export function presentState(clock: Clock, row: queries.ConversationRow | undefined): ChatState {
	return {
		lastSequence: row?.last_sequence ?? 0,
		clearedThrough: row?.cleared_through ?? 0,
		viewedThrough: { user: row?.user_viewed_through ?? 0, admin: row?.admin_viewed_through ?? 0 },
		typing: typingOf(clock, row),
	};
}

/** Returns the side that is typing. If both are typing, the last key press decides. */
function typingOf(clock: Clock, row: queries.ConversationRow | undefined): Typing {
	const since = isoAt(clock, -typingMs / 1000);
	// A time far ahead was stored before the clock was set back.
	const latest = isoAt(clock, clockToleranceSeconds);
	const timeOf = (at: string | null = null) => (at !== null && at > since && at <= latest ? at : '');
	const [userAt, adminAt] = [timeOf(row?.user_typing_at), timeOf(row?.admin_typing_at)];
	if (userAt === '' && adminAt === '') return 'none';
	return userAt >= adminAt ? 'user' : 'admin';
}

type SummaryRow = Awaited<ReturnType<typeof queries.listConversations>>[number];

/** Maps a row of the owner's list of conversations; `match` is the message in which a search found the text. */
export function presentSummary(row: SummaryRow, match: queries.MatchRow | undefined, searchKey: string): ChatSummary {
	const isPhoto = row.fileType?.startsWith('image/') ?? false;
	const text = (row.fileName ?? row.text).replace(/\s+/gu, ' ').slice(0, excerptLength);
	return {
		userId: row.userId,
		email: row.email,
		name: row.name,
		lastMessage: { sender: row.sender, text: text.toWellFormed(), isFile: row.fileName !== null, isPhoto },
		lastAt: row.lastAt ?? '',
		unread: row.unread,
		found: match === undefined ? null : presentMatch(match, searchKey),
	};
}

function presentMatch(row: queries.MatchRow, searchKey: string): ChatSearchMatch {
	const { sequence, createdAt: at, fileName, message } = row;
	return { sequence, at, isFile: fileName !== null, ...createExcerpt(fileName ?? message, searchKey) };
}
