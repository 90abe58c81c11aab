import type { ChatMessage, ChatState } from '#contract/chat/chat.ts';
import { attachmentsPath } from '#contract/chat/chat.ts';
import { type HttpClient, multipart } from './http.ts';

let named = 0;

/** A name for a message, as a page makes it. */
export function newClientId(): string {
	named += 1;
	return `of-a-test-${named}`;
}

/** Sends a text into the conversation of a person. */
export function sendText(client: HttpClient, userId: string, message: string, clientId = newClientId()) {
	return client.call('POST', `/api/chats/${userId}/messages`, { clientId, message });
}

/** Sends a file, as a page does. */
export function sendChatFile(
	client: HttpClient,
	userId: string,
	{ name, bytes, type = 'application/octet-stream' }: { name: string; bytes: Buffer; type?: string },
	clientId = newClientId(),
) {
	const form = multipart({}, { field: 'file', name, type, bytes });
	return client.call('POST', `${attachmentsPath(userId)}?clientId=${clientId}`, form.body, form.headers);
}

/** A conversation as somebody sees it. */
export async function readChat(
	client: HttpClient,
	userId: string,
	query = '',
): Promise<{ items: ChatMessage[]; isMore: boolean; state: ChatState }> {
	return (await client.call('GET', `/api/chats/${userId}/messages${query}`)).json();
}
