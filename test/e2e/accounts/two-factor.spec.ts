import { expect, type Page } from '@playwright/test';
import { fillLogin } from '../../support/browser/forms.ts';
import { expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser, memberPassword } from '../../support/browser/seeding.ts';
import { codeAt } from '../../support/fixtures/two-factor.ts';
import { ownerPassword } from '../../support/services/built-server.ts';

const product = hostJourneys();

/** Turns on two-factor sign-in on /account. @returns the secret and the recovery codes */
async function turnOnTwoFactor(page: Page, password: string): Promise<{ secret: string; recoveryCodes: string[] }> {
	await page.goto('/account');
	await page.getByRole('button', { name: 'Set it up' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Your password', { exact: true }).fill('wrong');
	await dialog.getByRole('button', { name: 'Continue' }).click();
	await expectText(dialog, 'This is not your password.');
	await dialog.getByLabel('Your password', { exact: true }).fill(password);
	await dialog.getByRole('button', { name: 'Continue' }).click();
	await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
	const secret = ((await dialog.getByText(/^(?:[A-Z2-7]{4} ?){8}$/u).textContent()) ?? '').replaceAll(' ', '');
	const app = dialog.getByRole('link', { name: 'Open in my authenticator app' });
	expect(await app.getAttribute('href')).toMatch(new RegExp(`^otpauth://totp/.*secret=${secret}`, 'u'));
	await expect(dialog.getByRole('button', { name: 'Copy the key' })).toBeVisible();
	await dialog.getByLabel('Six digits that the app shows now').fill(codeAt(secret, new Date()));
	await dialog.getByRole('button', { name: 'Turn on' }).click();
	await expect(dialog.getByRole('listitem')).toHaveCount(10);
	const recoveryCodes = await dialog.getByRole('listitem').allTextContents();
	await dialog.getByRole('button', { name: 'I have kept them' }).click();
	await expect(page.getByText('10 recovery codes left.')).toBeVisible();
	return { secret, recoveryCodes };
}

async function enterPassword(page: Page, email: string): Promise<void> {
	await page.goto('/login');
	await fillLogin(page, email, memberPassword);
	await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
}

test('the two-factor login accepts each code only once, and also accepts a recovery code', async ({ enter }) => {
	const email = 'careful@example.com';
	await addUser(product.owner, email);
	const home = await enter({ signedInAs: email });
	const { secret, recoveryCodes } = await turnOnTwoFactor(home, memberPassword);

	// The set-up has used the code of the current time step. The code of the next time step is already valid.
	const code = codeAt(secret, new Date(), 1);
	const page = await enter();
	await enterPassword(page, email);
	await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute('autocomplete', 'one-time-code');
	await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute('inputmode', 'numeric');
	await page.getByLabel('Code', { exact: true }).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
	await page.getByRole('button', { name: 'Login', exact: true }).click();
	await expect(page).toHaveURL(/\/dashboard$/u);

	const again = await enter();
	await enterPassword(again, email);
	await again.getByLabel('Code', { exact: true }).fill(code);
	await again.getByRole('button', { name: 'Login', exact: true }).click();
	await expectText(again, 'This code is not right, or was used already. Wait for the next one and try again.');
	await again.getByRole('button', { name: 'Use a recovery code' }).click();
	await again.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[0] ?? '');
	await again.getByRole('button', { name: 'हिन्दी' }).click();
	await expect(again).toHaveTitle(/\p{Script=Devanagari}/u);
	await again.getByRole('button', { name: 'English' }).click();
	await again.getByRole('button', { name: 'Login', exact: true }).click();
	await expect(again).toHaveURL(/\/dashboard$/u);
});

test('after the owner requires two-factor sign-in, an admin without it is redirected to the set-up', async ({
	enter,
}) => {
	await addUser(product.owner, 'second@example.com', 'admin');
	const second = await enter({ signedInAs: 'second@example.com', at: '/admin' });
	const owner = await enter({ signedInAs: 'owner' });
	await turnOnTwoFactor(owner, ownerPassword);
	await owner.getByRole('button', { name: 'Require two-factor sign-in of admins' }).click();
	await expectText(owner, 'Admins need two-factor sign-in from now on.');
	await expect(second).toHaveURL(/\/account$/u);
	await expectText(second, 'Admins need two-factor sign-in here. Set it up now; everything else opens then.');
	await second.goto('/Bookdashboard');
	await expect(second).toHaveURL(/\/account$/u);
	await turnOnTwoFactor(second, memberPassword);
	await second.getByRole('link', { name: 'Users' }).first().click();
	await expect(second).toHaveURL(/\/admin$/u);
	await owner.getByRole('button', { name: 'Require it no longer' }).click();
	await expectText(owner, 'Admins may sign in without two-factor sign-in.');
});

test('an admin impersonates a member read-only and returns to their own account', async ({ enter }) => {
	const email = 'viewed@example.com';
	await addUser(product.owner, email);
	await addUser(product.owner, 'third@example.com', 'admin');
	const page = await enter({ signedInAs: 'third@example.com', at: `/admin?search=${email}` });
	await page.getByRole('button', { name: new RegExp(email, 'u') }).click();
	await page.getByRole('menuitem', { name: 'See what this member sees' }).click();
	await expect(page).toHaveURL(/\/dashboard$/u);
	await expectText(page, `You see what ${email} sees. Read only.`);
	await page.goto('/account');
	await expect(page.getByText(/Nothing on this page can be changed/u)).toBeVisible();
	for (const name of ['Change password', 'Set it up', 'Download your data'])
		await expect(page.getByRole('button', { name })).toBeDisabled();
	for (const path of ['/unauthorized', '/not-authorized', '/nowhere']) {
		await page.goto(path);
		await expect(page.getByRole('button', { name: 'Back to my account' })).toBeVisible();
	}
	await page.getByRole('button', { name: 'Back to my account' }).click();
	await expect(page).toHaveURL(/\/admin$/u);
	await expect(page.getByText(/Read only\./u)).toHaveCount(0);
});
