import { type ChatMessage, type ChatSide, typingMs } from '#contract/chat/chat.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import {
	type ChatLog,
	type ChatLogAction,
	emptyLog,
	findUnviewedThrough,
	hasGap,
	reduceChatLog,
	type UnsentMessage,
} from './chat-log.ts';
import { type ConversationParts, createMessageSender, type MessageSenderOptions } from './message-sender.ts';
import { createPageLoader, initialLoading, type LoadingState, type PageLoaderOptions } from './page-loader.ts';
import type { StoredUnsent } from './unsent-storage.ts';

/** The dependencies are options, so that the store can be tested without a browser. */
export interface ConversationStoreOptions extends MessageSenderOptions, PageLoaderOptions {
	/** Whether this page acts as the member or as the admin. */
	side: ChatSide;
	reportTyping: () => Promise<unknown>;
	reportViewed: (through: number) => Promise<unknown>;
	newClientId: () => string;
	stored: StoredUnsent;
	save: (unsent: StoredUnsent) => void;
}

export interface ConversationView extends LoadingState {
	log: ChatLog;
	/** Files to send with the next message. */
	attached: readonly AttachedFile[];
}

/** A file of a canned reply that is attached to the draft. */
export type AttachedFile = StoredUnsent['attached'][number];

/** Minimum time between two typing reports in ms. Shorter than `typingMs`, so that the indicator stays visible. */
const typingIntervalMs = typingMs / 4;
/** Delays between retries in ms. A reconnection of the event stream also starts a retry. */
const retryDelaysMs = [2000, 5000, 10_000, 20_000] as const;

export type ConversationStore = ReturnType<typeof createConversationStore>;

/** The store is independent of React, so that sending continues when the screen changes. */
export function createConversationStore(userId: string, options: ConversationStoreOptions) {
	let view: ConversationView = {
		...initialLoading,
		log: reduceChatLog(emptyLog, { kind: 'written', unsent: options.stored.texts.map((text) => newUnsent(text)) }),
		attached: options.stored.attached,
	};
	let draft = options.stored.draft;
	let reported = { at: Number.NEGATIVE_INFINITY, viewed: 0 };
	let retryTimer: ReturnType<typeof setTimeout> | undefined;
	let failures = 0;
	const listeners = new Set<() => void>();

	function updateView(next: Partial<ConversationView>): void {
		view = { ...view, ...next };
		for (const listener of listeners) listener();
	}

	function storeUnsent(): void {
		const texts = view.log.unsent
			.filter(({ file, status }) => file === null && status !== 'sent')
			.map(({ clientId, text, writtenAt }) => ({ clientId, text, writtenAt }));
		options.save({ draft, texts, attached: [...view.attached] });
	}

	function dispatch(action: ChatLogAction): void {
		const before = view.log.unsent;
		const log = reduceChatLog(view.log, action);
		if (log === view.log) return;
		updateView({ log });
		if (log.unsent !== before) storeUnsent();
	}

	const parts: ConversationParts = {
		getLog: () => view.log,
		dispatch,
		onAnswered: () => {
			failures = 0;
		},
		scheduleRetry,
	};
	const { files, retry, sendAll, canRetry } = createMessageSender(options, parts, receiveMessage);
	const loader = createPageLoader(options, { ...parts, getLoading: () => view, setLoading: updateView });

	function scheduleRetry(): void {
		clearTimeout(retryTimer);
		const delay = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)];
		failures += 1;
		retryTimer = setTimeout(retryAll, delay);
	}

	/** Repeats failed requests and sends waiting messages. */
	function retryAll(): void {
		clearTimeout(retryTimer);
		loader.retry();
		retry();
	}

	function receiveMessage(message: ChatMessage): void {
		dispatch({ kind: 'received', message });
		if (hasGap(view.log)) void loader.catchUp();
	}

	function addUnsent(unsent: readonly UnsentMessage[]): void {
		dispatch({ kind: 'written', unsent });
		// The sent message appears below the newest messages, so these are shown. A failure needs no message, because the
		// notice about the lost connection is visible.
		loader.goToNewest().catch(scheduleRetry);
		void sendAll();
	}

	function newUnsent(changes: Partial<UnsentMessage>): UnsentMessage {
		return {
			clientId: options.newClientId(),
			text: '',
			file: null,
			writtenAt: new Date().toISOString(),
			status: 'waiting',
			progress: 0,
			errorText: '',
			retryReason: '',
			...changes,
		};
	}

	return {
		getView: () => view,
		subscribe: (listener: () => void) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		/** Must be called when the conversation is shown. `isAtTarget`: whether it opens at a search match. */
		open: (isAtTarget = false): void => {
			loader.open(isAtTarget);
			if (isAtTarget && !view.log.isLoaded) retry();
			else retryAll();
		},
		handleEvent: (event: ServerEvent): void => {
			if (event.topic === 'resync') retryAll();
			if (!('person' in event) || event.person !== userId) return;
			if (event.topic === 'message') receiveMessage(event.message);
			if (event.topic === 'chat') void loader.catchUp();
		},
		fetchOlder: loader.fetchOlder,
		fetchNewer: loader.fetchNewer,
		goTo: loader.goTo,
		goToNewest: loader.goToNewest,
		getDraft: () => draft,
		/** Stores the text of the field, and notifies the other side that the user is typing. */
		updateDraft: (next: string): void => {
			const isKey = next !== draft && next !== '';
			draft = next;
			storeUnsent();
			const at = Date.now();
			if (!isKey || options.isReadOnly || at - reported.at < typingIntervalMs) return;
			reported = { ...reported, at };
			// A failed report is ignored, because the next input is reported again.
			options.reportTyping().catch(() => undefined);
		},
		/** Sends the text and each attached file as a separate message. An empty text is not sent. */
		sendText: (text: string): void => {
			const { attached } = view;
			draft = '';
			updateView({ attached: [] });
			addUnsent([
				...(text.trim() === '' ? [] : [newUnsent({ text })]),
				...attached.map((file) => newUnsent({ file: { ...file } })),
			]);
		},
		attach: (chosen: readonly AttachedFile[]): void => {
			const attachedIds = new Set(view.attached.map(({ fileId }) => fileId));
			updateView({ attached: [...view.attached, ...chosen.filter(({ fileId }) => !attachedIds.has(fileId))] });
			storeUnsent();
		},
		detach: (fileId: string): void => {
			updateView({ attached: view.attached.filter((file) => file.fileId !== fileId) });
			storeUnsent();
		},
		sendFiles: (chosen: readonly File[]): void => {
			addUnsent(
				chosen.map((file) => {
					const unsent = newUnsent({ file: { name: file.name } });
					files.set(unsent.clientId, file);
					return unsent;
				}),
			);
		},
		retry,
		canRetry,
		removeUnsent: (clientId: string): void => {
			files.delete(clientId);
			dispatch({ kind: 'removed', clientId });
			void sendAll();
		},
		/** Returns an unsent file, for a preview. */
		findFile: (clientId: string) => files.get(clientId),
		/** Must be called when the newest shown message is visible. */
		reportShown: (): void => {
			const through = findUnviewedThrough(view.log, options.side);
			if (through === null || through <= reported.viewed || options.isReadOnly || view.log.isNewer) return;
			const before = reported.viewed;
			reported = { ...reported, viewed: through };
			options.reportViewed(through).catch((error: unknown) => {
				reported = { ...reported, viewed: before };
				// The retry detects when the server is reachable again.
				if (options.describeError(error).isPassing) scheduleRetry();
			});
		},
		/** Whether there are unsent messages. */
		hasUnsent: () => view.log.unsent.some(({ status }) => status !== 'sent'),
		/** Whether a reload would lose unsent files. Files that can never be sent are ignored. */
		hasUnsentFiles: () =>
			view.log.unsent.some(({ file, status, clientId }) => file !== null && status !== 'sent' && canRetry(clientId)),
	};
}
