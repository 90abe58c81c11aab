import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { ImageKind, StorefrontImage } from '#contract/storefront/content.ts';
import { m } from '#messages';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { getPagePictures } from '#server/features/storefront/content-files/content-files.service.ts';
import { writeSetting } from '#server/platform/database/settings.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient, multipart } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, testPassword } from '../../support/app/users.ts';
import { makeHugePng } from '../../support/documents/images.ts';
import { captions } from '../../support/documents/videos.ts';
import { publishFields, saveField, uploadPicture, uploadVideoPart } from '../../support/storefront/storefront.ts';

const { testApp, deps, admin } = await openTestApp();
const visitor = createHttpClient(testApp.app);

/** A picture whose left half is red and whose right half is blue. */
function makeHalves(width: number, height: number) {
	const red = { create: { width: width / 2, height, channels: 3 as const, background: '#ff0000' } };
	const blue = { create: { width, height, channels: 3 as const, background: '#0000ff' } };
	return sharp(blue).composite([{ input: red, gravity: 'west' }]);
}
const photo = await makeHalves(1800, 3000)
	.withExif({ IFD0: { Copyright: 'Asha' } })
	.jpeg()
	.toBuffer();

async function upload(kind: ImageKind, bytes: Buffer, query?: string): Promise<StorefrontImage> {
	const answer = await uploadPicture(admin, kind, bytes, query);
	expect(answer.statusCode, answer.body).toBe(200);
	return answer.json();
}
async function listVariants({ id }: StorefrontImage): Promise<string[]> {
	const rows = await findRows(deps, 'storefront_file_blobs', { file_id: id });
	return rows.map(({ name }) => name).toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}
const statusOf = async (url: string, client = visitor) => (await client.call('GET', url)).statusCode;
async function collectLater(seconds: number) {
	testApp.clock.advance(seconds);
	await collectGarbage(deps);
	expect((await checkIntegrity(deps)).problems).toEqual([]);
	await admin.signIn('admin@example.com', testPassword);
}
const cover = ({ id }: StorefrontImage) => ({ covers: { 'part-1-en': id } });

describe('an uploaded picture', () => {
	test.each([
		['cover', '', [960, 1440], [160, 240, 320, 480, 640, 960], ['avif', 'webp', 'jpg']],
		['cover', '&x=0&y=0&width=500&height=900', [500, 750], [160, 240, 320, 480, 500], ['avif', 'webp', 'jpg']],
		['excerpt', '', [1200, 2000], [480, 800, 1200], ['avif', 'webp', 'jpg']],
		['social', '', [1200, 630], [1200], ['jpg']],
		['icon', '', [512, 512], [32, 48, 96, 180, 192, 512], ['png']],
	] as [ImageKind, string, [number, number], number[], string[]][])(
		'is stored in the widths and types of its use: %s %s',
		async (kind, query, [width, height], widths, types) => {
			const picture = await upload(kind, photo, query);
			expect(picture).toMatchObject({ width, height });
			const folder = `/storefront/images/${picture.id}`;
			const sourceSet = (type: string) =>
				types.includes(type) ? widths.map((each) => `${folder}/${each}.${type} ${each}w`).join(', ') : '';
			const shown = { src: picture.url, width, height, avif: sourceSet('avif'), webp: sourceSet('webp') };
			expect(await getPagePictures(deps.db, [picture.id])).toEqual(new Map([[picture.id, shown]]));
			expect(picture.url).toBe(`${folder}/${widths.at(-1)}.${types.at(-1)}`);
			const names = widths.flatMap((each) => types.map((type) => `${each}.${type}`));
			expect((await listVariants(picture)).toSorted()).toEqual([...names, 'original'].toSorted());
			for (const name of names) {
				const { headers, rawPayload } = await admin.call('GET', `${folder}/${name}`);
				const [size, type = ''] = name.split('.');
				const mime = `image/${type === 'jpg' ? 'jpeg' : type}`;
				expect(headers).toMatchObject({ 'content-type': mime, 'x-content-type-options': 'nosniff' });
				const found = await sharp(rawPayload).metadata();
				expect([found.width, found.exif, found.orientation], name).toEqual([Number(size), undefined, undefined]);
				expect(Math.abs((found.height ?? 0) - (Number(size) * height) / width), name).toBeLessThanOrEqual(1);
			}
		},
	);

	test('is upright, and is cropped to the area that the admin selected', async () => {
		// Rotated by 90°: the red half is at the top of the upright picture.
		const rotated = await makeHalves(600, 300).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
		const whole = await upload('excerpt', rotated);
		const lower = await upload('excerpt', rotated, '&x=0&y=300&width=300&height=300');
		expect(whole).toMatchObject({ width: 300, height: 600 });
		expect(lower).toMatchObject({ width: 300, height: 300 });
		const point = { left: 99, top: 9, width: 1, height: 1 };
		const topOf = async ({ url }: StorefrontImage) => {
			const pixels = sharp((await admin.call('GET', url)).rawPayload).extract(point);
			const [red = 0, , blue = 0] = await pixels.raw().toBuffer();
			return red > blue ? 'red' : 'blue';
		};
		expect([await topOf(whole), await topOf(lower)]).toEqual(['red', 'blue']);
	});

	test.each(['png', 'webp', 'avif'] as const)('is accepted as %s', async (type) => {
		const bytes = await makeHalves(60, 90).toFormat(type).toBuffer();
		expect(await upload('cover', bytes)).toMatchObject({ width: 60, height: 90 });
	});

	const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
	test.each([
		['SVG', Buffer.from(svg), m.error_picture_not_image],
		['HTML', Buffer.from('<html><script>alert(1)</script></html>'), m.error_picture_not_image],
		['an incomplete JPEG', photo.subarray(0, 3000), m.error_picture_not_image],
		['empty', Buffer.alloc(0), m.error_picture_not_image],
		['a HEIC photo', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), m.error_picture_heic],
		['of more than 25 MB', Buffer.alloc(25 * 1024 * 1024 + 1), m.error_picture_too_large],
	])('is refused and not stored if it is %s', async (_what, bytes, reason) => {
		const before = await findRows(deps, 'blobs');
		const answer = await uploadPicture(admin, 'cover', bytes);
		expect(answer.json()).toMatchObject({ code: 'STOREFRONT_IMAGE_REFUSED', status: 422, fields: { file: reason() } });
		expect(await findRows(deps, 'blobs')).toEqual(before);
	});

	test('is refused without memory for its pixels if it has 30,000 × 30,000', async () => {
		const bomb = makeHugePng(30_000, 30_000);
		const before = process.memoryUsage().rss;
		const answer = await uploadPicture(admin, 'cover', bomb);
		expect(answer.json().fields).toEqual({ file: m.error_picture_too_large() });
		expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
	});

	test.each([
		'?kind=film',
		'',
		'?kind=cover&x=0',
		'?kind=cover&x=0&y=0&width=0&height=5',
		'?kind=cover&x=a&y=0&width=1&height=1',
	])('is refused without a known use, and with an incomplete area: %s', async (query) => {
		const { body, headers } = multipart({}, { field: 'file', name: 'a.jpg', type: 'image/jpeg', bytes: photo });
		expect((await admin.call('POST', `/api/storefront/images${query}`, body, headers)).statusCode).toBe(422);
	});

	test('is refused if the area is not inside it', async () => {
		const answer = await uploadPicture(admin, 'cover', photo, '&x=1000&y=0&width=900&height=900');
		expect(answer.json().fields).toEqual({ file: m.error_picture_crop() });
	});
});

describe('a stored picture', () => {
	test('can be read only by admins until it is published, and may then be cached forever', async () => {
		const picture = await upload('cover', photo);
		expect([await statusOf(picture.url), await statusOf(picture.url, admin)]).toEqual([404, 200]);
		const { client: member } = await makeSignedInUser(testApp, 'member@example.com');
		expect(await statusOf(picture.url, member)).toBe(404);
		await writeSetting(deps.db, 'security', '{"isTwoFactorRequiredOfAdmins":true}', 1, '');
		expect(await statusOf(picture.url, admin)).toBe(404);
		await writeSetting(deps.db, 'security', '{}', 2, '');
		await saveField(admin, 'covers', { 'part-1-en': picture.id });
		expect(await statusOf(picture.url)).toBe(404);
		expect((await admin.call('GET', '/api/storefront/draft')).json().images).toContainEqual(picture);

		await publishFields(admin, {});
		const shown = await visitor.call('GET', picture.url);
		expect(shown.headers).toMatchObject({
			'cache-control': 'public, max-age=31536000, immutable',
			'content-security-policy': expect.stringContaining('sandbox'),
		});
		const folder = picture.url.replace(/[^/]+$/u, '');
		for (const name of ['original', '1.jpg', '960.gif', 'file', '%00.jpg', '960.jpg/..%2foriginal'])
			expect(await statusOf(folder + name), name).toBe(404);
		expect(await statusOf('/storefront/images/%00/960.jpg')).toBe(404);

		await publishFields(admin, { covers: {} });
		expect([await statusOf(picture.url), await statusOf(picture.url, admin)]).toEqual([404, 200]);
	});

	test('and captions are kept while the draft or one of the last 20 versions needs them, and restored byte by byte', async () => {
		const small = await makeHalves(300, 450).jpeg().toBuffer();
		const former = await upload('cover', small);
		const inText = await upload('excerpt', small);
		const drafted = await upload('icon', small);
		const unused = await upload('cover', small);
		const uploaded = await uploadVideoPart(admin, 'captions-en', Buffer.from(captions));
		const captionsUrl = `/api/films/${uploaded.json().value.captions.en.blobId}`;
		const none = { en: '', hi: '' };
		const excerpt = { id: 'a', label: none, shortLabel: none, title: none, lead: none, note: none };
		const text = { en: `![A bowl](${inText.url})`, hi: '' };
		const { number } = await publishFields(admin, { ...cover(former), 'excerpts.items': [{ ...excerpt, text }] });
		const published = [former.url, inText.url, captionsUrl];
		const readAll = () => Promise.all(published.map(async (url) => (await visitor.call('GET', url)).rawPayload));
		const bytes = await readAll();
		const noFiles = { covers: null, 'excerpts.items': null, 'videos.benefits': null };
		await publishFields(admin, noFiles);
		await saveField(admin, 'icon', drafted.id);

		await collectLater(23 * 3600);
		expect(await statusOf(unused.url, admin)).toBe(200);
		await collectLater(2 * 3600);
		expect(await statusOf(unused.url, admin)).toBe(404);
		for (const url of [...published, drafted.url]) expect(await statusOf(url, admin), url).toBe(200);
		for (const url of published) expect(await statusOf(url), url).toBe(404);

		expect((await admin.call('POST', `/api/storefront/versions/${number}/restore`)).statusCode).toBe(200);
		expect(await readAll()).toEqual(bytes);

		await saveField(admin, 'icon', null);
		await publishFields(admin, noFiles);
		for (let round = 0; round < 20; round += 1)
			await publishFields(admin, { 'page.title': { en: `Round ${round}`, hi: '' } });
		await collectLater(1);
		for (const url of [...published, drafted.url]) expect(await statusOf(url, admin), url).toBe(404);
		expect(await findRows(deps, 'storefront_files')).toEqual([]);
		expect(await checkIntegrity(deps)).toMatchObject({ problems: [], blobs: 0 });
	});

	test('is reported by the integrity check when it is missing', async () => {
		await publishFields(admin, cover(await upload('cover', photo)));
		await deps.db.deleteFrom('storefront_files').execute();
		expect((await checkIntegrity(deps)).problems).toMatchObject([{ kind: 'storefront-file-missing' }]);
	});
});
