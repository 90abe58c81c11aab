import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectNoHorizontalOverflow, failRequests, hostJourneys, test } from '../../support/browser/journey.ts';
import { publishDraft } from '../../support/browser/storefront-editor.ts';
import { captions } from '../../support/documents/videos.ts';
import { readMessages } from '../../support/texts/messages.ts';

hostJourneys();
const phone = { width: 360, height: 800 };
const texts = readMessages('storefront/storefront', 'en');
const demoVideo = join(import.meta.dirname, '../../../demo/media/morning-routine.mp4');

function recordVideoRequests(page: Page): string[] {
	const requested: string[] = [];
	page.on('request', (request) => {
		const { pathname } = new URL(request.url());
		if (/^\/(?:api\/)?films\//u.test(pathname)) requested.push(pathname);
	});
	return requested;
}

/** Reads time and captions in one call, because the captions change during playback. */
const readState = (page: Page, at: number) =>
	page
		.locator('video')
		.nth(at)
		.evaluate((video: HTMLVideoElement) => ({
			playsAt: video.paused ? 0 : video.currentTime,
			seconds: Math.round(video.duration),
			width: video.videoWidth,
			tracks: [...video.textTracks].map(({ kind, language, mode }) => [kind, language, mode]),
			captions: [...video.textTracks].flatMap(({ activeCues }) =>
				[...(activeCues ?? [])].map((cue) => (cue as VTTCue).text),
			),
		}));

/** Waits until a video plays. @returns its duration, width, tracks and visible captions */
async function watch(page: Page, at = 0) {
	let { playsAt, ...seen } = await readState(page, at);
	const isMoving = async () => {
		({ playsAt, ...seen } = await readState(page, at));
		return playsAt > 0.6;
	};
	await expect.poll(isMoving, { intervals: [100] }).toBe(true);
	return seen;
}

test('on a phone, a Hindi video loads when its button is pressed, and plays in the page with captions', async ({
	enter,
}) => {
	const page = await enter({ viewport: phone });
	const requested = recordVideoRequests(page);
	await page.goto('/?lang=hi');
	const first = page.getByRole('button', { name: 'फ़िल्म चलाएँ: पुस्तक आपको क्या देती है' });
	await first.scrollIntoViewIfNeeded();
	const before = await page.locator('.video-screen').first().boundingBox();
	await page.getByText('0:36, कैप्शन के साथ').last().scrollIntoViewIfNeeded();
	// A page that preloads its videos would have requested them before the browser is idle.
	await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
	expect(requested).toEqual([]);

	await first.click();
	expect(await watch(page)).toEqual({
		seconds: 36,
		width: 1280,
		tracks: [
			['captions', 'en', 'disabled'],
			['captions', 'hi', 'showing'],
		],
		captions: ['दो भागों की एक पुस्तक। पाँच आदतें, एक के ऊपर एक।'],
	});
	expect(new Set(requested.map((path) => path.replace(/\.[\da-f]{12}\./u, '.')))).toEqual(
		new Set(['/films/benefits.mp4', '/films/benefits.hi.vtt']),
	);
	expect((await page.locator('.video-screen').first().boundingBox())?.height).toBe(before?.height);
	await expect(page.locator('video')).toBeFocused();

	const second = page.getByRole('button', { name: 'फ़िल्म चलाएँ: भुगतान से पहले पन्ने तक' });
	await second.focus();
	await page.keyboard.press('Space');
	expect(await watch(page, 1)).toMatchObject({ seconds: 36, captions: [expect.stringContaining('UPI')] });
	expect((await readState(page, 0)).playsAt, 'the first video is paused').toBe(0);
	await expectNoHorizontalOverflow(page);
});

test('a video that cannot be loaded shows an error, and plays after Try again is pressed', async ({ enter }) => {
	const page = await enter({ at: '/' });
	const restore = await failRequests(page, /^\/films\/.*\.mp4$/u);
	await page.getByRole('button', { name: 'Play the film: From payment to page one' }).press('Enter');
	await expect(page.getByRole('alert').filter({ hasText: 'could not be loaded' })).toBeVisible();
	const again = page.getByRole('button', { name: 'Try again' });
	await expect(again).toBeFocused();
	await restore();
	await again.click();
	expect(await watch(page)).toMatchObject({ seconds: 36 });
	await expect(again).toBeHidden();
});

test('without JavaScript, a video loads and plays only on its own page', async ({ enter }) => {
	const page = await enter({ javaScriptEnabled: false, viewport: phone });
	const requested = recordVideoRequests(page);
	await page.goto('/?lang=hi', { waitUntil: 'networkidle' });
	expect(requested).toEqual([]);
	await page.getByRole('link', { name: 'फ़िल्म चलाएँ: पुस्तक आपको क्या देती है' }).click();
	await expect(page).toHaveURL(/\/film\/benefits$/u);
	await expect(page.getByRole('heading', { level: 1, name: 'पुस्तक आपको क्या देती है' })).toBeVisible();
	await expect(page.locator('video[controls]')).toBeVisible();
	await expect.poll(() => requested.some((path) => path.endsWith('.mp4'))).toBe(true);
	await expectNoHorizontalOverflow(page);
	await page.getByRole('link', { name: 'पुस्तक पर वापस जाएँ' }).click();
	await expect(page).toHaveURL(/\/$/u);
});

test('the owner replaces a video, its captions and its title, and restores the default video', async ({ enter }) => {
	const owner = await enter({ signedInAs: 'owner', at: '/admin/storefront?section=videos' });
	const visitor = await enter();
	const card = owner.getByRole('group', { name: 'Video beside the benefits' });
	const choose = (label: string, name: string, buffer: Buffer) =>
		card.getByLabel(label, { exact: true }).and(owner.locator('input')).setInputFiles({ name, mimeType: '', buffer });
	await choose('Choose a video', 'film.mp4', Buffer.from('<script>alert(1)</script>'));
	await expect(card.getByText(texts('error_video_not_video'))).toBeVisible();
	await choose('Choose captions in English', 'captions.srt', Buffer.from('1\n00:00:00,500 --> 00:00:02,000\nx'));
	await expect(card.getByText(texts('error_captions_not_vtt'))).toBeVisible();

	await card.getByRole('textbox', { name: 'Title' }).fill('Five habits');
	await card.getByLabel('Choose a video').and(owner.locator('input')).setInputFiles(demoVideo);
	await expect(card.getByText('morning-routine.mp4, ')).toBeVisible();
	await expect(card.getByText('No captions.')).toHaveCount(2);
	await expect(card.getByRole('textbox', { name: 'Title' })).toHaveValue('Five habits');
	await choose('Choose captions in English', 'captions.vtt', Buffer.from(captions));
	await expect(card.getByText('captions.vtt', { exact: true })).toBeVisible();
	await publishDraft(owner);
	await visitor.goto('/');
	await visitor.getByRole('button', { name: 'Play the film: Five habits' }).click();
	expect(await watch(visitor)).toMatchObject({
		seconds: 6,
		tracks: [['captions', 'en', 'showing']],
		captions: ['पिरामिड पर सूरज उगता है।'],
	});

	await card.getByRole('combobox', { name: 'Which video' }).selectOption('No video');
	await publishDraft(owner);
	await visitor.goto('/');
	await expect(visitor.getByRole('button', { name: /^Play the film/u })).toHaveCount(1);
	await card.getByRole('button', { name: 'Restore default: Video beside the benefits' }).click();
	await publishDraft(owner);
	await visitor.goto('/');
	await expect(visitor.getByRole('button', { name: 'Play the film: What the book gives you' })).toBeVisible();
});
