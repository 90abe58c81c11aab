import type { Page } from '@playwright/test';
import { paintPicture } from '../documents/sample-files.ts';

/** Fills in the login of an open page and presses Login. */
export async function fillLogin(page: Page, email: string, password: string): Promise<void> {
	await page.getByLabel('Email').fill(email);
	await page.getByLabel('Password', { exact: true }).fill(password);
	await page.getByRole('button', { name: 'Login', exact: true }).click();
}

/** A screenshot for an input of a payment proof. */
export async function paintScreenshot(name = 'paid.png') {
	return { name, mimeType: 'image/png', buffer: await paintPicture() };
}

const buyer = { name: 'Meera Nair', phone: '98230 55512', upiId: 'meera.nair@examplebank' };

/** Types into the checkout form of an open page, and chooses a screenshot. */
export async function fillCheckoutForm(page: Page, fields: { email: string } & Record<string, string>): Promise<void> {
	for (const [field, text] of Object.entries({ ...buyer, ...fields })) {
		await page.locator(`#purchase-${field}`).fill(text);
	}
	await page.locator('#purchase-screenshot').setInputFiles(await paintScreenshot());
}
