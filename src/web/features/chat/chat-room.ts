import { type ChatMessage, type ChatSide, typingMs } from '#contract/chat/chat.ts';
import type { Hint } from '#contract/core/events.ts';
import { limits } from '#contract/core/limits.ts';
import type { KeptWords } from './chat-keeping.ts';
import {
	type ChatChange,
	type ChatLog,
	type ChatPage,
	changeLog,
	emptyLog,
	hasGap,
	isShown,
	lastOf,
	otherSide,
	type PageAt,
	type UnsentFile,
	type UnsentMessage,
	unviewedThrough,
} from './chat-log.ts';

/** Where in a conversation one asks. */
export interface PagePlace {
	before?: number;
	after?: number;
	around?: number;
	limit: number;
}

/** What a room needs from around it, given in so that it can be tried without a browser. */
export interface RoomParts {
	/** Whose side this page speaks for. */
	side: ChatSide;
	/** The owner looks on as a member does, and changes nothing. */
	isReadOnly: boolean;
	/** These give up at `signal`. */
	fetchPage: (place: PagePlace, signal: AbortSignal) => Promise<ChatPage>;
	sendText: (clientId: string, text: string, signal: AbortSignal) => Promise<ChatMessage>;
	sendFile: (
		clientId: string,
		file: File,
		onProgress: (part: number) => void,
		signal: AbortSignal,
	) => Promise<ChatMessage>;
	/** A file of a canned reply, which the server has. */
	sendReplyFile: (clientId: string, fileId: string, signal: AbortSignal) => Promise<ChatMessage>;
	tellTyping: () => Promise<unknown>;
	tellViewed: (through: number) => Promise<unknown>;
	/** Whether trying again helps, and if not, why (`text`); `note`: what the author reads while it is tried again. */
	judge: (error: unknown) => { isPassing: boolean; text: string; note?: string };
	/** Whether the one who wrote still sits here: nobody else sends their words. */
	isPersonHere: () => boolean;
	newClientId: () => string;
	now: () => Date;
	kept: KeptWords;
	keep: (words: KeptWords) => void;
	words: { tooLarge: string; empty: string };
}

/** What is drawn of a conversation. */
export interface RoomView {
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
export type AttachedFile = KeptWords['attached'][number];

/** One conversation in this page. It lives outside React: what was sent goes on over every change of screen. */
export interface ChatRoom {
	getView: () => RoomView;
	subscribe: (listener: () => void) => () => void;
	/** Somebody looks at it: at its newest messages, or at the one they go to; what happened meanwhile is asked for. */
	open: (isGoing?: boolean) => void;
	hear: (hint: Hint) => void;
	fetchOlder: () => Promise<void>;
	/** The next ones, where there are newer ones than those that are shown. */
	fetchNewer: () => Promise<void>;
	/** Shows the messages around one; nothing changes where it is shown already. @throws what its page did not come for */
	goTo: (sequence: number) => Promise<void>;
	/** Shows the newest messages again. @throws what they did not come for */
	goToNewest: () => Promise<void>;
	readDraft: () => string;
	/** What stands in the field; tells the other side that one is typing. */
	type: (draft: string) => void;
	/** With what is attached, which may go without a text. */
	sendText: (text: string) => void;
	attach: (files: readonly AttachedFile[]) => void;
	detach: (fileId: string) => void;
	sendFiles: (files: readonly File[]) => void;
	/** What failed is tried again: all that may pass now, and one that was refused. */
	retry: (clientId?: string) => void;
	/** Whether trying again may help: what is too large or empty stays so. */
	canRetry: (clientId: string) => boolean;
	drop: (clientId: string) => void;
	/** A file that is still here, to be looked at before it is sent. */
	fileOf: (clientId: string) => File | undefined;
	/** The newest is on the screen, before somebody's eyes. */
	look: () => void;
	/** Whether something is still to be sent. */
	isBusy: () => boolean;
	/** Whether a reload would lose files: unsent ones that are being sent, wait, or can be retried. */
	hasUnsentFiles: () => boolean;
}

const firstPage = 50;
const catchUpPage = 500;
/** A key tells at most so often: seldom enough for the server, often enough that the flag never goes out between two. */
const typingEveryMs = typingMs / 4;
/** A line that died without a word brings no answer, and holds up everything behind it. */
const answerMs = 15_000;
/** Between two parts of a file, and after the last: much of it may still lie in the machine's own queue. */
const movingMs = 60_000;
/** Without a word from the line, what failed is tried again in growing pauses. */
const retryMs = [2000, 5000, 10_000, 20_000] as const;

export function createChatRoom(userId: string, parts: RoomParts): ChatRoom {
	let view: RoomView = {
		log: emptyLog,
		failure: null,
		isFetchingOlder: false,
		isOlderFailed: false,
		isFetchingNewer: false,
		isNewerFailed: false,
		isTyping: false,
		attached: parts.kept.attached,
	};
	/** Counts how often others took the place of what was shown: a page that was asked for before goes on from nothing. */
	let shown = 0;
	/** Counts where one wished to go: of two places the later counts. */
	let wished = 0;
	/** The newest are wished for, and have not come. */
	let wishesNewest = false;
	let going: { sequence: number; done: Promise<void> } | null = null;
	let draft = parts.kept.draft;
	let told = { at: Number.NEGATIVE_INFINITY, viewed: 0 };
	let typingTimer: ReturnType<typeof setTimeout> | undefined;
	let retryTimer: ReturnType<typeof setTimeout> | undefined;
	let failures = 0;
	let isSending = false;
	let catching: Promise<void> | null = null;
	let isAskedAgain = false;
	const files = new Map<string, File>();
	const listeners = new Set<() => void>();

	function show(next: Partial<RoomView>): void {
		view = { ...view, ...next };
		for (const listener of listeners) listener();
	}

	function keep(): void {
		const texts = view.log.unsent
			.filter(({ file, status }) => file === null && status !== 'sent')
			.map(({ clientId, text, writtenAt }) => ({ clientId, text, writtenAt }));
		parts.keep({ draft, texts, attached: [...view.attached] });
	}

	function change(by: ChatChange): void {
		const before = view.log.unsent;
		const log = changeLog(view.log, by);
		if (log === view.log) return;
		show({ log });
		if (log.unsent !== before) keep();
	}

	/** Everything after what is here, or the newest where nothing is. One at a time; asked for meanwhile, once more. */
	function catchUp(): Promise<void> {
		if (catching !== null) {
			isAskedAgain = true;
			return catching;
		}
		catching = fetchMissing().finally(() => {
			catching = null;
			if (!isAskedAgain) return;
			isAskedAgain = false;
			void catchUp();
		});
		return catching;
	}

	async function fetchMissing(): Promise<void> {
		if (!parts.isPersonHere()) return;
		try {
			for (;;) {
				const at = view.log.isLoaded ? 'newer' : 'newest';
				// Far above it is only asked what was seen and deleted: the newest ones come when somebody goes there.
				const limit = view.log.isNewer ? 1 : catchUpPage;
				const place = at === 'newest' ? { limit: firstPage } : { after: lastOf(view.log), limit };
				const isTaken = await takePage(at, place);
				failures = 0;
				if (view.failure !== null) show({ failure: null });
				if (isTaken !== null && (at === 'newest' || !isTaken.isMore || view.log.isNewer)) break;
			}
			// Said before the answer was made, and not in it: it comes with the next.
			if (hasGap(view.log)) tryAgainLater();
		} catch (error) {
			if (!view.log.isLoaded) show({ failure: error });
			// Shown ones stay.
			else if (parts.judge(error).isPassing) tryAgainLater();
		}
	}

	/** @returns null for a page that came too late: what it goes on from is shown no longer */
	async function takePage(at: PageAt, place: PagePlace): Promise<ChatPage | null> {
		const before = shown;
		const page = await answered((signal) => parts.fetchPage(place, signal));
		if (shown !== before) return null;
		change({ kind: 'page', at, page });
		return page;
	}

	function goTo(sequence: number): Promise<void> {
		if (going?.sequence === sequence) return going.done;
		going = null;
		wishesNewest = false;
		wished += 1;
		if (isShown(view.log, sequence)) return Promise.resolve();
		const mine = { sequence, done: goAnew('around', { around: sequence, limit: firstPage }) };
		going = mine;
		return mine.done.finally(() => {
			if (going === mine) going = null;
		});
	}

	async function goToNewest(): Promise<void> {
		going = null;
		wished += 1;
		wishesNewest = view.log.isNewer;
		if (!wishesNewest) return;
		const mine = wished;
		await goAnew('newest', { limit: firstPage });
		if (wished === mine) wishesNewest = false;
	}

	async function goAnew(at: 'newest' | 'around', place: PagePlace): Promise<void> {
		const mine = wished;
		try {
			const page = await answered((signal) => parts.fetchPage(place, signal));
			if (wished !== mine) return;
			shown += 1;
			change({ kind: 'page', at, page });
			show({ failure: null, isOlderFailed: false, isNewerFailed: false });
			if (hasGap(view.log)) void catchUp();
		} catch (error) {
			if (!view.log.isLoaded) show({ failure: error });
			throw error;
		}
	}

	function tryAgainLater(): void {
		clearTimeout(retryTimer);
		const delay = retryMs[Math.min(failures, retryMs.length - 1)];
		failures += 1;
		retryTimer = setTimeout(recover, delay);
	}

	/** The line is back, or may be. */
	function recover(): void {
		clearTimeout(retryTimer);
		if (wishesNewest) goToNewest().catch(tryAgainLater);
		void catchUp();
		retry();
	}

	function retry(clientId?: string): void {
		for (const one of view.log.unsent) {
			// What waits for the line goes along: it was written before, or after.
			const isMeant = one.refusal === '' || one.clientId === clientId;
			if (isMeant && one.status === 'failed')
				change({
					kind: 'unsent',
					clientId: one.clientId,
					change: { status: 'waiting', refusal: '', note: '', progress: 0 },
				});
		}
		void sendAll();
	}

	/** One after the other, in the order in which they were written. */
	async function sendAll(): Promise<void> {
		if (isSending || parts.isReadOnly || !parts.isPersonHere()) return;
		isSending = true;
		try {
			for (;;) {
				const next = view.log.unsent.find(({ status, refusal }) => status === 'waiting' || isHeld(status, refusal));
				// Asked for each: while one was on its way, another person may have sat down here.
				if (next?.status !== 'waiting' || !parts.isPersonHere() || !(await sendOne(next))) return;
			}
		} finally {
			isSending = false;
		}
	}

	/** @returns whether the next may go */
	async function sendOne({ clientId, text, file }: UnsentMessage): Promise<boolean> {
		const bytes = files.get(clientId);
		const fault = faultOf(bytes);
		if (fault !== '') {
			change({ kind: 'unsent', clientId, change: { status: 'failed', refusal: fault } });
			return true;
		}
		change({ kind: 'unsent', clientId, change: { status: 'sending', refusal: '' } });
		try {
			const message = await send(clientId, text, file, bytes);
			failures = 0;
			hearMessage(message);
			files.delete(clientId);
			return true;
		} catch (error) {
			const { isPassing, text: refusal, note = '' } = parts.judge(error);
			change({
				kind: 'unsent',
				clientId,
				change: { status: 'failed', refusal: isPassing ? '' : refusal, note: isPassing ? note : '', progress: 0 },
			});
			if (isPassing) tryAgainLater();
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
		return answered((signal, prolong) => {
			if (fileId !== undefined) return parts.sendReplyFile(clientId, fileId, signal);
			if (bytes === undefined) return parts.sendText(clientId, text, signal);
			const onProgress = (progress: number) => {
				prolong();
				change({ kind: 'unsent', clientId, change: { progress } });
			};
			return parts.sendFile(clientId, bytes, onProgress, signal);
		});
	}

	/** What the server would refuse too, but only after all of it. */
	function faultOf(file: File | undefined): string {
		if (file === undefined) return '';
		const { size } = file;
		if (size > limits.chatFileMaxBytes) return parts.words.tooLarge;
		return size === 0 ? parts.words.empty : '';
	}

	function canRetry(clientId: string): boolean {
		return faultOf(files.get(clientId)) === '';
	}

	function hearMessage(message: ChatMessage): void {
		change({ kind: 'heard', message });
		if (message.sender !== parts.side) showTyping(false);
		if (hasGap(view.log)) void catchUp();
	}

	/** Goes out by this page's own clock, whatever the line says. */
	function showTyping(isTyping: boolean): void {
		clearTimeout(typingTimer);
		if (isTyping) typingTimer = setTimeout(() => showTyping(false), typingMs);
		if (view.isTyping !== isTyping) show({ isTyping });
	}

	function write(unsent: readonly UnsentMessage[]): void {
		change({ kind: 'written', unsent });
		// What one writes stands below the newest. Where those do not come, the line is lost, and says so.
		goToNewest().catch(tryAgainLater);
		void sendAll();
	}

	function unsentOf(over: Partial<UnsentMessage>): UnsentMessage {
		return {
			clientId: parts.newClientId(),
			text: '',
			file: null,
			writtenAt: parts.now().toISOString(),
			status: 'waiting',
			progress: 0,
			refusal: '',
			note: '',
			...over,
		};
	}

	view = {
		...view,
		log: changeLog(emptyLog, { kind: 'written', unsent: parts.kept.texts.map((text) => unsentOf(text)) }),
	};

	return {
		getView: () => view,
		subscribe: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		open: (isGoing = false) => {
			if (!view.log.isLoaded) show({ failure: null });
			if (isGoing && !view.log.isLoaded) return retry();
			wishesNewest = !isGoing && view.log.isNewer;
			recover();
		},
		hear: (hint) => {
			if (hint.topic === 'resync') recover();
			if (!('person' in hint) || hint.person !== userId) return;
			if (hint.topic === 'message') hearMessage(hint.message);
			if (hint.topic === 'chat') void catchUp();
			if (hint.topic === 'typing' && hint.typing !== parts.side) showTyping(hint.typing === otherSide(parts.side));
		},
		fetchOlder: async () => {
			const first = view.log.messages[0]?.sequence;
			if (first === undefined || !view.log.isOlder || view.isFetchingOlder) return;
			show({ isFetchingOlder: true, isOlderFailed: false });
			try {
				await takePage('older', { before: first, limit: firstPage });
			} catch {
				show({ isOlderFailed: true });
			} finally {
				show({ isFetchingOlder: false });
			}
		},
		fetchNewer: async () => {
			if (!view.log.isNewer || view.isFetchingNewer) return;
			show({ isFetchingNewer: true, isNewerFailed: false });
			try {
				await takePage('newer', { after: lastOf(view.log), limit: firstPage });
				if (hasGap(view.log)) void catchUp();
			} catch {
				show({ isNewerFailed: true });
			} finally {
				show({ isFetchingNewer: false });
			}
		},
		goTo,
		goToNewest,
		readDraft: () => draft,
		type: (next) => {
			const isKey = next !== draft && next !== '';
			draft = next;
			keep();
			const at = parts.now().getTime();
			if (!isKey || parts.isReadOnly || at - told.at < typingEveryMs) return;
			told = { ...told, at };
			// A lost one matters to nobody.
			parts.tellTyping().catch(() => undefined);
		},
		sendText: (text) => {
			const { attached } = view;
			draft = '';
			show({ attached: [] });
			write([
				...(text.trim() === '' ? [] : [unsentOf({ text })]),
				...attached.map((file) => unsentOf({ file: { ...file } })),
			]);
		},
		attach: (chosen) => {
			const known = new Set(view.attached.map(({ fileId }) => fileId));
			show({ attached: [...view.attached, ...chosen.filter(({ fileId }) => !known.has(fileId))] });
			keep();
		},
		detach: (fileId) => {
			show({ attached: view.attached.filter((file) => file.fileId !== fileId) });
			keep();
		},
		sendFiles: (chosen) => {
			write(
				chosen.map((file) => {
					const one = unsentOf({ file: { name: file.name, sizeBytes: file.size } });
					files.set(one.clientId, file);
					return one;
				}),
			);
		},
		retry,
		canRetry,
		drop: (clientId) => {
			files.delete(clientId);
			change({ kind: 'dropped', clientId });
			void sendAll();
		},
		fileOf: (clientId) => files.get(clientId),
		look: () => {
			const through = unviewedThrough(view.log, parts.side);
			if (through === null || through <= told.viewed || parts.isReadOnly || view.log.isNewer) return;
			const before = told.viewed;
			told = { ...told, viewed: through };
			parts.tellViewed(through).catch((error: unknown) => {
				told = { ...told, viewed: before };
				// What comes with the next look at the server is looked at anew.
				if (parts.judge(error).isPassing) tryAgainLater();
			});
		},
		isBusy: () => view.log.unsent.some(({ status }) => status !== 'sent'),
		hasUnsentFiles: () =>
			view.log.unsent.some(({ file, status, clientId }) => file !== null && status !== 'sent' && canRetry(clientId)),
	};
}

/** Waits for an answer, and takes one that does not come for a lost line; `prolong`: something has moved. */
async function answered<T>(ask: (signal: AbortSignal, prolong: () => void) => Promise<T>): Promise<T> {
	const patience = new AbortController();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const wait = (ms: number) => {
		clearTimeout(timer);
		timer = setTimeout(() => patience.abort(new TypeError('No answer came.')), ms);
	};
	wait(answerMs);
	try {
		return await Promise.race([
			ask(patience.signal, () => wait(movingMs)),
			new Promise<never>((_resolve, reject) => {
				patience.signal.addEventListener('abort', () => reject(patience.signal.reason), { once: true });
			}),
		]);
	} finally {
		clearTimeout(timer);
	}
}

/** What waits for the line holds up all that were written after it. */
function isHeld(status: UnsentMessage['status'], refusal: string): boolean {
	return status === 'failed' && refusal === '';
}
