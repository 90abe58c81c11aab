import { expect, type Locator, type Page } from '@playwright/test';

/** Opens a section of the storefront's editor. */
export async function openSection(page: Page, name: string): Promise<Locator> {
	const button = page.getByRole('heading', { level: 2, name }).getByRole('button');
	if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
	return page.getByRole('region', { name });
}

export async function expectStatus(page: Page, text: string): Promise<void> {
	await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();
}

export const expectSaved = (page: Page): Promise<void> => expectStatus(page, 'Saved as draft');

/** Waits until what was typed is saved, and publishes it. */
export async function publishDraft(page: Page): Promise<void> {
	await expectSaved(page);
	await page.getByRole('button', { name: 'Publish', exact: true }).click();
	const dialog = page.getByRole('dialog', { name: 'Publish the changes' });
	await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
	await expect(dialog).toBeHidden();
	await expectStatus(page, 'Everything is published');
}
