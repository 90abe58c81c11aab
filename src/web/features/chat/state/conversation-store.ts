import { type ChatMessage, type ChatSide, typingMs } from '#contract/chat/chat.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import { limits } from '#contract/core/limits.ts';
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
	type UnsentFile,
	type UnsentMessage,
} from './chat-log.ts';
import type { StoredUnsent } from './unsent-storage.ts';

/** Where in a conversation one asks. */
export interface PageQuery {
	before?: number;
	after?: number;
	around?: number;
	limit: number;
}

/** What a room needs from around it, given in so that it can be tried without a browser. */
export interface ConversationStoreOptions {
	/** Whose side this page speaks for. */
	side: ChatSide;
	/** The owner looks on as a member does, and changes nothing. */
	isReadOnly: boolean;
	/** These give up at `signal`. */
	fetchPage: (query: PageQuery, signal: AbortSignal) => Promise<ChatPage>;
	sendText: (clientId: string, text: string, signal: AbortSignal) => Promise<ChatMessage>;
	sendFile: (
		clientId: string,
		file: File,
		onProgress: (part: number) => void,
		signal: AbortSignal,
	) => Promise<ChatMessage>;
	/** A file of a canned reply, which the server has. */
	sendReplyFile: (clientId: string, fileId: string, signal: AbortSignal) => Promise<ChatMessage>;
	reportTyping: () => Promise<unknown>;
	reportViewed: (through: number) => Promise<unknown>;
	/** Whether trying again helps, and if not, why (`text`); `note`: what the author reads while it is tried again. */
	describeError: (error: unknown) => { isPassing: boolean; text: string; note?: string };
	/** Whether the one who wrote still sits here: nobody else sends their words. */
	isAuthorSignedIn: () => boolean;
	newClientId: () => string;
	now: () => Date;
	stored: StoredUnsent;
	save: (labels: StoredUnsent) => void;
	words: { tooLarge: string; empty: string };
}

/** What is drawn of a conversation. */
export interface ConversationView {
	log: ChatLog;
	/** Why its first page did not come. */
	failure: unknown;
	isFetchingOlder: boolean;
	/** Older ones did not come. */
	isOlderFailed: boolean;
	isFetchingNewer: boolean;
	/** Newer ones did not come. */
	isNewerFailed: boolean;
	/** The other side is typing. */
	isTyping: boolean;
	/** Go along with what is sent next. */
	attached: readonly AttachedFile[];
}

/** A file of a canned reply, which waits beside the draft. */
export type AttachedFile = StoredUnsent['attached'][number];

/** One conversation in this page. It lives outside React: what was sent goes on over every change of screen. */
export interface ConversationStore {
	getView: () => ConversationView;
	subscribe: (listener: () => void) => () => void;
	/** Somebody looks at it: at its newest messages, or at the one they go to; what happened meanwhile is asked for. */
	open: (isGoing?: boolean) => void;
	handleEvent: (hint: ServerEvent) => void;
	fetchOlder: () => Promise<void>;
	/** The next ones, where there are newer ones than those that are shown. */
	fetchNewer: () => Promise<void>;
	/** Shows the messages around one; nothing changes where it is shown already. @throws what its page did not come for */
	goTo: (sequence: number) => Promise<void>;
	/** Shows the newest messages again. @throws what they did not come for */
	goToNewest: () => Promise<void>;
	getDraft: () => string;
	/** What stands in the field; tells the other side that one is typing. */
	updateDraft: (draft: string) => void;
	/** With what is attached, which may go without a text. */
	sendText: (text: string) => void;
	attach: (files: readonly AttachedFile[]) => void;
	detach: (fileId: string) => void;
	sendFiles: (files: readonly File[]) => void;
	/** What failed is tried again: all that may pass now, and one that was refused. */
	retry: (clientId?: string) => void;
	/** Whether trying again may help: what is too large or empty stays so. */
	canRetry: (clientId: string) => boolean;
	removeUnsent: (clientId: string) => void;
	/** A file that is still here, to be looked at before it is sent. */
	findFile: (clientId: string) => File | undefined;
	/** The newest is on the screen, before somebody's eyes. */
	reportShown: () => void;
	/** Whether something is still to be sent. */
	hasUnsent: () => boolean;
	/** Whether a reload would lose files: unsent ones that are being sent, wait, or can be retried. */
	hasUnsentFiles: () => boolean;
}

const firstPageSize = 50;
const catchUpPageSize = 500;
/** A key tells at most so often: seldom enough for the server, often enough that the flag never goes out between two. */
const typingIntervalMs = typingMs / 4;
/** A line that died without a word brings no answer, and holds up everything behind it. */
const answerTimeoutMs = 15_000;
/** Between two parts of a file, and after the last: much of it may still lie in the machine's own queue. */
const progressTimeoutMs = 60_000;
/** Without a word from the line, what failed is tried again in growing pauses. */
const retryDelaysMs = [2000, 5000, 10_000, 20_000] as const;

export function createConversationStore(userId: string, options: ConversationStoreOptions): ConversationStore {
	let view: ConversationView = {
		log: emptyLog,
		failure: null,
		isFetchingOlder: false,
		isOlderFailed: false,
		isFetchingNewer: false,
		isNewerFailed: false,
		isTyping: false,
		attached: options.stored.attached,
	};
	/** Counts how often others took the place of what was shown: a page that was asked for before goes on from nothing. */
	let viewGeneration = 0;
	/** Counts where one wished to go: of two places the later counts. */
	let navigationCount = 0;
	/** The newest are wished for, and have not come. */
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

	/** Everything after what is here, or the newest where nothing is. One at a time; asked for meanwhile, once more. */
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
				// Far above it is only asked what was seen and deleted: the newest ones come when somebody goes there.
				const limit = view.log.isNewer ? 1 : catchUpPageSize;
				const place = at === 'newest' ? { limit: firstPageSize } : { after: lastShownSequence(view.log), limit };
				const isTaken = await takePage(at, place);
				failures = 0;
				if (view.failure !== null) updateView({ failure: null });
				if (isTaken !== null && (at === 'newest' || !isTaken.isMore || view.log.isNewer)) break;
			}
			// Said before the answer was made, and not in it: it comes with the next.
			if (hasGap(view.log)) scheduleRetry();
		} catch (error) {
			if (!view.log.isLoaded) updateView({ failure: error });
			// Shown ones stay.
			else if (options.describeError(error).isPassing) scheduleRetry();
		}
	}

	/** @returns null for a page that came too late: what it goes on from is shown no longer */
	async function takePage(at: PageDirection, place: PageQuery): Promise<ChatPage | null> {
		const before = viewGeneration;
		const page = await withTimeout((signal) => options.fetchPage(place, signal));
		if (viewGeneration !== before) return null;
		dispatch({ kind: 'page', at, page });
		return page;
	}

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
			updateView({ failure: null, isOlderFailed: false, isNewerFailed: false });
			if (hasGap(view.log)) void catchUp();
		} catch (error) {
			if (!view.log.isLoaded) updateView({ failure: error });
			throw error;
		}
	}

	function scheduleRetry(): void {
		clearTimeout(retryTimer);
		const delay = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)];
		failures += 1;
		retryTimer = setTimeout(retryAll, delay);
	}

	/** The line is back, or may be. */
	function retryAll(): void {
		clearTimeout(retryTimer);
		if (isGoingToNewest) goToNewest().catch(scheduleRetry);
		void catchUp();
		retry();
	}

	function retry(clientId?: string): void {
		for (const one of view.log.unsent) {
			// What waits for the line goes along: it was written before, or after.
			const isMeant = one.errorText === '' || one.clientId === clientId;
			if (isMeant && one.status === 'failed')
				dispatch({
					kind: 'unsent',
					clientId: one.clientId,
					change: { status: 'waiting', errorText: '', retryReason: '', progress: 0 },
				});
		}
		void sendAll();
	}

	/** One after the other, in the order in which they were written. */
	async function sendAll(): Promise<void> {
		if (isSending || options.isReadOnly || !options.isAuthorSignedIn()) return;
		isSending = true;
		try {
			for (;;) {
				const next = view.log.unsent.find(
					({ status, errorText: refusal }) => status === 'waiting' || isWaitingForConnection(status, refusal),
				);
				// Asked for each: while one was on its way, another person may have sat down here.
				if (next?.status !== 'waiting' || !options.isAuthorSignedIn() || !(await sendOne(next))) return;
			}
		} finally {
			isSending = false;
		}
	}

	/** @returns whether the next may go */
	async function sendOne({ clientId, text, file }: UnsentMessage): Promise<boolean> {
		const bytes = files.get(clientId);
		const fileProblem = fileError(bytes);
		if (fileProblem !== '') {
			dispatch({ kind: 'unsent', clientId, change: { status: 'failed', errorText: fileProblem } });
			return true;
		}
		dispatch({ kind: 'unsent', clientId, change: { status: 'sending', errorText: '' } });
		try {
			const message = await send(clientId, text, file, bytes);
			failures = 0;
			receiveMessage(message);
			files.delete(clientId);
			return true;
		} catch (error) {
			const { isPassing, text: refusal, note = '' } = options.describeError(error);
			dispatch({
				kind: 'unsent',
				clientId,
				change: {
					status: 'failed',
					errorText: isPassing ? '' : refusal,
					retryReason: isPassing ? note : '',
					progress: 0,
				},
			});
			if (isPassing) scheduleRetry();
			return !isPassing;
		}
	}

	function send(
		clientId: string,
		text: string,
		file: UnsentFile | null,
		bytes: File | undefined,
	): Promise<ChatMessage> {
		const fileId = file?.fileId;
		if (file !== null && fileId === undefined && bytes === undefined) throw new Error('The file of a message is gone.');
		return withTimeout((signal, prolong) => {
			if (fileId !== undefined) return options.sendReplyFile(clientId, fileId, signal);
			if (bytes === undefined) return options.sendText(clientId, text, signal);
			const onProgress = (progress: number) => {
				prolong();
				dispatch({ kind: 'unsent', clientId, change: { progress } });
			};
			return options.sendFile(clientId, bytes, onProgress, signal);
		});
	}

	/** What the server would refuse too, but only after all of it. */
	function fileError(file: File | undefined): string {
		if (file === undefined) return '';
		const { size } = file;
		if (size > limits.chatFileMaxBytes) return options.words.tooLarge;
		return size === 0 ? options.words.empty : '';
	}

	function canRetry(clientId: string): boolean {
		return fileError(files.get(clientId)) === '';
	}

	function receiveMessage(message: ChatMessage): void {
		dispatch({ kind: 'heard', message });
		if (message.sender !== options.side) showTyping(false);
		if (hasGap(view.log)) void catchUp();
	}

	/** Goes out by this page's own clock, whatever the line says. */
	function showTyping(isTyping: boolean): void {
		clearTimeout(typingTimer);
		if (isTyping) typingTimer = setTimeout(() => showTyping(false), typingMs);
		if (view.isTyping !== isTyping) updateView({ isTyping });
	}

	function addUnsent(unsent: readonly UnsentMessage[]): void {
		dispatch({ kind: 'written', unsent });
		// What one writes stands below the newest. Where those do not come, the line is lost, and says so.
		goToNewest().catch(scheduleRetry);
		void sendAll();
	}

	function newUnsent(over: Partial<UnsentMessage>): UnsentMessage {
		return {
			clientId: options.newClientId(),
			text: '',
			file: null,
			writtenAt: options.now().toISOString(),
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
		subscribe: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		open: (isGoing = false) => {
			if (!view.log.isLoaded) updateView({ failure: null });
			if (isGoing && !view.log.isLoaded) return retry();
			isGoingToNewest = !isGoing && view.log.isNewer;
			retryAll();
		},
		handleEvent: (hint) => {
			if (hint.topic === 'resync') retryAll();
			if (!('person' in hint) || hint.person !== userId) return;
			if (hint.topic === 'message') receiveMessage(hint.message);
			if (hint.topic === 'chat') void catchUp();
			if (hint.topic === 'typing' && hint.typing !== options.side) showTyping(hint.typing === otherSide(options.side));
		},
		fetchOlder: async () => {
			const first = view.log.messages[0]?.sequence;
			if (first === undefined || !view.log.isOlder || view.isFetchingOlder) return;
			updateView({ isFetchingOlder: true, isOlderFailed: false });
			try {
				await takePage('older', { before: first, limit: firstPageSize });
			} catch {
				updateView({ isOlderFailed: true });
			} finally {
				updateView({ isFetchingOlder: false });
			}
		},
		fetchNewer: async () => {
			if (!view.log.isNewer || view.isFetchingNewer) return;
			updateView({ isFetchingNewer: true, isNewerFailed: false });
			try {
				await takePage('newer', { after: lastShownSequence(view.log), limit: firstPageSize });
				if (hasGap(view.log)) void catchUp();
			} catch {
				updateView({ isNewerFailed: true });
			} finally {
				updateView({ isFetchingNewer: false });
			}
		},
		goTo,
		goToNewest,
		getDraft: () => draft,
		updateDraft: (next) => {
			const isKey = next !== draft && next !== '';
			draft = next;
			storeUnsent();
			const at = options.now().getTime();
			if (!isKey || options.isReadOnly || at - reported.at < typingIntervalMs) return;
			reported = { ...reported, at };
			// A lost one matters to nobody.
			options.reportTyping().catch(() => undefined);
		},
		sendText: (text) => {
			const { attached } = view;
			draft = '';
			updateView({ attached: [] });
			addUnsent([
				...(text.trim() === '' ? [] : [newUnsent({ text })]),
				...attached.map((file) => newUnsent({ file: { ...file } })),
			]);
		},
		attach: (chosen) => {
			const known = new Set(view.attached.map(({ fileId }) => fileId));
			updateView({ attached: [...view.attached, ...chosen.filter(({ fileId }) => !known.has(fileId))] });
			storeUnsent();
		},
		detach: (fileId) => {
			updateView({ attached: view.attached.filter((file) => file.fileId !== fileId) });
			storeUnsent();
		},
		sendFiles: (chosen) => {
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
		removeUnsent: (clientId) => {
			files.delete(clientId);
			dispatch({ kind: 'dropped', clientId });
			void sendAll();
		},
		findFile: (clientId) => files.get(clientId),
		reportShown: () => {
			const through = findUnviewedThrough(view.log, options.side);
			if (through === null || through <= reported.viewed || options.isReadOnly || view.log.isNewer) return;
			const before = reported.viewed;
			reported = { ...reported, viewed: through };
			options.reportViewed(through).catch((error: unknown) => {
				reported = { ...reported, viewed: before };
				// What comes with the next look at the server is looked at anew.
				if (options.describeError(error).isPassing) scheduleRetry();
			});
		},
		hasUnsent: () => view.log.unsent.some(({ status }) => status !== 'sent'),
		hasUnsentFiles: () =>
			view.log.unsent.some(({ file, status, clientId }) => file !== null && status !== 'sent' && canRetry(clientId)),
	};
}

/** Waits for an answer, and takes one that does not come for a lost line; `prolong`: something has moved. */
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

/** What waits for the line holds up all that were written after it. */
function isWaitingForConnection(status: UnsentMessage['status'], errorText: string): boolean {
	return status === 'failed' && errorText === '';
}
