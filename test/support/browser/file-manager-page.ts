import { expect, type Locator, type Page } from '@playwright/test';

/** A part of a page, or the whole page. */
type Part = Page | Locator;

/** The names of the files in the order of the list. */
export const fileNames = (where: Part): Locator => where.locator('[role="row"] bdi');

/** The link that opens a folder. */
export const folderLink = (where: Part, name: string): Locator => where.getByRole('link', { name, exact: true });

/** The row of a list that contains this text. */
export const rowOf = (where: Part, text: string): Locator => where.getByRole('row').filter({ hasText: text });

/** The button with exactly this name. */
export const button = (where: Part, name: string): Locator => where.getByRole('button', { name, exact: true });

/** The panel of the uploads. */
export const uploadsPanel = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' });

/** The field in which files are chosen for an upload. */
export const fileField = (page: Page): Locator => page.locator('input[type=file]:not([webkitdirectory])');

/** Opens the menu of a file or folder and chooses a command. */
export async function chooseCommand(page: Page, node: string, command: string): Promise<void> {
	await button(page, `More for ${node}`).click();
	await page.getByRole('menuitem', { name: command }).click();
}

/** Presses a button of the open dialog. */
export async function confirm(page: Page, name: string): Promise<void> {
	await button(page.getByRole('dialog').last(), name).click();
}

/** Opens the preview of a file from the list. @returns the dialog */
export async function openPreview(page: Page, name: string): Promise<Locator> {
	await page.getByRole('button', { name: `Preview ${name}` }).click();
	const overlay = page.getByRole('dialog');
	await expect(overlay).toBeVisible();
	return overlay;
}
