import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { openPreview } from '../../support/browser/file-manager-page.ts';
import { expectText, hostJourneys, phone, test } from '../../support/browser/journey.ts';
import { addFile, addUser, listNodes } from '../../support/browser/seeding.ts';
import { paintPicture, writePdf } from '../../support/documents/sample-files.ts';

const product = hostJourneys();

test('the file list shows thumbnails, and the preview goes through pictures, videos and files without a preview', async ({
	enter,
}) => {
	const { email } = await addUser(product.owner, 'gallery@example.com');
	const film = await readFile('demo/media/morning-routine.mp4');
	await addFile(product.owner, email, '1 green.png', await paintPicture('#3d7a57', 900, 600));
	await addFile(product.owner, email, '2 red.png', await paintPicture());
	await addFile(product.owner, email, '3 film.mp4', film);
	await addFile(product.owner, email, '4 words.txt', Buffer.from('words'));
	await addFile(product.owner, email, '5 torn.mp4', film.subarray(0, 900));
	await addFile(product.owner, email, '6 book.pdf', writePdf(['a page']));
	const page = await enter({ signedInAs: 'owner', ...phone, at: `/user/${email}` });
	const shown = page.locator('img[data-shown]');
	// The thumbnails of two pictures and a PDF page, and the video poster, which this browser has rendered.
	await expect(shown).toHaveCount(4);
	expect((await listNodes(product.owner, email)).map(({ thumb }) => thumb !== null)).toEqual([
		true,
		true,
		true,
		false,
		false,
		true,
	]);

	await page.getByRole('button', { name: '1 green.png', exact: true }).click();
	const overlay = page.getByRole('dialog');
	const title = (name: string) => overlay.getByRole('heading', { name });
	await expect(overlay.getByText('1 of 6').first()).toBeVisible();
	await expect(overlay.getByRole('img', { name: '1 green.png' })).toBeVisible();
	await swipe(page, 'left');
	await expect(title('2 red.png')).toBeVisible();
	await page.keyboard.press('ArrowRight');
	await expect(title('3 film.mp4')).toBeVisible();
	await expect(overlay.getByLabel('3 film.mp4', { exact: true })).toHaveAttribute('poster', /\/thumb\?v=/u);
	await page.keyboard.press('ArrowRight');
	await expectText(overlay, 'There is no preview of this type of file.');
	await page.keyboard.press('ArrowRight');
	await expectText(overlay, 'This file cannot be shown in this browser.');
	await expect(overlay.getByRole('link', { name: 'Download', exact: true })).toBeVisible();
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.press('Escape');
	await expect(overlay).toHaveCount(0);
});

/** Swipes with one finger over the picture. */
async function swipe(page: Page, to: 'left' | 'right'): Promise<void> {
	const session = await page.context().newCDPSession(page);
	const [startX, endX] = to === 'left' ? [300, 80] : [80, 300];
	const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
		session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 420 }] });
	await touch('touchStart', startX);
	await touch('touchMove', endX);
	await touch('touchEnd');
}

test('seeking to the middle of a video requests the bytes from there on', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'film@example.com');
	const page = await enter({ signedInAs: email, at: '/healthz' });
	const film = Buffer.from(await page.evaluate(recordVideo), 'base64');
	expect(film.length).toBeGreaterThan(4_000_000);
	await addFile(product.owner, email, 'long.mp4', film);
	const ranges: string[] = [];
	page.on('response', (response) => {
		const range = response.headers()['content-range'];
		if (response.status() === 206 && range !== undefined) ranges.push(range);
	});
	await page.goto('/dashboard');
	await openPreview(page, 'long.mp4');
	const video = page.getByRole('dialog').getByLabel('long.mp4', { exact: true });
	await expect.poll(() => video.evaluate((film: HTMLVideoElement) => film.duration)).toBeGreaterThan(2);
	const seconds = await video.evaluate(async (film: HTMLVideoElement) => {
		const seeked = new Promise((resolve) => film.addEventListener('seeked', resolve, { once: true }));
		film.currentTime = film.duration / 2;
		await seeked;
		return { at: film.currentTime, of: film.duration };
	});
	expect(seconds.at / seconds.of).toBeCloseTo(0.5, 1);
	await expect.poll(() => ranges.some((range) => Number(/bytes (\d+)-/u.exec(range)?.[1]) > 1_000_000)).toBe(true);
});

/** Runs in the page: records some seconds of noise, which no codec compresses well. @returns base64 */
async function recordVideo(): Promise<string> {
	const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
	const pen = canvas.getContext('2d');
	const noise = new ImageData(640, 360);
	const draw = () => {
		const pixels = new Uint32Array(noise.data.buffer);
		for (let i = 0; i < pixels.length; i += 1) pixels[i] = 0xff000000 | (Math.random() * 0xffffff);
		pen?.putImageData(noise, 0, 0);
	};
	const recorder = new MediaRecorder(canvas.captureStream(20), {
		mimeType: 'video/mp4',
		videoBitsPerSecond: 40_000_000,
	});
	const chunks: Blob[] = [];
	recorder.ondataavailable = ({ data }) => chunks.push(data);
	const over = new Promise((resolve) => recorder.addEventListener('stop', resolve));
	recorder.start();
	const until = performance.now() + 4000;
	while (performance.now() < until) {
		draw();
		await new Promise((resolve) => requestAnimationFrame(resolve));
	}
	recorder.stop();
	await over;
	const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
	let text = '';
	for (let i = 0; i < bytes.length; i += 32_768) text += String.fromCharCode(...bytes.subarray(i, i + 32_768));
	return btoa(text);
}
