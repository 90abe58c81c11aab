import { expect } from '@playwright/test';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { orderOf } from '../../support/browser/seeding.ts';
import { paintPicture } from '../../support/documents/sample-files.ts';
import { ownerEmail, ownerPassword } from '../../support/services/built-server.ts';
import { type Mailbox, startMailbox } from '../../support/services/mailbox.ts';
import { createClient, listAll } from '../../support/services/server-client.ts';

let mailbox: Mailbox;
test.beforeAll(async () => {
	mailbox = await startMailbox();
});
const world = hostJourneys(() => ({ SMTP_URL: mailbox.url }));
test.afterAll(() => mailbox.close());

test("a checkout with the owner's email address gives the usual answer and leaves the owner's login unchanged", async ({
	enter,
}) => {
	const before = await findOwner();
	// Another spelling of the same address.
	const email = ownerEmail.replace('owner', 'Owner');
	const page = await enter();
	await page.goto('/#book');
	await page.getByLabel('Name', { exact: true }).fill('Somebody Else');
	await page.getByLabel('Phone', { exact: true }).fill('98230 55512');
	await page.getByLabel('Email', { exact: true }).fill(email);
	await page.getByLabel('UPI ID', { exact: true }).fill('else@examplebank');
	const picture = { name: 'paid.png', mimeType: 'image/png', buffer: await paintPicture() };
	await page.getByLabel('Payment screenshot').setInputFiles(picture);
	await page.getByRole('button', { name: 'Submit Details' }).click();
	await expectText(page, 'Purchase Complated Id Password sent on Email');

	const mail = await mailbox.waitFor(ownerEmail, 'This address has a login already');
	expect(mail.password).toBe('');
	expect(await orderOf(world.owner, email)).toMatchObject({ name: 'Somebody Else', status: 'Pending', price: 499 });

	const after = await findOwner();
	expect(after).toEqual({ ...before, name: after.name, order: 'pending' });
	expect((await world.owner.get<{ role: string }>('/api/me')).role).toBe('admin');
	const login = await enter();
	await login.goto('/login');
	await login.getByLabel('Email').fill(ownerEmail);
	await login.getByLabel('Password', { exact: true }).fill(ownerPassword);
	await login.getByRole('button', { name: 'Login' }).click();
	await expect(login).toHaveURL(/\/admin$/u);
	expect(await createClient(world.url).signIn(ownerEmail, 'Somebody Else')).toBe(401);
});

async function findOwner(): Promise<UserSummary> {
	const owners = (await listAll<UserSummary>(world.owner, '/api/users')).filter(({ email }) => email === ownerEmail);
	expect(owners).toHaveLength(1);
	return owners[0] as UserSummary;
}
