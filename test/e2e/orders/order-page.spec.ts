import { expect, type Page } from '@playwright/test';
import { fillCheckoutForm, fillLogin, paintScreenshot } from '../../support/browser/forms.ts';
import { hostJourneysWithMail, test } from '../../support/browser/journey.ts';
import { orderOf } from '../../support/browser/seeding.ts';

const { product, mailbox } = hostJourneysWithMail();

async function submit(page: Page, email: string): Promise<void> {
	await page.goto('/#book');
	await fillCheckoutForm(page, { email });
	await page.getByRole('button', { name: 'Submit Details' }).click();
	const code = await page.locator('.confirmation-code strong').textContent();
	await page.getByRole('link', { name: 'See your order' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(code ?? '');
	await expect(page.getByText('What you sent')).toBeVisible();
}

for (const javaScriptEnabled of [true, false]) {
	const how = javaScriptEnabled ? 'with' : 'without';
	const tag = javaScriptEnabled ? [] : ['@variant'];
	test(`the order page ${how} JavaScript corrects the email address, accepts another screenshot and shows the receipt`, {
		tag,
	}, async ({ enter }) => {
		const buyer = await enter({ javaScriptEnabled, viewport: { width: 360, height: 780 } });
		const [wrong, right] = [`wrong-${javaScriptEnabled}@example.com`, `right-${javaScriptEnabled}@example.com`];
		await submit(buyer, wrong);

		await buyer.getByLabel('Your email').fill('no address');
		await buyer.getByRole('button', { name: 'Correct the email' }).click();
		await expect(buyer.getByText('Enter a full address')).toBeVisible();
		await buyer.getByLabel('Your email').fill(right);
		await buyer.getByRole('button', { name: 'Correct the email' }).click();
		await expect(buyer.getByText('The login is on its way to the new address.')).toBeVisible();
		const mail = await mailbox().waitFor(right);

		await test.step('the owner asks for another screenshot', async () => {
			const owner = await enter({ signedInAs: 'owner', at: `/Bookdashboard?search=${right}` });
			await owner.getByRole('button', { name: 'Note to the buyer' }).click();
			await owner.getByRole('textbox', { name: 'Note to the buyer' }).fill('The amount is cut off.');
			await owner.getByRole('button', { name: 'Ask for a new proof' }).click();
			await expect(owner.getByRole('button', { name: 'Note to the buyer: New proof requested' })).toBeVisible();
		});
		await buyer.reload();
		await expect(buyer.getByText('The amount is cut off.')).toBeVisible();
		await buyer.getByRole('button', { name: 'Send the screenshot' }).click();
		await expect(buyer.getByText('Please attach the payment screenshot.')).toBeVisible();
		const field = buyer.getByLabel('Payment screenshot');
		await expect(buyer.getByText('Choose an image', { exact: true })).toBeVisible();
		// The browser's own button would be in the language of the browser.
		await expect(field).toHaveCSS('opacity', '0');
		const preview = buyer.getByRole('img', { name: 'The screenshot that you chose' });
		if (javaScriptEnabled) {
			await field.setInputFiles({ name: 'words.png', mimeType: 'image/png', buffer: Buffer.from('words') });
			await expect(preview).toHaveCount(0);
		}
		const chooser = buyer.waitForEvent('filechooser');
		// Until a file is chosen, the invisible input covers the button.
		await buyer.getByText('Choose an image', { exact: true }).click({ force: true });
		await (await chooser).setFiles(await paintScreenshot('again.png'));
		// Shows the name of the file.
		await expect(field).toHaveCSS('opacity', '1');
		await expect(preview).toHaveCount(javaScriptEnabled ? 1 : 0);
		await buyer.getByRole('button', { name: 'Send the screenshot' }).click();
		await expect(buyer.getByText('Thank you. We have your screenshot.')).toBeVisible();

		const order = await orderOf(product.owner, right);
		expect(order).toMatchObject({ proofCount: 2, note: null, isProofWanted: false });
		await product.owner.send('PUT', `/api/orders/${order.id}`, { ...order, status: 'Complete' });
		await buyer.reload();
		await buyer.getByRole('link', { name: 'Receipt' }).click();
		for (const text of [order.code, 'Meera Nair', '₹499']) await expect(buyer.getByText(text).first()).toBeVisible();

		const reader = await enter({ at: '/login' });
		await fillLogin(reader, right, mail.password);
		await expect(reader).toHaveURL(/\/dashboard/u);
	});
}
