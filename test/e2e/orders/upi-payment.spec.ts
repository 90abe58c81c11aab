import { expect, type Page } from '@playwright/test';
import decodeQr from 'jsqr';
import sharp from 'sharp';
import { openBookSettings } from '../../support/browser/forms.ts';
import { expectNoHorizontalOverflow, expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { changeBook } from '../../support/browser/seeding.ts';

const product = hostJourneys();
const payee = { id: 'books@examplebank', name: 'Build & Söhne पुस्तक' };

/** Decodes the QR code from a scaled, blurred and compressed screenshot, which is similar to a photograph. */
async function readFromPhotograph(page: Page): Promise<string | undefined> {
	await page.locator('.qr-card').scrollIntoViewIfNeeded();
	const screen = await page.screenshot();
	const { width } = await sharp(screen).metadata();
	const photograph = await sharp(screen)
		.resize({ width: Math.round(width * 0.8) })
		.blur(0.6)
		.jpeg({ quality: 60 })
		.toBuffer();
	const { data, info } = await sharp(photograph).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
	return decodeQr(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

test('with a UPI ID in the settings, the QR code contains the payee and the current price', async ({ enter }) => {
	const owner = await enter({ signedInAs: 'owner' });
	await openBookSettings(owner);
	await owner.getByLabel('UPI ID', { exact: true }).fill(payee.id);
	await owner.getByLabel('Payee name').fill(payee.name);
	await owner.getByRole('button', { name: 'Save Changes' }).click();
	await expectText(owner, 'Settings updated successfully!');
	await owner.getByRole('button', { name: 'Book Dashboard' }).click();
	const notice = 'Not shown while a UPI ID is set: buyers see a QR code drawn from it, with the current price.';
	await expect(owner.getByRole('dialog').getByText(notice)).toBeVisible();
	await owner.keyboard.press('Escape');
	await expect(owner.getByRole('dialog')).toHaveCount(0);

	const visitors = [
		await enter({ viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true }),
		await enter({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, colorScheme: 'dark' }),
		await enter({ colorScheme: 'light' }),
		await enter({ colorScheme: 'dark' }),
	];
	for (const price of [499, 349.5]) {
		await changeBook(product.owner, { discountedPrice: price });
		for (const visitor of visitors) {
			// The URL has no fragment, because a changed fragment would not load the page again.
			await visitor.goto('/');
			const link = new URL((await readFromPhotograph(visitor)) ?? 'nothing:');
			expect(link.href).toMatch(/^upi:\/\/pay\?/u);
			const { pa, pn, am, cu } = Object.fromEntries(link.searchParams);
			expect({ pa, pn, am, cu }).toEqual({ pa: payee.id, pn: payee.name, am: price.toFixed(2), cu: 'INR' });
			expect(await visitor.locator('.pay-button').getAttribute('href')).toBe(link.href);
			await expectNoHorizontalOverflow(visitor);
		}
	}
});

test('only phones show the pay button, and the payment details are shown without JavaScript', async ({ enter }) => {
	await changeBook(product.owner, { upi: payee });
	const computer = await enter({ javaScriptEnabled: false, at: '/#book' });
	await expect(computer.locator('.qr-drawn')).toBeVisible();
	await expect(computer.locator('.pay-button')).toBeHidden();
	await expect(computer.getByText(payee.id)).toBeVisible();

	const phone = await enter({
		javaScriptEnabled: false,
		viewport: { width: 360, height: 800 },
		hasTouch: true,
		isMobile: true,
		userAgent: 'Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/130.0 Mobile Instagram 350.0',
	});
	await phone.goto('/#book');
	await expect(phone.locator('.pay-button')).toBeVisible();
	await expect(phone.getByText('open this page in your browser')).toBeVisible();
});
