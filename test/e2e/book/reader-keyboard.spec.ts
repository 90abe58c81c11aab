import { expect, type Page } from '@playwright/test';
import { expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import {
	addSampleEditions,
	drawnPage,
	goToPage,
	openReader,
	sampleEdition,
} from '../../support/browser/reader-page.ts';
import { readPages } from '../../support/documents/pdf-tools.ts';

const world = hostJourneys();

test.beforeAll(async () => {
	await addSampleEditions(world.owner, ['part-1-en', 'part-1-hi']);
});

/** Presses Tab until the focused element has this name, as a keyboard user does. */
async function tabTo(page: Page, name: string): Promise<void> {
	for (let presses = 0; presses < 60; presses++) {
		await page.keyboard.press('Tab');
		const named = await page.evaluate(() => {
			const { activeElement } = document;
			return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
		});
		if (named.trim() === name) return;
	}
	throw new Error(`Tab leads to nothing called ${name}.`);
}

/** Waits for the performance entry of a page rendered in advance, because the screen does not show that it is. */
async function waitUntilPrerendered(page: Page, number: number): Promise<void> {
	await expect
		.poll(() => page.evaluate((name) => performance.getEntriesByName(name).length, `page ${number} drawn ahead`))
		.toBeGreaterThan(0);
}

/** Stops pdf.js, so that it cannot render any further page. */
async function silencePdf(page: Page): Promise<void> {
	await page.evaluate(() => {
		for (const canvas of document.querySelectorAll<HTMLElement>('[data-page-number] canvas'))
			canvas.dataset.before = '';
		Worker.prototype.postMessage = () => {};
	});
}

/** Returns the canvas of a page that did not exist when {@link silencePdf} was called. */
const canvasAfter = (page: Page, number: number) =>
	page.locator(`[data-page-number="${number}"] canvas:not([data-before])`).first();

test('a page is rendered while its number is typed, so that it shows at once on Enter', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: '/read/part-1-hi' });
	await expect(drawnPage(page, 1)).toBeVisible();
	await page.keyboard.press('g');
	await expect(page.getByRole('textbox', { name: 'Page, 1 to 27' })).toBeFocused();
	await page.keyboard.type('24', { delay: 100 });
	await waitUntilPrerendered(page, 24);
	await silencePdf(page);
	await page.keyboard.press('Enter');
	await expect(canvasAfter(page, 24)).toBeVisible();
});

test('a page is rendered while the pointer is over its chapter, and shows at once on a press', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await openReader(page, 'part-1-hi');
	const chapter = page.getByRole('button', { name: /^ना कहना/u });
	await chapter.hover();
	await waitUntilPrerendered(page, 19);
	await silencePdf(page);
	await chapter.click();
	await expect(canvasAfter(page, 19)).toBeVisible();
});

test('the keyboard alone turns pages, annotates, searches, and changes tone and language', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: '/read/part-1-en' });
	await expect(drawnPage(page, 1)).toBeVisible();

	await test.step('keys turn the pages', async () => {
		await page.keyboard.press('ArrowRight');
		await expect(drawnPage(page, 2)).toBeVisible();
		await page.keyboard.press('End');
		await expect(drawnPage(page, 27)).toBeVisible();
		await page.keyboard.press('Home');
		await expect(drawnPage(page, 1)).toBeVisible();
	});

	await test.step('a typed page number opens the page', async () => {
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

	await test.step('keys select words and add a note to them', async () => {
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
		const words = await selection();
		expect(words.split(' ').length).toBeGreaterThan(2);
		await expect(tools).toBeVisible();
		await page.keyboard.press('Enter');
		await expect(tools.getByRole('button', { name: 'Yellow' })).toBeFocused();
		await tabTo(page, 'Note');
		const kept = page.waitForResponse((answer) => answer.request().postData()?.includes('by keyboard') === true);
		await page.keyboard.press('Enter');
		await page.keyboard.type('Said by keyboard');
		await tabTo(page, 'Keep');
		await page.keyboard.press('Enter');
		expect((await kept).ok()).toBe(true);
		const { marks } = await world.owner.get<{ marks: Array<{ quote: string; note: string }> }>(
			'/api/reading/part-1-en',
		);
		expect(marks).toMatchObject([{ quote: words, note: 'Said by keyboard' }]);
		// The arrow keys changed the selection and did not turn the page.
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
		const found = await page.locator('aside ol button').first().innerText();
		await tabTo(page, found.replace(/\n/gu, ''));
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

for (const [language, pages] of [
	['en', [5, 10, 20]],
	['hi', [5, 10, 20]],
] as const) {
	test(`a screen reader gets the text of a page in its written order in ${language}`, async ({ enter }) => {
		const written = await readPages(await sampleEdition(`part-1-${language}`), 'raw');
		const page = await enter({ signedInAs: 'owner' });
		await openReader(page, `part-1-${language}`);
		for (const number of pages) {
			await goToPage(page, number);
			const heard = await readAccessibilityText(page, number);
			const text = lettersOf(written[number - 1] ?? '');
			expect(text.length).toBeGreaterThan(300);
			expect(heard).toBe(text);
		}
	});
}

/** Returns the letters and digits of a page's accessibility tree in its order. */
async function readAccessibilityText(page: Page, number: number): Promise<string> {
	const region = page.getByRole('region', { name: new RegExp(`^Page ${number} of`, 'u') });
	await expect(region).toHaveAttribute('aria-busy', 'false');
	const line = await page.context().newCDPSession(page);
	const handle = await region.elementHandle();
	await handle?.evaluate((element) => element.setAttribute('data-heard', ''));
	const { root } = await line.send('DOM.getDocument');
	const { nodeId } = await line.send('DOM.querySelector', { nodeId: root.nodeId, selector: '[data-heard]' });
	const { nodes } = await line.send('Accessibility.queryAXTree', { nodeId, role: 'StaticText' });
	await line.detach();
	await handle?.evaluate((element) => element.removeAttribute('data-heard'));
	return lettersOf(nodes.map(({ name }) => String(name?.value ?? '')).join(' '));
}

/** Keeps only letters, combining marks and digits, because line breaks and hyphens say nothing about the order. */
const lettersOf = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]/gu, '');
