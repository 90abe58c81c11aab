import { expect, type Page } from '@playwright/test';
import { expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { addSampleEditions, drawnPage, goToPage, openReader } from '../../support/browser/reader-page.ts';

const product = hostJourneys();

test.beforeAll(async () => {
	await addSampleEditions(product.owner, ['part-1-en', 'part-1-hi']);
});

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
	for (let presses = 0; presses < 60; presses++) {
		await page.keyboard.press('Tab');
		const focusedName = await page.evaluate(() => {
			const { activeElement } = document;
			return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
		});
		if (focusedName.trim() === name) return;
	}
	throw new Error(`Tab does not reach an element with the name ${name}.`);
}

/** Waits until a page is rendered in advance, which is visible only in the performance entries. */
async function waitUntilPrerendered(page: Page, number: number): Promise<void> {
	await expect
		.poll(() => page.evaluate((name) => performance.getEntriesByName(name).length, `page ${number} drawn ahead`))
		.toBeGreaterThan(0);
}

/** Stops pdf.js, so that no further page can be rendered, and marks the existing canvases. */
async function stopPdfWorker(page: Page): Promise<void> {
	await page.evaluate(() => {
		for (const canvas of document.querySelectorAll<HTMLElement>('[data-page-number] canvas'))
			canvas.dataset.before = '';
		Worker.prototype.postMessage = () => {};
	});
}

/** Finds a canvas of the page that was inserted after {@link stopPdfWorker}, so it was rendered in advance. */
const newCanvas = (page: Page, number: number) =>
	page.locator(`[data-page-number="${number}"] canvas:not([data-before])`).first();

test('a page is prerendered while its number is entered or the pointer is over its chapter', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await openReader(page, 'part-1-hi');
	await page.keyboard.press('g');
	await expect(page.getByRole('textbox', { name: 'Page, 1 to 27' })).toBeFocused();
	await page.keyboard.type('24', { delay: 100 });
	await waitUntilPrerendered(page, 24);
	await stopPdfWorker(page);
	await page.keyboard.press('Enter');
	await expect(newCanvas(page, 24)).toBeVisible();

	await openReader(page, 'part-1-hi');
	const chapter = page.getByRole('button', { name: /^ना कहना/u });
	await chapter.hover();
	await waitUntilPrerendered(page, 19);
	await stopPdfWorker(page);
	await chapter.click();
	await expect(newCanvas(page, 19)).toBeVisible();
});

test('the keyboard is sufficient to turn pages, annotate, search, and change tone and language', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: '/read/part-1-en' });
	await expect(drawnPage(page, 1)).toBeVisible();

	await test.step('keys turn pages', async () => {
		await page.keyboard.press('ArrowRight');
		await expect(drawnPage(page, 2)).toBeVisible();
		await page.keyboard.press('End');
		await expect(drawnPage(page, 27)).toBeVisible();
		await page.keyboard.press('Home');
		await expect(drawnPage(page, 1)).toBeVisible();
	});

	await test.step('entering a page number opens the page', async () => {
		await page.keyboard.press('g');
		const field = page.getByRole('textbox', { name: 'Page, 1 to 27' });
		await expect(field).toBeFocused();
		await page.keyboard.type('99');
		await page.keyboard.press('Enter');
		await expectText(page, 'Type a page from 1 to 27.');
		await expect(field).toHaveValue('99');
		await field.fill('५');
		await page.keyboard.press('Enter');
		await expect(drawnPage(page, 5)).toBeVisible();
		await expect(field).toBeHidden();
		await tabTo(page, 'Back to page 1');
		await page.keyboard.press('Enter');
		await expect(drawnPage(page, 1)).toBeVisible();
		await goToPage(page, 5);
	});

	await test.step('keys select words and add a note to the selection', async () => {
		await page.keyboard.press('h');
		const tools = page.getByRole('toolbar', { name: 'Selected text' });
		await expect(tools).toBeVisible();
		const selection = () => page.evaluate(() => String(document.getSelection()).replace(/\s+/gu, ' ').trim());
		const first = await selection();
		expect(first).toMatch(/^[\p{L}’]+$/u);
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Shift+ArrowRight');
		await page.keyboard.press('Shift+ArrowRight');
		await expect.poll(async () => (await selection()).split(' ').length).toBe(3);
		await page.keyboard.press('Shift+ArrowDown');
		await expect.poll(async () => (await selection()).split(' ').length).toBeGreaterThan(3);
		await page.keyboard.press('Shift+ArrowLeft');
		const selected = await selection();
		expect(selected.split(' ').length).toBeGreaterThan(2);
		await expect(tools).toBeVisible();
		await page.keyboard.press('Enter');
		await expect(tools.getByRole('button', { name: 'Yellow' })).toBeFocused();
		await tabTo(page, 'Note');
		const noteSaved = page.waitForResponse((answer) => answer.request().postData()?.includes('by keyboard') === true);
		await page.keyboard.press('Enter');
		await page.keyboard.type('Said by keyboard');
		await tabTo(page, 'Keep');
		await page.keyboard.press('Enter');
		expect((await noteSaved).ok()).toBe(true);
		const { marks } = await product.owner.get<{ marks: Array<{ quote: string; note: string }> }>(
			'/api/reading/part-1-en',
		);
		expect(marks).toMatchObject([{ quote: selected, note: 'Said by keyboard' }]);
		// The arrow keys must not turn the page during a selection.
		await expect(drawnPage(page, 5)).toBeVisible();
	});

	await test.step('keys set a bookmark and open a note from the list of annotations', async () => {
		await page.keyboard.press('b');
		await expect(page.getByRole('button', { name: 'Remove the bookmark' })).toBeVisible();
		await tabTo(page, 'Marks');
		await page.keyboard.press('Enter');
		const mark = page.getByRole('button', { name: /Said by keyboard/u });
		await mark.focus();
		await page.keyboard.press('Enter');
		await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused();
		await page.keyboard.press('Escape');
		await expect(mark).toBeFocused();
	});

	await test.step('keys search and change tone and language', async () => {
		await page.keyboard.press('/');
		await expect(page.getByRole('searchbox', { name: 'Search in the book' })).toBeFocused();
		await page.keyboard.type('Kavita');
		await expect(page.getByText(/\d+ places? found/u)).toBeVisible();
		await page.keyboard.press('Tab');
		const firstMatch = await page.locator('aside ol button').first().innerText();
		await tabTo(page, firstMatch.replace(/\n/gu, ''));
		await page.keyboard.press('Enter');
		await expect(page.locator('[data-drawn] [data-current]').first()).toBeVisible();
		await tabTo(page, 'Night page');
		await page.keyboard.press('Enter');
		await expect(page.locator('[data-page="night"]')).toBeVisible();
		await page.keyboard.press('Enter');
		await expect(page.locator('[data-page="day"]')).toBeVisible();
		await tabTo(page, 'हिन्दी');
		await page.keyboard.press('Enter');
		await expect(page).toHaveURL(/part-1-hi$/u);
	});
});
