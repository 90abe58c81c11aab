import type { ChatMessage } from '#contract/chat/chat.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import type { ChatLog, ChatLogAction, UnsentMessage } from './chat-log.ts';
import { withTimeout } from './chat-transport.ts';

/** Functions of the conversation store for the message sender and the page loader. */
export interface ConversationParts {
	getLog: () => ChatLog;
	dispatch: (action: ChatLogAction) => void;
	/** Called after a response. Resets the retry delay. */
	onAnswered: () => void;
	/** Schedules a retry of all failed requests. */
	scheduleRetry: () => void;
}

export interface MessageSenderOptions {
	/** Whether an admin views the conversation in an impersonation and must not send anything. */
	isReadOnly: boolean;
	/** The `signal` aborts the request. */
	sendText: (clientId: string, text: string, signal: AbortSignal) => Promise<ChatMessage>;
	sendFile: (
		clientId: string,
		file: File,
		onProgress: (part: number) => void,
		signal: AbortSignal,
	) => Promise<ChatMessage>;
	/** Sends a file of a canned reply, which is already on the server. */
	sendReplyFile: (clientId: string, fileId: string, signal: AbortSignal) => Promise<ChatMessage>;
	/** `isPassing`: whether to retry. `text`: the error message, or the reason of the retry ('' if unknown). */
	describeError: (error: unknown) => { isPassing: boolean; text: string };
	/** Whether the author is still signed in. Messages must not be sent in the session of another user. */
	isAuthorSignedIn: () => boolean;
}

/** Sends the unsent messages of a conversation. `onSent` receives each stored message. */
export function createMessageSender(
	options: MessageSenderOptions,
	{ getLog, dispatch, onAnswered, scheduleRetry }: ConversationParts,
	onSent: (message: ChatMessage) => void,
) {
	/** Unsent files, by client ID. */
	const files = new Map<string, File>();
	let isSending = false;

	function changeUnsent(clientId: string, change: Partial<UnsentMessage>): void {
		dispatch({ kind: 'unsent', clientId, change });
	}

	/** Sends all temporarily failed messages again, and the rejected message with the ID `clientId`. */
	function retry(clientId?: string): void {
		for (const unsent of getLog().unsent) {
			// Temporarily failed messages are sent too, to keep the order.
			const isRetried = unsent.errorText === '' || unsent.clientId === clientId;
			if (isRetried && unsent.status === 'failed')
				changeUnsent(unsent.clientId, { status: 'waiting', errorText: '', retryReason: '', progress: 0 });
		}
		void sendAll();
	}

	/** Sends the messages one at a time, in the order in which they were written. */
	async function sendAll(): Promise<void> {
		if (isSending || options.isReadOnly || !options.isAuthorSignedIn()) return;
		isSending = true;
		try {
			for (;;) {
				// A temporarily failed message blocks all later messages.
				const next = getLog().unsent.find(
					({ status, errorText }) => status === 'waiting' || (status === 'failed' && errorText === ''),
				);
				// Another user may have signed in after the previous message.
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
			onAnswered();
			onSent(message);
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
		return withTimeout((signal, prolong) => {
			if (file?.fileId !== undefined) return options.sendReplyFile(clientId, file.fileId, signal);
			if (bytes === undefined) return options.sendText(clientId, text, signal);
			const onProgress = (progress: number) => {
				prolong();
				changeUnsent(clientId, { progress });
			};
			return options.sendFile(clientId, bytes, onProgress, signal);
		});
	}

	/** Returns false for a file that is too large or empty. */
	function canRetry(clientId: string): boolean {
		return fileError(files.get(clientId)) === '';
	}

	return { files, retry, sendAll, canRetry };
}

/** Returns an error message for a file that is too large or empty, which the server would reject; '' otherwise. */
function fileError(file: File | undefined): string {
	if (file === undefined) return '';
	if (file.size > limits.chatFileMaxBytes) return m.error_chat_file_too_large();
	return file.size === 0 ? m.error_file_empty() : '';
}
