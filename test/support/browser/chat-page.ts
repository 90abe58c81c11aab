import { expect, type Locator, type Page } from '@playwright/test';
import { waitForEventStream } from './journey.ts';

export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });

export const messageLog = (page: Page): Locator => page.getByRole('log');

export const messageBubble = (page: Page, text: string): Locator => messageLog(page).getByText(text, { exact: true });

export const conversationList = (page: Page): Locator => page.getByRole('region', { name: 'Conversations' });
export const userPanel = (page: Page): Locator => page.getByRole('complementary', { name: /^Details of/u });

export const conversationOf = (page: Page, email: string): Locator =>
	conversationList(page).getByRole('link', { name: new RegExp(email, 'u') });

export async function openOwnConversation(page: Page): Promise<void> {
	await openConnected(page, '/contact');
	await expect(messageField(page)).toBeVisible();
}

/** Opens a user's conversation in the owner's inbox; `more`: further search parameters of the URL. */
export async function openInbox(page: Page, email: string, more: Record<string, string> = {}): Promise<void> {
	await openConnected(page, `/admin/contact?${new URLSearchParams({ person: email, ...more })}`);
	await expect(messageField(page)).toBeVisible();
}

export async function openConnected(page: Page, path: string): Promise<void> {
	const connected = waitForEventStream(page);
	await page.goto(path);
	await connected;
}

export async function sendMessage(page: Page, text: string): Promise<void> {
	await messageField(page).fill(text);
	await messageField(page).press('Enter');
	await expect(messageBubble(page, text)).toBeVisible();
}
