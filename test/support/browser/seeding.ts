import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { type Node, uploadsPath } from '#contract/files/files.ts';
import type { CheckoutAnswer } from '#contract/orders/checkout.ts';
import type { Order } from '#contract/orders/orders.ts';
import { paintPicture, writePdf } from '../documents/sample-files.ts';
import type { BuiltServer } from '../services/built-server.ts';
import { type Client, createClient } from '../services/server-client.ts';

export const memberPassword = 'a member signs in';

export function addUser(owner: Client, email: string, role: 'user' | 'admin' = 'user'): Promise<UserSummary> {
	return owner.send<UserSummary>('POST', '/api/users', { email, password: memberPassword, role });
}

/** Runs a statement with parameters `$1`, `$2` … in the database of the running product, SQLite or PostgreSQL. */
export async function runSql(
	{ dataDir, databaseUrl }: BuiltServer,
	statement: string,
	values: Array<string | number> = [],
): Promise<void> {
	if (databaseUrl !== null) {
		const client = new pg.Client({ connectionString: databaseUrl });
		await client.connect();
		await client.query(statement, values).finally(() => client.end());
		return;
	}
	using db = new DatabaseSync(join(dataDir, 'folio.db'), { timeout: 20_000 });
	db.prepare(statement.replaceAll(/\$(\d+)/gu, '?$1')).run(...values);
}

export function expireSessions(server: BuiltServer, email: string): Promise<void> {
	const ofUser = 'user_id = (select id from users where email = $1)';
	return runSql(server, `update sessions set expires_at = '2020-01-01T00:00:00.000Z' where ${ofUser}`, [email]);
}

export function addFolder(owner: Client, space: string, name: string, path = ''): Promise<Node> {
	return owner.send<Node>('POST', `/api/spaces/${encodeURIComponent(space)}/folders`, { path, name });
}

export async function listNodes(owner: Client, space: string, path = ''): Promise<Node[]> {
	const address = `/api/spaces/${encodeURIComponent(space)}/nodes?path=${encodeURIComponent(path)}`;
	return (await owner.get<{ items: Node[] }>(address)).items;
}

export async function findNode(owner: Client, space: string, name: string, path = ''): Promise<Node> {
	const node = (await listNodes(owner, space, path)).find((listed) => listed.name === name);
	if (node === undefined) throw new Error(`The folder has no node ${name}.`);
	return node;
}

export function share(owner: Client, nodeId: string | undefined, email: string): Promise<unknown> {
	return owner.send('POST', '/api/shares', { nodeId, email });
}

export async function changeBook(owner: Client, change: object): Promise<void> {
	await owner.send('PUT', '/api/settings/book', { ...(await owner.get<object>('/api/settings/book')), ...change });
}

export function saveBook(owner: Client, editions: Array<{ key?: string; fileId?: string }>): Promise<void> {
	return changeBook(owner, { editions });
}

export const exampleBank = {
	name: 'Example Bank',
	accountNumber: '0012 3456',
	ifsc: 'EXMP0000001',
	accountHolder: 'R. Rao',
};

export async function uploadQrCode(owner: Client): Promise<void> {
	await owner.sendFile('/api/settings/qr', 'qr.png', await paintPicture('#000000', 200, 200));
}

export async function addReader(owner: Client, email: string): Promise<string> {
	const { id } = await addUser(owner, email);
	await owner.send('PUT', `/api/users/${id}/book-grant`, { isGranted: true });
	return id;
}

export const tusHeaders = { 'tus-resumable': '1.0.0' };

/** Creates an upload in a space. @returns the upload's URL @throws Error with the server's response */
export async function createUpload(
	owner: Client,
	{ name, bytes }: { name: string; bytes: Buffer },
	space = 'guest',
	path = '',
): Promise<string> {
	const metadata = Object.entries({ owner: space, path, filename: name })
		.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
		.join(',');
	const headers = { ...tusHeaders, 'upload-length': String(bytes.length), 'upload-metadata': metadata };
	const answer = await owner.request(uploadsPath, { method: 'POST', headers });
	const location = answer.headers.get('location');
	if (answer.status !== 201 || location === null)
		throw new Error(`upload of ${name}: ${answer.status} ${await answer.text()}`);
	return location;
}

/** Sends all bytes from an offset. @returns the status, or null when the connection was lost */
export async function sendFrom(owner: Client, location: string, bytes: Buffer, offset = 0): Promise<number | null> {
	const headers = { ...tusHeaders, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
	const body = new Uint8Array(bytes.subarray(offset));
	const answer = await owner.request(location, { method: 'PATCH', headers, body }).catch(() => null);
	return answer?.status ?? null;
}

export async function addFile(owner: Client, space: string, name: string, bytes: Buffer, path = ''): Promise<void> {
	const location = await createUpload(owner, { name, bytes }, space, path);
	const status = bytes.length === 0 ? 204 : await sendFrom(owner, location, bytes);
	if (status !== 204) throw new Error(`upload of ${name}: ${status}`);
}

/** Sets up a book for sale: one edition of a single page, and the bank account that receives payments. */
export async function offerBook(owner: Client): Promise<void> {
	await addFile(owner, 'book', 'part-1-en.pdf', writePdf(['page one']));
	const { id } = await findNode(owner, 'book', 'part-1-en.pdf');
	await changeBook(owner, { bank: exampleBank, editions: [{ key: 'part-1-en', fileId: id }] });
}

export interface Buyer {
	name: string;
	email: string;
	phone?: string;
	upiId?: string;
	utr?: string;
	/** Colour of the screenshot. An order with the colour of an earlier order has a duplicate proof. */
	colour?: string;
}

/** Submits the purchase form with a screenshot. @returns the path of the order's status page */
export async function buy(url: string, { name, email, phone, upiId, utr, colour }: Buyer): Promise<string> {
	const form = new FormData();
	const fields = { name, email, phone: phone ?? '98230 55512', upiId: upiId ?? 'someone@examplebank', utr: utr ?? '' };
	for (const [field, value] of Object.entries(fields)) form.set(field, value);
	form.set('screenshot', new File([new Uint8Array(await paintPicture(colour))], 'receipt.png', { type: 'image/png' }));
	const headers = { accept: 'application/json' };
	const answer = await createClient(url).request('/purchase', { method: 'POST', headers, body: form });
	if (answer.status !== 200) throw new Error(`purchase of ${email}: ${answer.status} ${await answer.text()}`);
	return ((await answer.json()) as CheckoutAnswer).statusUrl;
}

export async function orderOf(owner: Client, email: string): Promise<Order> {
	const { items } = await owner.get<{ items: Order[] }>(`/api/orders?search=${encodeURIComponent(email)}`);
	const [order] = items;
	if (order === undefined || items.length > 1) throw new Error(`${email} has ${items.length} orders.`);
	return order;
}
