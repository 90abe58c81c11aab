import { join } from 'node:path';

const heights = { 390: 844, 1440: 900 };
const stillMs = 350;
const stillTimeoutMs = 15_000;

/** Takes screenshots of screens, one after another, in a new browser context. @returns the errors, one line each */
export async function photographAll(browser, screens, setting) {
	const { url, variant, cookies } = setting;
	const { width, theme, language } = variant;
	const context = await browser.newContext({
		baseURL: url,
		viewport: { width, height: heights[width] },
		deviceScaleFactor: width === 390 ? 2 : 1,
		isMobile: width === 390,
		hasTouch: width === 390,
		colorScheme: theme,
		reducedMotion: 'reduce',
		locale: 'en-IN',
		timezoneId: 'Asia/Kolkata',
	});
	await context.addCookies([...cookies, { name: 'lang', value: language, url }]);
	const faults = [];
	await context.addInitScript(dismissWelcome);
	for (const screen of screens) {
		const name = `${screen.name}-${width}-${theme}-${language}`;
		for (const fault of await photographOne(context, screen, name, setting)) faults.push(`${name}: ${fault}`);
	}
	await context.close();
	return faults;
}

/** Runs in the page: dismisses the welcome dialog, except at addresses that contain `welcome`. */
function dismissWelcome() {
	const { getItem } = Storage.prototype;
	Storage.prototype.getItem = function (key) {
		const isDismissed = key.startsWith('welcome_seen_') && !location.search.includes('welcome');
		return getItem.call(this, key) ?? (isDismissed ? 'true' : null);
	};
}

async function photographOne(context, screen, name, { url, folder, t }) {
	const page = await context.newPage();
	const faults = watchErrors(page, url, screen.fails ?? []);
	let seen;
	const traffic = watchTraffic(page);
	try {
		await page.goto(screen.path);
		await waitUntilStill(page, traffic);
		const undo = await screen.act?.(page, t);
		await waitUntilStill(page, traffic, screen.holds);
		const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
		if (overflow > 0) faults.push(`overflows by ${overflow} px`);
		if (screen.isTall) await growWindow(page);
		await page.screenshot({ path: join(folder, `${name}.png`), fullPage: screen.isFullPage ?? false });
		seen = faults.length;
		if (typeof undo === 'function') await undo();
	} catch (error) {
		faults.push(`not photographed: ${error.message.split('\n').slice(0, 3).join(' ')}`);
		await page.screenshot({ path: join(folder, `${name}-failed.png`) }).catch(() => {});
	} finally {
		await page.close();
	}
	// Ignores errors while the screen's changes are undone.
	return faults.slice(0, seen);
}

/** Makes the window as high as the page. In a full-page screenshot sticky elements would be at the wrong position. */
async function growWindow(page) {
	const height = await page.evaluate(() => document.documentElement.scrollHeight);
	await page.setViewportSize({ width: page.viewportSize().width, height });
	await page.waitForTimeout(stillMs);
}

function watchErrors(page, url, expected) {
	const faults = [];
	page.on('console', (message) => {
		if (message.type() !== 'error') return;
		const status = Number(/status of (\d+)/u.exec(message.text())?.[1]);
		const isAborted = message.text().includes('net::ERR_CONNECTION_REFUSED');
		if (!expected.includes(status) && !isAborted)
			faults.push(`console: ${message.text()} ${message.location().url.replace(url, '')}`);
	});
	page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
	page.on('request', (request) => {
		const address = request.url();
		if (/^https?:/u.test(address) && new URL(address).origin !== url) faults.push(`third party: ${address}`);
	});
	return faults;
}

/** Tracks requests under way, except the event stream, which never ends. */
function watchTraffic(page) {
	const state = { open: new Set(), changedAt: performance.now() };
	const isStream = (request) =>
		request.resourceType() === 'eventsource' || new URL(request.url()).pathname === '/api/events';
	page.on('request', (request) => {
		if (isStream(request)) return;
		state.open.add(request);
		state.changedAt = performance.now();
	});
	for (const event of ['requestfinished', 'requestfailed']) {
		page.on(event, (request) => {
			state.open.delete(request);
			state.changedAt = performance.now();
		});
	}
	return state;
}

/** Waits until no request was sent for a while, fonts and images are loaded, and the page has drawn twice. */
async function waitUntilStill(page, traffic, held) {
	const giveUpAt = performance.now() + stillTimeoutMs;
	const isQuiet = () => traffic.open.size === 0 && performance.now() - traffic.changedAt > stillMs;
	// Requests that a screen leaves open on purpose (running uploads) must not delay the screenshot.
	const isHeld = () => [...traffic.open].every((request) => request.method() === 'PATCH' || held?.test(request.url()));
	while (!isQuiet() && !(isHeld() && performance.now() - traffic.changedAt > stillMs)) {
		if (performance.now() > giveUpAt) throw new Error(`still loading ${[...traffic.open].map((r) => r.url())}`);
		await page.waitForTimeout(50);
	}
	await page.evaluate(async () => {
		await document.fonts.ready;
		for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
	});
	await page.waitForTimeout(150);
}
