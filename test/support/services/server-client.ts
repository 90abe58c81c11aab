import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ownerEmail, ownerPassword } from './built-server.ts';

export type Client = ReturnType<typeof createClient>;

export function createClient(url: string) {
	const cookies = new Map<string, string>();
	const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
	async function request(path: string, init: RequestInit = {}): Promise<Response> {
		const headers = new Headers(init.headers);
		if (cookies.size > 0) headers.set('cookie', cookie());
		const answer = await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers });
		for (const set of answer.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(set) ?? [];
			cookies.set(name, value);
		}
		return answer;
	}
	/** @throws Error with status and body when the status is not 2xx */
	async function json<T>(path: string, init?: RequestInit): Promise<T> {
		const answer = await request(path, init);
		if (!answer.ok) throw new Error(`${init?.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`);
		return (await answer.json()) as T;
	}
	const post = (method: string, body: unknown): RequestInit => ({
		method,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	async function sendForStatus(method: string, path: string, body: unknown): Promise<number> {
		const answer = await request(path, post(method, body));
		await answer.arrayBuffer();
		return answer.status;
	}
	return {
		url,
		cookie,
		request,
		get: <T>(path: string) => json<T>(path),
		send: <T>(method: string, path: string, body: unknown) => json<T>(path, post(method, body)),
		sendForStatus,
		sendFile(path: string, name: string, bytes: Buffer): Promise<Response> {
			const body = new FormData();
			body.set('file', new File([new Uint8Array(bytes)], name));
			return request(path, { method: 'POST', body });
		},
		/** @returns the status of the response; 200 means that the client is signed in */
		signIn: (email: string, password: string) => sendForStatus('POST', '/api/sign-in', { email, password }),
	};
}

/** Sends a request without `fetch`, which takes more CPU time, cannot share an `agent`, and decompresses the body. */
export async function exchange(url: string, options: RequestOptions, body?: string | Buffer) {
	const startedAt = performance.now();
	const sent = request(url, options).end(body);
	// The server may answer and close the connection before the whole body is sent.
	sent.on('error', () => {});
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	const bytes = await buffer(response);
	const { statusCode: status = 0, headers } = response;
	return { status, headers, bytes, ms: performance.now() - startedAt };
}

export async function signInOwner(url: string): Promise<Client> {
	const client = createClient(url);
	const status = await client.signIn(ownerEmail, ownerPassword);
	if (status !== 200) throw new Error(`The sign-in of the owner failed with status ${status}.`);
	return client;
}

export async function listAll<T>(client: Client, path: string): Promise<T[]> {
	const items: T[] = [];
	for (let cursor = ''; ; ) {
		const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
		const page = await client.get<{ items: T[]; nextCursor: string | null }>(`${path}?limit=500${more}`);
		items.push(...page.items);
		if (page.nextCursor === null) return items;
		cursor = page.nextCursor;
	}
}
