import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ContentValue } from '#contract/storefront/content-fields.ts';
import { defaultVideoSeconds, type VideoPart, videoKeys, videoUploadPath } from '#contract/storefront/video-parts.ts';
import { sanitizeCaptions } from '#server/features/storefront/videos/captions.ts';
import { readVideoFile } from '#server/features/storefront/videos/video-file.ts';
import { createHttpClient, multipart } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { captions, readMp4, writeHevc, writeWebm } from '../../support/documents/videos.ts';
import { publish, publishFields, readField, uploadVideoPart } from '../../support/storefront/storefront.ts';

const { testApp, admin } = await openTestApp();

const visitor = () => createHttpClient(testApp.app);
const page = async (lang = 'en') => (await visitor().call('GET', `/?lang=${lang}`)).body;
const read = () => readField(admin, 'videos.benefits');
const stored = async () => (await read()).value as ContentValue<'videos.benefits'>;
/** Uploads a part and publishes it. */
async function upload(part: VideoPart, bytes: Buffer, options: { name?: string } = {}) {
	const answer = await uploadVideoPart(admin, part, bytes, options);
	expect((await publish(admin)).statusCode).toBe(200);
	return answer;
}
const removeVideo = () => publishFields(admin, { 'videos.benefits': null });
/** Requests the bytes that contain the type of an MP4. */
async function requestFileType(src: string) {
	const part = await visitor().call('GET', src, undefined, { range: 'bytes=4-7' });
	expect([part.statusCode, part.body]).toEqual([206, 'ftyp']);
	return part;
}
async function setTitle(title: { en: string; hi: string }) {
	return publishFields(admin, { 'videos.benefits': { ...(await stored()), title } });
}
/** Returns the video players in the templates of the page, with titles and captions. */
function playersOf(html: string) {
	return [...html.matchAll(/<video [^>]*>.*?<\/video>/gu)].map(([video]) => ({
		src: /<video [^>]*\bsrc="([^"]+)"/u.exec(video)?.[1] ?? '',
		title: /aria-label="([^"]*)"/u.exec(video)?.[1],
		captions: [...video.matchAll(/<track [^>]*>/gu)].map(([track]) => ({
			src: /\bsrc="([^"]+)"/u.exec(track)?.[1] ?? '',
			language: /srcLang="([^"]+)"/u.exec(track)?.[1],
			isShown: /\sdefault=""/u.test(track),
		})),
	}));
}

describe('the default videos', () => {
	test.each(videoKeys)(
		'include %s with less than 2 MB, the right length, and valid captions that end before the video',
		async (key) => {
			const folder = join(import.meta.dirname, '../../../src/web/public/films');
			const film = await readFile(join(folder, `${key}.mp4`));
			expect(film.length).toBeLessThan(2_000_000);
			expect(await readVideoFile(film)).toMatchObject({ contentType: 'video/mp4', seconds: defaultVideoSeconds[key] });
			for (const language of ['en', 'hi']) {
				const text = await readFile(join(folder, `${key}.${language}.vtt`));
				expect(sanitizeCaptions(text)).toBe(text.toString());
				const [, lastEnd] = /--> 00:([\d.]+)\n[^\n]+\n$/u.exec(text.toString()) ?? [];
				expect(Number(lastEnd)).toBeLessThan(defaultVideoSeconds[key]);
			}
		},
	);

	test('are returned with their content type and byte ranges, and are immutable', async () => {
		const [player] = playersOf(await page());
		const { src = '', captions: tracks = [] } = player ?? {};
		const whole = await visitor().call('GET', src);
		expect(whole.headers).toMatchObject({
			'content-type': 'video/mp4',
			'cache-control': 'public, max-age=31536000, immutable',
			'accept-ranges': 'bytes',
			'x-content-type-options': 'nosniff',
		});
		const part = await requestFileType(src);
		expect(part.headers['content-range']).toBe(`bytes 4-7/${whole.rawPayload.length}`);
		const track = await visitor().call('GET', tracks[1]?.src ?? '');
		expect(track.headers['content-type']).toMatch(/^text\/vtt/u);
		expect(track.body).toContain('पाँच आदतें');
	});

	test.each(['/films/benefits.mp4', '/films/benefits.000000000000.mp4', '/films/..%2ffavicon.svg'])(
		'return 404 for the wrong URL %s',
		async (url) => expect((await visitor().call('GET', url)).statusCode).toBe(404),
	);

	test.each(videoKeys)('play on /film/%s without a script, with captions in both languages', async (key) => {
		const { body, headers } = await visitor().call('GET', `/film/${key}?lang=hi`);
		expect(headers['x-robots-tag']).toBe('noindex');
		expect(body).toContain('<html lang="hi"');
		expect(playersOf(body)).toMatchObject([{ captions: [{ language: 'en' }, { language: 'hi', isShown: true }] }]);
		expect(body).not.toMatch(/<script (?!type="application)/u);
	});
});

describe('a video of the owner', () => {
	test('replaces the default video when it is published, with its own length, captions and title', async () => {
		const film = await readMp4();
		const answer = await uploadVideoPart(admin, 'film', film, { name: 'mein Film.mp4' });
		const own = { blobId: expect.any(String), name: 'mein Film.mp4', sizeBytes: film.length, seconds: 6 };
		expect(answer.json()).toMatchObject({
			field: 'videos.benefits',
			version: 1,
			value: { source: 'own', film: own, captions: { en: null, hi: null } },
			isChanged: true,
		});
		const src = `/api/films/${(await stored()).film?.blobId}`;
		expect(playersOf(await page())[0]?.src).toMatch(/^\/films\/benefits/u);
		const [forVisitor, forAdmin] = await Promise.all([visitor().call('GET', src), admin.call('GET', src)]);
		expect([forVisitor.statusCode, forAdmin.rawPayload.equals(film)]).toEqual([404, true]);
		expect(forAdmin.headers['cache-control']).toBe('private, no-cache');
		await publish(admin);
		const [alone] = playersOf(await page());
		expect(alone).toMatchObject({ src: expect.stringMatching(/^\/api\/films\/[\w-]+$/u), captions: [] });
		expect(await page()).toContain('>0:06<');

		await upload('captions-hi', Buffer.from(captions));
		await setTitle({ en: 'Five habits', hi: 'पाँच आदतें' });
		const [player, other] = playersOf(await page('hi'));
		expect(player).toMatchObject({ title: 'पाँच आदतें', captions: [{ language: 'hi', isShown: true }] });
		expect(other?.src).toMatch(/^\/films\/how-to-get/u);
		const shown = await visitor().call('GET', player?.src ?? '');
		expect(shown.rawPayload.equals(film)).toBe(true);
		expect(shown.headers).toMatchObject({
			'content-type': 'video/mp4',
			'cache-control': 'public, max-age=31536000, immutable',
			'content-security-policy': expect.stringContaining('sandbox'),
		});
		await requestFileType(player?.src ?? '');
		const track = await visitor().call('GET', player?.captions[0]?.src ?? '');
		expect([track.headers['content-type'], track.body]).toEqual(['text/vtt; charset=utf-8', captions]);
	});

	test('is no longer sent after its removal, and the default video is shown again', async () => {
		const [player] = playersOf(await page());
		await removeVideo();
		expect(playersOf(await page())[0]).toMatchObject({
			src: expect.stringMatching(/^\/films\/benefits/u),
			title: 'What the book gives you',
			captions: [{ language: 'en' }, { language: 'hi' }],
		});
		expect((await visitor().call('GET', player?.src ?? '')).statusCode).toBe(404);
	});

	test('is detected as WebM by its content, not by its file name', async () => {
		await upload('film', await writeWebm(), { name: 'film.mp4' });
		const [player] = playersOf(await page());
		const { headers } = await visitor().call('HEAD', player?.src ?? '');
		expect(headers['content-type']).toBe('video/webm');
		await removeVideo();
	});

	test('is not needed to replace the captions of a default video', async () => {
		await upload('captions-en', Buffer.from(captions));
		const [player] = playersOf(await page());
		expect(player?.captions.map(({ src }) => src.split('/')[1])).toEqual(['api', 'films']);
		await removeVideo();
		expect(playersOf(await page())[0]?.captions[0]?.src).toMatch(/^\/films\//u);
	});

	const mp4Name = '\0\0\0\x18ftypisom\0\0\x02\0isomiso2';
	test.each([
		['HTML', () => Buffer.from('<script>alert(1)</script>'), 'error_video_not_video'],
		['an empty file', () => Buffer.alloc(0), 'error_video_not_video'],
		['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'error_video_not_video'],
		['an incomplete MP4', async () => (await readMp4()).subarray(0, 600), 'error_video_not_video'],
		['only the header of an MP4', () => Buffer.from(mp4Name, 'latin1'), 'error_video_not_video'],
		['an HEVC video of an iPhone', writeHevc, 'error_video_not_playable_everywhere'],
		['more than 25 MB', () => Buffer.alloc(25 * 1024 * 1024 + 1), 'error_video_too_large'],
	])('is refused with a field error and changes nothing when it is %s', async (_what, make, reason) => {
		const before = [await read(), await page()];
		const answer = await uploadVideoPart(admin, 'film', await make());
		expect(answer.json()).toMatchObject({ status: 422, code: 'FILM_REFUSED', fields: { file: expect.any(String) } });
		expect(answer.json().fields.file).toBe((await import('#messages')).m[reason as 'error_video_not_video']());
		expect([await read(), await page()]).toEqual(before);
	});

	test('is refused without a file, and for an unknown video', async () => {
		const form = multipart({ note: 'no file' });
		const at = `${videoUploadPath('benefits', 'film')}?version=${(await read()).version}`;
		const answer = await admin.call('POST', at, form.body, form.headers);
		expect(answer.json()).toMatchObject({ status: 422, fields: { file: 'Please fill in this field.' } });
		expect((await admin.call('POST', at.replace('benefits', 'nothing'), form.body, form.headers)).statusCode).toBe(404);
	});

	test('returns STALE for an upload with an outdated version', async () => {
		const { version } = await read();
		await upload('captions-en', Buffer.from(captions));
		for (const answer of [
			await uploadVideoPart(admin, 'film', await readMp4(), { version }),
			await uploadVideoPart(admin, 'captions-hi', Buffer.from(captions), { version }),
		])
			expect(answer.json()).toMatchObject({ status: 409, code: 'STALE' });
		await removeVideo();
	});
});
