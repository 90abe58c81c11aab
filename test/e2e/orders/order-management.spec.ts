import { expect, type Locator, type Page } from '@playwright/test';
import type { PublicBook } from '#contract/book/book-settings.ts';
import type { Order } from '#contract/orders/orders.ts';
import { fillLogin, openBookSettings } from '../../support/browser/forms.ts';
import {
	expectFieldError,
	expectNoHorizontalOverflow,
	expectText,
	failRequests,
	hostJourneys,
	test,
} from '../../support/browser/journey.ts';
import { addUser, buy, orderOf } from '../../support/browser/seeding.ts';
import { paintPicture } from '../../support/documents/sample-files.ts';

const product = hostJourneys();

const markup = '<img src=x onerror=alert(1)>';
const invalidTexts = [
	['', 'Please fill in this field.'],
	['ट'.repeat(10_001), 'This is too long.'],
] as const;

/** The rows of the orders table, but not of the table in the chart. */
const orderRows = (page: Page) => page.getByRole('table', { name: 'Manage Orders' }).locator('tbody tr');

async function openRow(page: Page, email: string): Promise<Locator> {
	await page.goto(`/Bookdashboard?search=${encodeURIComponent(email)}`);
	const rows = orderRows(page);
	await expect(rows).toHaveCount(1);
	return rows;
}

const cell = (row: Locator, name: string) => row.getByRole('textbox', { name });
const status = (row: Locator) => row.getByRole('combobox', { name: 'Status' });
const update = (row: Locator) => row.getByRole('button', { name: 'Update' }).click();
const figure = (page: Page, label: string) =>
	page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd');

test('the orders page shows its empty state, and new orders and sums appear without a reload', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: '/Bookdashboard' });
	await expectText(page, 'No orders found.');
	await buy(product.url, { name: 'Asha Rao', email: 'asha@example.com' });
	await buy(product.url, { name: 'Bina Das', email: 'bina@example.com', phone: 'call my aunt' });
	await expect(orderRows(page)).toHaveCount(2);
	const contactColumns = ['Name', 'Email', 'Phone', 'UPI ID'];
	// The first column has the checkboxes.
	const columns = ['', ...contactColumns, 'Screenshot', 'Status', 'Order Time', 'Price', 'Actions'];
	await expect(page.getByRole('table', { name: 'Manage Orders' }).getByRole('columnheader')).toHaveText(columns);
	const [first, second] = [orderRows(page).first(), orderRows(page).last()];
	await expect(cell(first, 'Name')).toHaveValue('Bina Das');
	await expect(first.getByText('Check details: Phone', { exact: true })).toBeVisible();
	await expect(second.getByText((await orderOf(product.owner, 'asha@example.com')).code)).toBeVisible();
	await expect(cell(second, 'Email')).toHaveValue('asha@example.com');
	await expect(status(second)).toHaveValue('Pending');
	await expect(second).toContainText('₹499');
	await expect(figure(page, 'Total Orders')).toHaveText('2');
	await expect(figure(page, 'Total Sales')).toHaveText('₹998');
	await expect(figure(page, 'Verified sales')).toHaveText('₹0');
	await page.getByRole('button', { name: 'Go Back' }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
});

test('a changed order row is marked as not saved until Update is pressed', async ({ enter }) => {
	const email = 'edit@example.com';
	await buy(product.url, { name: 'Arjun Patil', email });
	const page = await enter({ signedInAs: 'owner' });
	const row = await openRow(page, email);
	await expect(row.getByRole('button', { name: 'Update' })).toBeDisabled();
	await cell(row, 'Name').fill('Arjun V. Patil');
	await expect(row.getByRole('button', { name: 'Update' })).toBeEnabled();
	await expect(page.getByText('1 row not saved')).toBeVisible();
	await expect(row).toHaveAttribute('data-dirty', 'true');
	await cell(row, 'Name').press('Escape');
	await expect(page.getByText('1 row not saved')).toHaveCount(0);
	await expect(cell(row, 'Name')).toHaveValue('Arjun Patil');
	await expect(row.getByRole('button', { name: 'Update' })).toBeDisabled();

	await cell(row, 'Email').fill('arjun@elsewhere.example');
	await expect(cell(row, 'Email')).toHaveAccessibleDescription(`Mails go to the account: ${email}`);
	await cell(row, 'Email').fill(email);
	await expect(row.getByText('Mails go to the account')).toHaveCount(0);
	await cell(row, 'Phone').fill('90110 45687');
	await cell(row, 'UPI ID').fill('arjun@otherbank');
	await status(row).selectOption('Complete');
	await page.getByRole('link', { name: 'Users', exact: true }).click();
	await expect(page.getByRole('dialog').getByRole('heading', { name: 'Leave without saving?' })).toBeVisible();
	await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
	expect((await orderOf(product.owner, email)).status).toBe('Pending');
	await update(row);
	await expectText(page, 'Order updated!');
	await expect(page.getByText('1 row not saved')).toHaveCount(0);
	const saved = { name: 'Arjun Patil', phone: '90110 45687', upiId: 'arjun@otherbank', status: 'Complete' };
	expect(await orderOf(product.owner, email)).toMatchObject(saved);
	await page.reload();
	await expect(status(row)).toHaveValue('Complete');
	await status(row).selectOption('Pending');
	// Enter in a field must not save.
	const { version } = await orderOf(product.owner, email);
	await cell(row, 'Name').press('Enter');
	await expect(page.getByText('1 row not saved')).toBeVisible();
	await update(row);
	await expectText(page, 'Order updated!');
	expect(await orderOf(product.owner, email)).toMatchObject({ status: 'Pending', version: version + 1 });
});

test('updating an order that was changed meanwhile shows a conflict and keeps the entered values', async ({
	enter,
}) => {
	const email = 'stale@example.com';
	await buy(product.url, { name: 'Kiran', email });
	const page = await enter({ signedInAs: 'owner' });
	const row = await openRow(page, email);
	await cell(row, 'Phone').fill('90000 00001');
	await addUser(product.owner, 'second-admin@example.com', 'admin');
	const other = await enter({ signedInAs: 'second-admin@example.com' });
	const otherRow = await openRow(other, email);
	await cell(otherRow, 'Phone').fill('90000 00002');
	await update(otherRow);
	await expectText(other, 'Order updated!');

	await update(row.first());
	await expectText(page, 'Failed to update order!');
	await expect(page.getByRole('alert').filter({ hasText: 'Someone else has changed this order' })).toBeVisible();
	await expect(cell(row.first(), 'Phone')).toHaveValue('90000 00001');
	await expect(row.first().getByText('Now: 90000 00002')).toBeVisible();
	expect((await orderOf(product.owner, email)).phone).toBe('90000 00002');
	await update(row.first());
	await expectText(page, 'Order updated!');
	await expect(cell(otherRow, 'Phone')).toHaveValue('90000 00001');
});

test('Update shows errors beside invalid fields, and Delete requires a confirmation', async ({ enter }) => {
	const email = 'fail@example.com';
	await buy(product.url, { name: 'Farah', email });
	const page = await enter({ signedInAs: 'owner' });
	const row = await openRow(page, email);
	const { id } = await orderOf(product.owner, email);
	const path = new RegExp(`^/api/orders/${id}$`, 'u');

	for (const [text, error] of invalidTexts) {
		await cell(row, 'Name').fill(text);
		await update(row);
		await expectFieldError(cell(row, 'Name'), error);
		await expectText(page, 'Failed to update order!');
		await expect(cell(row, 'Name')).toHaveValue(text);
	}
	await cell(row, 'Name').fill('Farah Khan');
	const restoreUpdate = await failRequests(page, path, 'PUT');
	await update(row);
	await expectText(page, 'Failed to update order!');
	await expect(cell(row.first(), 'Name')).toHaveValue('Farah Khan');
	await restoreUpdate();
	await update(row.first());
	await expectText(page, 'Order updated!');

	const remove = row.getByRole('button', { name: 'Delete' });
	const dialog = page.getByRole('dialog');
	await remove.click();
	await expectText(page, 'Are you sure you want to delete this order?');
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	const restoreDelete = await failRequests(page, path, 'DELETE');
	await remove.click();
	await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
	await expectText(page, 'Failed to delete order!');
	await expect(dialog).toHaveCount(0);
	await expect(row).toHaveCount(1);
	await restoreDelete();
	await remove.click();
	await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
	await expectText(page, 'Order deleted!');
	await expectText(page, 'No orders found.');
});

test("the orders page shows 'Error fetching data!' if loading fails, and its URL contains search and filter", async ({
	enter,
}) => {
	for (const name of ['Searched One', 'Searched Two']) {
		await buy(product.url, { name, email: `${name.toLowerCase().replace(' ', '-')}@example.com` });
	}
	const order = await orderOf(product.owner, 'searched-two@example.com');
	await product.owner.send<Order>('PUT', `/api/orders/${order.id}`, { ...order, status: 'Complete' });
	const page = await enter({ signedInAs: 'owner' });
	const restore = await failRequests(page, /^\/api\/orders$/u);
	await page.goto('/Bookdashboard');
	await expectText(page, 'Error fetching data!');
	await restore();
	await page.getByRole('button', { name: 'Try again' }).click();
	const search = page.getByRole('searchbox', { name: 'Search name or email' });
	const rows = orderRows(page);
	await search.fill('SEARCHED');
	await expect(rows).toHaveCount(2);
	await expect(page).toHaveURL(/\?search=SEARCHED$/u);
	await page.getByRole('button', { name: /^Complete/u }).click();
	await expect(rows).toHaveCount(1);
	await expect(cell(rows, 'Name')).toHaveValue('Searched Two');
	await expect(page).toHaveURL(/\?search=SEARCHED&status=Complete$/u);
	await page.reload();
	await expect(search).toHaveValue('SEARCHED');
	await expect(rows).toHaveCount(1);
	await search.fill('two@example');
	await expect(page).toHaveURL(/search=two%40example/u);
	await expect(rows).toHaveCount(1);
	await search.fill('nobody at all');
	await expectText(page, 'No orders found.');
	await page.getByRole('button', { name: 'Clear search and filter' }).click();
	await expect(page).toHaveURL((url) => url.search === '');
	await expect(cell(rows.first(), 'Name')).toHaveValue('Searched Two');
});

test('the screenshot dialog shows each payment proof, and copies proposed values to the row', async ({ enter }) => {
	const email = 'proofs@example.com';
	await buy(product.url, { name: 'Hema', email, phone: '98230 55512' });
	await buy(product.url, { name: 'Hema Nair', email, phone: '98230 55599' });
	const page = await enter({ signedInAs: 'owner' });
	const row = await openRow(page, email);
	await expect(row.getByText('2 proofs')).toBeAttached();
	await row.getByRole('button', { name: 'Screenshot of Hema' }).click();
	const dialog = page.getByRole('dialog');
	await expect(dialog.getByRole('heading', { name: 'Screenshot of Hema' })).toBeVisible();
	await expect(dialog.getByText(/^Proof 1 of 2/u)).toBeVisible();
	await expect(dialog.getByText('Hema Nair')).toBeVisible();
	await expect(dialog.getByText('98230 55599')).toBeVisible();
	await expect.poll(() => dialog.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
	await dialog.getByRole('button', { name: 'Older proof' }).click();
	await expect(dialog.getByText(/^Proof 2 of 2/u)).toBeVisible();
	await expect(dialog.getByText('Hema Nair')).toHaveCount(0);
	await dialog.getByRole('button', { name: 'Zoom in' }).click();
	await dialog.getByRole('button', { name: 'Newer proof' }).click();
	await page.keyboard.press('Escape');
	await expect(dialog).toHaveCount(0);
	await expect(row.getByRole('button', { name: 'Screenshot of Hema' })).toBeFocused();
	await row.getByRole('button', { name: 'Screenshot of Hema' }).click();
	await dialog.getByRole('button', { name: 'Use 98230 55599' }).click();
	await expect(dialog.getByText('Taken over: save it with Update')).toBeVisible();
	const unchanged = { name: 'Hema', phone: '98230 55512', status: 'Pending', proofCount: 2 };
	expect(await orderOf(product.owner, email)).toMatchObject(unchanged);
	await dialog.getByRole('button', { name: 'Set Complete' }).click();
	await expect(dialog).toHaveCount(0);
	await expectText(page, 'Order updated!');
	await expect(status(row)).toHaveValue('Complete');
	await expect(cell(row, 'Phone')).toHaveValue('98230 55599');
	await expect(page.getByText('1 row not saved')).toHaveCount(0);
	expect(await orderOf(product.owner, email)).toMatchObject({ phone: '98230 55599', status: 'Complete' });
});

test('saved book settings change the landing page immediately, and invalid fields are refused', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	const dialog = await openBookSettings(page);
	const field = (label: string) => dialog.getByLabel(label, { exact: true });
	const [price, title] = [field('Discounted price'), field('Book title')];
	const save = () => dialog.getByRole('button', { name: 'Save Changes' }).click();
	const storefront = dialog.getByRole('link', { name: /^Videos, social links/u });
	await expect(storefront).toHaveAttribute('href', '/admin/storefront');
	await expect(field('Original price')).toHaveValue('999');
	await expect(price).toHaveValue('499');
	await field('Bank name').fill(markup);
	await field('Account number').fill('0012 3456 7890');
	const tooHigh = 'Enter a price of 1,00,00,000 rupees at most.';
	const invalid = 'Enter a price in rupees, 0 or more, with two decimals at most.';
	for (const typed of ['abc', '', '-1', '1.005', '10000001', '1e400']) {
		await price.clear();
		await price.pressSequentially(typed);
		await save();
		await expectFieldError(price, typed === '10000001' ? tooHigh : invalid);
		await expect(price).toBeFocused();
		await expect(field('Bank name')).toHaveValue(markup);
	}
	await price.fill('450.5');
	for (const [typed, error] of invalidTexts) {
		await title.fill(typed);
		await save();
		await expectFieldError(title, error);
		await expect(title).toBeFocused();
		await expectText(page, 'Failed to save settings!');
		await expect(price).toHaveValue('450.5');
	}
	await title.fill(`${markup} श्री`);

	await test.step('a failed upload of the QR code can be repeated, and a file that is not an image is stored but not shown', async () => {
		const input = dialog.locator('input[type="file"]');
		const picture = { name: 'qr.png', mimeType: 'image/png', buffer: await paintPicture('#000000', 300, 300) };
		const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
		const restore = await failRequests(page, /^\/api\/settings\/qr$/u);
		await input.setInputFiles(picture);
		await expectText(page, 'Failed to upload QR Code!');
		await restore();
		await input.setInputFiles({ name: 'qr.svg', mimeType: 'image/svg+xml', buffer: svg });
		await expect(
			dialog.getByText('The file was saved, but it is not an image, so buyers do not see it.'),
		).toBeVisible();
		expect((await product.owner.get<PublicBook>('/api/book')).qrCodeUrl).toBeNull();
		await input.setInputFiles(picture);
		await expectText(page, 'QR Code uploaded!');
		const shown = dialog.getByRole('img', { name: 'The QR code as buyers see it' });
		await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
		await expect(field('Account number')).toHaveValue('0012 3456 7890');
	});

	const restore = await failRequests(page, /^\/api\/settings\/book$/u, 'PUT');
	await save();
	await expectText(page, 'Failed to save settings!');
	await expect(price).toHaveValue('450.5');
	await expect(field('Account number')).toHaveValue('0012 3456 7890');
	await restore();
	await save();
	await expectText(page, 'Settings updated successfully!');
	await expect(dialog).toHaveCount(0);
	await expect(page.getByRole('button', { name: 'Book Dashboard' })).toBeFocused();

	const visitor = await enter({ viewport: { width: 360, height: 800 }, at: '/' });
	for (const level of [1, 2])
		await expect(visitor.getByRole('heading', { name: `${markup} श्री`, exact: true, level })).toBeVisible();
	await expect(visitor.locator('.bank-value').first()).toHaveText(markup);
	await expect(visitor.locator('img[src="x"]')).toHaveCount(0);
	await expect(visitor.locator('#book .purchase-price')).toContainText('₹450.50');
	await expect(visitor.locator('#book .purchase-price')).toContainText('₹999');
	await expect(visitor.getByText('0012 3456 7890')).toBeVisible();
	await expect(visitor.getByRole('img', { name: /^UPI QR code/u })).toBeVisible();
	await expectNoHorizontalOverflow(visitor);
	await buy(product.url, { name: 'Indu', email: 'new-price@example.com' });
	expect((await orderOf(product.owner, 'new-price@example.com')).price).toBe(450.5);
});

test('saving book settings merges the changes of another page, and shows a conflict if both changed a field', async ({
	enter,
}) => {
	const [first, second] = [await enter({ signedInAs: 'owner' }), await enter({ signedInAs: 'owner' })];
	for (const page of [first, second]) await openBookSettings(page);
	const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });
	const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save Changes' }).click();
	await field(first, 'Bank name').fill('My Bank');
	await field(second, 'Bank name').fill('Their Bank');
	await field(second, 'Account holder').fill('Theirs');
	await field(first, 'In the purchase form').selectOption('Optional');
	await field(second, 'In the purchase form').selectOption('Required');
	await save(second);
	await expectText(second, 'Settings updated successfully!');
	await save(first);
	const dialog = first.getByRole('dialog');
	await expect(dialog.getByText('Somebody else saved this in the meantime.')).toBeVisible();
	await expect(field(first, 'Account holder')).toHaveValue('Theirs');
	await expect(field(first, 'Bank name')).toHaveValue('My Bank');
	for (const theirs of ['Now: Their Bank', 'Now: Required']) await expect(dialog.getByText(theirs)).toBeVisible();
	await save(first);
	await expectText(first, 'Settings updated successfully!');
	expect(await product.owner.get('/api/settings/book')).toMatchObject({
		bank: { name: 'My Bank', accountHolder: 'Theirs' },
		utrRequest: 'optional',
	});
});

test('Add New User shows field errors, and the new user can be found and deactivated', async ({ enter }) => {
	await addUser(product.owner, 'taken@example.com');
	const page = await enter({ signedInAs: 'owner', at: '/admin' });
	await page.getByRole('button', { name: 'Add New User' }).click();
	const dialog = page.getByRole('dialog');
	const add = dialog.getByRole('button', { name: 'Add User' });
	const email = dialog.getByLabel('Email');
	const password = dialog.getByLabel('Password', { exact: true });
	await add.click();
	await expectFieldError(dialog.getByLabel('Role'), '❌ Please select a role.');
	await dialog.getByLabel('Role').selectOption('admin');
	for (const address of ['', 'meera', markup]) {
		await email.fill(address);
		await add.click();
		await expectFieldError(email, '❌ Please enter a full email address.');
		await expect(email).toHaveValue(address);
	}
	await email.fill('TAKEN@example.com');
	await password.fill('12345');
	await add.click();
	await expect(password).toHaveAttribute('aria-invalid', 'true');
	await expectText(dialog, '❌ Password must be at least 6 characters.');
	await expect(password).toHaveValue('12345');
	await expect(email).toHaveValue('TAKEN@example.com');
	await expect(dialog.getByText('At least 6 characters.', { exact: true })).toBeVisible();
	await password.fill(`${markup}🙂`);
	await add.click();
	await expectFieldError(email, '❌ Email already in use.');
	await email.fill('added@example.com');
	await add.click();
	await expectText(page, '✅ User registered successfully.');
	// The text begins with a check mark, so the toast needs no icon.
	const toast = page.locator('[data-kind]').filter({ hasText: '✅ User registered successfully.' });
	await expect(toast.locator('.mantine-Notification-icon')).toHaveCount(0);

	await page.getByRole('searchbox', { name: 'Search by email' }).fill('ADDED@');
	const card = page.getByRole('article', { name: 'added@example.com' });
	await expect(page.getByRole('article')).toHaveCount(1);
	await expect(card.getByText('Active', { exact: true })).toBeVisible();
	await card.getByRole('button', { name: 'Deactivate' }).click();
	await expect(card.getByText('Deactivated', { exact: true })).toBeVisible();
	await page.getByRole('button', { name: 'Deactivated', exact: true }).click();
	await expect(page).toHaveURL(/\?search=ADDED%40&status=deactivated$/u);
	await card.getByRole('button', { name: 'Activate' }).click();
	await expectText(page, 'No users found.');
	await page.getByRole('button', { name: 'Clear search and filter' }).click();
	await expect(page).toHaveURL((url) => url.search === '');
	await page.getByRole('searchbox', { name: 'Search by email' }).fill('added@');
	await expect(card.getByText('Active', { exact: true })).toBeVisible();
	await card.getByRole('link', { name: 'Manage Files' }).click();
	await expect(page).toHaveURL((url) => decodeURIComponent(url.pathname) === '/user/added@example.com');
	const added = await enter({ at: '/login' });
	await fillLogin(added, 'added@example.com', `${markup}🙂`);
	await expect(added).toHaveURL('/admin');
});
