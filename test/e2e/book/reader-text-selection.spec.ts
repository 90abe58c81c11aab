import { expect, type Page } from '@playwright/test';
import { hostJourneys, test } from '../../support/browser/journey.ts';
import {
	addSampleEditions,
	drawnPage,
	goToPage,
	openReader,
	sampleEdition,
} from '../../support/browser/reader-page.ts';
import { addFile, findNode } from '../../support/browser/seeding.ts';
import { makePdf, type PageToMake } from '../../support/documents/make-pdf.ts';
import { type PositionedWord, readPages, readWordPositions } from '../../support/documents/pdf-tools.ts';

const product = hostJourneys();

/** Pages with unusual boxes, rotations and fonts. `width` is the visible width in the units of the page. */
const unusualPages: Array<PageToMake & { width: number }> = [
	{ entries: '/Rotate 90', width: 595 },
	{ entries: '/Rotate 180', width: 420 },
	{ entries: '/Rotate 270', width: 595 },
	{ entries: '/UserUnit 2', width: 420 },
	{ entries: '/CropBox[20 150 320 500]', width: 300 },
	{ entries: '/CropBox[30 150 320 500]/Rotate 90/UserUnit 1.5', width: 350 },
	{ box: [-50, -60, 370, 535], width: 420 },
	{
		content: 'BT /F1 12 Tf 50 300 Td (Give ) Tj /F2 12 Tf (illicit ) Tj (lilies ) Tj /F1 12 Tf (to the book) Tj ET',
		width: 420,
	},
];
const unusualPdf = makePdf({ pages: unusualPages });

test.beforeAll(async () => {
	await addSampleEditions(product.owner, ['part-1-en', 'part-1-hi']);
	await addFile(product.owner, 'book', 'odd.pdf', unusualPdf);
});

/** Returns the selectable words of a page except headers and footers, with positions in points. */
function selectableWords(page: Page, number: number, widthPt: number): Promise<PositionedWord[]> {
	return page.locator(`[data-page-number="${number}"]`).evaluate((sheet, width) => {
		const frame = sheet.getBoundingClientRect();
		const scale = width / frame.width;
		const walker = document.createTreeWalker(sheet.querySelector('[data-text]') ?? sheet, NodeFilter.SHOW_TEXT);
		const words: PositionedWord[] = [];
		for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
			if (!(node instanceof Text) || node.parentElement?.closest('[aria-hidden]') != null) continue;
			for (const { 0: text, index } of node.data.matchAll(/\S+/gu)) {
				const range = document.createRange();
				range.setStart(node, index);
				range.setEnd(node, index + text.length);
				const box = range.getBoundingClientRect();
				const [left, right] = [(box.left - frame.left) * scale, (box.right - frame.left) * scale];
				words.push({ text, left, right, top: (box.top - frame.top) * scale, bottom: (box.bottom - frame.top) * scale });
			}
		}
		return words;
	}, widthPt);
}

/** Counts the words with an edge that is not within `tolerancePt` of the same edge of any printed word in the line. */
function countMisplaced(
	words: PositionedWord[],
	printed: readonly PositionedWord[],
	tolerancePt: Record<Edge, number>,
) {
	const middle = ({ top, bottom }: PositionedWord) => (top + bottom) / 2;
	return words.filter((word) => {
		const line = printed.filter(({ top, bottom }) => top < middle(word) && bottom > middle(word));
		return edges.some((edge) => !line.some((near) => Math.abs(near[edge] - word[edge]) < tolerancePt[edge]));
	}).length;
}

type Edge = 'left' | 'right';
const edges: readonly Edge[] = ['left', 'right'];

for (const [language, rightTolerancePt] of [
	// poppler measures words of one character differently, and ends a Devanagari word before the signs above its last
	// letter.
	['en', 1.6],
	['hi', 3.5],
] as const) {
	test(`the text of a page is at its printed position, and has the right order for screen readers, in ${language}`, async ({
		enter,
	}) => {
		const edition = await sampleEdition(`part-1-${language}`);
		const [printed, written] = [await readWordPositions(edition), await readPages(edition, 'raw')];
		const page = await enter({ signedInAs: 'owner' });
		await openReader(page, `part-1-${language}`);
		for (const number of [4, 7, 12, 20]) {
			await goToPage(page, number);
			const text = lettersOf(written[number - 1] ?? '');
			expect(text.length).toBeGreaterThan(300);
			expect(await readAccessibilityText(page, number)).toBe(text);
			const printedPage = printed[number - 1];
			if (printedPage === undefined) throw new Error(`The edition has no page ${number}.`);
			const words = await selectableWords(page, number, printedPage.width);
			expect(words.length).toBeGreaterThan(100);
			expect(countMisplaced(words, printedPage.words, { left: 1, right: rightTolerancePt })).toBe(0);

			const layer = page.locator(`[data-page-number="${number}"] [data-text] [lang="${language}"]`);
			const spoken = await layer.evaluate((element) => [...element.children].map(({ textContent }) => textContent));
			const lines = (written[number - 1] ?? '').split('\n').map(lettersOf).filter(Boolean);
			expect(lines.length).toBeGreaterThan(15);
			const missing = lines.filter((line) => !spoken.map(lettersOf).includes(line));
			// Only the running head may be missing, because its two parts, one at each side of the page, are separate lines.
			expect(missing.length, missing.join('; ')).toBeLessThan(2);
		}
	});
}

test('the search finds sentences and highlights each match at its printed position', async ({ enter }) => {
	const [, contents] = await readWordPositions(await sampleEdition('part-1-hi'));
	const printedMatches = contents?.words.filter(({ text }) => text === 'दुकान') ?? [];
	expect(printedMatches.length).toBeGreaterThan(1);
	const page = await enter({ signedInAs: 'owner' });
	await openReader(page, 'part-1-hi');
	await page.keyboard.press('/');
	await page.keyboard.type('दुकान');
	const matches = page.getByRole('button', { name: /Page 2$/u });
	await expect(page.getByText(/\d+ places found/u)).toBeVisible();
	await expect(matches).toHaveCount(printedMatches.length);
	for (const [i, { left, right, top, bottom }] of printedMatches.entries()) {
		await matches.nth(i).click();
		const highlight = page.locator('[data-page-number="2"] [data-current]');
		await expect(highlight).toBeVisible();
		const position = await highlight.evaluate((box) => {
			const [own, frame] = [box.getBoundingClientRect(), box.parentElement?.getBoundingClientRect()];
			if (frame === undefined) throw new Error('The highlight is on no page.');
			const across = (x: number) => (x - frame.left) / frame.width;
			const middle = (own.top + own.height / 2 - frame.top) / frame.height;
			return { left: across(own.left), right: across(own.right), middle };
		});
		const { width = 1, height = 1 } = contents ?? {};
		expect(position.left * width).toBeCloseTo(left, 0);
		expect(position.right * width).toBeCloseTo(right, 0);
		expect(position.middle * height).toBeGreaterThan(top);
		expect(position.middle * height).toBeLessThan(bottom);
	}
	const search = page.getByRole('searchbox', { name: 'Search in the book' });
	// Sentences in demo/book/part1-hi/02-belief.md. The pages break each of them into several lines.
	for (const sentence of [
		'जो चचेरा भाई कभी लौटाता नहीं था, उसे उधार देना बंद किया, क्योंकि वह पैसा अब काउंटर का हो चुका था।',
		'रिश्तेदार से चाय पर पूछा जा सकता है कि आज वे क्या अलग करते, और उन्हें अच्छा लगेगा कि किसी ने पूछा।',
		'मिलने के नौ महीने बाद चायवाले ने मुझे एक तस्वीर भेजी।',
	]) {
		await search.fill(sentence);
		await expect(page.locator('aside mark')).toHaveText([sentence]);
	}
	await search.fill('कुछ भी नहीं ऐसा');
	await expect(page.getByText('Nothing found.')).toBeVisible();
});

test('dragging the mouse from one line to the next selects the text between the two points', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await openReader(page, 'part-1-hi');
	await goToPage(page, 7);
	const lines = page.locator('[data-page-number="7"] [data-text] [lang="hi"] > span');
	const [first, second] = [lines.filter({ hasText: 'कारोबार' }), lines.filter({ hasText: 'अक्सर रात' })];
	const at = async (line: typeof first, text: string, side: 'left' | 'right') => {
		const box = await line.locator('span', { hasText: text }).first().boundingBox();
		if (box === null) throw new Error(`The line does not contain ${text}.`);
		return [side === 'left' ? box.x + 1 : box.x + box.width - 1, box.y + box.height / 2] as const;
	};
	await page.mouse.move(...(await at(first, 'कारोबार', 'left')));
	await page.mouse.down();
	await page.mouse.move(...(await at(second, 'ख़ुद', 'right')), { steps: 8 });
	await page.mouse.up();
	const selected = await page.evaluate(() => String(document.getSelection()));
	const words = 'कारोबार का पहला हस्ताक्षर काग़ज़ पर नहीं होता। वह सिर का एक हल्का-सा हिलना\nहै, जो आप ख़ुद';
	expect(selected.trim().replace(/ +/gu, ' ')).toBe(words);
});

test('the text layer matches the printed words on rotated, cropped and scaled pages', async ({ enter }) => {
	const printed = await readWordPositions(unusualPdf);
	const file = await findNode(product.owner, 'book', 'odd.pdf');
	const page = await enter({ signedInAs: 'owner', at: `/read/file/${file.id}` });
	for (const [i, { width }] of unusualPages.entries()) {
		await expect(drawnPage(page, i + 1)).toBeVisible();
		const words = await selectableWords(page, i + 1, width);
		expect(words.map(({ text }) => text)).toEqual(printed[i]?.words.map(({ text }) => text));
		for (const [at, word] of words.entries()) {
			const printedWord = printed[i]?.words[at] ?? word;
			// Only the middles are compared, because poppler and the browser measure the height of a word differently.
			expect(Math.abs(word.left + word.right - printedWord.left - printedWord.right) / 2).toBeLessThan(3);
			expect(Math.abs(word.top + word.bottom - printedWord.top - printedWord.bottom) / 2).toBeLessThan(3);
			if (/^(?:book|illicit|lilies)$/u.test(word.text))
				expect(longerSideOf(word)).toBeCloseTo(longerSideOf(printedWord), 0);
		}
		await page.keyboard.press('ArrowRight');
	}
});

/** Returns the width of a word, which is its longer side, also on rotated pages. */
const longerSideOf = ({ left, right, top, bottom }: PositionedWord) => Math.max(right - left, bottom - top);

/** Returns the letters and digits of a page in the order of its accessibility tree. */
async function readAccessibilityText(page: Page, number: number): Promise<string> {
	const region = page.getByRole('region', { name: new RegExp(`^Page ${number} of`, 'u') });
	await expect(region).toHaveAttribute('aria-busy', 'false');
	const session = await page.context().newCDPSession(page);
	const handle = await region.elementHandle();
	await handle?.evaluate((element) => element.setAttribute('data-heard', ''));
	const { root } = await session.send('DOM.getDocument');
	const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '[data-heard]' });
	const { nodes } = await session.send('Accessibility.queryAXTree', { nodeId, role: 'StaticText' });
	await session.detach();
	await handle?.evaluate((element) => element.removeAttribute('data-heard'));
	return lettersOf(nodes.map(({ name }) => String(name?.value ?? '')).join(' '));
}

/** Removes everything but letters, combining marks and digits, because poppler splits some Devanagari words. */
function lettersOf(text: string | null): string {
	return (text ?? '').normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}
