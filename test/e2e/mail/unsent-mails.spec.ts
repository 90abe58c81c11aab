import { expect } from '@playwright/test';
import { expectText, hostJourneysWithMail, test } from '../../support/browser/journey.ts';
import { addUser } from '../../support/browser/seeding.ts';

const { product, mailbox } = hostJourneysWithMail();

test('an owner copies the login link of a mail that was not sent, and sends the mail again', async ({ enter }) => {
	const email = 'refused@example.com';
	const { id } = await addUser(product.owner, email);
	mailbox().refuseWith(550);
	await product.owner.send('POST', `/api/chats/${id}/login`, {});
	const countUnsent = async () => (await product.owner.get<{ items: unknown[] }>('/api/outbox/unsent')).items.length;
	await expect.poll(countUnsent).toBe(1);
	mailbox().refuseWith(null);

	const owner = await enter({
		signedInAs: 'owner',
		permissions: ['clipboard-read', 'clipboard-write'],
		at: '/admin/mail',
	});
	const mails = owner.getByRole('region', { name: 'Emails not sent' });
	await expect(mails.getByRole('listitem')).toContainText(['550']);
	await mails.getByRole('button', { name: `Copy login link for ${email}` }).click();
	await expectText(owner, `Login link copied. It works once, for 7 days. Send it only to ${email}.`);
	const link = await owner.evaluate(() => navigator.clipboard.readText());
	const member = await enter({ at: link });
	await expect(member.getByLabel('New password')).toBeVisible();

	await mails.getByRole('button', { name: `Send again to ${email}` }).click();
	await expectText(owner, `The email to ${email} will be sent again.`);
	await expect(mails.getByText('No unsent emails.')).toBeVisible();
	await mailbox().waitFor(email, '/set-password');
});
