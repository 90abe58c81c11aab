import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { ChatSide } from '#contract/chat/chat.ts';
import { client } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { queryClient } from '#web/platform/api/query-client.ts';
import { toastError } from '#web/platform/browser/toasts.ts';
import { onServerEvent } from '#web/platform/events/server-events.ts';
import { onReauthenticated, preserveScreenWhile } from '#web/platform/session/reauthentication.ts';
import { type Session, sessionQuery, useMe } from '#web/platform/session/session.ts';
import { onSessionEnd } from '#web/platform/session/session-end.ts';
import { sendFile } from './chat-transport.ts';
import { type ConversationStore, type ConversationView, createConversationStore } from './conversation-store.ts';
import { handOverUnsent, listUnsentKeys, storeUnsent, takeStored } from './unsent-storage.ts';

/** The stores of all conversations that were opened in this page, by signed-in user, conversation and side. */
const stores = new Map<string, ConversationStore>();
const openStores = new Set<ConversationStore>();

onServerEvent((event) => {
	for (const store of stores.values()) {
		if (openStores.has(store)) store.handleEvent(event);
		// Waiting messages are sent on every screen.
		else if (event.topic === 'resync') store.retry();
	}
});
const resyncAll = () => {
	for (const store of stores.values()) store.handleEvent({ topic: 'resync' });
};
onReauthenticated(resyncAll);
window.addEventListener('online', resyncAll);
onSessionEnd((reason) => {
	// After an expiry the stores are kept, because the same user may sign in again.
	if (reason !== 'expiry') stores.clear();
});
preserveScreenWhile(() =>
	[...stores.values()].some(
		(store) =>
			store.hasUnsent() || (openStores.has(store) && (store.getDraft() !== '' || store.getView().attached.length > 0)),
	),
);
window.addEventListener('beforeunload', (event) => {
	// A reload would lose unsent files. Texts are stored, so they need no warning.
	if ([...stores.values()].some((store) => store.hasUnsentFiles())) event.preventDefault();
});
window.addEventListener('pagehide', handOverUnsent);
window.addEventListener('pageshow', ({ persisted }) => {
	// A page from the back/forward cache still has its unsent messages. `takeStored` removes them from localStorage, so
	// that no other tab sends them too.
	if (persisted) for (const key of listUnsentKeys()) if (stores.has(key)) takeStored(key);
});

interface ConversationKey {
	userId: string;
	side: ChatSide;
	meId: string;
	isReadOnly: boolean;
}

/** Sends the messages that were unsent before a reload, even if their conversation is not open. */
export function resumeUnsent(meId: string): void {
	for (const key of listUnsentKeys()) {
		const [authorId, userId = '', side] = key.split(' ');
		if (authorId === meId && (side === 'user' || side === 'admin'))
			getStore({ userId, side, meId, isReadOnly: false }).retry();
	}
}

function getStore({ userId, side, meId, isReadOnly }: ConversationKey): ConversationStore {
	const key = [meId, userId, side, ...(isReadOnly ? ['view'] : [])].join(' ');
	const existing = stores.get(key);
	if (existing !== undefined) return existing;
	const store: ConversationStore = createConversationStore(userId, {
		side,
		isReadOnly,
		fetchPage: (query, signal) => client.chat.messages({ userId, ...query }, { signal }),
		sendText: (clientId, message, signal) =>
			client.chat.send({ userId, clientId, authorId: meId, message }, { signal }),
		sendFile: (clientId, file, onProgress, signal) =>
			sendFile({ userId, clientId, authorId: meId }, file, onProgress, signal),
		sendReplyFile: (clientId, fileId, signal) =>
			client.cannedReplies.sendFile({ userId, clientId, authorId: meId, fileId }, { signal }),
		reportTyping: () => client.chat.type({ userId }),
		reportViewed: (through) =>
			side === 'admin' ? client.chat.view({ userId, through }) : client.chat.viewOwn({ through }),
		describeError: (error) => {
			const { code, status, message, fields } = describeFailure(error);
			// Refetches the session, because the event stream reports its end late, or not at all while disconnected.
			if (status === 401) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
			const isTemporary = status === 0 || status === 401 || status === 429 || status >= 500;
			// A full disk and a daily limit last long, so there is no automatic retry.
			const isPersistent = status === 507 || code === 'CHAT_DAY_LIMIT' || code === 'CHAT_DAY_LIMIT_UNPAID';
			if (!isTemporary || isPersistent) return { isPassing: false, text: Object.values(fields)[0] ?? message };
			return { isPassing: true, text: code === 'CHAT_MINUTE_LIMIT' ? message : '' };
		},
		isAuthorSignedIn: () => {
			const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
			return session?.state === 'active' && session.me.id === meId;
		},
		newClientId: () =>
			crypto.getRandomValues(new Uint8Array(16)).reduce((id, byte) => id + byte.toString(16).padStart(2, '0'), ''),
		stored: takeStored(key),
		// A late response after the end of the session must not store anything.
		save: (unsent) => {
			if (stores.get(key) === store) storeUnsent(key, unsent);
		},
	});
	stores.set(key, store);
	return store;
}

/** A message to scroll to. A new object for the same message scrolls again. */
export interface ChatTarget {
	sequence: number;
}

/** Loads the newest messages of a conversation, or the messages around `target`. */
export function useConversation(
	userId: string,
	side: ChatSide,
	target: ChatTarget | null = null,
): { store: ConversationStore; view: ConversationView } {
	const { id: meId, view: impersonation } = useMe();
	const isReadOnly = impersonation !== null;
	const store = useMemo(() => getStore({ userId, side, meId, isReadOnly }), [userId, side, meId, isReadOnly]);
	const view = useSyncExternalStore(store.subscribe, store.getView);
	const isOpeningAtTarget = useRef(target !== null);
	useEffect(() => {
		openStores.add(store);
		store.open(isOpeningAtTarget.current);
		return () => void openStores.delete(store);
	}, [store]);
	useEffect(() => {
		if (target !== null)
			store.goTo(target.sequence).catch((error: unknown) => toastError(describeFailure(error).message));
	}, [store, target]);
	return { store, view };
}
