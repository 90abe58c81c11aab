import { expect, type Locator, type Page } from '@playwright/test';
import { lineOf } from './journey.ts';

/** Where a message is written. */
export const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });

/** The messages. */
export const log = (page: Page): Locator => page.getByRole('log');

/** One message by its whole text. */
export const bubble = (page: Page, text: string): Locator => log(page).getByText(text, { exact: true });

/** A member's own conversation, with its line standing. */
export async function openOwn(page: Page): Promise<void> {
	await openConversation(page, '/contact');
}

/** The owner's inbox with the conversation of somebody. */
export async function openInbox(page: Page, email: string): Promise<void> {
	await openConversation(page, `/admin/contact?person=${encodeURIComponent(email)}`);
}

async function openConversation(page: Page, path: string): Promise<void> {
	const line = lineOf(page);
	await page.goto(path);
	await line;
	await expect(field(page)).toBeVisible();
}

/** Sends a text and waits until it is on the writer's own screen. */
export async function say(page: Page, text: string): Promise<void> {
	await field(page).fill(text);
	await field(page).press('Enter');
	await expect(bubble(page, text)).toBeVisible();
}
