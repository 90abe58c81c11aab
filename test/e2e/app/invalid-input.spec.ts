import { expect, type Locator, type Page } from '@playwright/test';
import { expectFieldError, expectNoHorizontalOverflow, hostJourneys, test } from '../../support/browser/journey.ts';
import { buy } from '../../support/browser/seeding.ts';
import { readMessages } from '../../support/texts/messages.ts';

const product = hostJourneys();

const textFields = ['name', 'phone', 'email', 'upiId'] as const;
type Typed = Record<(typeof textFields)[number], string>;

const markup = '<img src=x onerror=alert(1)>';
const devanagari = 'श्री क्षेत्रपाल विद्यार्थी';
const unusualTexts = [markup, '🧑🏽‍🌾 🙂 👨‍👩‍👧', devanagari, 'ङ'.repeat(300)];
const ordinary: Typed = {
	name: 'Meera Joshi',
	phone: '98230 55512',
	email: 'meera@example.com',
	upiId: 'meera@examplebank',
};

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>');
const invalidPictures = [
	{ name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
	{ name: 'drawing.png', mimeType: 'image/png', buffer: svg },
	{ name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') },
];

const fieldOf = (page: Page, field: keyof Typed | 'screenshot') => page.locator(`#purchase-${field}`);

async function type(page: Page, typed: Typed): Promise<void> {
	for (const field of textFields) await fieldOf(page, field).fill(typed[field]);
}

async function expectTyped(page: Page, typed: Typed): Promise<void> {
	for (const field of textFields) await expect(fieldOf(page, field)).toHaveValue(typed[field]);
}

for (const { script, lang } of [
	{ script: 'with', lang: 'hi' },
	{ script: 'without', lang: 'en' },
] as const) {
	test(`the checkout form ${script} JavaScript in ${lang} shows each error beside its field and keeps the entered values`, async ({
		enter,
	}) => {
		const javaScriptEnabled = script === 'with';
		const page = await enter({ javaScriptEnabled, viewport: { width: 360, height: 900 } });
		const landing = readMessages('storefront/landing', lang);
		const errors = readMessages('core/errors', lang);
		const button = page.getByRole('button', { name: landing('landing_submit'), exact: true });
		/** Without JavaScript, waits for the next page, because the current page may already show the expected error. */
		const submit = async () => {
			const isLoaded = javaScriptEnabled ? undefined : page.waitForEvent('load');
			await button.click();
			await isLoaded;
		};
		await page.goto(`/?lang=${lang}`);

		for (const [text, code] of [
			['', 'error_field_required'],
			['   ', 'error_field_required'],
			['ख'.repeat(301), 'error_field_too_long'],
		] as const) {
			await test.step(`refuses ${text.length} characters in every field`, async () => {
				const typed = { name: text, phone: text, email: text.trim(), upiId: text };
				await type(page, typed);
				await submit();
				for (const field of textFields) await expectFieldError(fieldOf(page, field), errors(code));
				await expectFieldError(fieldOf(page, 'screenshot'), errors('error_screenshot_required'));
				await expectTyped(page, typed);
				await expectNoHorizontalOverflow(page);
			});
		}
		for (const email of ['meera', 'meera@example', markup]) {
			await test.step(`refuses the email address ${email}`, async () => {
				await type(page, { ...ordinary, email });
				await submit();
				await expectFieldError(fieldOf(page, 'email'), errors('error_email_format'));
				await expectTyped(page, { ...ordinary, email });
			});
		}
		for (const file of invalidPictures) {
			await test.step(`refuses the screenshot ${file.name}`, async () => {
				await type(page, { ...ordinary, name: file.name });
				await fieldOf(page, 'screenshot').setInputFiles(file);
				await submit();
				await expectFieldError(fieldOf(page, 'screenshot'), errors('error_screenshot_not_image'));
				await expectTyped(page, { ...ordinary, name: file.name });
				await expectNoHorizontalOverflow(page);
			});
		}
		expect((await product.owner.get<{ total: number }>('/api/orders?search=meera%40example.com')).total).toBe(0);
	});
}

test('unusual input is shown as plain text on the orders page and the users screen', async ({ enter }) => {
	for (const [index, text] of unusualTexts.entries())
		await buy(product.url, { name: text, phone: text, email: `strange-${index}@example.com`, upiId: text });

	const ordersPage = await enter({ signedInAs: 'owner' });
	for (const width of [1440, 360]) {
		await ordersPage.setViewportSize({ width, height: 900 });
		await ordersPage.goto('/Bookdashboard?search=strange-');
		for (const [index, text] of unusualTexts.entries()) {
			const row = rowOf(ordersPage, `strange-${index}@example.com`);
			for (const name of ['Name', 'Phone', 'UPI ID'])
				await expect(row.getByRole('textbox', { name })).toHaveValue(text);
		}
		await expect(ordersPage.locator('img[src="x"]')).toHaveCount(0);
		await expectNoHorizontalOverflow(ordersPage);
	}
	await ordersPage.setViewportSize({ width: 1440, height: 900 });
	await ordersPage.getByRole('button', { name: `Screenshot of ${markup}` }).click();
	await expect(ordersPage.getByRole('heading', { name: `Screenshot of ${markup}` })).toBeVisible();
	await ordersPage.goto('/admin?search=strange-');
	await expect(ordersPage.getByRole('heading', { name: markup })).toBeVisible();
	await expect(ordersPage.getByRole('heading', { name: devanagari })).toBeVisible();
	await expect(ordersPage.locator('img[src="x"]')).toHaveCount(0);
	await expectNoHorizontalOverflow(ordersPage);
});

function rowOf(page: Page, email: string): Locator {
	return page
		.locator('tr, li')
		.filter({ has: page.getByRole('textbox', { name: 'Email' }).and(page.locator(`[value="${email}"]`)) });
}
