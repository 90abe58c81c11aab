import { expect, type Page } from '@playwright/test';
import { fillLogin } from '../../support/browser/forms.ts';
import {
	expectText,
	holdRequests,
	hostJourneys,
	liveUpdateTimeout,
	test,
	waitForEventStream,
} from '../../support/browser/journey.ts';
import { addUser, memberPassword } from '../../support/browser/seeding.ts';

const product = hostJourneys();

/** Opens /account and waits for its event stream. */
async function openAccount(page: Page): Promise<void> {
	const isListening = waitForEventStream(page);
	await page.goto('/account');
	await expect(page.getByRole('list', { name: 'Devices' })).toBeVisible();
	await isListening;
}

const devices = (page: Page) => page.getByRole('list', { name: 'Devices' }).getByRole('listitem');

test('ending the session of a device signs the device out at once, and a new password signs out all other devices', async ({
	enter,
}) => {
	const email = 'two.devices@example.com';
	await addUser(product.owner, email);
	const desktop = await enter({ signedInAs: email });
	const mobile = await enter({ signedInAs: email, viewport: { width: 390, height: 844 } });
	await openAccount(desktop);
	await openAccount(mobile);
	await expect(devices(desktop)).toHaveCount(2);
	await expect(devices(desktop).first()).toContainText('This device');

	await desktop.getByRole('button', { name: /^End /u }).nth(1).click();
	await expectText(mobile, 'This device was signed out from another place. Log in again to go on.', liveUpdateTimeout);
	await expect(mobile).toHaveURL('/login?reason=device');
	await expect(devices(desktop)).toHaveCount(1);
	await expectText(desktop, 'You are signed in on this device only.');

	const isMobileListening = waitForEventStream(mobile);
	await fillLogin(mobile, email, memberPassword);
	await expect(mobile).toHaveURL('/dashboard');
	await expect(devices(desktop)).toHaveCount(2);
	await isMobileListening;

	await desktop.getByLabel('Current password').fill('not this one');
	await desktop.getByLabel('New password').fill('quite another one');
	await desktop.getByRole('button', { name: 'Change password' }).click();
	await expectText(desktop, 'This is not your current password.');
	await expect(desktop.getByLabel('Current password')).toBeFocused();
	const isListeningAgain = waitForEventStream(desktop);
	await desktop.getByLabel('Current password').fill(memberPassword);
	const isChanged = desktop.waitForResponse((response) => response.url().endsWith('/api/password/change'));
	await desktop.getByRole('button', { name: 'Change password' }).click();
	expect((await isChanged).status()).toBe(200);
	await expectText(
		mobile,
		'The password was changed, so this device was signed out. Log in with the new one.',
		liveUpdateTimeout,
	);
	await expectText(desktop, 'Your password is changed, and all other devices are signed out.');
	expect((await isListeningAgain).status()).toBe(200);
	await expect(devices(desktop)).toHaveCount(1);
	await desktop.reload();
	await expect(desktop.getByRole('heading', { level: 1, name: 'Account & security' })).toBeVisible();
});

test('an admin signs a user out of all devices with a button on the card of the user', async ({ enter }) => {
	await addUser(product.owner, 'signed.out@example.com');
	const page = await enter({ signedInAs: 'signed.out@example.com' });
	await openAccount(page);
	const admin = await enter({ signedInAs: 'owner', at: '/admin?search=signed.out' });
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

test('Back from Manage Files returns to the same page of the user list', async ({ enter }) => {
	const rows = Array.from({ length: 26 }, (_, number) => `paged-${number}@example.com`);
	await product.owner.send('POST', '/api/users-import', { csv: ['email', ...rows].join('\n') });
	const page = await enter({ signedInAs: 'owner', at: '/admin?search=paged-' });
	await expect(page.getByText('1 to 12 of 26')).toBeVisible();
	const firstPage = await page.locator('article').allTextContents();
	const releaseSecondPage = await holdRequests(page, /^\/api\/users\?.*cursor=/u);
	await page.getByRole('button', { name: 'Next' }).click();
	await expect(page.locator('[aria-busy="true"]')).toBeVisible();
	// While the next cards are loading, the text shows the range of the visible cards.
	await expect(page.locator('article')).toHaveText(firstPage);
	await expect(page.getByText('1 to 12 of 26')).toBeVisible();
	releaseSecondPage();
	await expect(page.getByText('13 to 24 of 26')).toBeVisible();
	const secondPage = await page.locator('article').allTextContents();
	expect(secondPage).not.toEqual(firstPage);
	await page.getByRole('link', { name: 'Manage Files' }).first().click();
	await expect(page).toHaveURL(/\/user\//u);
	await page.goBack();
	await expect(page.getByText('13 to 24 of 26')).toBeVisible();
	await expect(page.locator('article')).toHaveText(secondPage);
	await page.getByRole('button', { name: 'Next' }).click();
	await expect(page.getByText('25 to 26 of 26')).toBeVisible();
	await page.getByRole('button', { name: 'Previous' }).click();
	await expect(page.locator('article')).toHaveText(secondPage);
	await page.getByRole('button', { name: 'Previous' }).click();
	await expect(page.getByText('1 to 12 of 26')).toBeVisible();
	await expect(page).toHaveURL('/admin?search=paged-');
});
