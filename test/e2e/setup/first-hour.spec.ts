import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { fillLogin } from '../../support/browser/forms.ts';
import {
	expectNoHorizontalOverflow,
	expectText,
	hostJourneysWithMail,
	phone,
	test,
} from '../../support/browser/journey.ts';
import { ownerEmail } from '../../support/services/built-server.ts';

const { product, mailbox } = hostJourneysWithMail();

const buyerEmail = 'try@example.com';
const pdf = 'build-your-empire-part-1-en.pdf';

const steps = (page: Page) => page.getByRole('region', { name: 'First steps' });
const stepNamed = (page: Page, title: string) => steps(page).getByRole('listitem').filter({ hasText: title });

/** Goes back to the checklist, and waits until a step is done and has no action any more. */
async function expectDone(page: Page, title: string): Promise<void> {
	await page.goto('/admin');
	await expect(stepNamed(page, title)).toContainText('(Done)');
}

const dialogNamed = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

test('a new owner follows the first steps, buys and reads the book as a test, removes the test and dismisses the steps', async ({
	enter,
}) => {
	test.slow();
	const page = await enter({ signedInAs: 'owner', at: '/admin' });
	await expect(steps(page)).toContainText('1 of 8 done');

	await test.step('a test email is sent', async () => {
		await expect(stepNamed(page, 'Email')).toContainText('(Missing)');
		const to = steps(page).getByLabel('Send the test email to');
		await expect(to).toHaveValue(ownerEmail);
		await to.fill('me@folio.local');
		await steps(page).getByRole('button', { name: 'Send a test email' }).click();
		await expect(to).toHaveAccessibleDescription(/^Addresses ending in \.local receive no email\./u);
		await to.fill(ownerEmail);
		await steps(page).getByRole('button', { name: 'Send a test email' }).click();
		await expectText(page, `The mail server accepted the test email to ${ownerEmail}. Check that inbox.`);
		await mailbox().waitFor(ownerEmail);
		await expect(stepNamed(page, 'Email')).toContainText('(Done)');
	});

	await test.step('the book is uploaded where the step leads', async () => {
		await steps(page).getByRole('link', { name: 'Upload the book' }).click();
		await expect(page).toHaveURL(/\/user\/book$/u);
		await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(`demo/book/${pdf}`);
		await expectText(page, 'Uploads finished');
		await page.getByRole('link', { name: /^First steps/u }).click();
		await expect(page.getByText('Uploads finished')).toHaveCount(0);
		const current = page.getByRole('navigation', { name: 'Navigation' }).locator('[aria-current]');
		await expect(current).toHaveText([/^First steps/u]);
		await expect(stepNamed(page, "The book's file")).toContainText('Choose it for an edition.');
	});

	await test.step('title, price, a way to pay and the edition are saved in the Book Dashboard, which each step opens', async () => {
		for (const title of ['Title and price', 'A way to pay', "The book's file"]) {
			await stepNamed(page, title).getByRole('link', { name: 'Book Dashboard' }).click();
			await expect(dialogNamed(page, 'Book Dashboard')).toBeVisible();
			await page.goBack();
			await expect(steps(page)).toBeVisible();
		}
		await stepNamed(page, 'Title and price').getByRole('link', { name: 'Book Dashboard' }).click();
		const dialog = dialogNamed(page, 'Book Dashboard');
		await dialog.getByLabel('Book Title').fill("Dadi's Kitchen");
		await dialog.getByLabel('UPI ID', { exact: true }).fill('kitchen@examplebank');
		await dialog.getByLabel('Part 1, English', { exact: true }).selectOption({ label: pdf });
		await dialog.getByRole('button', { name: 'Save Changes' }).click();
		await expectText(page, 'Settings updated successfully!');
		for (const title of ['Title and price', 'A way to pay', "The book's file"]) await expectDone(page, title);
	});

	await test.step('an empty storefront can be chosen, which visitors do not see before it is published', async () => {
		await stepNamed(page, 'Storefront texts').getByRole('button', { name: 'Start empty' }).click();
		await expect(page).toHaveURL(/\/admin\/storefront/u);
		const preview = page.frameLocator('iframe').getByRole('heading', { level: 1 });
		await expect(preview).toHaveText("Dadi's Kitchen");
		await expect(page.frameLocator('iframe').getByText('What Will You Gain?')).toHaveCount(0);
		const visitor = await enter({ at: '/' });
		await expect(visitor.getByRole('heading', { name: 'What Will You Gain?' })).toBeVisible();
		await page.goto('/admin');
	});

	await test.step('the default storefront is kept, and a backup is made by the command', async () => {
		await stepNamed(page, 'Storefront texts').getByRole('button', { name: 'Keep the default' }).click();
		await expect(stepNamed(page, 'Storefront texts')).toContainText('(Done)');
		await expect(stepNamed(page, 'Backup')).toContainText('npm run cli -- backup ../folio-backup');
		const { code, output } = await product.server.cli('backup', join(product.server.dataDir, 'backup'));
		expect(code, output).toBe(0);
		await expectDone(page, 'Backup');
		await expect(steps(page)).toContainText('Still missing before you can sell: Public address.');
	});

	await test.step('the address of an account is refused beside the field', async () => {
		await steps(page).getByRole('button', { name: 'Test purchase' }).click();
		const field = page.getByLabel('Email address of the test buyer');
		await field.fill(ownerEmail);
		await page.getByRole('button', { name: 'Make a test purchase' }).click();
		await expect(field).toHaveAccessibleDescription(/^This address already has an account\./u);
		await field.fill(buyerEmail);
		await page.getByRole('button', { name: 'Make a test purchase' }).click();
	});

	const dialog = dialogNamed(page, 'Test purchase');
	const mail = await mailbox().waitFor(buyerEmail);
	await test.step('the steps of the test purchase show what happens', async () => {
		await expectText(dialog, `The mail server accepted the login email to ${buyerEmail}. Check that inbox.`);
		await expectText(dialog, 'After that, the test buyer can read the book.');
		await dialog.getByRole('button', { name: 'Mark as Complete' }).click();
		await expectText(dialog, 'The order is Complete.');
		await expectText(dialog, 'The test buyer can read the book. Sign in with the login email, or see it here.');
	});

	await test.step('the order is marked on the orders page, and counts in no figure', async () => {
		await dialog.getByRole('link', { name: 'Open in Orders' }).click();
		const table = page.getByRole('table', { name: 'Manage Orders' });
		await expect(table.getByRole('textbox', { name: 'Email' })).toHaveValue(buyerEmail);
		await expect(table.getByText('Test', { exact: true })).toBeVisible();
		await expect(page.getByText('Total Orders').locator('..')).toContainText('0');
	});

	await test.step('the test buyer signs in with the mailed login and reads the book', async () => {
		const buyer = await enter(phone);
		await buyer.goto('/login');
		await fillLogin(buyer, buyerEmail, mail.password);
		await buyer.getByRole('link', { name: 'Read', exact: true }).first().click();
		await expect(buyer.locator('canvas').first()).toBeVisible();
		await buyer.goto(/\/order\/[\w-]+/u.exec(mail.text)?.[0] ?? '');
		await expectText(buyer, 'Test order. Nothing was paid, and nothing was sold.');
	});

	await test.step('one press removes the test purchase', async () => {
		await page.getByRole('button', { name: 'Test purchase' }).click();
		await dialog.getByRole('button', { name: 'Remove test purchase' }).click();
		await expectText(
			page,
			'The test purchase was removed: order and payment proof, and also account and emails if the account has no other order.',
		);
		await expect(dialog).toHaveCount(0);
		await expect(page.getByRole('button', { name: 'Test purchase' })).toBeFocused();
		await expectText(page, 'No orders found.');
		await page.goto(`/admin?search=${buyerEmail}`);
		await expect(page.getByText(buyerEmail)).toHaveCount(0);
	});

	await test.step('the dismissed checklist comes back only by its button', async () => {
		await page.goto('/admin');
		await expect(page.getByRole('link', { name: /^First steps/u })).toContainText('1');
		await steps(page).getByRole('button', { name: 'Dismiss' }).click();
		await expect(steps(page)).toHaveCount(0);
		await page.reload();
		await expect(page.getByRole('button', { name: 'Show first steps' })).toBeVisible();
		await expect(page.getByRole('link', { name: /^First steps/u })).toHaveCount(0);
		await expect(steps(page)).toHaveCount(0);
		await page.getByRole('button', { name: 'Show first steps' }).click();
		await expect(steps(page)).toBeVisible();
	});

	await test.step('on a phone only the next step is open, and the others open by the keyboard', async () => {
		const small = await enter({ signedInAs: 'owner', at: '/admin', ...phone });
		await expect(steps(small).getByRole('group')).toHaveCount(1);
		await expect(small.getByText('PUBLIC_URL=https://')).toBeVisible();
		await steps(small).locator('summary').focus();
		await small.keyboard.press('Enter');
		await expect(small.getByText('PUBLIC_URL=https://')).toBeHidden();
		await expectNoHorizontalOverflow(small);
	});
});
