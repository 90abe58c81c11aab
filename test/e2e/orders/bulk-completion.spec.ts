import { expect, type Locator, type Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import type { Order } from '#contract/orders/orders.ts';
import { fillLogin, signInAgain, signInElsewhere } from '../../support/browser/forms.ts';
import { download, expectText, failRequests, hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser, buy, expireSessions, memberPassword, orderOf } from '../../support/browser/seeding.ts';

const product = hostJourneys();

const ordersTable = (page: Page) => page.getByRole('table', { name: 'Manage Orders' });
const choose = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
const rowOf = (page: Page, name: string) => ordersTable(page).locator('tbody tr', { has: choose(page, name) });

test('bulk completion shows order warnings, and reports each order that was not completed', async ({ enter }) => {
	await buy(product.url, { name: 'Bulk Asha', email: 'bulk-1@example.com' });
	await buy(product.url, { name: 'Bulk Bina', email: 'bulk-2@example.com', phone: 'call my aunt' });
	await buy(product.url, { name: 'Bulk Chitra', email: 'bulk-3@example.com' });
	await buy(product.url, { name: 'Bulk Dev', email: 'bulk-4@example.com' });
	const page = await enter({ signedInAs: 'owner', at: '/Bookdashboard?search=bulk-' });
	await choose(page, 'Bulk Dev').check();
	await choose(page, 'Bulk Asha').click({ modifiers: ['Shift'] });
	await expect(page.getByText('4 selected')).toBeVisible();
	// This row has an unsaved change, so bulk completion skips it.
	await rowOf(page, 'Bulk Dev').getByRole('textbox', { name: 'Phone' }).fill('1');

	await page.getByRole('button', { name: 'Set Complete' }).click();
	const dialog = page.getByRole('dialog', { name: 'Set 3 orders to Complete?' });
	await expect(dialog.getByText('1 selected row is not saved and is left out.')).toBeVisible();
	await expect(dialog.getByRole('listitem').filter({ hasText: 'Bulk Bina' })).toContainText(
		'Check details: Phone “call my aunt”',
	);
	// Another admin saves one of the selected orders.
	const third = await orderOf(product.owner, 'bulk-3@example.com');
	await product.owner.send<Order>('PUT', `/api/orders/${third.id}`, { ...third, phone: '90000 00003' });
	const restore = await failRequests(page, /^\/api\/orders-complete$/u);
	await dialog.getByRole('button', { name: 'Set Complete' }).click();
	await expectText(dialog, 'The rest could not be set to Complete. What was done stays done.');
	await restore();
	await dialog.getByRole('button', { name: 'Try again' }).click();
	await expectText(page, '2 orders set to Complete.');
	await expect(dialog.getByRole('listitem')).toHaveText(/Bulk Chitra.*changed meanwhile: look at it again/u);
	await dialog.getByRole('button', { name: 'Close' }).last().click();

	for (const name of ['Bulk Asha', 'Bulk Bina'])
		await expect(rowOf(page, name).getByRole('combobox', { name: 'Status' })).toHaveValue('Complete');
	expect(await orderOf(product.owner, 'bulk-3@example.com')).toMatchObject({ status: 'Pending', phone: '90000 00003' });
	expect(await orderOf(product.owner, 'bulk-4@example.com')).toMatchObject({ status: 'Pending' });
	await expect(page.getByText('2 selected')).toBeVisible();
	await page.getByRole('button', { name: 'Discard changes' }).click();
	await page.getByRole('button', { name: 'Set Complete' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Set Complete' }).click();
	await expectText(page, '2 orders set to Complete.');
	await expect(page.getByRole('dialog')).toHaveCount(0);
	await expect(page.getByText('selected')).toHaveCount(0);
});

test('completing an order whose payment was already used asks again, by hand and in bulk', async ({ enter }) => {
	for (const who of ['First', 'Second', 'Third', 'Fourth'])
		await buy(product.url, { name: `${who} Payer`, email: `used-${who}@example.com`, utr: '532411879999' });
	const first = await orderOf(product.owner, 'used-First@example.com');
	await product.owner.send<Order>('PUT', `/api/orders/${first.id}`, { ...first, status: 'Complete' });
	const page = await enter({ signedInAs: 'owner', at: '/Bookdashboard?search=used-' });
	const status = (name: string) => rowOf(page, name).getByRole('combobox', { name: 'Status' });
	const message = new RegExp(`already used for ${first.code} \\(First Payer\\)`, 'u');
	await status('Second Payer').selectOption('Complete');
	const update = rowOf(page, 'Second Payer').getByRole('button', { name: 'Update' });
	await update.click();
	const question = page.getByRole('dialog', { name: 'Complete the order anyway?' });
	await expect(question).toContainText(message);
	await question.getByRole('button', { name: 'Cancel' }).click();
	expect(await orderOf(product.owner, 'used-Second@example.com')).toMatchObject({ status: 'Pending' });
	await expect(status('Second Payer')).toHaveValue('Complete');
	await update.click();
	await question.getByRole('button', { name: 'Complete anyway' }).click();
	await expectText(page, 'Order updated!');

	for (const name of ['Third Payer', 'Fourth Payer']) await choose(page, name).check();
	await page.getByRole('button', { name: 'Set Complete' }).click();
	const dialog = page.getByRole('dialog', { name: 'Set 2 orders to Complete?' });
	await dialog.getByRole('button', { name: 'Set Complete' }).click();
	await expect(dialog.getByRole('listitem')).toHaveText([message, message]);
	expect(await orderOf(product.owner, 'used-Third@example.com')).toMatchObject({ status: 'Pending' });
	await dialog.getByRole('button', { name: 'Complete anyway' }).click();
	await expectText(page, '2 orders set to Complete.');
	await expect(page.getByRole('dialog')).toHaveCount(0);
	for (const name of ['Second Payer', 'Third Payer', 'Fourth Payer'])
		await expect(status(name)).toHaveValue('Complete');
});

test('unsaved values stay visible when their row leaves the list or is deleted', async ({ enter }) => {
	await buy(product.url, { name: 'Lost Lata', email: 'lost@example.com' });
	await buy(product.url, { name: 'Other Om', email: 'other-om@example.com' });
	const page = await enter({ signedInAs: 'owner', at: '/Bookdashboard?search=lost%40' });
	await rowOf(page, 'Lost Lata').getByRole('textbox', { name: 'Phone' }).fill('90000 11111');
	await page.getByRole('searchbox', { name: 'Search name or email' }).fill('other-om');
	await expect(rowOf(page, 'Other Om')).toBeVisible();
	const unsavedRows = page.getByRole('region', { name: 'Not saved, and not in the list below' });
	await expect(unsavedRows.getByRole('textbox', { name: 'Phone' })).toHaveValue('90000 11111');

	await addUser(product.owner, 'deleting-admin@example.com', 'admin');
	const other = await enter({ signedInAs: 'deleting-admin@example.com', at: '/Bookdashboard?search=lost%40' });
	await rowOf(other, 'Lost Lata').getByRole('button', { name: 'Delete' }).click();
	await other.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
	await expectText(other, 'Order deleted!');

	const message = /^Lost Lata \(.+\) was deleted in the meantime\. What you typed there can no longer be saved\.$/u;
	await expect(unsavedRows.getByText(message)).toBeVisible();
	await unsavedRows.getByRole('button', { name: 'Discard changes' }).click();
	await expect(unsavedRows).toHaveCount(0);
	await expect(page.getByText('row not saved')).toHaveCount(0);
});

test('unsaved rows remain after the same user signs in again, but not for another user', async ({ enter }) => {
	const [email, admin, other] = ['expired@example.com', 'expired-admin@example.com', 'next-admin@example.com'];
	await buy(product.url, { name: 'Expired Esha', email });
	for (const address of [admin, other]) await addUser(product.owner, address, 'admin');
	const page = await enter({ signedInAs: admin, at: '/Bookdashboard?search=expired%40' });
	const row = rowOf(page, 'Expired Esha').first();
	const phone = row.getByRole('textbox', { name: 'Phone' });
	const signInDialog = page.getByRole('dialog', { name: 'Sign in again' });
	// Either this button or a reloading list sends the request that opens the dialog.
	const pressUntilSignInIsAsked = async (press: Locator) => {
		await expect(async () => {
			if (!(await signInDialog.isVisible())) await press.click({ timeout: 1000 });
			await expect(signInDialog).toBeVisible({ timeout: 1000 });
		}).toPass();
	};
	await phone.fill('90000 22222');
	await expireSessions(product.server, admin);
	await pressUntilSignInIsAsked(row.getByRole('button', { name: 'Update' }));
	await page.keyboard.press('Escape');
	await signInAgain(page, admin);
	await expect(phone).toHaveValue('90000 22222');
	await expect(page.getByText('1 row not saved')).toBeVisible();

	// The sign-in dialog opens above the note dialog, which keeps its text.
	await row.getByRole('button', { name: 'Note to the buyer' }).click();
	const note = page.getByRole('dialog', { name: 'Note to Expired Esha' });
	await note.getByRole('textbox').fill('The name is cut off.');
	await expireSessions(product.server, admin);
	await pressUntilSignInIsAsked(note.getByRole('button', { name: 'Save the note' }));
	const returnSignedInAs = async (who: string) => {
		await signInElsewhere(page, who);
		await page.evaluate(() => window.dispatchEvent(new Event('focus')));
	};
	await returnSignedInAs(admin);
	await expect(signInDialog).toHaveCount(0);
	await note.getByRole('button', { name: 'Save the note' }).click();
	await expectText(page, 'Note saved.');
	await row.getByRole('button', { name: 'Update' }).click();
	await expectText(page, 'Order updated!');
	expect(await orderOf(product.owner, email)).toMatchObject({ phone: '90000 22222', note: 'The name is cut off.' });

	// 'Leave this page' opens the login without another confirmation.
	await phone.fill('90000 44444');
	await expireSessions(product.server, admin);
	await pressUntilSignInIsAsked(row.getByRole('button', { name: 'Update' }));
	await signInDialog.getByRole('button', { name: 'Leave this page' }).click();
	await expect(page).toHaveURL(/\/login\?back=/u);
	await fillLogin(page, admin, memberPassword);
	await expect(phone).toHaveValue('90000 22222');

	await phone.fill('90000 33333');
	await expireSessions(product.server, admin);
	await pressUntilSignInIsAsked(row.getByRole('button', { name: 'Update' }));
	await returnSignedInAs(other);
	await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
	await page.goto('/Bookdashboard?search=expired%40');
	await expect(phone).toHaveValue('90000 22222');
	await expect(page.getByText('row not saved')).toHaveCount(0);
});

test('the chart shows the sales of each day, and the CSV export contains the found orders', async ({ enter }) => {
	await buy(product.url, { name: '=cmd|calc', email: 'chart@example.com', phone: '@SUM(1)', upiId: '+1' });
	const page = await enter({ signedInAs: 'owner', at: '/Bookdashboard?search=chart%40' });
	const days = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Day' }) });
	await expect(days.locator('tbody tr')).toHaveCount(30);
	await page.getByRole('button', { name: '7 days' }).click();
	await expect(days.locator('tbody tr')).toHaveCount(7);
	await expect(page).toHaveURL(/days=7/u);
	const summary = await product.owner.get<{ totalSales: number; total: number }>('/api/orders-summary');
	const today = days.locator('tbody tr').first();
	await expect(today.locator('td').last()).toHaveText(String(summary.total));
	await page.getByRole('button', { name: 'Table' }).click();
	await expect(page.locator('svg rect')).toHaveCount(0);
	await expect(today.locator('td').nth(2)).toHaveText(`₹${new Intl.NumberFormat('en-IN').format(summary.totalSales)}`);

	const { name, bytes } = await download(page, page.getByRole('link', { name: 'Export CSV' }));
	expect(name).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/u);
	expect(parse(bytes, { bom: true, columns: true })).toEqual([
		expect.objectContaining({ Name: "'=cmd|calc", Phone: "'@SUM(1)", 'UPI ID': "'+1", Price: '499' }),
	]);
});
