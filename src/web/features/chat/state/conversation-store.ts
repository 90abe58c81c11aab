import { type ChatMessage, type ChatSide, typingMs } from '#contract/chat/chat.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import {
	type ChatLog,
	type ChatLogAction,
	type ChatPage,
	emptyLog,
	findUnviewedThrough,
	hasGap,
	hasMessage,
	lastShownSequence,
	otherSide,
	type PageDirection,
	reduceChatLog,
	type UnsentMessage,
} from './chat-log.ts';
import type { StoredUnsent } from './unsent-storage.ts';

/** The position and number of the requested messages. */
export interface PageQuery {
	before?: number;
	after?: number;
	around?: number;
	limit: number;
}

/** Dependencies of a conversation store, passed in so that it can be tested without a browser. */
export interface ConversationStoreOptions {
	/** Whether this page acts as the member or as the admin. */
	side: ChatSide;
	/** Whether nothing may be sent: an admin views the conversation in an impersonation. */
	isReadOnly: boolean;
	/** Requests; those with a `signal` abort with it. */
	fetchPage: (query: PageQuery, signal: AbortSignal) => Promise<ChatPage>;
	sendText: (clientId: string, text: string, signal: AbortSignal) => Promise<ChatMessage>;
	sendFile: (
		clientId: string,
		file: File,
		onProgress: (part: number) => void,
		signal: AbortSignal,
	) => Promise<ChatMessage>;
	/** Sends a file of a canned reply, which is already on the server. */
	sendReplyFile: (clientId: string, fileId: string, signal: AbortSignal) => Promise<ChatMessage>;
	reportTyping: () => Promise<unknown>;
	reportViewed: (through: number) => Promise<unknown>;
	/** Whether a retry helps, and what the author sees: the error message, or why sending is retried ('' if unknown). */
	describeError: (error: unknown) => { isPassing: boolean; text: string };
	/** Whether the author is still signed in: their messages must not be sent by another user. */
	isAuthorSignedIn: () => boolean;
	newClientId: () => string;
	stored: StoredUnsent;
	save: (unsent: StoredUnsent) => void;
}

interface PageState {
	isFetching: boolean;
	isFailed: boolean;
}

const idle: PageState = { isFetching: false, isFailed: false };

/** The state of a conversation that is rendered. */
export interface ConversationView {
	log: ChatLog;
	/** Error of loading the first page. */
	failure: unknown;
	/** Loading of older and of newer messages. */
	older: PageState;
	newer: PageState;
	/** Whether the other side is typing. */
	isTyping: boolean;
	/** Files that are sent along with the next message. */
	attached: readonly AttachedFile[];
}

/** A file of a canned reply that is attached to the draft. */
export type AttachedFile = StoredUnsent['attached'][number];

const firstPageSize = 50;
const catchUpPageSize = 500;
/** Minimum time between two typing reports in ms, short enough that the indicator stays on. */
const typingIntervalMs = typingMs / 4;
/** In milliseconds: a connection that died silently brings no response and blocks all later messages. */
const answerTimeoutMs = 15_000;
/** Timeout in ms after each progress report of a file, also the last: much may still be in the device's send buffer. */
const progressTimeoutMs = 60_000;
/** Delays between retries in ms, while the event stream reports no reconnection. */
const retryDelaysMs = [2000, 5000, 10_000, 20_000] as const;

export type ConversationStore = ReturnType<typeof createConversationStore>;

/** One conversation in this page. The store is outside React, so that sending continues when the screen changes. */
export function createConversationStore(userId: string, options: ConversationStoreOptions) {
	let view: ConversationView = {
		log: emptyLog,
		failure: null,
		older: idle,
		newer: idle,
		isTyping: false,
		attached: options.stored.attached,
	};
	/** Incremented when the shown messages are replaced: a page requested before no longer fits. */
	let viewGeneration = 0;
	/** Incremented at each navigation, so that the latest one wins. */
	let navigationCount = 0;
	/** Whether the newest messages were requested and have not arrived. */
	let isGoingToNewest = false;
	let pendingNavigation: { sequence: number; done: Promise<void> } | null = null;
	let draft = options.stored.draft;
	let reported = { at: Number.NEGATIVE_INFINITY, viewed: 0 };
	let typingTimer: ReturnType<typeof setTimeout> | undefined;
	let retryTimer: ReturnType<typeof setTimeout> | undefined;
	let failures = 0;
	let isSending = false;
	let catchUpInProgress: Promise<void> | null = null;
	let shouldCatchUpAgain = false;
	const files = new Map<string, File>();
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

	function dispatch(by: ChatLogAction): void {
		const before = view.log.unsent;
		const log = reduceChatLog(view.log, by);
		if (log === view.log) return;
		updateView({ log });
		if (log.unsent !== before) storeUnsent();
	}

	/** Fetches all messages after the shown ones, or the newest if none; a call meanwhile causes one more run. */
	function catchUp(): Promise<void> {
		if (catchUpInProgress !== null) {
			shouldCatchUpAgain = true;
			return catchUpInProgress;
		}
		catchUpInProgress = fetchMissing().finally(() => {
			catchUpInProgress = null;
			if (!shouldCatchUpAgain) return;
			shouldCatchUpAgain = false;
			void catchUp();
		});
		return catchUpInProgress;
	}

	async function fetchMissing(): Promise<void> {
		if (!options.isAuthorSignedIn()) return;
		try {
			for (;;) {
				const at = view.log.isLoaded ? 'newer' : 'newest';
				// At an earlier position only views and deletions are fetched: the newest messages are loaded on going there.
				const limit = view.log.isNewer ? 1 : catchUpPageSize;
				const place = at === 'newest' ? { limit: firstPageSize } : { after: lastShownSequence(view.log), limit };
				const isTaken = await takePage(at, place);
				failures = 0;
				if (view.failure !== null) updateView({ failure: null });
				if (isTaken !== null && (at === 'newest' || !isTaken.isMore || view.log.isNewer)) break;
			}
			// A message may have been published before the response was made and not be in it: the next response has it.
			if (hasGap(view.log)) scheduleRetry();
		} catch (error) {
			if (!view.log.isLoaded) updateView({ failure: error });
			// Shown messages stay.
			else if (options.describeError(error).isPassing) scheduleRetry();
		}
	}

	/** Loads a page of messages and adds it. Returns null if the shown messages were replaced meanwhile. */
	async function takePage(at: PageDirection, place: PageQuery): Promise<ChatPage | null> {
		const before = viewGeneration;
		const page = await withTimeout((signal) => options.fetchPage(place, signal));
		if (viewGeneration !== before) return null;
		dispatch({ kind: 'page', at, page });
		return page;
	}

	/** Shows the messages around one, unless it is shown already. @throws the error of loading them */
	function goTo(sequence: number): Promise<void> {
		if (pendingNavigation?.sequence === sequence) return pendingNavigation.done;
		pendingNavigation = null;
		isGoingToNewest = false;
		navigationCount += 1;
		if (hasMessage(view.log, sequence)) return Promise.resolve();
		const mine = { sequence, done: replacePage('around', { around: sequence, limit: firstPageSize }) };
		pendingNavigation = mine;
		return mine.done.finally(() => {
			if (pendingNavigation === mine) pendingNavigation = null;
		});
	}

	/** Shows the newest messages again. @throws the error of loading them */
	async function goToNewest(): Promise<void> {
		pendingNavigation = null;
		navigationCount += 1;
		isGoingToNewest = view.log.isNewer;
		if (!isGoingToNewest) return;
		const mine = navigationCount;
		await replacePage('newest', { limit: firstPageSize });
		if (navigationCount === mine) isGoingToNewest = false;
	}

	async function replacePage(at: 'newest' | 'around', place: PageQuery): Promise<void> {
		const mine = navigationCount;
		try {
			const page = await withTimeout((signal) => options.fetchPage(place, signal));
			if (navigationCount !== mine) return;
			viewGeneration += 1;
			dispatch({ kind: 'page', at, page });
			updateView({
				failure: null,
				older: { ...view.older, isFailed: false },
				newer: { ...view.newer, isFailed: false },
			});
			if (hasGap(view.log)) void catchUp();
		} catch (error) {
			if (!view.log.isLoaded) updateView({ failure: error });
			throw error;
		}
	}

	/** Loads more messages at one end of the shown ones. */
	async function fetchMore(end: 'older' | 'newer', place: PageQuery): Promise<void> {
		if (view[end].isFetching) return;
		updateView({ ...view, [end]: { isFetching: true, isFailed: false } });
		try {
			await takePage(end, place);
			if (end === 'newer' && hasGap(view.log)) void catchUp();
			updateView({ ...view, [end]: idle });
		} catch {
			updateView({ ...view, [end]: { isFetching: false, isFailed: true } });
		}
	}

	function scheduleRetry(): void {
		clearTimeout(retryTimer);
		const delay = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)];
		failures += 1;
		retryTimer = setTimeout(retryAll, delay);
	}

	/** Tries everything again, because the connection is back or may be. */
	function retryAll(): void {
		clearTimeout(retryTimer);
		if (isGoingToNewest) goToNewest().catch(scheduleRetry);
		void catchUp();
		retry();
	}

	function changeUnsent(clientId: string, change: Partial<UnsentMessage>): void {
		dispatch({ kind: 'unsent', clientId, change });
	}

	/** Sends messages again that failed temporarily, and the refused message with this ID. */
	function retry(clientId?: string): void {
		for (const one of view.log.unsent) {
			// Messages that wait for the connection are sent too, to keep the order of writing.
			const isMeant = one.errorText === '' || one.clientId === clientId;
			if (isMeant && one.status === 'failed')
				changeUnsent(one.clientId, { status: 'waiting', errorText: '', retryReason: '', progress: 0 });
		}
		void sendAll();
	}

	/** Sends the messages one at a time, in the order in which they were written. */
	async function sendAll(): Promise<void> {
		if (isSending || options.isReadOnly || !options.isAuthorSignedIn()) return;
		isSending = true;
		try {
			for (;;) {
				// A message that waits for the connection blocks all later ones.
				const next = view.log.unsent.find(
					({ status, errorText }) => status === 'waiting' || (status === 'failed' && errorText === ''),
				);
				// Checked before each message: another user may have signed in meanwhile.
				if (next?.status !== 'waiting' || !options.isAuthorSignedIn() || !(await sendOne(next))) return;
			}
		} finally {
			isSending = false;
		}
	}

	/** @returns whether the next message may be sent */
	async function sendOne(unsent: UnsentMessage): Promise<boolean> {
		const { clientId } = unsent;
		const bytes = files.get(clientId);
		const fileProblem = fileError(bytes);
		if (fileProblem !== '') {
			changeUnsent(clientId, { status: 'failed', errorText: fileProblem });
			return true;
		}
		changeUnsent(clientId, { status: 'sending', errorText: '' });
		try {
			const message = await send(unsent, bytes);
			failures = 0;
			receiveMessage(message);
			files.delete(clientId);
			return true;
		} catch (error) {
			const { isPassing, text: reason } = options.describeError(error);
			const reasons = isPassing ? { errorText: '', retryReason: reason } : { errorText: reason, retryReason: '' };
			changeUnsent(clientId, { status: 'failed', ...reasons, progress: 0 });
			if (isPassing) scheduleRetry();
			return !isPassing;
		}
	}

	function send({ clientId, text, file }: UnsentMessage, bytes: File | undefined): Promise<ChatMessage> {
		const fileId = file?.fileId;
		if (file !== null && fileId === undefined && bytes === undefined) throw new Error('The file of a message is gone.');
		return withTimeout((signal, prolong) => {
			if (fileId !== undefined) return options.sendReplyFile(clientId, fileId, signal);
			if (bytes === undefined) return options.sendText(clientId, text, signal);
			const onProgress = (progress: number) => {
				prolong();
				changeUnsent(clientId, { progress });
			};
			return options.sendFile(clientId, bytes, onProgress, signal);
		});
	}

	/** Returns the error for a file that the server would refuse only after the whole upload; '' if there is none. */
	function fileError(file: File | undefined): string {
		if (file === undefined) return '';
		if (file.size > limits.chatFileMaxBytes) return m.error_chat_file_too_large();
		return file.size === 0 ? m.error_file_empty() : '';
	}

	/** Whether a retry may help; it does not for a file that is too large or empty. */
	function canRetry(clientId: string): boolean {
		return fileError(files.get(clientId)) === '';
	}

	function receiveMessage(message: ChatMessage): void {
		dispatch({ kind: 'heard', message });
		if (message.sender !== options.side) showTyping(false);
		if (hasGap(view.log)) void catchUp();
	}

	/** Sets the typing indicator, which ends after a time even if the connection is lost. */
	function showTyping(isTyping: boolean): void {
		clearTimeout(typingTimer);
		if (isTyping) typingTimer = setTimeout(() => showTyping(false), typingMs);
		if (view.isTyping !== isTyping) updateView({ isTyping });
	}

	function addUnsent(unsent: readonly UnsentMessage[]): void {
		dispatch({ kind: 'written', unsent });
		// The user's own message is shown below the newest. If those cannot be loaded, the connection is lost, and a
		// notice says so.
		goToNewest().catch(scheduleRetry);
		void sendAll();
	}

	function newUnsent(over: Partial<UnsentMessage>): UnsentMessage {
		return {
			clientId: options.newClientId(),
			text: '',
			file: null,
			writtenAt: new Date().toISOString(),
			status: 'waiting',
			progress: 0,
			errorText: '',
			retryReason: '',
			...over,
		};
	}

	view = {
		...view,
		log: reduceChatLog(emptyLog, { kind: 'written', unsent: options.stored.texts.map((text) => newUnsent(text)) }),
	};

	return {
		getView: () => view,
		subscribe: (listener: () => void) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		/** Call this when the conversation is shown, at its newest messages or at a search match; fetches missed changes. */
		open: (isGoing = false): void => {
			if (!view.log.isLoaded) updateView({ failure: null });
			if (isGoing && !view.log.isLoaded) {
				retry();
				return;
			}
			isGoingToNewest = !isGoing && view.log.isNewer;
			retryAll();
		},
		handleEvent: (hint: ServerEvent): void => {
			if (hint.topic === 'resync') retryAll();
			if (!('person' in hint) || hint.person !== userId) return;
			if (hint.topic === 'message') receiveMessage(hint.message);
			if (hint.topic === 'chat') void catchUp();
			if (hint.topic === 'typing' && hint.typing !== options.side) showTyping(hint.typing === otherSide(options.side));
		},
		fetchOlder: async (): Promise<void> => {
			const first = view.log.messages[0]?.sequence;
			if (first !== undefined && view.log.isOlder) await fetchMore('older', { before: first, limit: firstPageSize });
		},
		/** Loads the next newer messages, if there are any after the shown ones. */
		fetchNewer: async (): Promise<void> => {
			if (view.log.isNewer) await fetchMore('newer', { after: lastShownSequence(view.log), limit: firstPageSize });
		},
		goTo,
		goToNewest,
		getDraft: () => draft,
		/** Sets the text of the field, and notifies the other side that the user is typing. */
		updateDraft: (next: string): void => {
			const isKey = next !== draft && next !== '';
			draft = next;
			storeUnsent();
			const at = Date.now();
			if (!isKey || options.isReadOnly || at - reported.at < typingIntervalMs) return;
			reported = { ...reported, at };
			// A lost report does not matter.
			options.reportTyping().catch(() => undefined);
		},
		/** Sends a text with the attached files; the text may be empty. */
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
			const known = new Set(view.attached.map(({ fileId }) => fileId));
			updateView({ attached: [...view.attached, ...chosen.filter(({ fileId }) => !known.has(fileId))] });
			storeUnsent();
		},
		detach: (fileId: string): void => {
			updateView({ attached: view.attached.filter((file) => file.fileId !== fileId) });
			storeUnsent();
		},
		sendFiles: (chosen: readonly File[]): void => {
			addUnsent(
				chosen.map((file) => {
					const one = newUnsent({ file: { name: file.name, sizeBytes: file.size } });
					files.set(one.clientId, file);
					return one;
				}),
			);
		},
		retry,
		canRetry,
		removeUnsent: (clientId: string): void => {
			files.delete(clientId);
			dispatch({ kind: 'dropped', clientId });
			void sendAll();
		},
		/** Returns a file that is still to be sent, for previewing it. */
		findFile: (clientId: string) => files.get(clientId),
		/** Call this when the newest message is visible. */
		reportShown: (): void => {
			const through = findUnviewedThrough(view.log, options.side);
			if (through === null || through <= reported.viewed || options.isReadOnly || view.log.isNewer) return;
			const before = reported.viewed;
			reported = { ...reported, viewed: through };
			options.reportViewed(through).catch((error: unknown) => {
				reported = { ...reported, viewed: before };
				// The next request to the server shows whether it is reachable again.
				if (options.describeError(error).isPassing) scheduleRetry();
			});
		},
		/** Whether messages are still to be sent. */
		hasUnsent: () => view.log.unsent.some(({ status }) => status !== 'sent'),
		/** Whether a reload would lose files: unsent ones that are being sent, wait, or can be retried. */
		hasUnsentFiles: () =>
			view.log.unsent.some(({ file, status, clientId }) => file !== null && status !== 'sent' && canRetry(clientId)),
	};
}

/** Waits for a response; without one in time, the connection counts as lost. `prolong` restarts the timeout. */
async function withTimeout<T>(request: (signal: AbortSignal, prolong: () => void) => Promise<T>): Promise<T> {
	const controller = new AbortController();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const restartTimer = (ms: number) => {
		clearTimeout(timer);
		timer = setTimeout(() => controller.abort(new TypeError('No answer came.')), ms);
	};
	restartTimer(answerTimeoutMs);
	try {
		return await Promise.race([
			request(controller.signal, () => restartTimer(progressTimeoutMs)),
			new Promise<never>((_resolve, reject) => {
				controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
			}),
		]);
	} finally {
		clearTimeout(timer);
	}
}
