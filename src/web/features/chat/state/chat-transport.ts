import { attachmentsPath, type ChatMessage } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { FailedCall, readFailedCall } from '#web/platform/api/failure.ts';
import { postFile } from '#web/platform/api/use-change.ts';

/** In ms. Without a timeout, a connection that is lost without an error would block all later messages. */
const answerTimeoutMs = 15_000;
/** In ms, after each progress event of an upload. It is longer, because the bytes may still be in the send buffer. */
const progressTimeoutMs = 60_000;

interface OutgoingMessage {
	userId: string;
	clientId: string;
	authorId: string;
}

/** Sends a file and reports the progress. @throws FailedCall */
export async function sendFile(
	{ userId, clientId, authorId }: OutgoingMessage,
	file: File,
	onProgress: (part: number) => void,
	signal: AbortSignal,
): Promise<ChatMessage> {
	const url = `${attachmentsPath(userId)}?${new URLSearchParams({ clientId, authorId })}`;
	const answer = await postFile(url, file, { onProgress, signal }).catch(async (error: FailedCall) => {
		if (error.failure.status !== 0 || (await isReadable(file))) throw error;
		throw new FailedCall({ code: 'FILE_UNREADABLE', status: 422, message: m.chat_file_unreadable(), fields: {} });
	});
	if (isMessage(answer)) return answer;
	// Treated as temporary. A retry creates no second message, because the client ID is the same.
	throw readFailedCall(500, answer);
}

/** Checks that the response is a message: a proxy may answer with a page instead. */
function isMessage(answer: unknown): answer is ChatMessage {
	return typeof answer === 'object' && answer !== null && 'sequence' in answer && 'clientId' in answer;
}

/** False for a folder and for a changed or deleted file. For these, XMLHttpRequest reports only a connection error. */
async function isReadable(file: File): Promise<boolean> {
	try {
		await file.slice(0, 1).arrayBuffer();
		return true;
	} catch {
		return false;
	}
}

/** Aborts a request after a timeout, as if the connection was lost. `prolong` restarts the timeout. */
export async function withTimeout<T>(request: (signal: AbortSignal, prolong: () => void) => Promise<T>): Promise<T> {
	const controller = new AbortController();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const restartTimer = (ms: number) => {
		clearTimeout(timer);
		timer = setTimeout(() => controller.abort(new TypeError('The server did not respond in time.')), ms);
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
