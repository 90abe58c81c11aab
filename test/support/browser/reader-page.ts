import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import type { EditionKey } from '#contract/book/book-settings.ts';
import type { Node } from '#contract/files/files.ts';
import type { Client } from '../services/server-client.ts';
import { addFile } from './seeding.ts';

/** Reads the PDF of an edition of the sample book. */
export function sampleEdition(key: EditionKey): Promise<Buffer> {
	return readFile(`demo/book/build-your-empire-${key}.pdf`);
}

/** Uploads editions of the sample book to the book space and assigns them. */
export async function addSampleEditions(owner: Client, keys: readonly EditionKey[]): Promise<void> {
	for (const key of keys) await addFile(owner, 'book', `${key}.pdf`, await sampleEdition(key));
	const { items } = await owner.get<{ items: Node[] }>('/api/spaces/book/nodes');
	const settings = await owner.get<object>('/api/settings/book');
	const editions = keys.map((key) => ({ key, fileId: items.find(({ name }) => name === `${key}.pdf`)?.id }));
	await owner.send('PUT', '/api/settings/book', { ...settings, editions });
}

/** Locates a page of the reader; the locator matches once the page is rendered with its text. */
export function drawnPage(page: Page, number: number): Locator {
	return page.locator(`[data-drawn="${number}"]`);
}

/** Goes to a page by its number, with the keyboard. */
export async function goToPage(page: Page, number: number): Promise<void> {
	await page.keyboard.press('g');
	await expect(page.getByRole('textbox', { name: /^Page, 1 to/u })).toBeFocused();
	await page.keyboard.type(String(number));
	await page.keyboard.press('Enter');
	await expect(drawnPage(page, number)).toBeVisible();
}
