import { expect } from 'vitest';
import type { HttpClient } from './http-client.ts';

export interface Page<Item> {
	items: Item[];
	nextCursor: string | null;
}

/** Reads a list page by page; `url` must have a query, to which the cursor is appended. */
export async function readPages<Item>(client: HttpClient, url: string): Promise<Array<Page<Item>>> {
	const pages: Array<Page<Item>> = [];
	for (let cursor = ''; ; ) {
		const response = await client.call('GET', `${url}&cursor=${encodeURIComponent(cursor)}`);
		expect(response.statusCode, response.body).toBe(200);
		const page: Page<Item> = response.json();
		pages.push(page);
		if (page.nextCursor === null) return pages;
		cursor = page.nextCursor;
	}
}

export async function readAllItems<Item>(client: HttpClient, url: string): Promise<Item[]> {
	return (await readPages<Item>(client, url)).flatMap(({ items }) => items);
}

export async function readNames(client: HttpClient, url: string): Promise<string[]> {
	return (await client.call('GET', url)).json().items.map(({ name }: { name: string }) => name);
}

export async function readAuditSentences(admin: HttpClient, query = ''): Promise<string[]> {
	const { items } = (await admin.call('GET', `/api/audit?${query}`)).json();
	return items.map(({ sentence }: { sentence: Array<{ text: string }> }) => sentence.map(({ text }) => text).join(''));
}
