import { expect, type Page } from '@playwright/test';
import type { Order } from '#contract/orders/orders.ts';
import { expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser, buy, orderOf } from '../../support/browser/seeding.ts';
import { plainStatement, statementToday } from '../../support/fixtures/statements.ts';

const product = hostJourneys();

const phone = { width: 390, height: 844 };
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Import statement' });
const box = (page: Page, name: string) => dialogOf(page).getByRole('checkbox', { name: `Select ${name}` });

async function chooseFile(page: Page, text: string | Buffer, name = 'november.csv') {
	const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
	await dialogOf(page).locator('input[type=file]').setInputFiles(file);
}

async function completeOne(page: Page): Promise<void> {
	await dialogOf(page).getByRole('button', { name: 'Complete selected (1)' }).click();
	await page
		.getByRole('dialog', { name: /Set 1 order/u })
		.getByRole('button', { name: 'Set Complete' })
		.click();
	await expectText(page, '1 order set to Complete.');
}

test('a bank statement import completes matched orders, but no order that has changed', async ({ enter }) => {
	await buy(product.url, { name: 'Stella Asha', email: 'st-1@example.com', utr: '6326 0000 0001', colour: '#101010' });
	await buy(product.url, { name: 'Stella Bina', email: 'st-2@example.com', utr: '632600000002', colour: '#f0f0f0' });
	await buy(product.url, { name: 'Stella Cheat', email: 'st-3@example.com', utr: '632600000003' });
	await buy(product.url, { name: 'Stella Dev', email: 'st-4@example.com', utr: '632600000003' });
	await buy(product.url, { name: 'Stella Esha', email: 'st-5@example.com', utr: '632600000005' });
	await buy(product.url, { name: 'Stella Farida', email: 'st-6@example.com', upiId: 'farida@examplebank' });
	const statement = plainStatement(
		[
			['UPI-STELLA ASHA-asha@examplebank-EXMP0000001-632600000001-BOOK', '499.00'],
			['UPI-STELLA BINA-bina@examplebank-EXMP0000001-632600000002-BOOK', '499.00'],
			['UPI-STELLA DEV-dev@examplebank-EXMP0000001-632600000003-BOOK', '499.00'],
			['UPI-STELLA ESHA-esha@examplebank-EXMP0000001-632600000005-BOOK', '4.99'],
			['UPI-FARIDA-farida@examplebank-EXMP0000001-632600000006-BOOK', '499.00'],
		],
		statementToday(),
	);
	const page = await enter({ signedInAs: 'owner', at: '/Bookdashboard' });
	await page.getByRole('button', { name: 'Import statement' }).click();

	await chooseFile(page, '<html><table></table></html>');
	await expectText(
		dialogOf(page),
		'This is not a CSV file. Download the statement as CSV, or open it in a spreadsheet and save it as CSV.',
	);
	await chooseFile(page, Buffer.alloc(6 * 1024 * 1024, 'a'));
	await expectText(dialogOf(page), 'The file is larger than 5 MB. Download the statement for fewer days.');

	await chooseFile(page, statement);
	await expectText(dialogOf(page), '5 payments came in');
	for (const name of ['Stella Asha', 'Stella Bina']) await expect(box(page, name)).toBeChecked();
	for (const name of ['Stella Cheat', 'Stella Dev', 'Stella Esha', 'Stella Farida'])
		await expect(box(page, name)).not.toBeChecked();
	await expect(dialogOf(page).getByText('One payment, several orders')).toBeVisible();
	await expect(dialogOf(page).getByText('No order has this reference, but amount and payer fit')).toBeVisible();
	// A payment can complete only one order, so the second choice replaces the first.
	await box(page, 'Stella Cheat').check();
	await box(page, 'Stella Dev').check();
	await expect(box(page, 'Stella Cheat')).not.toBeChecked();
	await box(page, 'Stella Dev').uncheck();
	await dialogOf(page).getByRole('button', { name: 'Screenshot of Stella Asha' }).click();
	const screenshot = page.getByRole('dialog', { name: 'Screenshot of Stella Asha' });
	await expect(screenshot).toBeVisible();
	// Escape closes only the topmost dialog. While orders are selected, closing the import requires a confirmation.
	await page.keyboard.press('Escape');
	await expect(screenshot).toHaveCount(0);
	await page.keyboard.press('Escape');
	const leaving = page.getByRole('dialog', { name: 'Leave without completing the 2 selected orders?' });
	await expect(leaving).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(leaving).toHaveCount(0);
	await expect(box(page, 'Stella Asha')).toBeChecked();

	// Another admin saves one of the matched orders.
	const second = await orderOf(product.owner, 'st-2@example.com');
	await product.owner.send<Order>('PUT', `/api/orders/${second.id}`, { ...second, phone: '90000 00002' });
	await box(page, 'Stella Farida').check();
	await dialogOf(page).getByRole('button', { name: 'Complete selected (3)' }).click();
	const question = page.getByRole('dialog', { name: 'Set 3 orders to Complete?' });
	await question.getByRole('button', { name: 'Set Complete' }).click();
	await expectText(page, '2 orders set to Complete.');
	await expect(question.getByRole('listitem')).toHaveText(/Stella Bina.*changed meanwhile: look at it again/u);
	await question.getByRole('button', { name: 'Close' }).last().click();

	// After the import, completed orders are under Already Complete, and the refused order is not selected.
	await expect(dialogOf(page).getByRole('heading', { name: /Already Complete\s*2/u })).toBeVisible();
	await expect(box(page, 'Stella Bina')).not.toBeChecked();
	await expect(dialogOf(page).getByRole('button', { name: 'Complete selected (0)' })).toBeDisabled();
	await box(page, 'Stella Bina').check();
	await completeOne(page);
	await expect(dialogOf(page).getByRole('heading', { name: /Already Complete\s*3/u })).toBeVisible();
	for (const number of [1, 2, 6])
		expect(await orderOf(product.owner, `st-${number}@example.com`)).toMatchObject({ status: 'Complete' });

	// This payment has completed another order, whose code is shown.
	await buy(product.url, { name: 'Stella Late', email: 'st-7@example.com', utr: '632600000006', colour: '#707070' });
	await chooseFile(page, statement);
	const { code } = await orderOf(product.owner, 'st-6@example.com');
	await expect(dialogOf(page).getByText(`Already used for ${code}`)).toBeVisible();
	await expect(dialogOf(page).getByText('Stella Late')).toBeVisible();
	await expect(box(page, 'Stella Late')).toHaveCount(0);
	for (const number of [3, 4, 5, 7])
		expect(await orderOf(product.owner, `st-${number}@example.com`)).toMatchObject({ status: 'Pending' });
});

test('an admin can assign the unknown columns of a bank statement on a phone', async ({ enter }) => {
	await buy(product.url, { name: 'Phone Gita', email: 'st-phone@example.com', utr: '632600000077', colour: '#404040' });
	await addUser(product.owner, 'second-admin@example.com', 'admin');
	const page = await enter({ signedInAs: 'second-admin@example.com', viewport: phone, at: '/Bookdashboard' });
	await page.getByRole('button', { name: 'Import statement' }).locator('visible=true').click();
	const day = statementToday();
	await chooseFile(page, `Tag;Text;Sum\n${day};UPI/632600000077/GITA;499,00\n${day};UPI/632600000078/PRESS;-499,00\n`);
	await expectText(dialogOf(page), 'Choose which column is which: the header was not recognised.');
	const submit = dialogOf(page).getByRole('button', { name: 'Read the statement' });
	await expect(submit).toBeDisabled();
	await dialogOf(page).getByLabel('Date').selectOption({ label: 'Column A: Tag' });
	await dialogOf(page).getByLabel('Amount that came in').selectOption({ label: 'Column C: Sum' });
	await dialogOf(page).getByLabel('Reference (UTR) or narration').selectOption({ label: 'Column B: Text' });
	await submit.click();
	await expectText(dialogOf(page), '1 payment came in · 1 debit left out');
	await expect(box(page, 'Phone Gita')).toBeChecked();
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
	await completeOne(page);
	expect(await orderOf(product.owner, 'st-phone@example.com')).toMatchObject({ status: 'Complete' });
});
