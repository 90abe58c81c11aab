import type { ChatMessage, ChatSide, ChatState } from '#contract/chat/chat.ts';

/** A message of this page that the conversation does not hold yet. */
export interface UnsentMessage {
	clientId: string;
	text: string;
	/** A file goes by itself, without a text. */
	file: UnsentFile | null;
	/** When it was written, ISO 8601. */
	writtenAt: string;
	/** `sent`: taken by the server, its place in the conversation still comes. */
	status: 'waiting' | 'sending' | 'failed' | 'sent';
	/** Of a file, 0 to 1. */
	progress: number;
	/** What the server said against it; '' where no answer came, and it is tried again by itself. */
	errorText: string;
	/** Why the server did not take a message yet that is tried again by itself; '' where it gave no reason. */
	retryReason: string;
}

/** A file on its way; with `fileId` it lies at the server already, with a canned reply. */
export interface UnsentFile {
	name: string;
	sizeBytes: number;
	fileId?: string;
}

/** A conversation as this page knows it. */
export interface ChatLog {
	/** Whether a page has come. */
	isLoaded: boolean;
	/** In order, without a hole. */
	messages: readonly ChatMessage[];
	/** Heard of, but those between are missing: they must be asked for. */
	ahead: readonly ChatMessage[];
	/** In the order in which they are sent. */
	unsent: readonly UnsentMessage[];
	/** There are older ones at the server. */
	isOlder: boolean;
	/** There are newer ones too: what is shown stands around a place somewhere above, and does not grow by what is heard. */
	isNewer: boolean;
	/** The newest that this page knows of, shown or not. */
	newest: number;
	clearedThrough: number;
	viewedThrough: Readonly<Record<ChatSide, number>>;
}

export const emptyLog: ChatLog = {
	isLoaded: false,
	messages: [],
	ahead: [],
	unsent: [],
	isOlder: false,
	isNewer: false,
	newest: 0,
	clearedThrough: 0,
	viewedThrough: { user: 0, admin: 0 },
};

/** An answer of the server's list. */
export interface ChatPage {
	items: readonly ChatMessage[];
	isMore: boolean;
	state: Pick<ChatState, 'lastSequence' | 'clearedThrough' | 'viewedThrough'>;
}

export type PageDirection = 'newest' | 'around' | 'older' | 'newer';

export type ChatLogAction =
	/** `newest` and `around` take the place of all that is shown; `older` and `newer` go on from it. */
	| { kind: 'page'; at: PageDirection; page: ChatPage }
	/** By the line, or as the answer to what was sent. */
	| { kind: 'heard'; message: ChatMessage }
	| { kind: 'written'; unsent: readonly UnsentMessage[] }
	| { kind: 'unsent'; clientId: string; change: Partial<Omit<UnsentMessage, 'clientId'>> }
	| { kind: 'dropped'; clientId: string };

/** The conversation after a change. Says the same for changes that come twice or in another order. */
export function reduceChatLog(log: ChatLog, change: ChatLogAction): ChatLog {
	switch (change.kind) {
		case 'page':
			return addPage(log, change.at, change.page);
		case 'heard':
			return placeMessages({
				...log,
				ahead: mergeBySequence(log.ahead, [change.message]),
				newest: Math.max(log.newest, change.message.sequence),
				unsent: markSent(log.unsent, change.message),
			});
		case 'written': {
			const known = new Set(log.unsent.map(({ clientId }) => clientId));
			return placeMessages({
				...log,
				unsent: [...log.unsent, ...change.unsent.filter(({ clientId }) => !known.has(clientId))],
			});
		}
		case 'unsent':
			return {
				...log,
				unsent: log.unsent.map((one) => (one.clientId === change.clientId ? { ...one, ...change.change } : one)),
			};
		case 'dropped':
			return { ...log, unsent: log.unsent.filter(({ clientId }) => clientId !== change.clientId) };
	}
}

/** The newest that stands in its place; what comes after is asked for from here. */
export function lastShownSequence(log: ChatLog): number {
	return Math.max(log.messages.at(-1)?.sequence ?? 0, log.clearedThrough);
}

/** Whether messages were heard of that cannot be shown before those between have come; far above nobody waits for them. */
export function hasGap(log: ChatLog): boolean {
	return log.isLoaded && !log.isNewer && log.ahead.length > 0;
}

/** Whether a message stands among those that are shown. */
export function hasMessage(log: ChatLog, sequence: number): boolean {
	return log.messages.some((message) => message.sequence === sequence);
}

/** Whether the other side has seen a message of this side. */
export function isViewedByOther(log: ChatLog, { sender, sequence }: ChatMessage): boolean {
	return log.viewedThrough[otherSide(sender)] >= sequence;
}

/** Up to where the other side's messages are still to be told of as seen; null where there are none. */
export function findUnviewedThrough(log: ChatLog, own: ChatSide): number | null {
	const newest = log.messages.findLast(({ sender }) => sender !== own)?.sequence ?? 0;
	return newest > log.viewedThrough[own] ? newest : null;
}

/** How many messages of the other side came after a place. */
export function countReceivedAfter(log: ChatLog, own: ChatSide, sequence: number): number {
	const known = log.isNewer ? [...log.messages, ...log.ahead] : log.messages;
	return known.filter((message) => message.sender !== own && message.sequence > sequence).length;
}

export function otherSide(side: ChatSide): ChatSide {
	return side === 'user' ? 'admin' : 'user';
}

function addPage(log: ChatLog, direction: PageDirection, page: ChatPage): ChatLog {
	const { lastSequence, clearedThrough, viewedThrough } = page.state;
	const isReplacing = direction === 'newest' || direction === 'around';
	const last = page.items.at(-1)?.sequence ?? 0;
	const next: ChatLog = {
		...log,
		isLoaded: log.isLoaded || isReplacing,
		messages: isReplacing ? page.items : mergeBySequence(log.messages, page.items),
		isOlder: direction === 'newer' ? log.isOlder : page.isMore,
		isNewer: isReplacing
			? direction === 'around' && last < lastSequence
			: log.isNewer && (direction === 'older' || page.isMore),
		newest: Math.max(log.newest, lastSequence, last),
		clearedThrough: Math.max(log.clearedThrough, clearedThrough),
		viewedThrough: {
			user: Math.max(log.viewedThrough.user, viewedThrough.user),
			admin: Math.max(log.viewedThrough.admin, viewedThrough.admin),
		},
		unsent: page.items.reduce(markSent, log.unsent),
	};
	return placeMessages(next);
}

/** Puts what is in turn into its place, and leaves out what was deleted. */
function placeMessages(log: ChatLog): ChatLog {
	const isNotCleared = ({ sequence }: ChatMessage) => sequence > log.clearedThrough;
	const isCleared = log.messages.some((message) => !isNotCleared(message));
	const messages = isCleared ? log.messages.filter(isNotCleared) : log.messages;
	const settled = {
		...log,
		messages,
		// Older than what was deleted is nothing.
		isOlder: isCleared ? false : log.isOlder,
	};
	if (!log.isLoaded) return { ...settled, ahead: log.ahead.filter(isNotCleared) };
	const inOrder = [...messages];
	let last = lastShownSequence(settled);
	const ahead: ChatMessage[] = [];
	for (const message of log.ahead) {
		if (message.sequence <= last) continue;
		if (message.sequence === last + 1) {
			inOrder.push(message);
			last = message.sequence;
		} else ahead.push(message);
	}
	const shownMessages = inOrder.length === messages.length ? messages : inOrder;
	return {
		...settled,
		messages: shownMessages,
		ahead,
		// Where all that was shown is deleted, what came after it goes on from there.
		isNewer: log.isNewer && shownMessages.length > 0 && last < log.newest,
		unsent: removeDelivered(log.unsent, shownMessages, ahead),
	};
}

/** What stands in the conversation, or was deleted from it since, is unsent no longer. */
function removeDelivered(
	unsent: readonly UnsentMessage[],
	placed: readonly ChatMessage[],
	ahead: readonly ChatMessage[],
): readonly UnsentMessage[] {
	if (unsent.length === 0) return unsent;
	const shown = new Set(placed.map(({ clientId }) => clientId));
	const coming = new Set(ahead.map(({ clientId }) => clientId));
	return unsent.filter(({ clientId, status }) => !shown.has(clientId) && (status !== 'sent' || coming.has(clientId)));
}

/** What the server has, is not sent again. */
function markSent(unsent: readonly UnsentMessage[], { clientId }: ChatMessage): readonly UnsentMessage[] {
	return unsent.some((one) => one.clientId === clientId)
		? unsent.map((one) => (one.clientId === clientId ? { ...one, status: 'sent' as const } : one))
		: unsent;
}

/** In order, each once. */
function mergeBySequence(messages: readonly ChatMessage[], more: readonly ChatMessage[]): readonly ChatMessage[] {
	const known = new Set(messages.map(({ sequence }) => sequence));
	const fresh = more.filter(({ sequence }) => !known.has(sequence));
	if (fresh.length === 0) return messages;
	return [...messages, ...fresh].sort((one, other) => one.sequence - other.sequence);
}
