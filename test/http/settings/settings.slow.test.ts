import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { getRow } from '../../support/app/database-rows.ts';
import { createHttpClient, multipart, postFile } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { makeFile, makeFolder, makePdfFile, tinyPdf } from '../../support/fixtures/files.ts';

const { testApp, deps, admin } = await openTestApp();

const read = async () => (await admin.call('GET', '/api/settings/book')).json();
const publicBook = async () => (await createHttpClient(testApp.app).call('GET', '/api/book')).json();
const landing = async () => (await createHttpClient(testApp.app).call('GET', '/')).body;
const save = (changes: Record<string, unknown>) => saveBook(admin, changes);
const readStored = async () => JSON.parse((await getRow(deps, 'settings', { key: 'book' })).value);
const uploadQr = (name: string, type: string, bytes: Buffer) => postFile(admin, '/api/settings/qr', name, bytes, type);

test('returns the specified defaults before settings are saved', async () => {
	expect(await publicBook()).toEqual({
		title: 'Build Your Empire',
		originalPrice: 999,
		discountedPrice: 499,
		bank: { name: '', accountNumber: '', ifsc: '', accountHolder: '' },
		upi: { id: '', name: '' },
		qrCodeUrl: null,
		utrRequest: 'wanted',
	});
	expect(await landing()).toContain('₹999');
});

describe('prices', () => {
	test.each([
		[0, 0],
		[499.5, 49_950],
		[0.01, 1],
		[1.1, 110],
		[10_000_000, 1_000_000_000],
		[4.35, 435],
	])('stores %d rupees as a whole number of paise', async (rupees, paise) => {
		expect((await save({ discountedPrice: rupees })).statusCode).toBe(200);
		expect((await publicBook()).discountedPrice).toBe(rupees);
		expect((await readStored()).discountedPaise).toBe(paise);
	});

	test('shows changed prices on the landing page immediately', async () => {
		await save({ originalPrice: 1499.5, discountedPrice: 499.5 });
		const page = await landing();
		expect(page).toContain('₹1,499.50');
		expect(page).toContain('₹499.50');
	});

	test.each([10_000_000.01, 10_000_001, 10 ** 9, 1e300])(
		'refuses %d rupees with a message that contains the highest price',
		async (price) => {
			const answer = await save({ originalPrice: price });
			const most = new Intl.NumberFormat('en-IN').format(limits.priceMaxRupees);
			expect(answer.statusCode).toBe(422);
			expect(answer.json().fields).toEqual({ originalPrice: `Enter a price of ${most} rupees at most.` });
		},
	);

	test.each([-1, 'abc', '499', '', null, 1.234, 499.5000001, 0.001, [499]])(
		'refuses the price %j with a field error and saves nothing',
		async (price) => {
			const before = await read();
			const answer = await save({ discountedPrice: price });
			expect(answer.statusCode).toBe(422);
			expect(answer.json().fields).toEqual({
				discountedPrice: 'Enter a price in rupees, 0 or more, with two decimals at most.',
			});
			expect(await read()).toEqual(before);
		},
	);
});

describe('texts', () => {
	test('stores title and bank details as plain text, and escapes them on the landing page', async () => {
		const title = '<script>alert(1)</script> साम्राज्य 🏔️';
		const bank = { name: '"><img src=x>', accountNumber: '=1+1', ifsc: "O'Neil", accountHolder: 'नाम' };
		expect((await save({ title, bank })).statusCode).toBe(200);
		expect(await publicBook()).toMatchObject({ title, bank });
		const page = await landing();
		expect(page).not.toContain('<script>alert(1)');
		expect(page).not.toContain('<img src=x>');
		await save({ title: 'Build Your Empire' });
	});

	test('keeps spaces inside an account number and an IFSC, also on the landing page', async () => {
		const account = { accountNumber: ' 0012 3456  7890 ', ifsc: 'SBIN 0001 234' };
		const bank = { name: 'State Bank', ...account, accountHolder: 'A B' };
		expect((await save({ bank })).statusCode).toBe(200);
		expect(await publicBook()).toMatchObject({ bank: { accountNumber: '0012 3456  7890', ifsc: 'SBIN 0001 234' } });
		const page = await landing();
		expect(page).toContain('0012 3456  7890');
		expect(page).toContain('SBIN 0001 234');
	});

	test.each([
		['title', { title: '' }],
		['title', { title: ' ' }],
		['title', { title: 'x'.repeat(501) }],
		['bank.ifsc', { bank: { name: '', accountNumber: '', ifsc: 'x'.repeat(501), accountHolder: '' } }],
		['title', { title: 'a\0b' }],
		['title', { title: 'a\u202eb' }],
		['title', { title: 'a\nb' }],
		['bank.name', { bank: { name: 'a\0', accountNumber: '', ifsc: '', accountHolder: '' } }],
		['bank.accountNumber', { bank: { name: '', accountNumber: '12\u202e34', ifsc: '', accountHolder: '' } }],
		['upi.name', { upi: { id: '', name: 'a\nb' } }],
	])('refuses an invalid %s with a field error', async (field, changes) => {
		const answer = await save(changes);
		expect(answer.statusCode).toBe(422);
		expect(Object.keys(answer.json().fields)).toEqual([field]);
	});
});

describe('editions', () => {
	test('can be read when their file is a PDF in the book space, until this file is deleted', async () => {
		const pdf = await makePdfFile(deps, 'book', { name: 'part-1.pdf' });
		expect((await save({ editions: [{ key: 'part-1-hi', fileId: pdf }] })).statusCode).toBe(200);
		const withFile = (fileId: string | null) => expect.objectContaining({ key: 'part-1-hi', fileId });
		expect((await read()).editions).toContainEqual(withFile(pdf));
		expect((await admin.call('GET', '/api/shelf')).json().editions).toMatchObject([
			{ key: 'part-1-hi', part: 1, language: 'hi', size: tinyPdf.length },
		]);
		expect((await admin.call('GET', '/api/editions/part-1-hi/content')).rawPayload).toEqual(tinyPdf);
		await admin.call('DELETE', `/api/nodes/${pdf}`);
		expect((await admin.call('GET', '/api/shelf')).json().editions).toEqual([]);
		expect((await admin.call('GET', '/api/editions/part-1-hi/content')).statusCode).toBe(404);
		expect((await read()).editions).toContainEqual(withFile(null));
	});

	test.each([
		['a file of another space', { ownerId: 'guest', name: 'a.pdf', bytes: tinyPdf, contentType: 'application/pdf' }],
		[
			'a file that is not a PDF',
			{ ownerId: 'book', name: 'b.pdf', bytes: Buffer.from('text'), contentType: 'application/octet-stream' },
		],
	])('refuses %s as an edition', async (_what, file) => {
		const fileId = await makeFile(deps, file);
		const answer = await save({ editions: [{ key: 'part-2-en', fileId }] });
		expect(answer.json()).toMatchObject({ status: 422, code: 'EDITION_NOT_PDF' });
		expect((await save({ editions: [{ key: 'part-9-en', fileId }] })).statusCode).toBe(422);
	});
});

describe('the payment QR', () => {
	test('is stored as PNG without metadata and shown on the landing page', async () => {
		const secret = 'EXIF must not survive';
		const bytes = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'black' } })
			.withExif({ IFD0: { Copyright: secret } })
			.jpeg()
			.toBuffer();
		const { qrCodeUrl } = (await uploadQr('my qr.jpg', 'image/jpeg', bytes)).json();
		const shown = await createHttpClient(testApp.app).call('GET', qrCodeUrl);
		expect(shown.headers['content-type']).toBe('image/png');
		expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ format: 'png', width: 20, height: 10 });
		expect(shown.rawPayload.includes(secret)).toBe(false);
		expect((await publicBook()).qrCodeUrl).toBe(qrCodeUrl);
		expect(await landing()).toContain(qrCodeUrl);
	});

	test('accepts and shows an image of almost 12 MiB', async () => {
		const [width, height] = [2040, 2040];
		const raw = { width, height, channels: 3 as const };
		const bytes = await sharp(randomBytes(width * height * 3), { raw })
			.png({ compressionLevel: 0 })
			.toBuffer();
		expect(bytes.length).toBeGreaterThan(11.9 * 1024 * 1024);
		const answer = await uploadQr('photo.png', 'image/png', bytes);
		expect(answer.statusCode).toBe(200);
		const shown = await createHttpClient(testApp.app).call('GET', answer.json().qrCodeUrl);
		expect((await sharp(shown.rawPayload).metadata()).format).toBe('png');
		expect(await landing()).toContain(answer.json().qrCodeUrl);
	});

	const script = '<script>alert(1)</script>';
	const svgNamespace = 'http://www.w3.org/2000/svg';
	test.each([
		['HTML', 'qr.png', 'image/png', Buffer.from(script)],
		[
			'SVG',
			'qr.svg',
			'image/svg+xml',
			Buffer.from(`<svg xmlns="${svgNamespace}" width="9" height="9">${script}</svg>`),
		],
		['an empty file', 'empty.png', 'image/png', Buffer.alloc(0)],
		['a PDF', 'qr.pdf', 'application/pdf', tinyPdf],
	])('stores %s but does not show it', async (_what, name, type, bytes) => {
		const before = (await publicBook()).qrCodeUrl;
		expect((await uploadQr(name, type, bytes)).json()).toEqual({ qrCodeUrl: null });
		expect((await publicBook()).qrCodeUrl).toBeNull();
		if (before !== null) expect((await admin.call('GET', before)).statusCode).toBe(404);
		const { blobId } = (await readStored()).qr;
		expect(await getRow(deps, 'blobs', { id: blobId })).toMatchObject({
			size_bytes: bytes.length,
			content_type: 'application/octet-stream',
		});
		expect((await admin.call('GET', `/api/qr/${blobId}`)).statusCode).toBe(404);
	});

	test('returns the specified error for a form without a file, and an error for a broken form', async () => {
		const form = multipart({ note: 'no file' });
		const answer = await admin.call('POST', '/api/settings/qr', form.body, form.headers);
		expect(answer.json()).toMatchObject({ status: 422, message: 'Failed to upload QR Code!' });
		const file = { field: 'file', name: 'a', type: 'image/png', bytes: Buffer.from('A') };
		const cutOff = multipart({}, file).body.subarray(0, -20);
		for (const body of [Buffer.from(''), Buffer.from('noise'), cutOff]) {
			const broken = await admin.call('POST', '/api/settings/qr', body, form.headers);
			expect(broken.json()).toMatchObject({ status: 422, message: expect.stringMatching(/\S/u) });
		}
		expect((await admin.call('POST', '/api/settings/qr', { file: 'x' })).statusCode).toBe(415);
	});

	test('returns 413 for a file of more than 12 MiB', async () => {
		const answer = await uploadQr('big.bin', 'image/png', Buffer.alloc(12 * 1024 * 1024 + 1));
		expect(answer.statusCode).toBe(413);
	});
});

test('GET /api/settings/book/editions returns the IDs of each edition file and of the folders above it', async () => {
	const outer = await makeFolder(deps, 'book', 'Outer');
	const inner = await makeFolder(deps, 'book', 'Inner', outer.path);
	const deep = await makePdfFile(deps, 'book', { name: 'deep.pdf', folder: inner });
	const top = await makePdfFile(deps, 'book', { name: 'top.pdf' });
	const editions = [
		{ key: 'part-1-en', fileId: deep },
		{ key: 'part-1-hi', fileId: null },
		{ key: 'part-2-hi', fileId: top },
	];
	expect((await save({ editions })).statusCode).toBe(200);
	const readLocations = async () => (await admin.call('GET', '/api/settings/book/editions')).json().items;
	const topLocation = { key: 'part-2-hi', part: 2, language: 'hi', nodeIds: [top] };
	const deepLocation = { key: 'part-1-en', part: 1, language: 'en', nodeIds: [outer.id, inner.id, deep] };
	expect(await readLocations()).toEqual(expect.arrayContaining([deepLocation, topLocation]));
	await admin.call('DELETE', `/api/nodes/${outer.id}`);
	expect(await readLocations()).not.toContainEqual(expect.objectContaining({ key: 'part-1-en' }));
	expect(await readLocations()).toContainEqual(topLocation);
});

describe('payment by UPI', () => {
	const linkIn = (html: string) => /href="(upi:[^"]+)"/u.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

	test('links to a UPI app with percent-encoded details, and the UPI ID is stored encrypted', async () => {
		const upi = { id: 'books@examplebank', name: 'Rao & Söhne, पुस्तक' };
		expect((await save({ upi, discountedPrice: 499 })).statusCode).toBe(200);
		const link = linkIn(await landing());
		expect(link).toMatch(
			/^upi:\/\/pay\?pa=books@examplebank&pn=Rao%20%26%20S%C3%B6hne%2C%20[%0-9A-F]+&am=499\.00&cu=INR&tn=[^+& ]+$/u,
		);
		expect(new URL(link).searchParams.get('tn')).toBe((await publicBook()).title);
		expect(JSON.stringify(await readStored())).not.toContain('books@examplebank');
	});

	test('keeps the UPI ID when a save does not contain it, and removes it when a save contains an empty UPI ID', async () => {
		expect((await publicBook()).upi.id).toBe('books@examplebank');
		await save({ upi: { id: '', name: '' } });
		expect(linkIn(await landing())).toBe('');
	});

	test.each(['books', 'books@', '@bank', 'a b@bank', 'books@bank?am=1'])(
		'refuses the UPI ID %j with a field error',
		async (id) => {
			const answer = await save({ upi: { id, name: '' } });
			expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([422, ['upi.id']]);
		},
	);

	test.each([
		['Instagram', '(iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/22A Instagram 350.0', true],
		['Facebook', '(Linux; Android 14) Chrome/130.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/488.0]', true],
		['a WebView', '(Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Version/4.0 Chrome/130.0 Mobile', true],
		['WhatsApp', '(Linux; Android 14) WhatsApp/2.24.20', true],
		['Chrome', '(Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36', false],
		['a browser without a name', '', false],
	])('shows the note about in-app browsers only in browsers inside other apps: %s', async (_app, system, isInApp) => {
		const headers = { 'user-agent': system && `Mozilla/5.0 ${system}` };
		const page = await createHttpClient(testApp.app).call('GET', '/', undefined, headers);
		expect(page.body.includes('note in-app')).toBe(isInApp);
		expect(page.headers.vary).toContain('user-agent');
	});
});
