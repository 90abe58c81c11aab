import type { Node } from '#contract/files/files.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { Person } from '#contract/people/people.ts';
import type { PurchaseAnswer } from '#contract/storefront/storefront.ts';
import { type Client, createClient } from './client.ts';
import { paintPicture } from './samples.ts';

/** The password of everybody whom journeys register. */
export const memberPassword = 'a member signs in';

/** Registers a person as an admin does. */
export function addPerson(owner: Client, email: string, role: 'user' | 'admin' = 'user'): Promise<Person> {
	return owner.send<Person>('POST', '/api/users', { email, password: memberPassword, role });
}

/** Makes a folder in a space. */
export function addFolder(owner: Client, space: string, name: string, path = ''): Promise<Node> {
	return owner.send<Node>('POST', `/api/spaces/${encodeURIComponent(space)}/folders`, { path, name });
}

/** Puts a file into a space by tus (creation, then one chunk). @throws Error with what the server refused */
export async function addFile(owner: Client, space: string, name: string, bytes: Buffer, path = ''): Promise<void> {
	const metadata = Object.entries({ owner: space, path, filename: name })
		.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
		.join(',');
	const begun = await owner.request('/api/uploads', {
		method: 'POST',
		headers: { 'tus-resumable': '1.0.0', 'upload-length': String(bytes.length), 'upload-metadata': metadata },
	});
	if (begun.status !== 201) throw new Error(`upload of ${name}: ${begun.status} ${await begun.text()}`);
	if (bytes.length === 0) return;
	const sent = await owner.request(begun.headers.get('location') ?? '', {
		method: 'PATCH',
		headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
		body: new Uint8Array(bytes),
	});
	if (sent.status !== 204) throw new Error(`upload of ${name}: ${sent.status} ${await sent.text()}`);
}

export interface Buyer {
	name: string;
	email: string;
	phone?: string;
	upiId?: string;
	utr?: string;
	/** The colour of the screenshot: one that an earlier order has makes the desk mark the order. */
	colour?: string;
}

/** Submits the purchase form with a screenshot, as the landing page does. */
export async function buy(url: string, { name, email, phone, upiId, utr, colour }: Buyer): Promise<string> {
	const form = new FormData();
	const fields = { name, email, phone: phone ?? '98230 55512', upiId: upiId ?? 'someone@examplebank', utr: utr ?? '' };
	for (const [field, value] of Object.entries(fields)) form.set(field, value);
	form.set('screenshot', new File([new Uint8Array(await paintPicture(colour))], 'receipt.png', { type: 'image/png' }));
	const answer = await createClient(url).request('/purchase', {
		method: 'POST',
		headers: { accept: 'application/json' },
		body: form,
	});
	if (answer.status !== 200) throw new Error(`purchase of ${email}: ${answer.status} ${await answer.text()}`);
	return ((await answer.json()) as PurchaseAnswer).statusUrl;
}

/** The only order of a buyer. */
export async function orderOf(owner: Client, email: string): Promise<Order> {
	const { items } = await owner.get<{ items: Order[] }>(`/api/orders?search=${encodeURIComponent(email)}`);
	const [order] = items;
	if (order === undefined || items.length > 1) throw new Error(`${email} has ${items.length} orders.`);
	return order;
}
