import { expect, type Locator, type Page } from '@playwright/test';
import { waitForEventStream } from './journey.ts';

/** The text field for a new message. */
export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });

/** The list of messages. */
export const messageLog = (page: Page): Locator => page.getByRole('log');

/** One message by its whole text. */
export const messageBubble = (page: Page, text: string): Locator => messageLog(page).getByText(text, { exact: true });

/** Opens a member's own conversation, with its event stream connected. */
export async function openOwnConversation(page: Page): Promise<void> {
	await openConversation(page, '/contact');
}

/** Opens the owner's inbox at a user's conversation. */
export async function openInbox(page: Page, email: string): Promise<void> {
	await openConversation(page, `/admin/contact?person=${encodeURIComponent(email)}`);
}

async function openConversation(page: Page, path: string): Promise<void> {
	const line = waitForEventStream(page);
	await page.goto(path);
	await line;
	await expect(messageField(page)).toBeVisible();
}

/** Sends a text and waits until the sender's page shows it. */
export async function sendMessage(page: Page, text: string): Promise<void> {
	await messageField(page).fill(text);
	await messageField(page).press('Enter');
	await expect(messageBubble(page, text)).toBeVisible();
}
