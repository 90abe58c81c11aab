import { expect, type Page } from '@playwright/test';
import {
	expectText,
	hostJourneys,
	liveUpdateTimeout,
	test,
	waitForEventStream,
} from '../../support/browser/journey.ts';
import { fillLogin } from '../../support/browser/public-forms.ts';
import { addUser, memberPassword } from '../../support/browser/seeding.ts';

const world = hostJourneys();

/** Opens /account and waits for its event stream. */
async function openAccount(page: Page): Promise<void> {
	const isListening = waitForEventStream(page);
	await page.goto('/account');
	await expect(page.getByRole('list', { name: 'Devices' })).toBeVisible();
	await isListening;
}

const devices = (page: Page) => page.getByRole('list', { name: 'Devices' }).getByRole('listitem');

test('ending a device signs it out at once, and a new password signs out all other devices', async ({ enter }) => {
	const email = 'two.devices@example.com';
	await addUser(world.owner, email);
	const here = await enter({ signedInAs: email });
	const there = await enter({ signedInAs: email, viewport: { width: 390, height: 844 } });
	await openAccount(here);
	await openAccount(there);
	await expect(devices(here)).toHaveCount(2);
	await expect(devices(here).first()).toContainText('This device');

	await here.getByRole('button', { name: /^End /u }).nth(1).click();
	await expectText(there, 'This device was signed out from another place. Log in again to go on.', liveUpdateTimeout);
	await expect(there).toHaveURL('/login?reason=device');
	await expect(devices(here)).toHaveCount(1);
	await expectText(here, 'You are signed in on this device only.');

	const isListeningThere = waitForEventStream(there);
	await fillLogin(there, email, memberPassword);
	await expect(there).toHaveURL('/dashboard');
	await expect(devices(here)).toHaveCount(2);
	await isListeningThere;

	await here.getByLabel('Current password').fill('not this one');
	await here.getByLabel('New password').fill('quite another one');
	await here.getByRole('button', { name: 'Change password' }).click();
	await expectText(here, 'This is not your current password.');
	await expect(here.getByLabel('Current password')).toBeFocused();
	const isListeningAgain = waitForEventStream(here);
	await here.getByLabel('Current password').fill(memberPassword);
	const isChanged = here.waitForResponse((response) => response.url().endsWith('/api/password/change'));
	await here.getByRole('button', { name: 'Change password' }).click();
	expect((await isChanged).status()).toBe(200);
	await expectText(
		there,
		'The password was changed, so this device was signed out. Log in with the new one.',
		liveUpdateTimeout,
	);
	await expectText(here, 'Your password is changed, and all other devices are signed out.');
	expect((await isListeningAgain).status()).toBe(200);
	await expect(devices(here)).toHaveCount(1);
	await here.reload();
	await expect(here.getByRole('heading', { level: 1, name: 'Account & security' })).toBeVisible();
});

test("an admin signs a user out of all devices from the user's card", async ({ enter }) => {
	await addUser(world.owner, 'signed.out@example.com');
	const page = await enter({ signedInAs: 'signed.out@example.com' });
	await openAccount(page);
	const admin = await enter({ signedInAs: 'owner' });
	await admin.goto('/admin?search=signed.out');
	const more = admin.getByRole('button', { name: 'More for signed.out@example.com' });
	await more.click();
	await admin.getByRole('menuitem', { name: 'Devices' }).click();
	const dialog = admin.getByRole('dialog', { name: 'Devices of signed.out@example.com' });
	await expect(dialog.getByRole('listitem')).toHaveCount(1);
	await dialog.getByRole('button', { name: 'End all' }).click();
	await expectText(page, 'This device was signed out from another place. Log in again to go on.', liveUpdateTimeout);
	await expect(dialog.getByText('Not signed in anywhere.')).toBeVisible();
	await admin.keyboard.press('Escape');
	await expect(more).toBeFocused();
	await admin.keyboard.press('Enter');
	await admin.getByRole('menuitem', { name: 'Make Admin' }).press('Enter');
	await expect(admin.getByRole('button', { name: 'Cancel' })).toBeFocused();
	await admin.keyboard.press('Escape');
	await expect(admin.getByRole('dialog')).toBeHidden();
	await expect(more).toBeFocused();
});

/** Delays the answers with the second page of /admin until the returned function is called. */
async function delaySecondPage(page: Page): Promise<() => void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	await page.route(
		(url) => url.pathname === '/api/users' && url.searchParams.has('cursor'),
		async (route) => {
			await promise;
			await route.fallback();
		},
	);
	return resolve;
}

test('Back from Manage Files returns to the same page of the user list', async ({ enter }) => {
	const rows = Array.from({ length: 26 }, (_, number) => `paged-${number}@example.com`);
	await world.owner.send('POST', '/api/users-import', { csv: ['email', ...rows].join('\n') });
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/admin?search=paged-');
	await expect(page.getByText('1 to 12 of 26')).toBeVisible();
	const first = await page.locator('article').allTextContents();
	const sendSecond = await delaySecondPage(page);
	await page.getByRole('button', { name: 'Next' }).click();
	await expect(page.locator('[aria-busy="true"]')).toBeVisible();
	// The range describes the cards that are shown, not those that are still loading.
	await expect(page.locator('article')).toHaveText(first);
	await expect(page.getByText('1 to 12 of 26')).toBeVisible();
	sendSecond();
	await expect(page.getByText('13 to 24 of 26')).toBeVisible();
	const second = await page.locator('article').allTextContents();
	expect(second).not.toEqual(first);
	await page.getByRole('link', { name: 'Manage Files' }).first().click();
	await expect(page).toHaveURL(/\/user\//u);
	await page.goBack();
	await expect(page.getByText('13 to 24 of 26')).toBeVisible();
	await expect(page.locator('article')).toHaveText(second);
	await page.getByRole('button', { name: 'Next' }).click();
	await expect(page.getByText('25 to 26 of 26')).toBeVisible();
	await page.getByRole('button', { name: 'Previous' }).click();
	await expect(page.locator('article')).toHaveText(second);
	await page.getByRole('button', { name: 'Previous' }).click();
	await expect(page.getByText('1 to 12 of 26')).toBeVisible();
	await expect(page).toHaveURL('/admin?search=paged-');
});
