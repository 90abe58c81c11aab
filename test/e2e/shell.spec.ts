import { expect } from '@playwright/test';
import { hostJourneys, test, told } from '../support/journey.ts';

hostJourneys();

test('a page that is slow to come says so, a quick one does not flash; a lost line is told until it is back', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'owner' });
	let letGo: () => void = () => {};
	const held = new Promise<void>((resolve) => {
		letGo = resolve;
	});
	await page.route('**/api/me', async (route) => {
		await held;
		await route.continue();
	});
	await page.route('**/api/events', (route) => route.abort());
	await page.goto('/admin');
	await expect(page.getByRole('status').filter({ hasText: 'Loading…' })).toBeVisible();
	letGo();
	await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
	await expect(page.getByText('Loading…', { exact: true })).toHaveCount(0);

	const lost = page.getByText('Connection lost, trying again…');
	await expect(lost).toBeVisible();
	await page.unroute('**/api/events');
	await expect(lost).toHaveCount(0, { timeout: 20_000 });
});

test('changed settings ask before they are thrown away, by Escape and by the cross', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/Bookdashboard');
	await page.getByRole('button', { name: 'Book Dashboard' }).click();
	const settings = page.getByRole('dialog', { name: 'Book Dashboard' });
	const question = page.getByRole('dialog', { name: 'Leave without saving?' });
	await settings.getByLabel('Book title').fill('Another title');
	for (const leave of [
		() => page.keyboard.press('Escape'),
		() => settings.getByRole('button', { name: 'Close' }).click(),
	]) {
		await leave();
		await expect(question).toBeVisible();
		await page.keyboard.press('Escape');
		await expect(question).toBeHidden();
		await expect(settings.getByLabel('Book title')).toHaveValue('Another title');
	}
	await page.keyboard.press('Escape');
	await question.getByRole('button', { name: 'Leave' }).click();
	await expect(settings).toBeHidden();
	await page.getByRole('button', { name: 'Book Dashboard' }).click();
	await expect(settings.getByLabel('Book title')).toHaveValue('Build Your Empire');
	await page.keyboard.press('Escape');
	await expect(settings).toBeHidden();

	// One mark is enough: the sentence brings its own.
	await page.goto('/admin');
	await page.getByRole('button', { name: 'Add New User' }).click();
	const form = page.getByRole('dialog', { name: 'Add New User' });
	await form.getByLabel('Email').fill('marked@example.com');
	await form.getByLabel('Password', { exact: true }).fill('a password');
	await form.getByLabel('Role').selectOption('user');
	await form.getByRole('button', { name: 'Add User' }).click();
	await told(page, '✅ User registered successfully.');
	const toast = page.locator('[data-kind]').filter({ hasText: '✅ User registered successfully.' });
	await expect(toast.locator('.mantine-Notification-icon')).toHaveCount(0);
});
