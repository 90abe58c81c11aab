/**
 * Measures two screens of the built product in Chromium beside bare pages that do the same: 1,000 files dropped onto a
 * folder, and scrolling a list of 100,000 files. The bare page for files sends each by `fetch` to the server of
 * baseline-uploads.mjs; the bare list has the same number of rows of plain text.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { startServer } from '../../scripts/services/built-server.mjs';
import { requireChromium } from '../../scripts/services/chromium.mjs';
import { chromiumFlags } from '../../scripts/services/chromium-flags.mjs';
import { root } from '../../scripts/setup/processes.mjs';
import { quantile } from '../measure/rounds.mjs';
import { requireDurability, seedForBaseline, serveSeeded } from '../measure/seed-and-load.mjs';

const sizeBytes = 20 * 1024;
/** Browsers open six connections to an origin. */
const connections = 6;
const timeoutMs = 120_000;
const viewport = { width: 1440, height: 900 };

export async function prepareDroppedFiles(bench) {
	const { node, program, form } = bench;
	const count = { full: 1000, short: 1000, once: 12 }[form];
	const { seeded, env } = await seedForBaseline(bench, 'browser-uploads', ['large-file', 1], { LOG_LEVEL: 'warn' });
	const programs = { folio: program, baseline: join(root, 'bench', 'baselines', 'baseline-uploads.mjs') };
	const paths = await writeFiles(join(bench.folder, 'dropped'), count);
	const browser = await chromium.launch({ executablePath: await requireChromium(), args: chromiumFlags });
	let round = 0;
	return {
		contestants: ['folio', 'baseline'],
		rows: [
			['files dropped onto the page, per second', 'perSecond', 0],
			['from the drop to the last answer, ms', 'totalMs', 0],
		],
		note: `${count} files of ${sizeBytes / 1024} KB, dropped at once; Folio sends them in batches of at most 32; baseline: a bare page that sends each by fetch, ${connections} at a time; both servers keep each file and row through a power cut before they answer.`,
		async measure(name) {
			round += 1;
			await using server = await startServer(node, env[name], programs[name]);
			if (name === 'baseline') await requireDurability(seeded.durability, server.url);
			const before = countStored(name, env[name]);
			await using context = await openContext(browser, server.url, seeded.token);
			const page = await context.newPage();
			if (name === 'folio') await openFolder(page, server.url, seeded.token, `Round ${round}`);
			else {
				await page.goto(`${server.url}/healthz`);
				await page.evaluate(sendDropped, connections);
			}
			await page.evaluate(recordDrop);
			await drop(page, paths);
			await waitUntilStored(name, env[name], before + count);
			const totalMs = await readLastAnswer(page);
			return { perSecond: (count * 1000) / totalMs, totalMs };
		},
		close: () => browser.close(),
	};
}

async function writeFiles(folder, count) {
	await mkdir(folder, { recursive: true });
	const bytes = Buffer.alloc(sizeBytes, 'A line of a worksheet. ');
	const paths = Array.from({ length: count }, (_, number) => join(folder, `Worksheet ${number}.txt`));
	for (const [number, path] of paths.entries()) await writeFile(path, Buffer.concat([bytes, Buffer.from(`${number}`)]));
	return paths;
}

async function openContext(browser, url, token) {
	const context = await browser.newContext({ viewport, locale: 'en-IN' });
	await context.addCookies([{ name: 'folio_session', value: token, url }]);
	return context;
}

/** Creates a folder in the guest space and opens it in the file manager. */
async function openFolder(page, url, token, name) {
	const answer = await fetch(`${url}/api/spaces/guest/folders`, {
		method: 'POST',
		headers: { cookie: `folio_session=${token}`, origin: url, 'content-type': 'application/json' },
		body: JSON.stringify({ path: '', name }),
	});
	if (!answer.ok) throw new Error(`The folder was answered with ${answer.status}: ${await answer.text()}`);
	const { realPath } = await answer.json();
	await page.goto(`${url}/user/guest?path=${encodeURIComponent(realPath)}`);
	await page.getByRole('heading', { name }).first().waitFor();
}

/** Drops files onto the page, like a user of the system's file manager. */
async function drop(page, files) {
	const cdp = await page.context().newCDPSession(page);
	const data = { items: [], files, dragOperationsMask: 1 };
	const at = { x: viewport.width / 2, y: viewport.height / 2 };
	for (const type of ['dragEnter', 'dragOver', 'drop'])
		await cdp.send('Input.dispatchDragEvent', { type, ...at, data });
	await cdp.detach();
}

/** Runs in the bare page: sends each dropped file by fetch. */
function sendDropped(atOnce) {
	addEventListener('dragover', (event) => event.preventDefault());
	addEventListener('drop', (event) => {
		event.preventDefault();
		const files = [...event.dataTransfer.files];
		const sendNext = async () => {
			for (let file = files.pop(); file !== undefined; file = files.pop())
				await fetch(`/dropped/${encodeURIComponent(file.name)}`, { method: 'PUT', body: file });
		};
		for (let sender = 0; sender < atOnce; sender += 1) void sendNext();
	});
}

/** Runs in the page: records when files are dropped, and keeps the times of all later requests. */
function recordDrop() {
	performance.setResourceTimingBufferSize(10_000);
	performance.clearResourceTimings();
	addEventListener('drop', () => performance.mark('dropped'), { capture: true });
}

/** Waits until the database has `expected` files, whose last answer then follows at once. */
async function waitUntilStored(name, env, expected) {
	let stored = 0;
	for (const endsAt = performance.now() + timeoutMs; performance.now() < endsAt; await sleep(200)) {
		stored = countStored(name, env);
		if (stored > expected) break;
		if (stored === expected) return sleep(500);
	}
	throw new Error(`${name} has ${stored} of ${expected} files.`);
}

/** @returns milliseconds from the drop to the last answer to an upload */
function readLastAnswer(page) {
	return page.evaluate(() => {
		const [{ startTime: droppedAt }] = performance.getEntriesByName('dropped');
		const sent = performance
			.getEntriesByType('resource')
			.filter(({ name, initiatorType }) => initiatorType === 'xmlhttprequest' || name.includes('/dropped/'));
		return Math.max(...sent.map(({ responseEnd }) => responseEnd)) - droppedAt;
	});
}

const countQueries = {
	folio: "select count(*) as count from nodes where kind = 'file' and blob_id is not null",
	// The browser also requests an icon, which this server stores as an empty file.
	baseline: 'select count(*) as count from baseline_files where size_bytes > 0',
};

function countStored(name, { DATA_DIR }) {
	using database = new DatabaseSync(join(DATA_DIR, 'folio.db'), { readOnly: true });
	return database.prepare(countQueries[name]).get().count;
}

export async function prepareScroll(bench) {
	const { form } = bench;
	const count = { full: 100_000, short: 100_000, once: 1000 }[form];
	const distance = { full: 60_000, short: 20_000, once: 2000 }[form];
	const { seeded, server } = await serveSeeded(bench, 'browser-scroll', ['seed-files.ts', count]);
	const browser = await chromium.launch({ executablePath: await requireChromium(), args: chromiumFlags });
	return {
		contestants: ['folio', 'baseline'],
		rows: [
			['frames per second', 'framesPerSecond', 1],
			['frames later than 25 ms, percent', 'latePercent', 1],
			['time between two frames, p99, ms', 'p99Ms', 1],
			['longest task, ms (0: none over 50)', 'longestTaskMs', 0],
			['processor time of the main thread for 100 px, ms', 'mainThreadMs', 1],
		],
		note: `A list of ${count} files, ${distance} px scrolled by wheel at 6,000 px/s, 100 px in a frame of 60 a second; baseline: ${count} rows of plain text.`,
		async measure(name) {
			await using context = await openContext(browser, server.url, seeded.token);
			const page = await context.newPage();
			if (name === 'folio') {
				await page.goto(`${server.url}/user/guest?path=${seeded.path}`);
				await page.locator('[data-row]').first().waitFor();
			} else {
				await page.goto(`${server.url}/healthz`);
				await page.evaluate(addPlainRows, count);
			}
			await page.waitForTimeout(500);
			await page.evaluate(watchFrames);
			const cdp = await context.newCDPSession(page);
			await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
			const busyBeforeMs = await readMainThreadMs(cdp);
			await cdp.send('Input.synthesizeScrollGesture', {
				x: viewport.width / 2,
				y: viewport.height / 2,
				yDistance: -distance,
				speed: 6000,
				gestureSourceType: 'mouse',
			});
			const busyMs = (await readMainThreadMs(cdp)) - busyBeforeMs;
			const { frameMs, taskMs, scrolledPx } = await page.evaluate(() => globalThis.endWatch());
			if (scrolledPx < distance * 0.9) throw new Error(`${name} scrolled ${scrolledPx} of ${distance} px.`);
			return {
				framesPerSecond: (frameMs.length * 1000) / frameMs.reduce((sum, ms) => sum + ms, 0),
				latePercent: (100 * frameMs.filter((ms) => ms > 25).length) / frameMs.length,
				p99Ms: quantile(frameMs, 0.99),
				longestTaskMs: Math.max(0, ...taskMs),
				mainThreadMs: (busyMs * 100) / scrolledPx,
			};
		},
		close: async () => {
			await browser.close();
			await server.stop();
		},
	};
}

/** @returns the processor time of the page's main thread, which other processes do not change, in ms */
async function readMainThreadMs(cdp) {
	const { metrics } = await cdp.send('Performance.getMetrics');
	return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
}

/** Runs in the bare page. */
function addPlainRows(count) {
	// The page's Content-Security-Policy forbids a style attribute.
	const sheet = new CSSStyleSheet();
	sheet.replaceSync('div { height: 48px }');
	document.adoptedStyleSheets = [sheet];
	const row = (number) => `<div>worksheet ${String(number).padStart(6, '0')}.pdf</div>`;
	document.body.innerHTML = Array.from({ length: count }, (_, number) => row(number)).join('');
}

/** Runs in the page: `endWatch` returns the times between frames and the long tasks since then. */
function watchFrames() {
	const [frameMs, taskMs] = [[], []];
	let last = performance.now();
	let frame = requestAnimationFrame(function next(now) {
		frameMs.push(now - last);
		last = now;
		frame = requestAnimationFrame(next);
	});
	const read = (entries) => taskMs.push(...entries.map(({ duration }) => duration));
	const observer = new PerformanceObserver((list) => read(list.getEntries()));
	observer.observe({ type: 'longtask' });
	globalThis.endWatch = () => {
		cancelAnimationFrame(frame);
		read(observer.takeRecords());
		return { frameMs: frameMs.slice(1), taskMs, scrolledPx: document.scrollingElement.scrollTop };
	};
}
