import { expect, type Locator, type Page } from '@playwright/test';
import type { PublicBook } from '#contract/book/book-settings.ts';
import type { Order } from '#contract/orders/orders.ts';
import { expectFieldError, expectText, failRequests, hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser, buy, memberPassword, orderOf } from '../../support/browser/seeding.ts';
import { paintPicture } from '../../support/documents/sample-files.ts';

const world = hostJourneys();

/** The rows of the orders table, without the rows of the chart's table. */
const orderRows = (page: Page) => page.getByRole('table', { name: 'Manage Orders' }).locator('tbody tr');

/** Searches the orders page for this address and returns the only row. */
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
/** Opens the dialog of the book settings. */
async function openBookSettings(page: Page): Promise<Locator> {
	await page.goto('/Bookdashboard');
	await page.getByRole('button', { name: 'Book Dashboard' }).click();
	return page.getByRole('dialog');
}

test('the orders page shows its empty state, and new orders and totals appear without a reload', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/Bookdashboard');
	await expectText(page, 'No orders found.');
	await buy(world.url, { name: 'Asha Rao', email: 'asha@example.com' });
	await buy(world.url, { name: 'Bina Das', email: 'bina@example.com', phone: 'call my aunt' });
	// The page is not reloaded: new orders appear by themselves.
	await expect(orderRows(page)).toHaveCount(2);
	const contact = ['Name', 'Email', 'Phone', 'UPI ID'];
	const columns = [...contact, 'Screenshot', 'Status', 'Order Time', 'Price', 'Actions'];
	await expect(page.getByRole('table', { name: 'Manage Orders' }).getByRole('columnheader')).toHaveText(columns);
	const [first, second] = [orderRows(page).first(), orderRows(page).last()];
	await expect(cell(first, 'Name')).toHaveValue('Bina Das');
	await expect(first.getByText('Check details: Phone', { exact: true })).toBeVisible();
	await expect(second.getByText((await orderOf(world.owner, 'asha@example.com')).code)).toBeVisible();
	await expect(cell(second, 'Email')).toHaveValue('asha@example.com');
	await expect(status(second)).toHaveValue('Pending');
	await expect(second).toContainText('₹499');
	await expect(figure(page, 'Total Orders')).toHaveText('2');
	await expect(figure(page, 'Total Sales')).toHaveText('₹998');
	await expect(figure(page, 'Verified sales')).toHaveText('₹0');
	await page.getByRole('button', { name: 'Go Back' }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
});

test('an edited order row is marked as not saved until Update saves it', async ({ enter }) => {
	const email = 'edit@example.com';
	await buy(world.url, { name: 'Arjun Patil', email });
	const page = await enter({ signedInAs: 'owner' });
	const row = await openRow(page, email);
	await cell(row, 'Name').fill('Arjun V. Patil');
	await expect(page.getByText('1 row not saved')).toBeVisible();
	await expect(row).toHaveAttribute('data-dirty', 'true');
	await cell(row, 'Name').press('Escape');
	await expect(page.getByText('1 row not saved')).toHaveCount(0);
	await expect(cell(row, 'Name')).toHaveValue('Arjun Patil');

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
	expect((await orderOf(world.owner, email)).status).toBe('Pending');
	await update(row);
	await expectText(page, 'Order updated!');
	await expect(page.getByText('1 row not saved')).toHaveCount(0);
	const saved = { name: 'Arjun Patil', phone: '90110 45687', upiId: 'arjun@otherbank', status: 'Complete' };
	expect(await orderOf(world.owner, email)).toMatchObject(saved);
	await page.reload();
	await expect(status(row)).toHaveValue('Complete');
	await status(row).selectOption('Pending');
	// Only Update saves: Enter in a field does not.
	const { version } = await orderOf(world.owner, email);
	await cell(row, 'Name').press('Enter');
	await expect(page.getByText('1 row not saved')).toBeVisible();
	await update(row);
	await expectText(page, 'Order updated!');
	expect(await orderOf(world.owner, email)).toMatchObject({ status: 'Pending', version: version + 1 });
});

test('updating an order that another admin has changed shows a conflict and keeps the typed values', async ({
	enter,
}) => {
	const email = 'stale@example.com';
	await buy(world.url, { name: 'Kiran', email });
	const page = await enter({ signedInAs: 'owner' });
	const row = await openRow(page, email);
	await cell(row, 'Phone').fill('90000 00001');
	await addUser(world.owner, 'second-admin@example.com', 'admin');
	const other = await enter({ signedInAs: 'second-admin@example.com' });
	const theirs = await openRow(other, email);
	await cell(theirs, 'Phone').fill('90000 00002');
	await update(theirs);
	await expectText(other, 'Order updated!');

	await update(row.first());
	await expectText(page, 'Failed to update order!');
	await expect(page.getByRole('alert').filter({ hasText: 'Somebody else changed this order' })).toBeVisible();
	await expect(cell(row.first(), 'Phone')).toHaveValue('90000 00001');
	await expect(row.first().getByText('Now: 90000 00002')).toBeVisible();
	expect((await orderOf(world.owner, email)).phone).toBe('90000 00002');
	await update(row.first());
	await expectText(page, 'Order updated!');
	await expect(cell(theirs, 'Phone')).toHaveValue('90000 00001');
});

test('a failed update or delete of an order can be tried again, and a delete asks for confirmation', async ({
	enter,
}) => {
	const email = 'fail@example.com';
	await buy(world.url, { name: 'Farah', email });
	const page = await enter({ signedInAs: 'owner' });
	const row = await openRow(page, email);
	const { id } = await orderOf(world.owner, email);
	const path = new RegExp(`^/api/orders/${id}$`, 'u');

	await cell(row, 'Name').fill('Farah Khan');
	const mendUpdate = await failRequests(page, path, 'PUT');
	await update(row);
	await expectText(page, 'Failed to update order!');
	await expect(cell(row.first(), 'Name')).toHaveValue('Farah Khan');
	await mendUpdate();
	await update(row.first());
	await expectText(page, 'Order updated!');

	const remove = row.getByRole('button', { name: 'Delete' });
	const dialog = page.getByRole('dialog');
	await remove.click();
	await expectText(page, 'Are you sure you want to delete this order?');
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	const mendDelete = await failRequests(page, path, 'DELETE');
	await remove.click();
	await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
	await expectText(page, 'Failed to delete order!');
	await expect(dialog).toHaveCount(0);
	await expect(row).toHaveCount(1);
	await mendDelete();
	await remove.click();
	await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
	await expectText(page, 'Order deleted!');
	await expectText(page, 'No orders found.');
});

test("the orders page shows 'Error fetching data!' when orders cannot be loaded, and can try again", async ({
	enter,
}) => {
	await buy(world.url, { name: 'Gita', email: 'fetch@example.com' });
	const page = await enter({ signedInAs: 'owner' });
	const mend = await failRequests(page, /^\/api\/orders$/u);
	await page.goto('/Bookdashboard?search=fetch%40');
	await expectText(page, 'Error fetching data!');
	await mend();
	await page.getByRole('button', { name: 'Try again' }).click();
	await expect(orderRows(page)).toHaveCount(1);
});

test('search and status filter of the orders page are in the URL and survive a reload', async ({ enter }) => {
	for (const name of ['Searched One', 'Searched Two']) {
		await buy(world.url, { name, email: `${name.toLowerCase().replace(' ', '-')}@example.com` });
	}
	const order = await orderOf(world.owner, 'searched-two@example.com');
	await world.owner.send<Order>('PUT', `/api/orders/${order.id}`, { ...order, status: 'Complete' });
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/Bookdashboard');
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

test('the screenshot dialog shows each payment proof of an order with the changes that it proposes', async ({
	enter,
}) => {
	const email = 'proofs@example.com';
	await buy(world.url, { name: 'Hema', email, phone: '98230 55512' });
	await buy(world.url, { name: 'Hema Nair', email, phone: '98230 55599' });
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
	expect(await orderOf(world.owner, email)).toMatchObject({ name: 'Hema', proofCount: 2 });
});

test('saved book settings change the landing page at once, and a failed save keeps the typed values', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'owner' });
	const dialog = await openBookSettings(page);
	const field = (label: string) => dialog.getByLabel(label, { exact: true });
	const save = dialog.getByRole('button', { name: 'Save Changes' });
	const storefront = dialog.getByRole('link', { name: /^Films, social links/u });
	await expect(storefront).toHaveAttribute('href', '/admin/storefront');
	await expect(field('Original price')).toHaveValue('999');
	await expect(field('Discounted price')).toHaveValue('499');
	await field('Discounted price').fill('450.5');
	await field('Bank name').fill('Example Bank');
	await field('Account number').fill('0012 3456 7890');
	const mend = await failRequests(page, /^\/api\/settings\/book$/u, 'PUT');
	await save.click();
	await expectText(page, 'Failed to save settings!');
	await expect(field('Discounted price')).toHaveValue('450.5');
	await expect(field('Account number')).toHaveValue('0012 3456 7890');
	await mend();
	await save.click();
	await expectText(page, 'Settings updated successfully!');
	await expect(dialog).toHaveCount(0);
	await expect(page.getByRole('button', { name: 'Book Dashboard' })).toBeFocused();

	const visitor = await enter();
	await visitor.goto('/');
	await expect(visitor.locator('#book .purchase-price')).toContainText('₹450.50');
	await expect(visitor.locator('#book .purchase-price')).toContainText('₹999');
	await expect(visitor.getByText('0012 3456 7890')).toBeVisible();
	await buy(world.url, { name: 'Indu', email: 'new-price@example.com' });
	expect((await orderOf(world.owner, 'new-price@example.com')).price).toBe(450.5);
});

test('saving book settings that another admin changed merges the other fields and shows the conflicting one', async ({
	enter,
}) => {
	const [mine, other] = [await enter({ signedInAs: 'owner' }), await enter({ signedInAs: 'owner' })];
	for (const page of [mine, other]) await openBookSettings(page);
	const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });
	const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save Changes' }).click();
	await field(mine, 'Bank name').fill('My Bank');
	await field(other, 'Bank name').fill('Their Bank');
	await field(other, 'Account holder').fill('Theirs');
	await save(other);
	await expectText(other, 'Settings updated successfully!');
	await save(mine);
	const dialog = mine.getByRole('dialog');
	await expect(dialog.getByText('Somebody else saved this in the meantime.')).toBeVisible();
	await expect(field(mine, 'Account holder')).toHaveValue('Theirs');
	await expect(field(mine, 'Bank name')).toHaveValue('My Bank');
	await expect(dialog.getByText('Now: Their Bank')).toBeVisible();
	await save(mine);
	await expectText(mine, 'Settings updated successfully!');
	const { bank } = await world.owner.get<{ bank: object }>('/api/settings/book');
	expect(bank).toMatchObject({ name: 'My Bank', accountHolder: 'Theirs' });
});

test('the QR code upload can be tried again, and keeps a file that is no picture without showing it', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'owner' });
	const dialog = await openBookSettings(page);
	const input = dialog.locator('input[type="file"]');
	const picture = { name: 'qr.png', mimeType: 'image/png', buffer: await paintPicture('#000000', 300, 300) };
	await dialog.getByLabel('Bank name').fill('Still typed');
	const mend = await failRequests(page, /^\/api\/settings\/qr$/u);
	await input.setInputFiles(picture);
	await expectText(page, 'Failed to upload QR Code!');
	await mend();
	await input.setInputFiles(picture);
	await expectText(page, 'QR Code uploaded!');
	const shown = dialog.getByRole('img', { name: 'The QR code as buyers see it' });
	await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
	const visitor = await enter();
	await visitor.goto('/');
	await expect(visitor.getByRole('img', { name: /^UPI QR code/u })).toBeVisible();

	const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
	await input.setInputFiles({ name: 'qr.svg', mimeType: 'image/svg+xml', buffer: svg });
	await expect(dialog.getByText('The file was kept, but it is no picture that can be shown.')).toBeVisible();
	expect((await world.owner.get<PublicBook>('/api/book')).qrCodeUrl).toBeNull();
	await expect(dialog.getByLabel('Bank name')).toHaveValue('Still typed');
	await dialog.getByRole('button', { name: 'Save Changes' }).click();
	await expectText(page, 'Settings updated successfully!');
});

test('an admin adds a user after refused input, finds the user by search, deactivates and reactivates the user', async ({
	enter,
}) => {
	await addUser(world.owner, 'taken@example.com');
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/admin');
	await page.getByRole('button', { name: 'Add New User' }).click();
	const dialog = page.getByRole('dialog');
	const add = dialog.getByRole('button', { name: 'Add User' });
	await dialog.getByLabel('Email').fill('TAKEN@example.com');
	await dialog.getByLabel('Password', { exact: true }).fill('12345');
	await add.click();
	await expectFieldError(dialog.getByLabel('Role'), '❌ Please select a role.');
	await dialog.getByLabel('Role').selectOption('admin');
	await add.click();
	await expectText(dialog, '❌ Password must be at least 6 characters.');
	await dialog.getByLabel('Password', { exact: true }).fill(memberPassword);
	await add.click();
	await expectFieldError(dialog.getByLabel('Email'), '❌ Email already in use.');
	await dialog.getByLabel('Email').fill('added@example.com');
	await add.click();
	await expectText(page, '✅ User registered successfully.');

	await page.getByRole('searchbox', { name: 'Search by email' }).fill('ADDED@');
	const card = page.getByRole('article', { name: 'added@example.com' });
	await expect(page.getByRole('article')).toHaveCount(1);
	await expect(card.getByText('Active', { exact: true })).toBeVisible();
	await card.getByRole('button', { name: 'Deactivate' }).click();
	await expect(card.getByText('Deactivated', { exact: true })).toBeVisible();
	await page.getByRole('button', { name: 'Deactivated', exact: true }).click();
	await expect(page).toHaveURL(/\?search=ADDED%40&filter=deactivated$/u);
	await card.getByRole('button', { name: 'Activate' }).click();
	await expectText(page, 'No users found.');
	await page.getByRole('button', { name: 'Clear search and filter' }).click();
	await expect(page).toHaveURL((url) => url.search === '');
	await page.getByRole('searchbox', { name: 'Search by email' }).fill('added@');
	await expect(card.getByText('Active', { exact: true })).toBeVisible();
	await card.getByRole('link', { name: 'Manage Files' }).click();
	await expect(page).toHaveURL((url) => decodeURIComponent(url.pathname) === '/user/added@example.com');
	const added = await enter({ signedInAs: 'added@example.com' });
	expect(await (await added.request.get('/api/me')).json()).toMatchObject({ role: 'admin' });
});
