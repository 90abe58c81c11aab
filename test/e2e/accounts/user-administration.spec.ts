import { expect } from '@playwright/test';
import { expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser } from '../../support/browser/seeding.ts';

const world = hostJourneys();

test('a role change updates the open page of the user, and a CSV import reports refused rows', async ({ enter }) => {
	const email = 'helper@example.com';
	await addUser(world.owner, email);
	const helper = await enter({ signedInAs: email });
	await helper.goto('/account');
	const navigation = helper.getByRole('navigation', { name: 'Navigation' });
	await expect(navigation.getByRole('link', { name: 'Home' })).toBeVisible();
	await helper.evaluate(() => Object.assign(window, { isStillThisPage: true }));

	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/admin');
	const changeRole = async (label: 'Make Admin' | 'Make User') => {
		await page.getByRole('button', { name: `More for ${email}` }).click();
		await page.getByRole('menuitem', { name: label }).click();
		await page.getByRole('dialog').getByRole('button', { name: label }).click();
	};
	await changeRole('Make Admin');
	await expect(navigation.getByRole('link', { name: 'Delete Users' })).toBeVisible();
	await expect(navigation.getByRole('link', { name: 'Home' })).toHaveCount(0);
	await changeRole('Make User');
	await expect(navigation.getByRole('link', { name: 'Home' })).toBeVisible();
	await expect(navigation.getByRole('link', { name: 'Delete Users' })).toHaveCount(0);
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
