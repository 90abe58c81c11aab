import { expect, type Page } from '@playwright/test';
import {
	expectFieldError,
	expectNoHorizontalOverflow,
	expectText,
	failRequests,
	hostJourneys,
	test,
} from '../../support/browser/journey.ts';

const product = hostJourneys(() => ({ RATE_LIMIT_FACTOR: '1' }));

async function lookUp(page: Page, username: string, state: string): Promise<void> {
	await page.getByLabel('Username').first().fill(username);
	await page.getByLabel('State').first().fill(state);
	await page.getByRole('button', { name: 'Search' }).click();
}

test('an admin adds credentials on the public page, and a duplicate links to the existing record', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'owner', at: '/insta-credentials' });
	const form = page.getByRole('region', { name: 'Add Credentials' });
	const type = async (id: string) => {
		await form.getByLabel('Username').fill('Arjun');
		await form.getByLabel('State').fill('Tamil Nadu');
		await form.getByLabel('ID').fill(id);
		await form.getByLabel('Password', { exact: true }).fill('secret');
	};
	const add = form.getByRole('button', { name: 'Add Credentials' });
	await add.click();
	await expectText(form, '❌ Please fill all fields.');
	await type('TN-1');
	await add.click();
	await expectText(page, '✅ Added successfully!');
	await expect(form.getByLabel('Username')).toHaveValue('');
	await expect(form.getByLabel('Username')).toBeFocused();
	await type('TN-2');
	await add.click();
	await expectText(page, '❌ Failed to add.');
	await expectText(form, 'Credentials with this username and state exist already.');
	await expect(form.getByLabel('ID')).toHaveValue('TN-2');
	await form.getByRole('link', { name: 'Edit it in the list' }).click();

	const row = page.getByRole('listitem').filter({ hasText: 'arjun' });
	await expect(row).toContainText('TN-1');
	await expect(row).not.toContainText('secret');
	await row.getByRole('button', { name: 'Show password of arjun' }).click();
	await expect(row).toContainText('secret');
	await row.getByRole('button', { name: 'Edit arjun, tamil nadu' }).click();
	await page.getByRole('dialog').getByLabel('ID').fill('TN-3');
	await page.getByRole('dialog').getByRole('button', { name: 'Save Changes' }).click();
	await expectText(page, 'Credentials saved.');
	await expect(row).toContainText('TN-3');
	await row.getByRole('button', { name: 'Delete arjun, tamil nadu' }).click();
	await expectText(page, 'Delete these credentials?');
	await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
	await expectText(page, 'Credentials deleted.');
	await expectText(page, 'No credentials with this username and state.');
});

test('a credentials import reports refused rows, and new lookups appear without a reload', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	const restore = await failRequests(page, /^\/api\/credentials$/u);
	await page.goto('/admin/credentials');
	await expectText(page, 'The credentials could not be loaded.');
	await restore();
	await page.getByRole('button', { name: 'Try again' }).click();
	await expectText(page, 'No credentials yet.');
	await page.getByRole('button', { name: 'Import CSV' }).click();
	const dialog = page.getByRole('dialog');
	const csv = '\uFEFFState;ID;Username;Password\nGoa;1;first;a\nGoa;2;;b\nGoa;3;FIRST;c\n';
	const file = { name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
	await dialog.locator('input[type="file"]').setInputFiles(file);
	const rows = dialog.getByLabel('Or paste the rows here');
	await expect(rows).toHaveValue(csv.slice(1));
	await dialog.getByRole('button', { name: 'Import', exact: true }).click();
	await expectText(dialog, '1 record added.');
	await expect(dialog.getByRole('listitem')).toHaveText([
		'Line 3 (goa): Missing: Username.',
		'Line 4 (first, goa): The same username and state are already in line 2.',
	]);
	await expect(rows).toHaveValue('State;ID;Username;Password\nGoa;2;;b\nGoa;3;FIRST;c\n');
	await expect(dialog.locator(':focus')).toContainText('1 record added.');
	await rows.fill('username,state,id,password\nsecond,Goa,2,b');
	await page.keyboard.press('Escape');
	await expectText(page, 'Discard what you typed?');
	await page.keyboard.press('Escape');
	await expect(page.getByText('Discard what you typed?')).toBeHidden();
	await expect(rows).toHaveValue(/second/u);
	await dialog.getByRole('button', { name: 'Import', exact: true }).click();
	await expect(rows).toHaveValue('');
	await page.keyboard.press('Escape');
	await expect(dialog).toBeHidden();
	await expect(page.getByRole('button', { name: 'Import CSV' })).toBeFocused();
	await expect(page.getByRole('listitem').filter({ hasText: 'second' })).toBeVisible();

	await page.getByRole('button', { name: 'Lookups' }).click();
	const lookup = page.getByRole('listitem').filter({ hasText: 'watched' });
	await expect(lookup).toHaveCount(0);
	await fetch(`${product.url}/api/insta-credentials/search`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ username: 'watched', state: 'Goa' }),
	});
	await expect(lookup).toContainText('Not found');
	await expect(lookup).toContainText('Visitor');
	await page.getByRole('button', { name: 'Found', exact: true }).click();
	await expect(lookup).toHaveCount(0);
});

test('a visitor on a phone looks up credentials, copies the password, and sees why other lookups fail', async ({
	enter,
}) => {
	const record = { username: 'asha.verma', state: 'goa', id: 'GA-0001', password: ' open <b>sesame' };
	await product.owner.send('POST', '/api/insta-credentials/add', record);
	const page = await enter({
		viewport: { width: 390, height: 844 },
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	await page.goto('/insta-credentials');
	await expect(page.getByRole('heading', { level: 1, name: 'Credentials lookup' })).toBeVisible();
	await expect(page.getByRole('heading', { name: 'Add Credentials' })).toHaveCount(0);
	await page.getByRole('button', { name: 'Search' }).click();
	await expectText(page, '❌ Please fill all fields.');
	await expectFieldError(page.getByLabel('State'), 'Please fill in this field.');

	await lookUp(page, ' Asha.Verma', 'GOA ');
	const result = page.getByRole('region', { name: 'Your credentials' });
	await expect(result.getByRole('definition')).toHaveText(Object.values(record), { useInnerText: true });
	await result.getByRole('button', { name: 'Copy Password' }).click();
	await expect(result.getByRole('status').filter({ hasText: 'Password copied' })).toBeAttached();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(record.password);
	await expectNoHorizontalOverflow(page);
	await page.getByRole('button', { name: 'हिन्दी' }).click();
	await expect(page.getByRole('region', { name: 'आपकी जानकारी' })).toContainText('GA-0001');
	await page.getByRole('button', { name: 'English' }).click();
	await expect(page.getByLabel('Username').first()).toHaveValue(' Asha.Verma');
	await page.getByLabel('State').first().fill('Goa and');
	await expect(result).toHaveCount(0);

	await lookUp(page, 'asha.verma', 'Kerala');
	await expectText(page, '❌ Username and state not matched.');
	await expect(result).toHaveCount(0);
	const restore = await failRequests(page, /^\/api\/insta-credentials\/search$/u);
	await page.getByRole('button', { name: 'Search' }).click();
	await expectText(page, '❌ Something went wrong.');
	await restore();
	const isLimited = async () => {
		const data = { username: 'x', state: 'y' };
		return (await page.request.post('/api/insta-credentials/search', { data })).status() === 429;
	};
	// Repeated, because the rate limit permits a further lookup every few seconds.
	await expect(async () => {
		await expect.poll(isLimited, { intervals: [0] }).toBe(true);
		const answered = page.waitForResponse((response) => response.url().endsWith('/api/insta-credentials/search'));
		await page.getByRole('button', { name: 'Search' }).click();
		expect((await answered).status()).toBe(429);
	}).toPass();
	await expectText(page, 'Too many lookups. Please wait a minute and try again.');
	await expect(page.getByLabel('State')).toHaveValue('Kerala');
});
