import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { requireChromium } from '../services/chromium.mjs';
import { offlineFlags } from '../services/chromium-flags.mjs';
import { root } from '../setup/processes.mjs';

const origin = 'https://films.test';
const types = { mjs: 'text/javascript', js: 'text/javascript', woff2: 'font/woff2' };

/**
 * A video drawn by a module that exports `seconds` and `draw(pen, t)`; frame `k` is drawn for the moment it is shown
 * at, however long that takes, so that a video is the same each time.
 * @typedef {{ module: string, width: number, height: number, framesPerSecond: number, bitsPerSecond: number, fonts?: Record<string, string> }} Video
 */

/**
 * Opens a page of Chromium that has the repository's files and nothing else, with the video's fonts loaded.
 * @template T
 * @param {(page: import('@playwright/test').Page) => Promise<T>} work
 */
export async function withPage(work) {
	const { chromium } = await import('@playwright/test');
	const browser = await chromium.launch({ executablePath: await requireChromium(), args: offlineFlags });
	try {
		const page = await browser.newPage();
		await page.route('**/*', async (route) => {
			const { pathname } = new URL(route.request().url());
			if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
			const body = await readFile(join(root, normalize(pathname))).catch(() => null);
			if (body === null) return route.fulfill({ status: 404 });
			return route.fulfill({ contentType: types[pathname.split('.').at(-1)], body });
		});
		await page.goto(origin);
		return await work(page);
	} finally {
		await browser.close();
	}
}

/** Records a video as mp4 (H.264, which every browser plays), its index first. @param {Video} video */
export function recordVideo(film) {
	return withPage(async (page) => Buffer.from(await page.evaluate(record, film), 'base64'));
}

/** Single frames of a video as PNG, for looking at. @param {Video} video @param {number[]} moments in seconds */
export function photographFrames(film, moments) {
	return withPage(async (page) => {
		const drawn = await page.evaluate(photograph, { ...film, moments });
		return drawn.map((url) => Buffer.from(url.split(',')[1], 'base64'));
	});
}

/** Runs in the page. */
async function record({ module, width, height, framesPerSecond, bitsPerSecond, fonts = {} }) {
	const { draw, seconds } = await import(module);
	const { BufferTarget, CanvasSource, Mp4OutputFormat, Output } = await import(
		'/node_modules/mediabunny/dist/bundles/mediabunny.min.mjs'
	);
	for (const [family, file] of Object.entries(fonts))
		document.fonts.add(await new FontFace(family, `url(${file})`, { weight: '100 900' }).load());
	const canvas = new OffscreenCanvas(width, height);
	const pen = canvas.getContext('2d', { alpha: false });
	const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() });
	const source = new CanvasSource(canvas, {
		codec: 'avc',
		bitrate: bitsPerSecond,
		keyFrameInterval: 4,
		latencyMode: 'quality',
	});
	output.addVideoTrack(source, { frameRate: framesPerSecond });
	await output.start();
	for (let frame = 0; frame < seconds * framesPerSecond; frame += 1) {
		draw(pen, frame / framesPerSecond);
		await source.add(frame / framesPerSecond, 1 / framesPerSecond);
	}
	await output.finalize();
	return new Uint8Array(output.target.buffer).toBase64();
}

/** Runs in the page. */
async function photograph({ module, width, height, fonts = {}, moments }) {
	const { draw } = await import(module);
	for (const [family, file] of Object.entries(fonts))
		document.fonts.add(await new FontFace(family, `url(${file})`, { weight: '100 900' }).load());
	const canvas = document.createElement('canvas');
	canvas.width = width;
	canvas.height = height;
	const pen = canvas.getContext('2d', { alpha: false });
	return moments.map((moment) => {
		draw(pen, moment);
		return canvas.toDataURL('image/png');
	});
}
