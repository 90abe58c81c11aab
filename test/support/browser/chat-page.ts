import { expect, type Locator, type Page } from '@playwright/test';
import { waitForEventStream } from './journey.ts';

/** The text field for a new message. */
export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });

/** The list of messages. */
export const messageLog = (page: Page): Locator => page.getByRole('log');

/** One message by its whole text. */
export const messageBubble = (page: Page, text: string): Locator => messageLog(page).getByText(text, { exact: true });

/** The conversations beside the open one, and the details of its user. */
export const conversationList = (page: Page): Locator => page.getByRole('region', { name: 'Conversations' });
export const userPanel = (page: Page): Locator => page.getByRole('complementary', { name: /^Details of/u });

/** The row of a user's conversation. */
export const conversationOf = (page: Page, email: string): Locator =>
	conversationList(page).getByRole('link', { name: new RegExp(email, 'u') });

/** Opens a member's own conversation, with its event stream connected. */
export async function openOwnConversation(page: Page): Promise<void> {
	await openConnected(page, '/contact');
	await expect(messageField(page)).toBeVisible();
}

/** Opens the owner's inbox at a user's conversation; `more`: further search parameters. */
export async function openInbox(page: Page, email: string, more: Record<string, string> = {}): Promise<void> {
	await openConnected(page, `/admin/contact?${new URLSearchParams({ person: email, ...more })}`);
	await expect(messageField(page)).toBeVisible();
}

/** Opens an address and waits until its event stream is connected. */
export async function openConnected(page: Page, path: string): Promise<void> {
	const line = waitForEventStream(page);
	await page.goto(path);
	await line;
}

/** Sends a text and waits until the sender's page shows it. */
export async function sendMessage(page: Page, text: string): Promise<void> {
	await messageField(page).fill(text);
	await messageField(page).press('Enter');
	await expect(messageBubble(page, text)).toBeVisible();
}
