import { expect, type Locator, type Page } from '@playwright/test';
import { waitForEventStream } from './journey.ts';

/** Where a message is written. */
export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });

/** The messages. */
export const messageLog = (page: Page): Locator => page.getByRole('log');

/** One message by its whole text. */
export const messageBubble = (page: Page, text: string): Locator => messageLog(page).getByText(text, { exact: true });

/** A member's own conversation, with its line standing. */
export async function openOwnConversation(page: Page): Promise<void> {
	await openConversation(page, '/contact');
}

/** The owner's inbox with the conversation of somebody. */
export async function openInbox(page: Page, email: string): Promise<void> {
	await openConversation(page, `/admin/contact?person=${encodeURIComponent(email)}`);
}

async function openConversation(page: Page, path: string): Promise<void> {
	const line = waitForEventStream(page);
	await page.goto(path);
	await line;
	await expect(messageField(page)).toBeVisible();
}

/** Sends a text and waits until it is on the writer's own screen. */
export async function sendMessage(page: Page, text: string): Promise<void> {
	await messageField(page).fill(text);
	await messageField(page).press('Enter');
	await expect(messageBubble(page, text)).toBeVisible();
}
