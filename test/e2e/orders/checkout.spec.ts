import { expect } from '@playwright/test';
import { fillCheckoutForm, paintScreenshot } from '../../support/browser/forms.ts';
import {
	expectFieldError,
	expectNoHorizontalOverflow,
	expectText,
	hostJourneys,
	test,
} from '../../support/browser/journey.ts';
import { orderOf } from '../../support/browser/seeding.ts';
import { readMessages } from '../../support/texts/messages.ts';

const product = hostJourneys();
const phone = { width: 360, height: 780 };

const buyer = { name: 'मीरा जोशी', phone: '98230 55512', upiId: 'meera@examplebank', utr: '532411870999' };

test('the Hindi checkout works on a phone without JavaScript, including a second payment proof', async ({ enter }) => {
	const page = await enter({ javaScriptEnabled: false, viewport: phone });
	const landing = readMessages('storefront/landing', 'hi');
	const errors = readMessages('core/errors', 'hi');
	const order = readMessages('orders/order-page', 'hi');
	const typed = { ...buyer, email: 'no.script@example.com' };

	await page.goto('/');
	await page.getByRole('link', { name: 'हिन्दी' }).first().click();
	const submit = page.getByRole('button', { name: landing('landing_submit'), exact: true });

	await test.step('a refused form keeps the typed values and asks to choose the screenshot again', async () => {
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

	await test.step('a second proof without a screenshot is refused and keeps its reference, and is accepted with a screenshot', async () => {
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

for (const javaScriptEnabled of [true, false]) {
	test(`pressing Submit Details twice ${javaScriptEnabled ? 'with' : 'without'} JavaScript creates one order`, async ({
		enter,
	}) => {
		const page = await enter({ javaScriptEnabled });
		const email = `pressed-twice-${javaScriptEnabled}@example.com`;
		await page.goto('/#book');
		await fillCheckoutForm(page, { ...buyer, email });
		await page.getByRole('button', { name: 'Submit Details' }).dblclick();
		await expectText(page, 'Purchase Complated Id Password sent on Email');
		const orders = await product.owner.get<{ total: number }>(`/api/orders?search=${email}`);
		expect(orders.total).toBe(1);
		if (javaScriptEnabled) expect((await orderOf(product.owner, email)).proofCount).toBe(1);
	});
}
