import { ownerEmail, ownerPassword } from './built-server.ts';

/** An HTTP client of a built server, with the cookies of one user. */
export interface Client {
	readonly url: string;
	/** Returns the Cookie header that this client sends. */
	cookie(): string;
	request(path: string, init?: RequestInit): Promise<Response>;
	get<T>(path: string): Promise<T>;
	/** Sends a JSON body. Like `get`, @throws Error with status and body when the status is not 2xx */
	send<T>(method: string, path: string, body: unknown): Promise<T>;
	/** @returns the status of the response */
	sendForStatus(method: string, path: string, body: unknown): Promise<number>;
	/** @returns the status of the response; 200 means that the client is signed in */
	signIn(email: string, password: string): Promise<number>;
}

/** Creates a client of a built server. */
export function createClient(url: string): Client {
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
		get: (path) => json(path),
		send: (method, path, body) => json(path, post(method, body)),
		sendForStatus,
		signIn: (email, password) => sendForStatus('POST', '/api/sign-in', { email, password }),
	};
}

/** Creates a client that is signed in as the owner. */
export async function signInOwner(url: string): Promise<Client> {
	const client = createClient(url);
	const status = await client.signIn(ownerEmail, ownerPassword);
	if (status !== 200) throw new Error(`The sign-in of the owner failed with status ${status}.`);
	return client;
}

/** Returns every item of a paged list. */
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
