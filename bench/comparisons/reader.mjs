/**
 * Measures the reader of the built product in a real browser, with a buyer's watermarked copy of the sample book (all
 * four editions in one PDF): the time until page 1 is shown, and the time of a jump to page 100, which was not shown
 * before. Compares a desktop window with a phone's. Each jump runs in a new browser context, so that nothing is cached.
 * The page number is typed at a human pace. Additional jumps, a quarter as many, enter the number and Enter at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { requireChromium } from '../../scripts/services/chromium.mjs';
import { chromiumFlags } from '../../scripts/services/chromium-flags.mjs';
import { median } from '../measure/rounds.mjs';
import { createLengthCheck, serveSeeded } from '../measure/seed-and-load.mjs';

const target = 100;
/** Milliseconds between two keys of a fast typist. */
const keyMs = 120;
/** Milliseconds for which a reader looks at a page before turning it. */
const viewedMs = 2500;
const stepTimeoutMs = 20_000;
const windows = {
	desktop: { viewport: { width: 1440, height: 900 } },
	phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};

export async function prepareReader(bench) {
	const { form } = bench;
	const jumps = { full: 20, short: 5, once: 1 }[form];
	// The time between opening page 1 and the jump.
	const firstLookMs = form === 'once' ? 200 : 2000;
	const { seeded, server } = await serveSeeded(bench, 'reader', ['seed-small.ts', 'book']);
	const { tokens, memberId, fileId, sizeBytes } = seeded;
	const pageCount = await grantBookAccess(server.url, { tokens, memberId, fileId });
	const lengths = createLengthCheck();
	const browser = await chromium.launch({ executablePath: await requireChromium(), args: chromiumFlags });
	return {
		contestants: Object.keys(windows),
		rows: [
			['page 1 from opening the address, ms', 'firstMs', 0],
			[`the image of page ${target} after Enter, ms`, 'pictureMs', 0],
			[`page ${target} with its text after Enter, ms`, 'wholeMs', 0],
			['the slowest jump, with its text, ms', 'slowestMs', 0],
			['the image when number and Enter come at once, ms', 'pastedMs', 0],
		],
		note: `${pageCount} pages, ${sizeBytes} bytes; a round is ${jumps} jumps from page 1, each in a new tab; the figures are medians. ${keyMs} ms between two keys.`,
		async measure(name) {
			const runs = [];
			const pasted = [];
			for (let i = 0; i < jumps; i += 1) {
				runs.push(await jump(browser, server.url, tokens.user, windows[name], firstLookMs, typeNumber));
				if (i % 4 === 0)
					pasted.push(await jump(browser, server.url, tokens.user, windows[name], firstLookMs, pasteNumber));
			}
			for (const { text } of [...runs, ...pasted])
				lengths.require(`text of page ${target}`, name, JSON.stringify(text));
			const medianOf = (key, of = runs) => median(of.map((run) => run[key]));
			return {
				firstMs: medianOf('firstMs'),
				pictureMs: medianOf('pictureMs'),
				wholeMs: medianOf('wholeMs'),
				slowestMs: Math.max(...runs.map(({ wholeMs }) => wholeMs)),
				pastedMs: medianOf('pictureMs', pasted),
			};
		},
		close: async () => {
			await browser.close();
			await server.stop();
		},
	};
}

/**
 * Measures page turns by a key on a phone, with the processor throttled to a quarter and without throttling: the time
 * from the key to the frame that shows the next page, and to the frame that also has its text. Each page is shown for
 * `viewedMs` before the next turn.
 */
export async function preparePageTurn(bench) {
	const { form } = bench;
	const turns = { full: 20, short: 8, once: 1 }[form];
	const { seeded, server } = await serveSeeded(bench, 'browser-page-turn', ['seed-small.ts', 'book']);
	const { tokens, memberId, fileId } = seeded;
	await grantBookAccess(server.url, { tokens, memberId, fileId });
	const browser = await chromium.launch({ executablePath: await requireChromium(), args: chromiumFlags });
	const rates = { throttled: 4, unthrottled: 1 };
	return {
		contestants: Object.keys(rates),
		rows: [
			['the image of the next page after the key, ms', 'pictureMs', 1],
			['the next page with its text after the key, ms', 'wholeMs', 1],
			['the slowest turn, with its text, ms', 'slowestMs', 1],
		],
		note: `${turns} turns from page 1, each page viewed for ${viewedMs} ms; medians.`,
		async measure(name) {
			await using context = await browser.newContext({ ...windows.phone, locale: 'en-IN' });
			await context.addCookies([{ name: 'folio_session', value: tokens.user, url: server.url }]);
			await goToFirst(context, server.url);
			const page = await context.newPage();
			page.setDefaultTimeout(stepTimeoutMs);
			const cdp = await context.newCDPSession(page);
			await cdp.send('Emulation.setCPUThrottlingRate', { rate: rates[name] });
			await page.goto(`${server.url}/read/part-1-en`);
			await page.locator('[data-drawn="1"]').waitFor();
			const runs = [];
			for (let number = 2; number <= turns + 1; number += 1) {
				await page.waitForTimeout(form === 'once' ? 200 : viewedMs);
				await page.evaluate(watchPage, [number, 'ArrowRight']);
				await page.keyboard.press('ArrowRight');
				runs.push(await page.evaluate(() => globalThis.timesOfJump));
			}
			const medianOf = (key) => median(runs.map((run) => run[key]));
			const slowestMs = Math.max(...runs.map(({ wholeMs }) => wholeMs));
			return { pictureMs: medianOf('pictureMs'), wholeMs: medianOf('wholeMs'), slowestMs };
		},
		close: async () => {
			await browser.close();
			await server.stop();
		},
	};
}

/** Assigns the file as an edition, grants the member access and waits for their copy. @returns its number of pages */
async function grantBookAccess(url, { tokens, memberId, fileId }) {
	const call = async (who, method, path, body) => {
		const response = await fetch(url + path, {
			method,
			headers: { cookie: `folio_session=${tokens[who]}`, origin: url, 'content-type': 'application/json' },
			...(body && { body: JSON.stringify(body) }),
		});
		if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
		return response.json();
	};
	const settings = await call('admin', 'GET', '/api/settings/book');
	await call('admin', 'PUT', '/api/settings/book', { ...settings, editions: [{ key: 'part-1-en', fileId }] });
	await call('admin', 'PUT', `/api/users/${memberId}/book-grant`, { isGranted: true });
	for (let tries = 0; tries < 300; tries += 1) {
		const { editions } = await call('user', 'GET', '/api/shelf');
		if (editions[0]?.copy.state === 'ready') return editions[0].pageCount;
		await sleep(200);
	}
	throw new Error('The watermarked copy was not made.');
}

/** Measures one jump inside a new tab, from the Enter key to the frame that shows the page. */
async function jump(browser, url, token, options, firstLookMs, enterNumber) {
	await using context = await browser.newContext({ ...options, locale: 'en-IN' });
	await context.addCookies([{ name: 'folio_session', value: token, url }]);
	await goToFirst(context, url);
	const page = await context.newPage();
	page.setDefaultTimeout(stepTimeoutMs);
	await page.goto(`${url}/read/part-1-en`);
	await page.locator('[data-drawn="1"]').waitFor();
	const firstMs = await page.evaluate(() => performance.now());
	await page.waitForTimeout(firstLookMs);
	await page.getByRole('button', { name: /Go to another page/ }).click();
	await page.evaluate(watchPage, [target, 'Enter']);
	await enterNumber(page.getByRole('textbox'));
	await page.keyboard.press('Enter');
	const { pictureMs, wholeMs } = await page.evaluate(() => globalThis.timesOfJump);
	const text = await page.locator(`[data-drawn="${target}"]`).innerText();
	if (text.trim().length < 100) throw new Error(`Page ${target} has too little text: ${text}`);
	return { firstMs, pictureMs, wholeMs, text: text.replaceAll(/\s+/gu, ' ') };
}

async function typeNumber(field) {
	await field.pressSequentially(String(target), { delay: keyMs });
	await sleep(keyMs);
}

async function pasteNumber(field) {
	await field.fill(String(target));
}

/** Resets the reading position to page 1, because a new tab opens at the last reading position. */
async function goToFirst(context, url) {
	const place = { page: 1, pageCount: target, offset: 0, chapter: null, readAt: new Date().toISOString() };
	const answer = await context.request.put(`${url}/api/reading/part-1-en/place`, {
		data: place,
		headers: { origin: url },
	});
	if (!answer.ok()) throw new Error(`The reading position was answered with ${answer.status()}.`);
}

/**
 * Runs in the browser: sets `timesOfJump` to a promise of the milliseconds from the next press of the key to the frame
 * that shows the page's image, and to the frame that also has its text.
 */
function watchPage([number, expectedKey]) {
	const before = document.querySelector('[data-page-number] canvas');
	globalThis.timesOfJump = new Promise((resolve) => {
		const watch = ({ key, timeStamp: start }) => {
			if (key !== expectedKey) return;
			removeEventListener('keydown', watch, { capture: true });
			let pictureMs;
			const look = () => {
				// The time that is passed to the callback is the start of the frame, which may be before the key.
				const now = performance.now();
				const canvas = document.querySelector(`[data-page-number="${number}"] canvas`);
				if (canvas !== null && canvas !== before) pictureMs ??= now - start;
				if (document.querySelector(`[data-drawn="${number}"]`) === null) requestAnimationFrame(look);
				else resolve({ pictureMs, wholeMs: now - start });
			};
			requestAnimationFrame(look);
		};
		addEventListener('keydown', watch, { capture: true });
	});
}
