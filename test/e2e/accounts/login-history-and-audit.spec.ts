import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { expectFieldError, expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser, memberPassword } from '../../support/browser/seeding.ts';
import { createClient } from '../../support/services/server-client.ts';

const world = hostJourneys();
const phone = { width: 390, height: 844 };

test('the login history shows a new sign-in without a reload, and has two steps on a phone', async ({ enter }) => {
	const email = 'asha@example.com';
	await addUser(world.owner, email);
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/admin');
	await page.getByRole('link', { name: 'Login history' }).click();
	await page.getByRole('searchbox', { name: 'Search by email' }).fill('asha');
	await page.getByRole('link', { name: email }).click();
	await expectText(page, 'No login history available.');
	expect(new URL(page.url()).searchParams.get('email')).toBe(email);

	await createClient(world.url).request('/api/sign-in', {
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

	await page.setViewportSize(phone);
	await expect(page.getByRole('link', { name: email })).toBeHidden();
	await page.getByRole('link', { name: 'All people' }).click();
	await page.getByRole('link', { name: email }).click();
	await expect(row).toBeVisible();

	const member = await enter({ signedInAs: email });
	await member.goto('/login-history');
	await expect(member.getByRole('heading', { name: 'Not authorized' })).toBeVisible();
});

test('the audit list shows a change without a reload, filters by user and kind, and exports CSV', async ({ enter }) => {
	const { id } = await addUser(world.owner, 'imran@example.com');
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/admin/audit');
	await expect(page.getByRole('listitem').filter({ hasText: 'registered imran@example.com.' })).toBeVisible();
	await world.owner.send('POST', `/api/users/${id}/active`, { active: false });
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
	const [file] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('link', { name: 'Export CSV' }).click(),
	]);
	const csv = await readFile(await file.path(), 'utf8');
	expect(csv.trim().split('\r\n')).toHaveLength(3);

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
