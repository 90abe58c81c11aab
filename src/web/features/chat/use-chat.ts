import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { ChatSide } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { client } from '#web/platform/api.ts';
import { onHint } from '#web/platform/events.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { queryClient } from '#web/platform/query-client.ts';
import { type Session, sessionQuery, useMe } from '#web/platform/session.ts';
import { onSessionEnd } from '#web/platform/session-end.ts';
import { holdScreenWhile, onSignedInAgain } from '#web/platform/sign-in-again.ts';
import { toastError } from '#web/platform/toasts.ts';
import { keepWords, leaveUnsent, listUnsentKeys, readKept } from './chat-keeping.ts';
import { type ChatRoom, createChatRoom, type RoomView } from './chat-room.ts';
import { sendFile, sendText } from './chat-transport.ts';

/** Conversations that were opened in this page, by who looks and whose they are. */
const rooms = new Map<string, ChatRoom>();
const open = new Map<ChatRoom, number>();

onHint((hint) => {
	for (const room of rooms.values()) {
		if (open.has(room)) room.hear(hint);
		// What waits for the line goes on behind other screens too.
		else if (hint.topic === 'resync') room.retry();
	}
});
onSignedInAgain(() => {
	for (const room of rooms.values()) room.hear({ topic: 'resync' });
});
onSessionEnd((reason) => {
	// As what was kept: see chat-keeping.
	if (reason !== 'expiry') rooms.clear();
});
holdScreenWhile(() =>
	[...rooms.values()].some(
		(room) => room.isBusy() || (open.has(room) && (room.readDraft() !== '' || room.getView().attached.length > 0)),
	),
);
window.addEventListener('beforeunload', (event) => {
	// Texts are kept over a reload, files are not.
	if ([...rooms.values()].some((room) => room.hasUnsentFiles())) event.preventDefault();
});
window.addEventListener('pagehide', leaveUnsent);
window.addEventListener('pageshow', ({ persisted }) => {
	// As it was left, words and all: it takes them back.
	if (persisted) for (const key of listUnsentKeys()) if (rooms.has(key)) readKept(key);
});
window.addEventListener('online', () => {
	for (const room of rooms.values()) room.hear({ topic: 'resync' });
});

interface Whose {
	userId: string;
	side: ChatSide;
	meId: string;
	isReadOnly: boolean;
}

/** Sends what was left unsent before a reload, whatever screen it came up on. */
export function resumeUnsent(meId: string): void {
	for (const key of listUnsentKeys()) {
		const [own, userId = '', side] = key.split(' ');
		if (own === meId && (side === 'user' || side === 'admin'))
			roomOf({ userId, side, meId, isReadOnly: false }).retry();
	}
}

function roomOf({ userId, side, meId, isReadOnly }: Whose): ChatRoom {
	const key = [meId, userId, side, ...(isReadOnly ? ['view'] : [])].join(' ');
	const found = rooms.get(key);
	if (found !== undefined) return found;
	const room: ChatRoom = createChatRoom(userId, {
		side,
		isReadOnly,
		fetchPage: (place, signal) => client.chat.messages({ userId, ...place }, { signal }),
		sendText: (clientId, text, signal) => sendText({ userId, clientId, authorId: meId }, text, signal),
		sendFile: (clientId, file, onProgress, signal) =>
			sendFile({ userId, clientId, authorId: meId }, file, onProgress, signal),
		sendReplyFile: (clientId, fileId, signal) =>
			client.cannedReplies.sendFile({ userId, clientId, authorId: meId, fileId }, { signal }),
		tellTyping: () => client.chat.type({ userId }),
		tellViewed: (through) =>
			side === 'admin' ? client.chat.view({ userId, through }) : client.chat.viewOwn({ through }),
		judge: (error) => {
			const { code, status, message, fields } = describeFailure(error);
			// The line tells of it only at its next sign of life, and where there is none nobody would.
			if (status === 401) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
			const isPassing = status === 0 || status === 401 || status === 429 || status >= 500;
			// A full disk and a daily limit last: the author decides when to try again.
			const isLasting = status === 507 || code === 'CHAT_DAY_LIMIT' || code === 'CHAT_DAY_LIMIT_UNPAID';
			return {
				isPassing: isPassing && !isLasting,
				text: Object.values(fields)[0] ?? message,
				...(code === 'CHAT_MINUTE_LIMIT' && { note: message }),
			};
		},
		isPersonHere: () => {
			const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
			return session?.state === 'active' && session.me.id === meId;
		},
		newClientId: () =>
			crypto.getRandomValues(new Uint8Array(16)).reduce((id, byte) => id + byte.toString(16).padStart(2, '0'), ''),
		now: () => new Date(),
		kept: readKept(key),
		// What comes back to a session that is over leaves nothing behind.
		keep: (words) => {
			if (rooms.get(key) === room) keepWords(key, words);
		},
		words: {
			get tooLarge() {
				return m.error_chat_file_too_large();
			},
			get empty() {
				return m.error_file_empty();
			},
		},
	});
	rooms.set(key, room);
	return room;
}

/** A message that is to be shown; each time anew, for one may look for the same again. */
export interface ChatTarget {
	sequence: number;
}

/** A conversation, kept up while it is shown: at its newest messages, or around one of them. */
export function useChat(
	userId: string,
	side: ChatSide,
	target: ChatTarget | null = null,
): { room: ChatRoom; view: RoomView } {
	const { id: meId, view: asMember } = useMe();
	const isReadOnly = asMember !== null;
	const room = useMemo(() => roomOf({ userId, side, meId, isReadOnly }), [userId, side, meId, isReadOnly]);
	const view = useSyncExternalStore(room.subscribe, room.getView);
	const isGoing = useRef(target !== null);
	useEffect(() => {
		open.set(room, (open.get(room) ?? 0) + 1);
		room.open(isGoing.current);
		return () => {
			const others = (open.get(room) ?? 1) - 1;
			if (others === 0) open.delete(room);
			else open.set(room, others);
		};
	}, [room]);
	useEffect(() => {
		if (target !== null)
			room.goTo(target.sequence).catch((error: unknown) => toastError(describeFailure(error).message));
	}, [room, target]);
	return { room, view };
}
