import { expect } from '@playwright/test';
import type { UserSummary } from '#contract/accounts/administration.ts';
import {
	download,
	expectFieldError,
	expectNoHorizontalOverflow,
	expectText,
	failRequests,
	hostJourneys,
	phone,
	test,
} from '../../support/browser/journey.ts';
import { addFile, addUser, memberPassword } from '../../support/browser/seeding.ts';
import { createClient } from '../../support/services/server-client.ts';

const product = hostJourneys();

test('a changed role updates the open page of the user, and a CSV import reports refused rows', async ({ enter }) => {
	const email = 'helper@example.com';
	await addUser(product.owner, email);
	const helper = await enter({ signedInAs: email, at: '/account' });
	const navigation = helper.getByRole('navigation', { name: 'Navigation' });
	await expect(navigation.getByRole('link', { name: 'Home' })).toBeVisible();
	await helper.evaluate(() => Object.assign(window, { isStillThisPage: true }));

	const page = await enter({ signedInAs: 'owner', at: '/admin' });
	const changeRole = async (label: 'Make Admin' | 'Make User') => {
		await page.getByRole('button', { name: `More for ${email}` }).click();
		await page.getByRole('menuitem', { name: label }).click();
		await page.getByRole('dialog').getByRole('button', { name: label }).click();
	};
	await changeRole('Make Admin');
	await expect(navigation.getByRole('link', { name: 'Settings' })).toBeVisible();
	await expect(navigation.getByRole('link', { name: 'Home' })).toHaveCount(0);
	await changeRole('Make User');
	await expect(navigation.getByRole('link', { name: 'Home' })).toBeVisible();
	await expect(navigation.getByRole('link', { name: 'Settings' })).toHaveCount(0);
	expect(await helper.evaluate(() => 'isStillThisPage' in window)).toBe(true);

	await page.getByRole('button', { name: 'Add New User' }).click();
	await page.getByRole('button', { name: 'Import CSV' }).click();
	const rows = [
		'email,name,role',
		'first@example.com,First,user',
		'half@address,Half,user',
		'second@example.com,,admin',
	];
	const dialog = page.getByRole('dialog', { name: 'Import users' });
	await dialog.getByLabel('Or paste the rows here').fill(rows.join('\n'));
	await dialog.getByRole('button', { name: 'Import', exact: true }).click();
	await expectText(dialog, 'Users added: 2');
	await expect(dialog.getByText('(half@address): Please enter a full email address.')).toBeVisible();
	await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

	await page.getByRole('searchbox', { name: 'Search by email' }).fill('SECOND@');
	await expect(page.getByRole('article')).toHaveCount(1);
	await expect(page.getByRole('article')).toContainText('second@example.com');
});

test('the login history shows a new sign-in without a reload, and works on a phone', async ({ enter }) => {
	const email = 'asha@example.com';
	await addUser(product.owner, email);
	const page = await enter({ signedInAs: 'owner', at: '/admin' });
	await page.getByRole('link', { name: 'Login history' }).click();
	await page.getByRole('searchbox', { name: 'Search by email' }).fill('asha');
	await page.getByRole('link', { name: email }).click();
	await expectText(page, 'No login history available.');
	expect(new URL(page.url()).searchParams.get('email')).toBe(email);

	await createClient(product.url).request('/api/sign-in', {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'user-agent':
				'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
		},
		body: JSON.stringify({ email, password: memberPassword }),
	});
	const row = page.getByRole('row').filter({ hasText: 'Chrome 142 on Android 15' });
	await expect(row).toContainText('127.0.0.1');
	await expect(page.getByText('1 sign-in', { exact: true })).toBeVisible();

	await page.setViewportSize(phone.viewport);
	await expect(page.getByRole('link', { name: email })).toBeHidden();
	await page.getByRole('link', { name: 'All people' }).click();
	await page.getByRole('link', { name: email }).click();
	await expect(row).toBeVisible();

	const member = await enter({ signedInAs: email, at: '/login-history' });
	await expect(member.getByRole('heading', { name: 'Not authorized' })).toBeVisible();
});

test('the audit list shows new entries without a reload, can be filtered, and exports CSV', async ({ enter }) => {
	const { id } = await addUser(product.owner, 'imran@example.com');
	const page = await enter({ signedInAs: 'owner', at: '/admin/audit' });
	await expect(page.getByRole('listitem').filter({ hasText: 'registered imran@example.com.' })).toBeVisible();
	await product.owner.send('POST', `/api/users/${id}/active`, { active: false });
	const entry = page.getByRole('listitem').filter({ hasText: 'deactivated imran@example.com.' });
	await expect(entry).toBeVisible();

	const person = page.getByRole('combobox', { name: 'Person' });
	await person.fill('IMRA');
	await expect(page.locator('datalist option')).toHaveCount(1);
	await person.press('Enter');
	await expect(person).toHaveValue('imran@example.com');
	await page.getByRole('button', { name: 'People' }).click();
	await expect(page.locator('main').getByRole('listitem')).toHaveCount(2);
	await entry.getByRole('button', { name: 'Details' }).click();
	await expect(entry.getByText('user-deactivated')).toBeVisible();
	const { bytes } = await download(page, page.getByRole('link', { name: 'Export CSV' }));
	expect(String(bytes).trim().split('\r\n')).toHaveLength(3);

	await page.reload();
	await expect(page.locator('main').getByRole('listitem')).toHaveCount(2);
	await page.getByRole('button', { name: 'Settings' }).click();
	await expect(page.getByText('No entries match this filter.')).toBeVisible();
	await page.getByRole('button', { name: 'Clear the filter' }).first().click();
	await page.getByLabel('From', { exact: true }).fill('2026-03-02');
	await page.getByLabel('Until', { exact: true }).fill('2026-03-01');
	await expectFieldError(page.getByLabel('From', { exact: true }), 'From must not be after Until.');
	await page.getByRole('button', { name: 'Clear the filter' }).first().click();
	await entry.getByRole('link', { name: 'imran@example.com' }).click();
	await expect(page.getByRole('article').filter({ hasText: 'imran@example.com' })).toBeVisible();
});

test('deleting a user signs the user out immediately, and a failed deletion shows an error', async ({ enter }) => {
	const email = 'leaving@example.com';
	const { id } = await addUser(product.owner, email);
	await addFile(product.owner, email, 'a.txt', Buffer.from('12345'));
	await addFile(product.owner, email, 'b.txt', Buffer.from('123'));
	const member = await enter({ signedInAs: email, at: '/dashboard' });
	await expect(member.getByText('a.txt')).toBeVisible();

	const page = await enter({ signedInAs: 'owner', viewport: { width: 390, height: 844 } });
	const restoreList = await failRequests(page, /^\/api\/users$/u);
	await page.goto('/delete-user');
	await expectText(page, '❌ Error loading users.');
	await restoreList();
	await page.getByRole('button', { name: 'Try again' }).click();
	await expect(page.getByRole('article').filter({ hasText: email })).toBeVisible();
	await expectNoHorizontalOverflow(page);

	await page.getByRole('searchbox', { name: 'Search by email' }).fill('nobody');
	await expectText(page, 'No users found.');
	await page.getByRole('button', { name: 'Clear search', exact: true }).last().click();

	const deleteOf = (name: string) =>
		page.getByRole('article').filter({ hasText: name }).getByRole('button', { name: 'Delete' });
	const dialog = page.getByRole('dialog');
	const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
	const ownCard = page.getByRole('article').filter({ hasText: 'owner@example.com' });
	await expect(ownCard).toContainText('Another admin can delete your account.');
	await expect(ownCard.getByRole('button')).toHaveCount(0);

	const deletedFirst = await addUser(product.owner, 'gone-already@example.com');
	await deleteOf('gone-already@example.com').click();
	await product.owner.send('POST', '/delete-user-all', { uid: deletedFirst.id });
	await confirm.click();
	await expectText(page, '❌ Failed: Not found.');

	const restoreCall = await failRequests(page, /^\/delete-user-all$/u);
	await deleteOf(email).click();
	await confirm.click();
	await expectText(page, '❌ Server error.');
	await restoreCall();

	await deleteOf(email).click();
	await expect(dialog).toContainText('Delete this user?');
	await expect(dialog).toContainText('2 files (less than 1 KB) will be removed for good.');
	await page.keyboard.press('Escape');
	await expect(dialog).toBeHidden();
	await expect(deleteOf(email)).toBeFocused();
	await deleteOf(email).click();
	await confirm.click();
	await expectText(page, `✅ User ${id} deleted successfully.`);
	await expect(page.getByRole('article').filter({ hasText: email })).toHaveCount(0);
	await expect(member).toHaveURL(/\/login\?reason=deletion$/u);
	await expectText(member, 'Your account has been deleted.');
	const { total } = await product.owner.get<{ items: UserSummary[]; total: number }>(`/api/users?search=${email}`);
	expect(total).toBe(0);

	// Simulates the running deletion of a large space.
	const running = [{ id, email, totalFiles: 5000, removedFiles: 1240 }];
	await page.route('**/api/removals', (route) => route.fulfill({ json: running }));
	await addUser(product.owner, 'another@example.com');
	await page.reload();
	await expectText(page, 'Removing 1,240 of 5,000 files...');
	await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
});
