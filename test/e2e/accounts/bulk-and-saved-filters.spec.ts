import { expect, type Page } from '@playwright/test';
import type { UserSummary } from '#contract/accounts/administration.ts';
import {
	expectFieldError,
	expectNoHorizontalOverflow,
	expectText,
	hostJourneysWithMail,
	liveUpdateTimeout,
	phone,
	test,
	waitForEventStream,
} from '../../support/browser/journey.ts';
import { addUser, buy, orderOf } from '../../support/browser/seeding.ts';

const { product, mailbox } = hostJourneysWithMail();

const dialogOf = (page: Page) => page.getByRole('dialog');
const barOf = (page: Page) => page.getByRole('region', { name: 'Selection' });
const cardOf = (page: Page, email: string) => page.getByRole('article').filter({ hasText: email });

async function openSaved(page: Page, name: string, item: string): Promise<void> {
	await page.getByRole('button', { name, exact: true }).click();
	await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Runs a bulk action for the selected users, and waits for its result. */
async function runAction(page: Page, name: string, result: string): Promise<void> {
	await barOf(page).getByRole('button', { name, exact: true }).click();
	await dialogOf(page).getByRole('button', { name }).click();
	await expectText(dialogOf(page), result);
}

const closeResult = (page: Page) => dialogOf(page).getByRole('button', { name: 'Close', exact: true }).last().click();

async function saveAs(page: Page, name: string): Promise<void> {
	await openSaved(page, 'Saved filters', 'Save current as…');
	await dialogOf(page).getByLabel('Name').fill(name);
	await page.keyboard.press('Enter');
}

test('filtered orders are saved under a name, and a reload and Back show the same list', async ({ enter }) => {
	for (const [index, name] of ['Asha One', 'Asha Two', 'Bina'].entries()) {
		const email = `${name.toLowerCase().replace(' ', '-')}@example.com`;
		const form = { phone: '98230 55512', upiId: 'a@upi', utr: '', colour: `#11${index}${index}55` };
		await buy(product.url, { name, email, ...form });
	}
	const complete = await orderOf(product.owner, 'bina@example.com');
	await product.owner.send('PUT', `/api/orders/${complete.id}`, { ...complete, status: 'Complete' });

	const page = await enter({ signedInAs: 'owner', at: '/Bookdashboard' });
	const names = page.getByRole('textbox', { name: /^Name/u });
	await expect(names).toHaveCount(3);
	await page.getByRole('searchbox').fill('asha');
	await expect(names).toHaveCount(2);
	await page.getByRole('button', { name: /^Pending/u }).click();
	await page.getByRole('combobox', { name: 'Sort' }).selectOption('Oldest first');
	await expect(names.first()).toHaveValue('Asha One');
	const address = '/Bookdashboard?search=asha&status=Pending&sort=oldest';
	await expect(page).toHaveURL(address);
	await saveAs(page, 'Asha unpaid');
	await expectText(page, 'Saved as “Asha unpaid”.');
	await page.reload();
	await expect(page.getByRole('button', { name: 'Asha unpaid', exact: true })).toBeVisible();
	await expect(names).toHaveCount(2);
	await expect(names.first()).toHaveValue('Asha One');

	await page.getByRole('link', { name: 'Users', exact: true }).click();
	await expect(page.getByRole('article').first()).toBeVisible();
	await page.goBack();
	await expect(page).toHaveURL(address);
	await expect(names.first()).toHaveValue('Asha One');
	await page.getByRole('combobox', { name: 'Sort' }).selectOption('Newest first');
	await expect(names.first()).toHaveValue('Asha Two');
	await page.getByRole('button', { name: /^All/u }).click();
	await expect(page).toHaveURL('/Bookdashboard?search=asha');

	// The name of saved filters replaces them. The list of users has filters of its own.
	await saveAs(page, 'asha UNPAID');
	await expect(dialogOf(page)).toBeHidden();
	await openSaved(page, 'Asha unpaid', 'Rename “Asha unpaid”…');
	await dialogOf(page).getByLabel('Name').fill(' ');
	await page.keyboard.press('Enter');
	await expectFieldError(dialogOf(page).getByLabel('Name'), 'Please fill in this field.');
	await dialogOf(page).getByLabel('Name').fill('All of Asha');
	await page.keyboard.press('Enter');
	await page.goto('/Bookdashboard?status=Complete');
	await openSaved(page, 'Saved filters', 'All of Asha');
	await expect(page).toHaveURL('/Bookdashboard?search=asha');
	await page.goBack();
	await expect(page).toHaveURL('/Bookdashboard?status=Complete');
	await page.goForward();
	await openSaved(page, 'All of Asha', 'Delete “All of Asha”…');
	await dialogOf(page).getByRole('button', { name: 'Delete', exact: true }).click();
	await page.getByRole('button', { name: 'Saved filters', exact: true }).click();
	await expect(page.getByText('Nothing saved yet.')).toBeVisible();
});

test('all users who match are deactivated and activated again, and a member who reads is signed out', async ({
	enter,
}) => {
	for (let number = 10; number < 25; number += 1) await addUser(product.owner, `reader-${number}@crowd.example`);
	const member = await enter({ signedInAs: 'reader-10@crowd.example' });
	const connected = waitForEventStream(member);
	await member.goto('/dashboard');
	await connected;

	const page = await enter({ signedInAs: 'owner', at: '/admin' });
	await page.getByRole('searchbox', { name: 'Search by email' }).fill('crowd.example');
	await expect(page).toHaveURL('/admin?search=crowd.example');
	await page.getByRole('combobox', { name: 'Sort' }).selectOption('Email, A to Z');
	await expect(page.getByRole('article')).toHaveCount(12);
	await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
	await expect(barOf(page)).toContainText('12 selected');
	await page.getByRole('button', { name: 'Select all 15 that match' }).click();
	await expect(barOf(page)).toContainText('15 selected');
	await barOf(page).getByRole('button', { name: 'Deactivate' }).click();
	await expectText(dialogOf(page), 'Deactivate 15 users?');
	await page.keyboard.press('Escape');
	await expect(dialogOf(page)).toBeHidden();
	await runAction(page, 'Deactivate', '15 users deactivated.');
	await expect(member).toHaveURL(/\/login/u, liveUpdateTimeout);
	// The result stays until it is closed.
	await page.keyboard.press('Escape');
	await closeResult(page);
	await expect(barOf(page)).toBeHidden();
	await expect(page.getByRole('article').getByText('Deactivated', { exact: true })).toHaveCount(12);

	await page.getByRole('button', { name: 'Next' }).click();
	await expect(page.getByRole('article')).toHaveCount(3);
	const secondPage = page.url();
	await page.reload();
	await expect(page.getByRole('article')).toHaveCount(3);
	await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
	await page.getByRole('button', { name: 'Previous' }).click();
	await page.getByRole('checkbox', { name: 'Select reader-10@crowd.example' }).check();
	await expect(barOf(page)).toContainText('4 selected');
	await setActive('reader-24@crowd.example', true);
	await runAction(page, 'Activate', '3 users activated.');
	await expect(dialogOf(page)).toContainText('Skipped: 1');
	await expect(dialogOf(page)).toContainText('Active already: 1');
	await expect(dialogOf(page)).toContainText('reader-24@crowd.example');
	await closeResult(page);

	// An address with a damaged or outdated cursor shows the first page.
	await page.goto(secondPage.replace(/after=[^&]+/u, 'after=damaged'));
	await expect(page.getByRole('article')).toHaveCount(12);
	await expect(page).toHaveURL('/admin?search=crowd.example&sort=email');
	await page.goto(secondPage.replace('sort=email', 'sort=newest'));
	await expect(page).toHaveURL('/admin?search=crowd.example&sort=newest');
	await page.goto('/admin?status=odd&role=x&page=-3&book=none&search=crowd.example');
	await expect(page.getByRole('article')).toHaveCount(12);
});

async function setActive(email: string, active: boolean): Promise<void> {
	const { items } = await product.owner.get<{ items: UserSummary[] }>(`/api/users?search=${email}`);
	await product.owner.send('POST', `/api/users/${items[0]?.id}/active`, { active });
}

test('on a phone, the book and logins are given to several users by keyboard, and the mails arrive', async ({
	enter,
}) => {
	for (const name of ['first', 'second', 'third']) await addUser(product.owner, `${name}@phone.example`);
	await setActive('third@phone.example', false);
	const page = await enter({ ...phone, signedInAs: 'owner', at: '/admin?search=phone.example&sort=email' });
	await expect(page.getByRole('article')).toHaveCount(3);
	await expect(page.getByRole('checkbox')).toHaveCount(0);
	await page.getByRole('button', { name: 'Select', exact: true }).focus();
	await page.keyboard.press('Enter');
	await page.getByRole('checkbox', { name: 'Select all on this page' }).focus();
	await page.keyboard.press('Space');
	await expect(barOf(page)).toContainText('3 selected');
	await page.getByRole('checkbox', { name: 'Select second@phone.example' }).focus();
	await page.keyboard.press('Space');
	await expect(barOf(page)).toContainText('2 selected');
	await expectNoHorizontalOverflow(page);

	await barOf(page).getByRole('button', { name: 'Resend login' }).focus();
	await page.keyboard.press('Enter');
	await expectText(dialogOf(page), 'Resend the login to 2 users?');
	await dialogOf(page).getByRole('button', { name: 'Resend login' }).focus();
	await page.keyboard.press('Enter');
	await expectText(dialogOf(page), '1 email is in the outbox.');
	await expect(dialogOf(page)).toContainText('Deactivated, so no login: 1');
	await expectNoHorizontalOverflow(page);
	const mail = await mailbox().waitFor('first@phone.example');
	expect(mail.link).toContain('/set-password');
	await page.keyboard.press('Enter');
	await expect(dialogOf(page)).toBeHidden();
	await expect(barOf(page)).toBeHidden();

	await page.getByRole('checkbox', { name: 'Select first@phone.example' }).check();
	await runAction(page, 'Give the book', '1 user has the book now.');
	await closeResult(page);
	await expect(cardOf(page, 'first@phone.example')).toContainText('Book access');

	await product.owner.send('POST', '/api/groups', { name: 'Book club' });
	await page.getByRole('checkbox', { name: 'Select first@phone.example' }).check();
	await barOf(page).getByRole('button', { name: 'Add to group' }).click();
	const confirm = dialogOf(page).getByRole('button', { name: 'Add to group' });
	const groupField = dialogOf(page).getByLabel('Group');
	await expect(groupField).toBeVisible();
	await confirm.click();
	await expectFieldError(groupField, 'Choose a group');
	await groupField.selectOption('Book club');
	await confirm.click();
	await expectText(dialogOf(page), '1 user added to the group.');
	await closeResult(page);
	await page.getByRole('combobox', { name: 'Filter by group' }).selectOption('Book club');
	await expect(page.getByRole('article')).toHaveCount(1);
	await expectNoHorizontalOverflow(page);
	await page.getByRole('combobox', { name: 'Filter by group' }).selectOption('Any group');
	await page.getByRole('button', { name: 'Done', exact: true }).click();
	await expect(page.getByRole('checkbox')).toHaveCount(0);
	await page.getByRole('combobox', { name: 'Filter by book access' }).selectOption('Book access');
	await expect(page.getByRole('article')).toHaveCount(1);
	await expect(page).toHaveURL('/admin?search=phone.example&sort=email&book=open');
});
