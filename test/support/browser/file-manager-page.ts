import { expect, type Locator, type Page } from '@playwright/test';

type Part = Page | Locator;

export const fileNames = (where: Part): Locator => where.locator('[role="row"] bdi');

export const folderLink = (where: Part, name: string): Locator => where.getByRole('link', { name, exact: true });

export const rowOf = (where: Part, text: string): Locator => where.getByRole('row').filter({ hasText: text });

export const button = (where: Part, name: string): Locator => where.getByRole('button', { name, exact: true });

export const uploadsPanel = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' });

/** The file input for single files, not for folders. */
export const fileField = (page: Page): Locator => page.locator('input[type=file]:not([webkitdirectory])');

export async function chooseCommand(page: Page, node: string, command: string): Promise<void> {
	await button(page, `More for ${node}`).click();
	await page.getByRole('menuitem', { name: command }).click();
}

export async function confirm(page: Page, name: string): Promise<void> {
	await button(page.getByRole('dialog').last(), name).click();
}

export async function openPreview(page: Page, name: string): Promise<Locator> {
	await page.getByRole('button', { name: `Preview ${name}` }).click();
	const overlay = page.getByRole('dialog');
	await expect(overlay).toBeVisible();
	return overlay;
}
