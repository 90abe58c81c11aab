import { expect, type Page } from '@playwright/test';
import { expectFieldError, expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { fillCheckoutForm } from '../../support/browser/public-forms.ts';
import { orderOf } from '../../support/browser/seeding.ts';
import { readMessages } from '../../support/texts/messages.ts';

const world = hostJourneys();
const phone = { width: 390, height: 844 };
const bank = { name: 'Example Bank', accountNumber: '0012 3456', ifsc: 'EXMP0000001', accountHolder: 'R. Rao' };
const script = /\/checkout-hydration-[^/]*\.js$/u;
const done = 'Purchase Complated Id Password sent on Email';

test.beforeAll(async () => {
	const settings = await world.owner.get<object>('/api/settings/book');
	await world.owner.send('PUT', '/api/settings/book', { ...settings, bank });
});

/** Delays the script of the form until the returned function is called. */
async function delayScript(page: Page): Promise<() => void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	await page.route(script, async (route) => {
		await promise;
		await route.continue();
	});
	return resolve;
}

async function proofsOf(email: string): Promise<number> {
	return (await orderOf(world.owner, email)).proofCount;
}

test('the script of the checkout form loads only when the visitor scrolls near the form', async ({ enter }) => {
	const page = await enter({ viewport: phone });
	const asked: string[] = [];
	page.on('request', (request) => asked.push(new URL(request.url()).pathname));
	const told = page.waitForRequest((request) => request.method() === 'POST');
	await page.goto('/');
	// This request is the last that the page sends by itself.
	await told;
	expect(asked.filter((path) => script.test(path))).toEqual([]);
	const coming = page.waitForRequest(script);
	await page.locator('#gain').evaluate((section) => section.scrollIntoView({ block: 'end' }));
	await coming;
});

for (const lang of ['en', 'hi'] as const) {
	test(`a form that is submitted twice before its script has loaded is sent once after it, ${lang}`, async ({
		enter,
	}) => {
		const words = readMessages('storefront/landing', lang);
		const page = await enter({ viewport: phone });
		const line = await page.context().newCDPSession(page);
		await line.send('Emulation.setCPUThrottlingRate', { rate: 4 });
		const release = await delayScript(page);
		const email = `early-${lang}@example.com`;
		await page.goto(`/?lang=${lang}`);
		await fillCheckoutForm(page, { email });
		// The submission of the form takes precedence over this pending press of a copy button.
		await page.locator('.copy-button').first().click();
		const submit = page.getByRole('button', { name: words('landing_submit'), exact: true });
		await submit.dblclick();
		// A form that the browser sends itself is answered with another page.
		const loaded = page.waitForEvent('framenavigated').then(() => 'another page');
		const said = expect(page.getByText(words('landing_done_title'))).toBeVisible();
		release();
		expect(await Promise.race([loaded, said.then(() => 'the same page')])).toBe('the same page');
		expect(await proofsOf(email)).toBe(1);
	});
}

test('an error of a form submitted before its script has loaded is shown beside its field, and the screenshot stays', async ({
	enter,
}) => {
	const page = await enter({ viewport: phone });
	const release = await delayScript(page);
	await page.goto('/');
	await fillCheckoutForm(page, { email: 'no address' });
	await page.getByRole('button', { name: 'Submit Details' }).click();
	release();
	await expectFieldError(page.locator('#purchase-email'), readMessages('core/errors', 'en')('error_email_format'));
	await expect(page.locator('#purchase-email')).toBeFocused();
	await expect(page.locator('#purchase-email')).toHaveValue('no address');
	await expect(page.locator('.drop-box')).toContainText('paid.png');
	await page.locator('#purchase-email').fill('mended@example.com');
	await page.getByRole('button', { name: 'Submit Details' }).click();
	await expectText(page, done);
	expect(await proofsOf('mended@example.com')).toBe(1);
});

test('a copy button that is pressed before its script has loaded copies after it has loaded', async ({ enter }) => {
	const page = await enter({ permissions: ['clipboard-read', 'clipboard-write'] });
	const release = await delayScript(page);
	await page.goto('/');
	await page.getByRole('button', { name: 'Copy IFSC' }).click();
	release();
	await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(bank.ifsc);
});

test('the browser sends the checkout form itself when its script cannot be loaded', async ({ enter }) => {
	const page = await enter({ viewport: phone });
	await page.route(script, (route) => route.abort());
	await page.goto('/');
	await fillCheckoutForm(page, { email: 'no-line@example.com' });
	await page.getByRole('button', { name: 'Submit Details' }).click();
	await expectText(page, done);
	await expect(page).toHaveURL(/purchase=done/u);
	expect(await proofsOf('no-line@example.com')).toBe(1);
});

test('the browser sends the submitted checkout form itself when its script loads too late', async ({ enter }) => {
	const page = await enter({ viewport: phone });
	await page.clock.install();
	await delayScript(page);
	await page.goto('/');
	await fillCheckoutForm(page, { email: 'too-slow@example.com' });
	await page.getByRole('button', { name: 'Submit Details' }).click();
	await expect(page.locator('#purchase')).toHaveClass(/is-pending/u);
	await page.clock.fastForward(5000);
	await expectText(page, done);
	expect(await proofsOf('too-slow@example.com')).toBe(1);
});
