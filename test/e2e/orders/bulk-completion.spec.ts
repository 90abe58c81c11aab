import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import type { Order } from '#contract/orders/orders.ts';
import { expectText, failRequests, hostJourneys, test } from '../../support/browser/journey.ts';
import { fillLogin } from '../../support/browser/public-forms.ts';
import { addUser, buy, expireSessions, memberPassword, orderOf } from '../../support/browser/seeding.ts';

const world = hostJourneys();

const ordersTable = (page: Page) => page.getByRole('table', { name: 'Manage Orders' });
const choose = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
const rowOf = (page: Page, name: string) => ordersTable(page).locator('tbody tr', { has: choose(page, name) });

test('bulk completion asks with the order warnings, and afterwards names the order that it did not complete', async ({
	enter,
}) => {
	await buy(world.url, { name: 'Bulk Asha', email: 'bulk-1@example.com' });
	await buy(world.url, { name: 'Bulk Bina', email: 'bulk-2@example.com', phone: 'call my aunt' });
	await buy(world.url, { name: 'Bulk Chitra', email: 'bulk-3@example.com' });
	await buy(world.url, { name: 'Bulk Dev', email: 'bulk-4@example.com' });
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/Bookdashboard?search=bulk-');
	await choose(page, 'Bulk Dev').check();
	await choose(page, 'Bulk Asha').click({ modifiers: ['Shift'] });
	await expect(page.getByText('4 selected')).toBeVisible();
	// This row has a change that is not saved, so the bulk completion leaves it out.
	await rowOf(page, 'Bulk Dev').getByRole('textbox', { name: 'Phone' }).fill('1');

	await page.getByRole('button', { name: 'Set Complete' }).click();
	const dialog = page.getByRole('dialog', { name: 'Set 3 orders to Complete?' });
	await expect(dialog.getByText('1 selected row is not saved and is left out.')).toBeVisible();
	await expect(dialog.getByRole('listitem').filter({ hasText: 'Bulk Bina' })).toContainText(
		'Check details: Phone “call my aunt”',
	);
	// Another admin saves one of the selected orders meanwhile.
	const third = await orderOf(world.owner, 'bulk-3@example.com');
	await world.owner.send<Order>('PUT', `/api/orders/${third.id}`, { ...third, phone: '90000 00003' });
	const mend = await failRequests(page, /^\/api\/orders-complete$/u);
	await dialog.getByRole('button', { name: 'Set Complete' }).click();
	await expectText(dialog, 'The rest could not be set to Complete. What was done stays done.');
	await mend();
	await dialog.getByRole('button', { name: 'Try again' }).click();
	await expectText(page, '2 orders set to Complete.');
	await expect(dialog.getByRole('listitem')).toHaveText(/Bulk Chitra.*changed meanwhile: look at it again/u);
	await dialog.getByRole('button', { name: 'Close' }).last().click();

	for (const name of ['Bulk Asha', 'Bulk Bina'])
		await expect(rowOf(page, name).getByRole('combobox', { name: 'Status' })).toHaveValue('Complete');
	expect(await orderOf(world.owner, 'bulk-3@example.com')).toMatchObject({ status: 'Pending', phone: '90000 00003' });
	expect(await orderOf(world.owner, 'bulk-4@example.com')).toMatchObject({ status: 'Pending' });
	await expect(page.getByText('2 selected')).toBeVisible();
	await page.getByRole('button', { name: 'Discard changes' }).click();
	await page.getByRole('button', { name: 'Set Complete' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Set Complete' }).click();
	await expectText(page, '2 orders set to Complete.');
	await expect(page.getByRole('dialog')).toHaveCount(0);
	await expect(page.getByText('selected')).toHaveCount(0);
});

test('unsaved values stay visible when the row leaves the list, and a deletion by another admin is shown', async ({
	enter,
}) => {
	await buy(world.url, { name: 'Lost Lata', email: 'lost@example.com' });
	await buy(world.url, { name: 'Other Om', email: 'other-om@example.com' });
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/Bookdashboard?search=lost%40');
	await rowOf(page, 'Lost Lata').getByRole('textbox', { name: 'Phone' }).fill('90000 11111');
	await page.getByRole('searchbox', { name: 'Search name or email' }).fill('other-om');
	await expect(rowOf(page, 'Other Om')).toBeVisible();
	const kept = page.getByRole('region', { name: 'Not saved, and not in the list below' });
	await expect(kept.getByRole('textbox', { name: 'Phone' })).toHaveValue('90000 11111');

	await addUser(world.owner, 'deleting-admin@example.com', 'admin');
	const other = await enter({ signedInAs: 'deleting-admin@example.com' });
	await other.goto('/Bookdashboard?search=lost%40');
	await rowOf(other, 'Lost Lata').getByRole('button', { name: 'Delete' }).click();
	await other.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
	await expectText(other, 'Order deleted!');

	const words = /^Lost Lata \(.+\) was deleted in the meantime\. What you typed there can no longer be saved\.$/u;
	await expect(kept.getByText(words)).toBeVisible();
	await kept.getByRole('button', { name: 'Discard changes' }).click();
	await expect(kept).toHaveCount(0);
	await expect(page.getByText('row not saved')).toHaveCount(0);
});

test('unsaved order rows survive an expired session of the same user, and another user never sees them', async ({
	enter,
}) => {
	const [email, admin, other] = ['expired@example.com', 'expired-admin@example.com', 'next-admin@example.com'];
	await buy(world.url, { name: 'Expired Esha', email });
	for (const each of [admin, other]) await addUser(world.owner, each, 'admin');
	const page = await enter({ signedInAs: admin });
	await page.goto('/Bookdashboard?search=expired%40');
	const row = rowOf(page, 'Expired Esha').first();
	const phone = row.getByRole('textbox', { name: 'Phone' });
	const again = page.getByRole('dialog', { name: 'Sign in again' });
	// The first request after the session has expired opens the dialog: that of the press, or that of a reloading list.
	const isAsked = async (press: Locator) => {
		await expect(async () => {
			if (!(await again.isVisible())) await press.click({ timeout: 1000 });
			await expect(again).toBeVisible({ timeout: 1000 });
		}).toPass();
	};
	await phone.fill('90000 22222');
	await expireSessions(world.server, admin);
	await isAsked(row.getByRole('button', { name: 'Update' }));
	await expect(again).toContainText(`Sign in again as ${admin}`);
	await page.keyboard.press('Escape');
	await again.getByLabel('Password', { exact: true }).fill(memberPassword);
	await again.getByRole('button', { name: 'Login', exact: true }).click();
	await expect(again).toHaveCount(0);
	await expect(phone).toHaveValue('90000 22222');
	await expect(page.getByText('1 row not saved')).toBeVisible();

	// Text that was typed into a dialog is kept as well, below the sign-in dialog.
	await row.getByRole('button', { name: 'Note to the buyer' }).click();
	const note = page.getByRole('dialog', { name: 'Note to Expired Esha' });
	await note.getByRole('textbox').fill('The name is cut off.');
	await expireSessions(world.server, admin);
	await isAsked(note.getByRole('button', { name: 'Save the note' }));
	// Signs in as another tab of the same browser would.
	const signInElsewhere = async (who: string) => {
		const answer = await page.request.post('/api/sign-in', { data: { email: who, password: memberPassword } });
		expect(answer.status()).toBe(200);
		await page.evaluate(() => window.dispatchEvent(new Event('focus')));
	};
	await signInElsewhere(admin);
	await expect(again).toHaveCount(0);
	await note.getByRole('button', { name: 'Save the note' }).click();
	await expectText(page, 'Note saved.');
	await row.getByRole('button', { name: 'Update' }).click();
	await expectText(page, 'Order updated!');
	expect(await orderOf(world.owner, email)).toMatchObject({ phone: '90000 22222', note: 'The name is cut off.' });

	// On leaving, the user is sent to the login without another question.
	await phone.fill('90000 44444');
	await expireSessions(world.server, admin);
	await isAsked(row.getByRole('button', { name: 'Update' }));
	await again.getByRole('button', { name: 'Leave this page' }).click();
	await expect(page).toHaveURL(/\/login\?back=/u);
	await fillLogin(page, admin, memberPassword);
	await expect(phone).toHaveValue('90000 22222');

	await phone.fill('90000 33333');
	await expireSessions(world.server, admin);
	await isAsked(row.getByRole('button', { name: 'Update' }));
	await signInElsewhere(other);
	await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
	await page.goto('/Bookdashboard?search=expired%40');
	await expect(phone).toHaveValue('90000 22222');
	await expect(page.getByText('row not saved')).toHaveCount(0);
});

test('a proposed value of a payment proof and Complete go into the order row, and Update saves both', async ({
	enter,
}) => {
	const email = 'proposal@example.com';
	await buy(world.url, { name: 'Prema', email, phone: '98230 55512' });
	await buy(world.url, { name: 'Prema', email, phone: '98230 55521' });
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/Bookdashboard?search=proposal%40');
	const row = rowOf(page, 'Prema');
	await row.getByRole('button', { name: 'Screenshot of Prema' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('button', { name: 'Use 98230 55521' }).click();
	await expect(dialog.getByText('Taken over: save it with Update')).toBeVisible();
	await dialog.getByRole('button', { name: 'Set Complete' }).click();
	await expect(dialog).toHaveCount(0);
	await expect(row.getByRole('textbox', { name: 'Phone' })).toHaveValue('98230 55521');
	await expect(row.getByRole('combobox', { name: 'Status' })).toHaveValue('Complete');
	await expect(page.getByText('1 row not saved')).toBeVisible();
	expect(await orderOf(world.owner, email)).toMatchObject({ phone: '98230 55512', status: 'Pending' });
	await row.getByRole('button', { name: 'Update' }).click();
	await expectText(page, 'Order updated!');
	expect(await orderOf(world.owner, email)).toMatchObject({ phone: '98230 55521', status: 'Complete' });
});

test('the chart and its table show the sales of each day, and the CSV export contains the searched orders', async ({
	enter,
}) => {
	await buy(world.url, { name: '=cmd|calc', email: 'chart@example.com', phone: '@SUM(1)', upiId: '+1' });
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/Bookdashboard?search=chart%40');
	const days = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Day' }) });
	await expect(days.locator('tbody tr')).toHaveCount(30);
	await page.getByRole('button', { name: '7 days' }).click();
	await expect(days.locator('tbody tr')).toHaveCount(7);
	await expect(page).toHaveURL(/days=7/u);
	const summary = await world.owner.get<{ totalSales: number; total: number }>('/api/orders-summary');
	const today = days.locator('tbody tr').first();
	await expect(today.locator('td').last()).toHaveText(String(summary.total));
	await page.getByRole('button', { name: 'Table' }).click();
	await expect(page.locator('svg rect')).toHaveCount(0);
	await expect(today.locator('td').nth(2)).toHaveText(`₹${new Intl.NumberFormat('en-IN').format(summary.totalSales)}`);

	const [file] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('link', { name: 'Export CSV' }).click(),
	]);
	expect(file.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/u);
	expect(parse(await readFile(await file.path()), { bom: true, columns: true })).toEqual([
		expect.objectContaining({ Name: "'=cmd|calc", Phone: "'@SUM(1)", 'UPI ID': "'+1", Price: '499' }),
	]);
});
