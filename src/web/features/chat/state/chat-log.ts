import { type ChatMessage, type ChatSide, type ChatState, otherSide } from '#contract/chat/chat.ts';

/** A message that the user has written and that is not among the shown messages yet. */
export interface UnsentMessage {
	clientId: string;
	text: string;
	/** The file of a file message; null for a text message. */
	file: UnsentFile | null;
	/** Time of writing, ISO 8601. */
	writtenAt: string;
	/** `sent`: stored by the server, but messages before it are missing in `messages`. */
	status: 'waiting' | 'sending' | 'failed' | 'sent';
	/** Progress of a file upload, 0 to 1. */
	progress: number;
	/** Error message after a permanent rejection; '' otherwise. */
	errorText: string;
	/** Reason of a temporary failure, after which the message is sent again automatically; '' for none or unknown. */
	retryReason: string;
}

/** `fileId`: id of a canned reply's file, which is not uploaded, because the server has it. */
interface UnsentFile {
	name: string;
	fileId?: string;
}

export interface ChatLog {
	isLoaded: boolean;
	/** The shown messages in order, without gaps. */
	messages: readonly ChatMessage[];
	/** Received messages that are not shown yet, because earlier messages are missing. */
	ahead: readonly ChatMessage[];
	/** Unsent messages in the order in which they are sent. */
	unsent: readonly UnsentMessage[];
	/** Whether the server has older messages. */
	isOlder: boolean;
	/** Whether the server has newer messages than the shown messages, for example around a search match. */
	isNewer: boolean;
	/** Sequence number of the newest known message, even if it is not shown. */
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

export interface ChatPage {
	items: readonly ChatMessage[];
	isMore: boolean;
	state: Pick<ChatState, 'lastSequence' | 'clearedThrough' | 'viewedThrough'>;
}

export type PageDirection = 'newest' | 'around' | 'older' | 'newer';

export type ChatLogAction =
	/** `newest` and `around` replace all shown messages; `older` and `newer` extend them. */
	| { kind: 'page'; at: PageDirection; page: ChatPage }
	/** From the event stream, or the response to a sent message. */
	| { kind: 'received'; message: ChatMessage }
	| { kind: 'written'; unsent: readonly UnsentMessage[] }
	| { kind: 'unsent'; clientId: string; change: Partial<UnsentMessage> }
	| { kind: 'removed'; clientId: string };

/** Applies an action. The same message may arrive several times, and messages may arrive in any order. */
export function reduceChatLog(log: ChatLog, change: ChatLogAction): ChatLog {
	switch (change.kind) {
		case 'page':
			return addPage(log, change.at, change.page);
		case 'received':
			return placeMessages({
				...log,
				ahead: mergeBySequence(log.ahead, [change.message]),
				newest: Math.max(log.newest, change.message.sequence),
				unsent: markSent(log.unsent, change.message),
			});
		case 'written': {
			const unsentIds = new Set(log.unsent.map(({ clientId }) => clientId));
			return placeMessages({
				...log,
				unsent: [...log.unsent, ...change.unsent.filter(({ clientId }) => !unsentIds.has(clientId))],
			});
		}
		case 'unsent':
			return {
				...log,
				unsent: log.unsent.map((message) =>
					message.clientId === change.clientId ? { ...message, ...change.change } : message,
				),
			};
		case 'removed':
			return { ...log, unsent: log.unsent.filter(({ clientId }) => clientId !== change.clientId) };
	}
}

/** Returns the sequence number of the newest shown or cleared message, after which newer messages are requested. */
export function lastShownSequence(log: ChatLog): number {
	return Math.max(log.messages.at(-1)?.sequence ?? 0, log.clearedThrough);
}

/** Whether messages are missing between the shown and the received messages. False while `isNewer` is true. */
export function hasGap(log: ChatLog): boolean {
	return log.isLoaded && !log.isNewer && log.ahead.length > 0;
}

export function hasMessage(log: ChatLog, sequence: number): boolean {
	return log.messages.some((message) => message.sequence === sequence);
}

export function isViewedByOther(log: ChatLog, { sender, sequence }: ChatMessage): boolean {
	return log.viewedThrough[otherSide(sender)] >= sequence;
}

/** Returns the sequence number to report as viewed; null if the server already has it. */
export function findUnviewedThrough(log: ChatLog, own: ChatSide): number | null {
	const newest = log.messages.findLast(({ sender }) => sender !== own)?.sequence ?? 0;
	return newest > log.viewedThrough[own] ? newest : null;
}

/** Returns the number of known messages from the other side after a sequence number. */
export function countReceivedAfter(log: ChatLog, own: ChatSide, sequence: number): number {
	const knownMessages = log.isNewer ? [...log.messages, ...log.ahead] : log.messages;
	return knownMessages.filter((message) => message.sender !== own && message.sequence > sequence).length;
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

/** Appends the received messages that directly follow the shown messages. Removes cleared messages. */
function placeMessages(log: ChatLog): ChatLog {
	const isNotCleared = ({ sequence }: ChatMessage) => sequence > log.clearedThrough;
	const isCleared = log.messages.some((message) => !isNotCleared(message));
	const messages = isCleared ? log.messages.filter(isNotCleared) : log.messages;
	const settled = {
		...log,
		messages,
		// All messages older than a cleared message are cleared too.
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
		// If all shown messages were cleared, later messages can be appended.
		isNewer: log.isNewer && shownMessages.length > 0 && last < log.newest,
		unsent: removeDelivered(log.unsent, shownMessages, ahead),
	};
}

/** Removes unsent messages that are shown now, and sent messages that are neither shown nor in `ahead`. */
function removeDelivered(
	unsent: readonly UnsentMessage[],
	shownMessages: readonly ChatMessage[],
	ahead: readonly ChatMessage[],
): readonly UnsentMessage[] {
	if (unsent.length === 0) return unsent;
	const shownIds = new Set(shownMessages.map(({ clientId }) => clientId));
	const receivedIds = new Set(ahead.map(({ clientId }) => clientId));
	return unsent.filter(
		({ clientId, status }) => !shownIds.has(clientId) && (status !== 'sent' || receivedIds.has(clientId)),
	);
}

/** Sets the status `sent`, which prevents a second request. */
function markSent(unsent: readonly UnsentMessage[], { clientId }: ChatMessage): readonly UnsentMessage[] {
	return unsent.some((message) => message.clientId === clientId)
		? unsent.map((message) => (message.clientId === clientId ? { ...message, status: 'sent' as const } : message))
		: unsent;
}

/** Merges messages in order, without duplicates. */
function mergeBySequence(messages: readonly ChatMessage[], more: readonly ChatMessage[]): readonly ChatMessage[] {
	const knownSequences = new Set(messages.map(({ sequence }) => sequence));
	const fresh = more.filter(({ sequence }) => !knownSequences.has(sequence));
	if (fresh.length === 0) return messages;
	return [...messages, ...fresh].sort((a, b) => a.sequence - b.sequence);
}
