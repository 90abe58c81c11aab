import { type ChatPage, hasGap, hasMessage, lastShownSequence, type PageDirection } from './chat-log.ts';
import { withTimeout } from './chat-transport.ts';
import type { ConversationParts, MessageSenderOptions } from './message-sender.ts';

export interface PageQuery {
	before?: number;
	after?: number;
	around?: number;
	limit: number;
}

export interface PageLoaderOptions extends Pick<MessageSenderOptions, 'describeError' | 'isAuthorSignedIn'> {
	/** The `signal` aborts the request. */
	fetchPage: (query: PageQuery, signal: AbortSignal) => Promise<ChatPage>;
}

export interface PageState {
	isFetching: boolean;
	isFailed: boolean;
}

export interface LoadingState {
	failure: unknown;
	older: PageState;
	newer: PageState;
}

const idle: PageState = { isFetching: false, isFailed: false };
export const initialLoading: LoadingState = { failure: null, older: idle, newer: idle };

const firstPageSize = 50;
const catchUpPageSize = 500;

interface PageLoaderParts extends ConversationParts {
	getLoading: () => LoadingState;
	setLoading: (change: Partial<LoadingState>) => void;
}

/** Loads pages of a conversation. Pages at either end extend the shown messages; a navigation replaces them. */
export function createPageLoader(options: PageLoaderOptions, parts: PageLoaderParts) {
	const { getLog, dispatch, onAnswered, scheduleRetry, getLoading, setLoading } = parts;
	/** Incremented when the shown messages are replaced. Pages that were requested before are ignored. */
	let viewGeneration = 0;
	/** Incremented at each navigation, because only the latest navigation takes effect. */
	let navigationCount = 0;
	/** Whether the newest messages must still be loaded to replace older shown messages. */
	let isGoingToNewest = false;
	let catchUpInProgress: Promise<void> | null = null;
	let shouldCatchUpAgain = false;

	/** Fetches all messages after the shown messages; at first, the newest page. A call during a run adds another run. */
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
				const at = getLog().isLoaded ? 'newer' : 'newest';
				// While older messages are shown, only the state (views, clearing) is needed. fetchNewer loads the messages.
				const limit = getLog().isNewer ? 1 : catchUpPageSize;
				const query = at === 'newest' ? { limit: firstPageSize } : { after: lastShownSequence(getLog()), limit };
				const page = await fetchAndAddPage(at, query);
				onAnswered();
				if (getLoading().failure !== null) setLoading({ failure: null });
				if (page !== null && (at === 'newest' || !page.isMore || getLog().isNewer)) break;
			}
			// An event can arrive shortly before responses contain its message, so the messages are requested again later.
			if (hasGap(getLog())) scheduleRetry();
		} catch (error) {
			if (!getLog().isLoaded) setLoading({ failure: error });
			// The error is not shown while messages are visible.
			else if (options.describeError(error).isPassing) scheduleRetry();
		}
	}

	/** Loads and adds a page. Returns null if the shown messages were replaced meanwhile. */
	async function fetchAndAddPage(at: PageDirection, query: PageQuery): Promise<ChatPage | null> {
		const before = viewGeneration;
		const page = await withTimeout((signal) => options.fetchPage(query, signal));
		if (viewGeneration !== before) return null;
		dispatch({ kind: 'page', at, page });
		return page;
	}

	/** Shows a message with surrounding messages, unless the message is already shown. @throws if loading fails */
	async function goTo(sequence: number): Promise<void> {
		isGoingToNewest = false;
		navigationCount += 1;
		if (!hasMessage(getLog(), sequence)) await replacePage('around', { around: sequence, limit: firstPageSize });
	}

	/** Shows the newest messages again. @throws if loading fails */
	async function goToNewest(): Promise<void> {
		navigationCount += 1;
		isGoingToNewest = getLog().isNewer;
		if (!isGoingToNewest) return;
		const thisNavigation = navigationCount;
		await replacePage('newest', { limit: firstPageSize });
		if (navigationCount === thisNavigation) isGoingToNewest = false;
	}

	async function replacePage(at: 'newest' | 'around', query: PageQuery): Promise<void> {
		const thisNavigation = navigationCount;
		try {
			const page = await withTimeout((signal) => options.fetchPage(query, signal));
			if (navigationCount !== thisNavigation) return;
			viewGeneration += 1;
			dispatch({ kind: 'page', at, page });
			setLoading({
				failure: null,
				older: { ...getLoading().older, isFailed: false },
				newer: { ...getLoading().newer, isFailed: false },
			});
			if (hasGap(getLog())) void catchUp();
		} catch (error) {
			if (!getLog().isLoaded) setLoading({ failure: error });
			throw error;
		}
	}

	/** Loads more messages before or after the shown messages. */
	async function fetchMore(end: 'older' | 'newer', query: PageQuery): Promise<void> {
		if (getLoading()[end].isFetching) return;
		setLoading({ [end]: { isFetching: true, isFailed: false } });
		try {
			await fetchAndAddPage(end, query);
			if (end === 'newer' && hasGap(getLog())) void catchUp();
			setLoading({ [end]: idle });
		} catch {
			setLoading({ [end]: { isFetching: false, isFailed: true } });
		}
	}

	return {
		catchUp,
		goTo,
		goToNewest,
		/** Must be called when the conversation is opened. `isAtTarget`: whether it opens at a search match. */
		open: (isAtTarget: boolean): void => {
			if (!getLog().isLoaded) setLoading({ failure: null });
			isGoingToNewest = !isAtTarget && getLog().isNewer;
		},
		retry: (): void => {
			if (isGoingToNewest) goToNewest().catch(scheduleRetry);
			void catchUp();
		},
		fetchOlder: async (): Promise<void> => {
			const first = getLog().messages[0]?.sequence;
			if (first !== undefined && getLog().isOlder) await fetchMore('older', { before: first, limit: firstPageSize });
		},
		/** Loads the next newer page, if there is one. */
		fetchNewer: async (): Promise<void> => {
			if (getLog().isNewer) await fetchMore('newer', { after: lastShownSequence(getLog()), limit: firstPageSize });
		},
	};
}
