import { attachmentsPath, type ChatMessage, chatMessage } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { errorBody, FailedCall, messageForStatus } from '#web/platform/api/failure.ts';

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
export function sendFile(
	{ userId, clientId, authorId }: OutgoingMessage,
	file: File,
	onProgress: (part: number) => void,
	signal: AbortSignal,
): Promise<ChatMessage> {
	return new Promise((resolve, reject) => {
		// fetch does not report upload progress.
		const request = new XMLHttpRequest();
		request.open('POST', `${attachmentsPath(userId)}?${new URLSearchParams({ clientId, authorId })}`);
		request.responseType = 'json';
		request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
		const fail = () => void toFailedCall(request, file).then(reject);
		request.onerror = fail;
		request.onabort = fail;
		signal.addEventListener('abort', () => request.abort(), { once: true });
		request.onload = () => {
			const sent = chatMessage.safeParse(request.response);
			if (request.status < 300 && sent.success) resolve(sent.data);
			else fail();
		};
		const form = new FormData();
		form.append('file', file, file.name);
		request.send(form);
	});
}

async function toFailedCall({ status, response }: XMLHttpRequest, file: File): Promise<FailedCall> {
	const body = errorBody.safeParse(response);
	if (status >= 400 && body.success) return new FailedCall({ ...body.data, fields: body.data.fields ?? {} });
	if (status === 0 && !(await isReadable(file))) {
		return new FailedCall({ code: 'FILE_UNREADABLE', status: 422, message: m.chat_file_unreadable(), fields: {} });
	}
	const code = status === 0 ? 'OFFLINE' : 'INTERNAL';
	// A status below 400 with an invalid response is treated as temporary. A retry creates no second message, because the
	// client ID is the same.
	const asFailure = status > 0 && status < 400 ? 500 : status;
	return new FailedCall({ code, status: asFailure, message: messageForStatus(status), fields: {} });
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
