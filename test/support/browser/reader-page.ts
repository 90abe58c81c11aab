import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import type { EditionKey } from '#contract/book/editions.ts';
import type { Client } from '../services/server-client.ts';
import { addFile, listNodes, saveBook } from './seeding.ts';

export function sampleEdition(key: EditionKey): Promise<Buffer> {
	return readFile(`demo/book/build-your-empire-${key}.pdf`);
}

export async function addEditions(owner: Client, pdfs: Partial<Record<EditionKey, Buffer>>): Promise<void> {
	for (const [key, bytes] of Object.entries(pdfs) as Array<[string, Buffer]>)
		await addFile(owner, 'book', `${key}.pdf`, bytes);
	const nodes = await listNodes(owner, 'book');
	const editions = nodes.map(({ id, name }) => ({ key: name.replace('.pdf', ''), fileId: id }));
	await saveBook(owner, editions);
}

export async function addSampleEditions(owner: Client, keys: readonly EditionKey[]): Promise<void> {
	const pdfs = await Promise.all(keys.map(async (key) => [key, await sampleEdition(key)] as const));
	await addEditions(owner, Object.fromEntries(pdfs));
}

/** Locates a page of the reader that is rendered with its text. */
export function drawnPage(page: Page, number: number): Locator {
	return page.locator(`[data-drawn="${number}"]`);
}

export async function openReader(page: Page, path = 'part-1-en'): Promise<void> {
	await page.goto(`/read/${path}`);
	await expect(page.locator('[data-drawn]').first()).toBeVisible();
}

export async function goToPage(page: Page, number: number): Promise<void> {
	await page.keyboard.press('g');
	await expect(page.getByRole('textbox', { name: /^Page, 1 to/u })).toBeFocused();
	await page.keyboard.type(String(number));
	await page.keyboard.press('Enter');
	await expect(drawnPage(page, number)).toBeVisible();
}
