import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import { hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser, buy, changeBook, exampleBank, uploadQrCode } from '../../support/browser/seeding.ts';
import { publishCookbook } from '../../support/storefront/cookbook.ts';

const product = hostJourneys();
const maxBytes = 100 * 1024;
const maxShift = 0.02;
const devices = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };
const slowFontMs = 400;

test.beforeAll(async () => {
	await changeBook(product.owner, { bank: exampleBank });
	await uploadQrCode(product.owner);
});

testPage('the landing page');

/** Compressed KB that the first visit of a screen loads to show it, without headers. */
const maxScriptKb = { '/login': 135, '/admin': 167, '/Bookdashboard': 163, '/user/guest': 172, '/dashboard': 172 };
const maxStyleKb = 22;

test('the first visit of a screen of the workspace loads at most 172 KB of scripts and 22 KB of styles', async ({
	enter,
}) => {
	await addUser(product.owner, 'weight@example.com');
	for (const [at, maxKb] of Object.entries(maxScriptKb)) {
		const user = at === '/dashboard' ? 'weight@example.com' : 'owner';
		const page = await enter(at === '/login' ? {} : { signedInAs: user });
		// Menus, dialogs and toasts are loaded in the first idle time after the screen is shown.
		await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
		await page.goto(at);
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
		// The checklist of a new owner is loaded with its data.
		if (at === '/admin') await expect(page.locator('#first-steps')).toBeVisible();
		const kb = await page.evaluate(() => {
			const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
			const kbOf = (ending: string) =>
				files.reduce((sum, { name, encodedBodySize }) => sum + (name.endsWith(ending) ? encodedBodySize / 1024 : 0), 0);
			return { js: kbOf('.js'), css: kbOf('.css') };
		});
		const description = `${kb.js.toFixed(1)} KB of scripts, ${kb.css.toFixed(1)} KB of styles`;
		test.info().annotations.push({ type: `weight of ${at}`, description });
		console.log(`${at}: ${description}`);
		expect(kb.js).toBeGreaterThan(50);
		expect(kb.js, at).toBeLessThanOrEqual(maxKb);
		expect(kb.css, at).toBeLessThanOrEqual(maxStyleKb);
	}
});

const subsetFonts = {
	'mukta-hindi-400': '@fontsource/mukta/files/mukta-devanagari-400-normal',
	'mukta-hindi-600': '@fontsource/mukta/files/mukta-devanagari-600-normal',
	'noto-serif-devanagari-hindi':
		'@fontsource-variable/noto-serif-devanagari/files/noto-serif-devanagari-devanagari-wght-normal',
};

test('the Hindi subset fonts render every word of the messages like the complete fonts', async ({ enter }) => {
	const page = await enter();
	const messages = new URL('../../../src/messages/', import.meta.url);
	const files = (await readdir(messages, { recursive: true })).filter((file) => file.endsWith('.hi.json'));
	const defaultContent = '../server/features/storefront/content/templates/build-your-empire.json';
	const texts = await Promise.all([defaultContent, ...files].map((file) => readFile(new URL(file, messages), 'utf8')));
	const words = [...new Set(texts.join().match(/[\u0900-\u097f\u200c\u200d]+/gu))];
	expect(words.length).toBeGreaterThan(500);
	for (const [name, source] of Object.entries(subsetFonts)) {
		const complete = createRequire(import.meta.url).resolve(`${source}.woff2`);
		const sources = { subset: await readFont(name), complete: await readFile(complete, 'base64') };
		expect(await page.evaluate(findDifferentWords, { sources, words }), `${name}: run scripts/hindi-fonts.mjs`).toEqual(
			[],
		);
		// Control: this conjunct is not in the subset, because no message contains the conjunct.
		expect(await page.evaluate(findDifferentWords, { sources, words: ['ठ्ठ'] })).toEqual(['ठ्ठ']);
	}
});

function readFont(name: string): Promise<string> {
	return readFile(new URL(`../../../src/web/styles/fonts/${name}.woff2`, import.meta.url), 'base64');
}

/** Runs in the page. Returns the words whose width or height differs between the two fonts. */
async function findDifferentWords({
	sources,
	words,
}: {
	sources: Record<'subset' | 'complete', string>;
	words: string[];
}) {
	const px = 200;
	const rulers = await Promise.all(
		Object.entries(sources).map(async ([family, base64]) => {
			const face = new FontFace(family, await (await fetch(`data:font/woff2;base64,${base64}`)).arrayBuffer());
			document.fonts.add(await face.load());
			const pen = document.createElement('canvas').getContext('2d');
			if (pen === null) throw new Error('The canvas has no 2D context.');
			pen.font = `${px}px ${family}`;
			return (word: string) => {
				const box = pen.measureText(word);
				const { width, actualBoundingBoxLeft: left, actualBoundingBoxRight: right } = box;
				return [width, left, right, box.actualBoundingBoxAscent, box.actualBoundingBoxDescent];
			};
		}),
	);
	const isSame = (word: string) => {
		const [one, other] = rulers.map((measureWord) => measureWord(word));
		return one?.every((length, side) => Math.abs(length - (other?.[side] ?? 0)) < px / 100);
	};
	return words.filter((word) => !isSame(word));
}

/** Defines the tests of weight and layout shift for each device and language. */
function testPage(storefront: string): void {
	for (const [device, viewport] of Object.entries(devices)) {
		for (const lang of ['en', 'hi']) {
			test(`${storefront} on a ${device} in ${lang} loads at most 100 KB of HTML, styles and scripts`, async ({
				enter,
			}) => {
				const page = await enter({ viewport });
				const weights = await recordBytes(page);
				// The request of the visit beacon stays open, so the network never becomes idle.
				await page.goto(`/?lang=${lang}`);
				await page.evaluate(() => document.fonts.ready);
				const bytes = [...weights.values()].reduce((sum, size) => sum + size, 0);
				test.info().annotations.push({ type: `page weight, ${device}, ${lang}`, description: `${bytes} bytes` });
				const kinds = [...weights.keys()].map((url) => /\.(js|css)$/u.exec(url)?.[1] ?? 'html');
				expect(new Set(kinds)).toEqual(new Set(['html', 'css', 'js']));
				expect(bytes, [...weights].join('\n')).toBeLessThanOrEqual(maxBytes);
			});

			test(`${storefront} on a ${device} in ${lang} does not shift its layout when fonts and scripts load`, async ({
				enter,
			}) => {
				// The Content Security Policy blocks data URLs, which `addHindiFonts` uses.
				const page = await enter({ viewport, bypassCSP: true });
				// As on a slow connection, the fonts load after the page was rendered with fallback fonts.
				await page.route(/\.woff2$/u, async (route) => {
					await new Promise((resolve) => setTimeout(resolve, slowFontMs));
					await route.continue();
				});
				await page.addInitScript(watchShifts);
				await addHindiFonts(page);
				await page.goto(`/?lang=${lang}`);
				await page.evaluate(() => document.fonts.ready);
				const readShift = () => page.evaluate(() => (window as unknown as { shift: number }).shift);
				test.info().annotations.push({ type: `shift, ${device}, ${lang}`, description: String(await readShift()) });
				expect(await readShift()).toBeLessThanOrEqual(maxShift);
				await test.step('the visible form hydrates without a layout shift', async () => {
					await page.locator('.hero a[href="#book"]').first().click();
					await page.evaluate(() => document.querySelector('#submit-details')?.scrollIntoView({ behavior: 'instant' }));
					await expect.poll(() => page.evaluate(isHydrated)).toBe(true);
					for (let frame = 0; frame < 2; frame += 1) await page.evaluate(() => new Promise(requestAnimationFrame));
					expect(await readShift()).toBeLessThanOrEqual(maxShift);
				});
			});
		}
	}
}

/** Records the transferred bytes of documents, styles, scripts and fetches: compressed, and with headers. */
async function recordBytes(page: Page): Promise<Map<string, number>> {
	const session = await page.context().newCDPSession(page);
	const urls = new Map<string, string>();
	const weights = new Map<string, number>();
	session.on('Network.responseReceived', ({ requestId, type, response }) => {
		if (['Document', 'Stylesheet', 'Script', 'Fetch', 'XHR', 'Other'].includes(type)) urls.set(requestId, response.url);
	});
	session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
		const url = urls.get(requestId);
		if (url !== undefined && !/\.(?:woff2|svg)$/u.test(url)) weights.set(url, encodedDataLength);
	});
	await session.send('Network.enable');
	return weights;
}

/** Runs in the page. Adds up the layout shifts (Layout Instability API). */
function watchShifts(): void {
	const sums = window as unknown as { shift: number };
	sums.shift = 0;
	new PerformanceObserver((list) => {
		// Includes shifts shortly after an input, which the total of the browser omits.
		for (const entry of list.getEntries() as Array<PerformanceEntry & { value: number }>) sums.shift += entry.value;
	}).observe({ type: 'layout-shift', buffered: true });
}

/** Runs in the page. Returns true when React has hydrated the last control of the form. */
function isHydrated(): boolean {
	return Object.keys(document.querySelector('#purchase-submit') ?? {}).some((key) => key.startsWith('__reactProps'));
}

/**
 * Adds a Hindi font at the end of the font lists. It replaces the system font that devices of Hindi readers show until
 * the font of the page has loaded. On a machine without such a font, the test would detect no shift.
 */
async function addHindiFonts(page: Page): Promise<void> {
	const face = (family: string, woff2: string) =>
		`@font-face{font-family:"${family}";src:url(data:font/woff2;base64,${woff2});unicode-range:U+0900-097F}`;
	const fontFaces =
		face('Fallback for text', await readFont('noto-serif-devanagari-hindi')) +
		face('Fallback for display', await readFont('mukta-hindi-400'));
	await page.route(/\/landing-[^/]*\.css$/u, async (route) => {
		const response = await route.fetch();
		const css = (await response.text())
			.replace(/--font-text:[^;}]*/u, '$&,"Fallback for text"')
			.replace(/--font-display:[^;}]*/u, '$&,"Fallback for display"');
		await route.fulfill({ response, body: css + fontFaces });
	});
}

const sizes = [
	{ width: 360, px: 16 },
	{ width: 360, px: 32 },
	{ width: 1280, px: 32 },
];

for (const lang of ['en', 'hi']) {
	test(`the public pages have no cut-off or overlapping text at 360 px and at twice the text size, in ${lang}`, async ({
		enter,
	}) => {
		const order = await buy(product.url, { name: 'Narrow One', email: `narrow-with-a-long-name-${lang}@example.com` });
		const page = await enter();
		const checkLayout = async (what: string) => {
			await expect(page.locator('.laid-out-later')).toHaveCount(0);
			for (const { width, px } of sizes) {
				await page.setViewportSize({ width, height: 800 });
				await page.evaluate((size) => {
					document.documentElement.style.setProperty('font-size', `${size}px`);
				}, px);
				expect.soft(await findLayoutFaults(page), `${what}, ${width} px, text of ${px} px`).toEqual([]);
			}
		};
		await page.goto(`/?lang=${lang}`);
		await checkLayout('landing');
		await test.step('the longest possible price fits', async () => {
			await page.locator('.price-now').evaluateAll((prices) => {
				for (const price of prices) price.replaceChildren('₹99,999.50');
			});
			await checkLayout('landing, a long price');
			await page.reload();
		});
		await test.step('control: the check finds a cut-off heading and overlapping lines', async () => {
			await page.locator('h1').evaluate((heading) => {
				Object.assign(heading.style, { height: '10px', overflow: 'hidden' });
			});
			await page.locator('.hero-tagline').evaluate((line) => {
				line.style.setProperty('margin-top', '-40px');
			});
			const faults = (await findLayoutFaults(page)).join();
			for (const kind of ['cut: h1', 'overlap: ']) expect(faults).toContain(kind);
			await page.reload();
		});
		await page.locator('form [type="submit"]').first().click();
		await expect(page.locator('#purchase-name')).toHaveAttribute('aria-invalid', 'true');
		await checkLayout('the form with errors');
		for (const path of [order, '/privacy', '/terms', '/refund']) {
			await page.goto(`${path}?lang=${lang}`);
			await checkLayout(path.replace(/[\w-]{43}/u, '…'));
		}
	});
}

/** Returns descriptions of elements that overflow the window or their box, or that overlap other elements. */
function findLayoutFaults(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const faults: string[] = [];
		const name = (element: Element) =>
			`${element.tagName.toLowerCase()}.${element.className} „${element.textContent?.trim().slice(0, 40)}“`;
		const { clientWidth, scrollWidth } = document.documentElement;
		if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth - clientWidth} px too wide`);
		const isShown = (element: Element) =>
			element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
			element.closest('.unseen, .skip-link, [aria-hidden="true"], svg') === null;
		const shown = [...document.querySelectorAll('body *')].filter(isShown);
		const textNodesOf = (element: Element) =>
			[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
		const texts = shown.filter((element) => textNodesOf(element).length > 0);
		for (const element of shown) {
			const { overflowX, overflowY, display } = getComputedStyle(element);
			if (display === 'inline' || element.matches('input, textarea, select')) continue;
			const isCutX = element.scrollWidth > element.clientWidth + 1 && ['hidden', 'clip'].includes(overflowX);
			const isCutY = element.scrollHeight > element.clientHeight + 1 && ['hidden', 'clip'].includes(overflowY);
			if ((isCutX || isCutY) && texts.some((text) => element.contains(text))) faults.push(`cut: ${name(element)}`);
		}
		const linesOf = (element: Element) =>
			textNodesOf(element).flatMap((node) => {
				const range = document.createRange();
				range.selectNodeContents(node);
				return [...range.getClientRects()];
			});
		const controls = shown.filter((element) => element.matches('a, button, input, select, textarea, summary'));
		const boxes = [
			...texts.map((element) => ({ element, rects: linesOf(element) })),
			...controls.map((element) => ({ element, rects: [...element.getClientRects()] })),
		];
		for (const { element, rects } of boxes)
			for (const { left, right } of rects)
				if (left < -1 || right > clientWidth + 1) faults.push(`outside: ${name(element)}`);
		const isFixed = (element: Element) => {
			for (let up: Element | null = element; up !== null; up = up.parentElement)
				if (['fixed', 'sticky'].includes(getComputedStyle(up).position)) return true;
			return false;
		};
		// Boxes of text lines overlap slightly, because they are higher than letters.
		const isOver = (a: DOMRect, b: DOMRect) => {
			const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
			const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
			return across > 2 && down > Math.min(a.height, b.height) * 0.5;
		};
		const still = boxes.filter(({ element }) => !isFixed(element));
		for (const [index, one] of still.entries()) {
			for (const other of still.slice(index + 1)) {
				if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
				if (one.element.closest('label') !== null && one.element.closest('label') === other.element.closest('label'))
					continue;
				if (one.rects.some((a) => other.rects.some((b) => isOver(a, b))))
					faults.push(`overlap: ${name(one.element)} and ${name(other.element)}`);
			}
		}
		return [...new Set(faults)].slice(0, 20);
	});
}

test.describe('with the content of an owner', () => {
	test.beforeAll(() => publishCookbook(product.owner, 1800));
	testPage('the landing page of a cookbook');
});
