import { expect, type Page } from '@playwright/test';
import { fillCheckoutForm, paintScreenshot } from '../../support/browser/forms.ts';
import {
	expectFieldError,
	expectNoHorizontalOverflow,
	expectText,
	failRequests,
	holdRequests,
	hostJourneys,
	test,
} from '../../support/browser/journey.ts';
import { changeBook, exampleBank, orderOf } from '../../support/browser/seeding.ts';
import { readMessages } from '../../support/texts/messages.ts';

const product = hostJourneys();
const phone = { width: 360, height: 780 };
const done = 'Purchase Complated Id Password sent on Email';

const buyer = { name: 'मीरा जोशी', phone: '98230 55512', upiId: 'meera@examplebank', utr: '532411870999' };

test('the Hindi checkout without JavaScript accepts an order and a second payment proof', async ({ enter }) => {
	const page = await enter({ javaScriptEnabled: false, viewport: phone });
	const landing = readMessages('storefront/landing', 'hi');
	const errors = readMessages('core/errors', 'hi');
	const order = readMessages('orders/order-page', 'hi');
	const typed = { ...buyer, email: 'no.script@example.com' };

	await page.goto('/');
	await page.getByRole('link', { name: 'हिन्दी' }).first().click();
	const submit = page.getByRole('button', { name: landing('landing_submit'), exact: true });

	await test.step('a refused form keeps the entered values and requests the screenshot again', async () => {
		await fillCheckoutForm(page, { ...typed, email: 'no address' });
		await submit.click();
		await expectFieldError(page.locator('#purchase-email'), errors('error_email_format'));
		for (const [field, text] of Object.entries({ ...typed, email: 'no address' }))
			await expect(page.locator(`#purchase-${field}`)).toHaveValue(text);
		await expect(page.getByText(landing('landing_checkout_choose_again'))).toBeVisible();
		await expectNoHorizontalOverflow(page);
	});

	await test.step('the confirmation of an accepted form links to the order page', async () => {
		await page.locator('#purchase-email').fill(typed.email);
		await page.locator('#purchase-screenshot').setInputFiles(await paintScreenshot());
		await submit.click();
		await expect(page.getByText(landing('landing_done_title'))).toBeVisible();
		await expectNoHorizontalOverflow(page);
		await page.getByRole('link', { name: landing('landing_done_status') }).click();
		await expect(page.getByText(order('order_page_typed'))).toBeVisible();
		await expect(page.getByText(typed.name)).toBeVisible();
	});

	await test.step('a second proof without a screenshot is refused and keeps its reference, and can be sent with a screenshot', async () => {
		const send = page.getByRole('button', { name: order('order_page_proof_submit') });
		await page.locator('#order-utr').fill(typed.utr);
		await send.click();
		await expectFieldError(page.locator('#order-screenshot'), errors('error_screenshot_required'));
		await expect(page.locator('#order-utr')).toHaveValue(typed.utr);
		await expectNoHorizontalOverflow(page);
		await page.locator('#order-screenshot').setInputFiles(await paintScreenshot());
		await send.click();
		await expect(page.getByText(order('order_page_done_proof'))).toBeVisible();
	});
	const { id, proofCount } = await orderOf(product.owner, typed.email);
	expect(proofCount).toBe(2);
	const proofs = await product.owner.get<unknown[]>(`/api/orders/${id}/proofs`);
	expect(proofs).toMatchObject([
		{ utr: typed.utr, repeats: [{ kind: 'utr' }, { kind: 'picture' }] },
		{ utr: typed.utr, repeats: [] },
	]);
});

/** The confirmation has the focus, is visible, and is not covered by the toast. */
async function expectConfirmationLeads(page: Page): Promise<void> {
	const card = page.locator('.confirmation');
	await expect(card.getByRole('heading')).toBeFocused();
	await expect(card).toBeInViewport({ ratio: 1 });
	const toast = await page.getByRole('status').filter({ hasText: done }).boundingBox();
	await expect
		.poll(async () => (await card.boundingBox())?.y)
		.toBeGreaterThan((toast?.y ?? Infinity) + (toast?.height ?? 0));
}

for (const javaScriptEnabled of [true, false]) {
	test(`pressing Submit Details twice ${javaScriptEnabled ? 'with' : 'without'} JavaScript creates one order`, async ({
		enter,
	}) => {
		const page = await enter({ javaScriptEnabled });
		const email = `pressed-twice-${javaScriptEnabled}@example.com`;
		await page.goto('/#book');
		await fillCheckoutForm(page, { ...buyer, email });
		await page.getByRole('button', { name: 'Submit Details' }).dblclick();
		await expectText(page, done);
		if (javaScriptEnabled) await expectConfirmationLeads(page);
		const orders = await product.owner.get<{ total: number }>(`/api/orders?search=${email}`);
		expect(orders.total).toBe(1);
		if (javaScriptEnabled) expect((await orderOf(product.owner, email)).proofCount).toBe(1);
	});
}

const script = /\/checkout-hydration-[^/]*\.js$/u;
test.beforeAll(() => changeBook(product.owner, { bank: exampleBank }));

const delayScript = (page: Page) => holdRequests(page, script);
const proofsOf = async (email: string) => (await orderOf(product.owner, email)).proofCount;

test('the script of the checkout form loads only when the visitor scrolls near the form', async ({ enter }) => {
	const page = await enter({ viewport: phone });
	const requested: string[] = [];
	page.on('request', (request) => requested.push(new URL(request.url()).pathname));
	const visitReported = page.waitForRequest((request) => request.method() === 'POST');
	await page.goto('/');
	// The report of the visit is the last automatic request of the page.
	await visitReported;
	expect(requested.filter((path) => script.test(path))).toEqual([]);
	const isRequested = page.waitForRequest(script);
	await page.locator('#gain').evaluate((section) => section.scrollIntoView({ block: 'end' }));
	await isRequested;
});

for (const lang of ['en', 'hi'] as const) {
	test(`a form that is submitted twice before its script has loaded is sent once, when the script has loaded, in ${lang}`, async ({
		enter,
	}) => {
		const messages = readMessages('storefront/landing', lang);
		const page = await enter({ viewport: phone });
		const session = await page.context().newCDPSession(page);
		await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
		const release = await delayScript(page);
		const email = `early-${lang}@example.com`;
		await page.goto(`/?lang=${lang}`);
		await fillCheckoutForm(page, { email });
		// This click also waits for the script, but the later submission replaces it.
		await page.locator('.copy-button').first().click();
		const submit = page.getByRole('button', { name: messages('landing_submit'), exact: true });
		await submit.dblclick();
		// A form that the browser sends itself would load another page.
		const loaded = page.waitForEvent('framenavigated').then(() => 'another page');
		const isConfirmed = expect(page.getByText(messages('landing_done_title'))).toBeVisible();
		release();
		expect(await Promise.race([loaded, isConfirmed.then(() => 'the same page')])).toBe('the same page');
		expect(await proofsOf(email)).toBe(1);
	});
}

test('a form submitted before its script has loaded keeps its values after each error', async ({ enter }) => {
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
	const restore = await failRequests(page, /^\/purchase$/u);
	await page.getByRole('button', { name: 'Submit Details' }).click();
	await expectText(page, 'Error submitting form. Please try again.');
	await expectText(page, readMessages('storefront/landing', 'en')('landing_checkout_unreachable'));
	await expect(page.locator('#purchase-email')).toHaveValue('mended@example.com');
	await expect(page.locator('.drop-box')).toContainText('paid.png');
	await restore();
	await page.getByRole('button', { name: 'Submit Details' }).click();
	await expectText(page, done);
	expect(await proofsOf('mended@example.com')).toBe(1);
});

test('a copy button pressed before its script has loaded copies afterwards', async ({ enter }) => {
	const page = await enter({ permissions: ['clipboard-read', 'clipboard-write'] });
	const release = await delayScript(page);
	await page.goto('/');
	await page.getByRole('button', { name: 'Copy IFSC' }).click();
	release();
	await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(exampleBank.ifsc);
});

for (const isTooLate of [false, true]) {
	test(`the browser sends the checkout form itself when its script ${isTooLate ? 'loads too late' : 'cannot be loaded'}`, async ({
		enter,
	}) => {
		const page = await enter({ viewport: phone });
		const email = `no-script-${isTooLate}@example.com`;
		await page.clock.install();
		if (isTooLate) await delayScript(page);
		else await page.route(script, (route) => route.abort());
		await page.goto('/');
		await fillCheckoutForm(page, { email });
		await page.getByRole('button', { name: 'Submit Details' }).click();
		if (isTooLate) {
			await expect(page.locator('#purchase')).toHaveClass(/is-pending/u);
			await page.clock.fastForward(5000);
		}
		await expectText(page, done);
		await expect(page).toHaveURL(/purchase=done/u);
		expect(await proofsOf(email)).toBe(1);
	});
}
