import { expect, type Page } from '@playwright/test';
import { expectNoHorizontalOverflow, hostJourneys, test } from '../../support/browser/journey.ts';
import { addSampleEditions, openReader, sampleEdition } from '../../support/browser/reader-page.ts';
import { readPages } from '../../support/documents/pdf-tools.ts';

const product = hostJourneys();
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

test.beforeAll(async () => {
	await addSampleEditions(product.owner, ['part-1-en', 'part-1-hi']);
});

const shownPage = async (page: Page) =>
	Number(/(?<=Page )\d+/u.exec((await page.locator('footer [role="status"]').textContent()) ?? '')?.[0]);

/** Waits until the server has saved a reading position with an expected page number. */
const waitForSavedPosition = (page: Page, isExpected: (number: number) => boolean) =>
	page.waitForResponse(
		(answer) =>
			/\/api\/reading\/[^/]+\/place$/u.test(answer.url()) &&
			answer.ok() &&
			isExpected((answer.request().postDataJSON() as { page: number }).page),
	);

test('the desktop opens the book and its Hindi edition where the phone has stopped reading', async ({ enter }) => {
	const onPhone = await enter({ signedInAs: 'owner', ...phone });
	await openReader(onPhone);
	await expectNoHorizontalOverflow(onPhone);
	const positionSaved = waitForSavedPosition(onPhone, (number) => number > 2);
	await onPhone.getByRole('button', { name: 'Outline' }).click();
	await onPhone.getByRole('button', { name: /^Mindset/u }).click();
	await positionSaved;
	await expect.poll(() => shownPage(onPhone)).toBeGreaterThan(2);
	const pageOnPhone = await shownPage(onPhone);

	const onDesktop = await enter({ signedInAs: 'owner' });
	await openReader(onDesktop);
	await expect.poll(() => shownPage(onDesktop)).toBe(pageOnPhone);
	await expect(onDesktop.locator('[aria-current="true"]', { hasText: 'Mindset' })).toBeVisible();

	await test.step("two devices read at the same time without changing each other's page, and the later position is saved", async () => {
		const savedByDesktop = waitForSavedPosition(onDesktop, (number) => number === pageOnPhone + 1);
		await onDesktop.keyboard.press('ArrowRight');
		await savedByDesktop;
		await expect.poll(() => shownPage(onDesktop)).toBe(pageOnPhone + 1);
		expect(await shownPage(onPhone)).toBe(pageOnPhone);
		const third = await enter({ signedInAs: 'owner' });
		await openReader(third);
		await expect.poll(() => shownPage(third)).toBe(pageOnPhone + 1);
		const savedByPhone = waitForSavedPosition(onPhone, (number) => number === pageOnPhone - 1);
		await onPhone.getByRole('button', { name: 'Previous page' }).click();
		await savedByPhone;
		await openReader(third);
		await expect.poll(() => shownPage(third)).toBe(pageOnPhone - 1);
		expect(await shownPage(onDesktop)).toBe(pageOnPhone + 1);
	});

	await onDesktop.getByRole('button', { name: 'हिन्दी' }).click();
	await expect(onDesktop).toHaveURL(/part-1-hi$/u);
	await expect(onDesktop.locator('[aria-current="true"]', { hasText: 'मानसिकता' })).toBeVisible();
});

test('the continuous view renders only pages near the viewport, and reopens at the saved page', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await openReader(page);
	await page.getByRole('button', { name: 'How pages look' }).click();
	await page.getByRole('button', { name: 'Continuous' }).click();
	await page.keyboard.press('Escape');
	await page.keyboard.press('Home');
	await expect(page.locator('[data-drawn="1"]')).toBeVisible();
	const box = page.locator('[data-pages]');
	await box.hover();
	for (let turn = 0; turn < 8; turn++) await page.mouse.wheel(0, 700);
	await expect.poll(() => shownPage(page)).toBeGreaterThan(4);
	await expect.poll(() => page.locator('[data-pages] canvas').count()).toBeLessThan(8);
	const last = 27;
	const positionSaved = waitForSavedPosition(page, (number) => number === last);
	await page.keyboard.press('End');
	await positionSaved;
	await page.reload();
	await expect(page.locator(`[data-drawn="${last}"]`)).toBeVisible();

	await test.step('highlighting a selection over two pages saves the text on the first page', async () => {
		const words = (number: number) => page.locator(`[data-drawn="${number}"] [data-text] span > span`);
		const start = words(last - 1).nth(-3);
		await start.scrollIntoViewIfNeeded();
		const from = await start.elementHandle();
		const to = await words(last).nth(2).elementHandle();
		await page.evaluate(
			([begin, end]) => {
				if (begin?.firstChild == null || end?.firstChild == null) throw new Error('There are no words.');
				document.getSelection()?.setBaseAndExtent(begin.firstChild, 0, end.firstChild, 1);
			},
			[from, to] as const,
		);
		await page.getByRole('toolbar', { name: 'Selected text' }).getByRole('button', { name: 'Pink' }).click();
		const marks = async () =>
			(await product.owner.get<{ marks: Array<{ quote: string }> }>('/api/reading/part-1-en')).marks;
		await expect.poll(async () => (await marks()).length).toBe(1);
		const [{ quote = '' } = {}] = await marks();
		const [before] = (await readPages(await sampleEdition('part-1-en'), 'raw')).slice(last - 2, last - 1);
		expect(quote.split(' ').length).toBeLessThan(5);
		expect(before?.replace(/\s+/gu, ' ')).toContain(quote);
	});
	await page.getByRole('button', { name: 'How pages look' }).click();
	await page.getByRole('button', { name: 'Single' }).click();
});

test('a highlight with a note appears on another device, and a tap on the highlight opens the note', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'owner' });
	await openReader(page);
	await page.keyboard.press('Home');
	await page.getByRole('button', { name: /^Belief/u }).click();
	const word = page.locator('[data-drawn] span', { hasText: 'first signature' }).last();
	await expect(word).toBeVisible();
	await word.click({ clickCount: 3 });
	await page.getByRole('toolbar', { name: 'Selected text' }).getByRole('button', { name: 'Note' }).click();
	await page.getByRole('textbox', { name: 'Note' }).fill('Ask Kavita about this');
	const saved = page.waitForResponse(
		(answer) => answer.request().postData()?.includes('Ask Kavita') === true && answer.ok(),
	);
	await page.getByRole('button', { name: 'Keep' }).click();
	await saved;
	await page.getByRole('button', { name: 'Bookmark this page' }).click();
	await expect(page.getByRole('button', { name: 'Remove the bookmark' })).toBeVisible();

	const onPhone = await enter({ signedInAs: 'owner', ...phone });
	await openReader(onPhone);
	await onPhone.getByRole('button', { name: 'Search in the book' }).click();
	await expect(onPhone.getByRole('searchbox', { name: 'Search in the book' })).toBeFocused();
	await onPhone.getByRole('button', { name: 'Marks' }).click();
	await onPhone.getByRole('button', { name: /Ask Kavita about this/u }).click();
	await expect(onPhone.getByRole('textbox', { name: 'Note' })).toHaveValue('Ask Kavita about this');
	const line = onPhone.locator('[data-drawn] [data-color]').first();
	await expect(line).toBeVisible();
	await onPhone.getByRole('button', { name: 'Keep' }).click();
	await expect(onPhone.getByRole('textbox', { name: 'Note' })).toBeHidden();
	// At this side of the page, a tap beside the highlight would turn the page.
	const at = await line.boundingBox();
	const pageOnPhone = await shownPage(onPhone);
	await onPhone.touchscreen.tap((at?.x ?? 0) + 12, (at?.y ?? 0) + (at?.height ?? 0) / 2);
	await expect(onPhone.getByRole('textbox', { name: 'Note' })).toHaveValue('Ask Kavita about this');
	expect(await shownPage(onPhone)).toBe(pageOnPhone);
});
