import { expect, type Locator, type Page } from '@playwright/test';
import { paintPicture } from '../documents/sample-files.ts';
import { memberPassword } from './seeding.ts';

export async function fillLogin(page: Page, email: string, password: string): Promise<void> {
	await page.getByLabel('Email').fill(email);
	await page.getByLabel('Password', { exact: true }).fill(password);
	await page.getByRole('button', { name: 'Login', exact: true }).click();
}

/** Signs in like another tab of the same browser. This page does not change. */
export async function signInElsewhere(page: Page, email: string): Promise<void> {
	const answer = await page.request.post('/api/sign-in', { data: { email, password: memberPassword } });
	expect(answer.status()).toBe(200);
}

/** Waits for the dialog that opens when a session has ended, and signs in there. */
export async function signInAgain(page: Page, email: string): Promise<void> {
	const dialog = page.getByRole('dialog', { name: 'Sign in again' });
	await expect(dialog).toContainText(`Sign in again as ${email}`);
	await dialog.getByLabel('Password', { exact: true }).fill(memberPassword);
	await dialog.getByRole('button', { name: 'Login', exact: true }).click();
	await expect(dialog).toHaveCount(0);
}

export async function openBookSettings(page: Page): Promise<Locator> {
	await page.goto('/Bookdashboard');
	await page.getByRole('button', { name: 'Book Dashboard' }).click();
	return page.getByRole('dialog', { name: 'Book Dashboard' });
}

export async function paintScreenshot(name = 'paid.png') {
	return { name, mimeType: 'image/png', buffer: await paintPicture() };
}

const buyer = { name: 'Meera Nair', phone: '98230 55512', upiId: 'meera.nair@examplebank' };

export async function fillCheckoutForm(page: Page, fields: { email: string } & Record<string, string>): Promise<void> {
	for (const [field, text] of Object.entries({ ...buyer, ...fields })) {
		await page.locator(`#purchase-${field}`).fill(text);
	}
	await page.locator('#purchase-screenshot').setInputFiles(await paintScreenshot());
}
