import { expect, type Page } from '@playwright/test';
import { expectFieldError, expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { orderOf } from '../../support/browser/seeding.ts';
import { paintPicture } from '../../support/documents/sample-files.ts';
import { readMessages } from '../../support/texts/messages.ts';

const world = hostJourneys();
const phone = { width: 390, height: 844 };
const bank = { name: 'Example Bank', accountNumber: '0012 3456', ifsc: 'EXMP0000001', accountHolder: 'R. Rao' };
const script = /\/checkout-hydration-[^/]*\.js$/u;
const done = 'Purchase Complated Id Password sent on Email';

test.beforeAll(async () => {
	await world.owner.send('PUT', '/api/settings/book', {
		...(await world.owner.get<object>('/api/settings/book')),
		bank,
	});
});

/** Holds the script of the form until the returned function is called. */
async function delayScript(page: Page): Promise<() => void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	await page.route(script, async (route) => {
		await promise;
		await route.continue();
	});
	return resolve;
}

async function fill(page: Page, email: string): Promise<void> {
	const typed = { name: 'Meera Joshi', phone: '98230 55512', email, upiId: 'meera@examplebank' };
	for (const [field, text] of Object.entries(typed)) await page.locator(`#purchase-${field}`).fill(text);
	await page
		.locator('#purchase-screenshot')
		.setInputFiles({ name: 'paid.png', mimeType: 'image/png', buffer: await paintPicture() });
}

async function proofsOf(email: string): Promise<number> {
	return (await orderOf(world.owner, email)).proofCount;
}

test('a visitor who only looks loads no script of the form; it loads near the form', async ({ enter }) => {
	const page = await enter({ viewport: phone });
	const asked: string[] = [];
	page.on('request', (request) => asked.push(new URL(request.url()).pathname));
	const told = page.waitForRequest((request) => request.method() === 'POST');
	await page.goto('/');
	// The last that the page does by itself.
	await told;
	expect(asked.filter((path) => script.test(path))).toEqual([]);
	const coming = page.waitForRequest(script);
	await page.locator('#gain').evaluate((section) => section.scrollIntoView({ block: 'end' }));
	await coming;
});

for (const lang of ['en', 'hi'] as const) {
	test(`what is typed, chosen and pressed twice before the script is sent once it is there, ${lang}`, async ({
		enter,
	}) => {
		const words = readMessages('storefront/landing', lang);
		const page = await enter({ viewport: phone });
		const line = await page.context().newCDPSession(page);
		await line.send('Emulation.setCPUThrottlingRate', { rate: 4 });
		const release = await delayScript(page);
		const email = `early-${lang}@example.com`;
		await page.goto(`/?lang=${lang}`);
		await fill(page, email);
		// The pending copy of the pressed button gives way to the form.
		await page.locator('.copy-button').first().click();
		const submit = page.getByRole('button', { name: words('landing_submit'), exact: true });
		await submit.dblclick();
		// Sent by the browser itself it would be answered by another page.
		const loaded = page.waitForEvent('framenavigated').then(() => 'another page');
		// Four times the time of others, on a quarter of the processor.
		const said = expect(page.getByText(words('landing_done_title'))).toBeVisible();
		release();
		expect(await Promise.race([loaded, said.then(() => 'the same page')])).toBe('the same page');
		expect(await proofsOf(email)).toBe(1);
	});
}

test('a fault in what was pressed early is named beside its field, and the chosen picture stays', async ({ enter }) => {
	const page = await enter({ viewport: phone });
	const release = await delayScript(page);
	await page.goto('/');
	await fill(page, 'no address');
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

test('a row copied before the script is copied once it is there', async ({ enter }) => {
	const page = await enter({ permissions: ['clipboard-read', 'clipboard-write'] });
	const release = await delayScript(page);
	await page.goto('/');
	await page.getByRole('button', { name: 'Copy IFSC' }).click();
	release();
	await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(bank.ifsc);
});

test('where the script cannot be fetched, the browser sends the form itself', async ({ enter }) => {
	const page = await enter({ viewport: phone });
	await page.route(script, (route) => route.abort());
	await page.goto('/');
	await fill(page, 'no-line@example.com');
	await page.getByRole('button', { name: 'Submit Details' }).click();
	await expectText(page, done);
	await expect(page).toHaveURL(/purchase=done/u);
	expect(await proofsOf('no-line@example.com')).toBe(1);
});

test('where the script does not come in time, the browser sends what was pressed', async ({ enter }) => {
	const page = await enter({ viewport: phone });
	await page.clock.install();
	await delayScript(page);
	await page.goto('/');
	await fill(page, 'too-slow@example.com');
	await page.getByRole('button', { name: 'Submit Details' }).click();
	await expect(page.locator('#purchase')).toHaveClass(/is-pending/u);
	await page.clock.fastForward(5000);
	await expectText(page, done);
	expect(await proofsOf('too-slow@example.com')).toBe(1);
});
