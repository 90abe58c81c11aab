import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { replaceEditionFile } from '#server/features/book/content/content.service.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { diskWithSpaceForFiles, fakeDiskSpace, largeDisk } from '../../support/app/disk-space.ts';
import { listen, secondWithMarginMs } from '../../support/app/event-streams.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { downloadSlowly } from '../../support/app/slow-download.ts';
import { listStoredKeys } from '../../support/app/stored-objects.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { makePdf, type PageToMake } from '../../support/documents/make-pdf.ts';
import {
	encryptPdf,
	findPdfErrors,
	findWordPositions,
	readPages,
	rewritePdf,
} from '../../support/documents/pdf-tools.ts';
import { readZip } from '../../support/documents/read-zip.ts';
import { readDemoBook, saveBook } from '../../support/fixtures/book.ts';
import { sendChatFile } from '../../support/fixtures/chat.ts';
import { makeFolder, makePdfFile } from '../../support/fixtures/files.ts';
import { changeOrder, makeBuyer, makeOrder } from '../../support/fixtures/orders.ts';

const { testApp, deps, admin } = await openTestApp();

const plainBook = makePdf({ pages: 12, chapterEvery: 4 });

let count = 0;
const next = () => count++;

// Earlier buyers lose their access, so that an assigned file is copied only for buyers of the current test.
beforeEach(async () => {
	await deps.db.updateTable('orders').set({ status: 'Pending' }).execute();
	await deps.db.deleteFrom('book_access').execute();
});

const addBookFile = (bytes: Buffer) => makePdfFile(deps, 'book', { name: `book-${next()}.pdf`, bytes });
const readEdition = async () => (await admin.call('GET', '/api/settings/book')).json().editions[0];
const saveEditions = (editions: Array<{ key: string; fileId: string | null; mayDownload?: boolean }>) =>
	saveBook(admin, { editions });

/** The files of assigned books: assigning the same file again does not validate it again. */
const fileIds = new Map<Buffer, string>();

async function assign(bytes: Buffer, key = 'part-1-en'): Promise<string> {
	const fileId = fileIds.get(bytes) ?? (await addBookFile(bytes));
	fileIds.set(bytes, fileId);
	expect((await saveEditions([{ key, fileId }])).statusCode).toBe(200);
	return fileId;
}

type Member = Awaited<ReturnType<typeof joinBuyer>>;

async function joinBuyer(name = 'Asha Verma') {
	const buyer = await makeBuyer(testApp, `asha-${next()}@example.com`, { name, status: 'Pending' });
	await setStatus(buyer, 'Complete');
	return buyer;
}

async function setStatus({ order }: { order: { id: string } }, status: 'Complete' | 'Pending', changes: object = {}) {
	expect((await changeOrder(admin, order.id, { status, ...changes })).statusCode).toBe(200);
}

async function shelfOf(client: HttpClient): Promise<ShelfEdition[]> {
	return (await client.call('GET', '/api/shelf')).json().editions;
}

async function editionOf(client: HttpClient, key = 'part-1-en'): Promise<ShelfEdition> {
	const edition = (await shelfOf(client)).find((item) => item.key === key);
	if (edition === undefined) throw new Error(`${key} is not on the shelf.`);
	return edition;
}

async function readWatermarkedCopy(client: HttpClient, key = 'part-1-en'): Promise<Buffer> {
	await testApp.runDueWork();
	const edition = await editionOf(client, key);
	expect(edition.copy).toEqual({ state: 'ready' });
	const answer = await client.call('GET', edition.url);
	expect(answer.statusCode).toBe(200);
	expect(answer.rawPayload).toHaveLength(edition.size);
	return answer.rawPayload;
}

/** Assigns a PDF, creates a buyer, and checks that their copy is valid. @returns also the texts of the copy */
async function makeCopy(original: Buffer, name?: string) {
	const fileId = await assign(original);
	const buyer = await joinBuyer(name);
	const copy = await readWatermarkedCopy(buyer.client);
	expect(await findPdfErrors(copy)).toBe('');
	return { fileId, buyer, client: buyer.client, copy, pages: await readPages(copy) };
}

/** Returns the properties of a PDF that must be the same in a copy. */
async function inspectPdf(pdf: Buffer) {
	const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
	const document = await task.promise;
	const flat = (items: ReadonlyArray<{ title: string; items: unknown[] }>): string[] =>
		items.flatMap((item) => [item.title, ...flat(item.items as typeof items)]);
	const links: string[] = [];
	for (let page = 1; page <= document.numPages; page += 1)
		for (const annotation of await (await document.getPage(page)).getAnnotations())
			links.push(
				`${page} ${annotation.subtype} ${annotation.url ?? JSON.stringify(annotation.dest)?.replace(/\d+,"gen"/u, '"gen"')}`,
			);
	const { info } = (await document.getMetadata()) as { info: Record<string, unknown> };
	const found = {
		pages: document.numPages,
		outline: flat((await document.getOutline()) ?? []),
		links,
		metadata: { title: info.Title, author: info.Author, language: info.Language },
	};
	await task.destroy();
	return found;
}

const watermarkTextOf = ({ email, order }: Pick<Member, 'email' | 'order'>, name = 'Asha Verma') =>
	[name, `${email.slice(0, 2)}…@example.com`, order.code].filter(Boolean).join(' · ');

describe('a watermarked copy', () => {
	test.each(['part-1-en', 'part-1-hi'] as const)(
		'of the demo book (%s) has the watermark on every page, and the same outline, links and metadata',
		async (key) => {
			const original = await readDemoBook(key);
			const { buyer, copy, pages } = await makeCopy(original);
			const before = await readPages(original);
			expect(pages).toHaveLength(before.length);
			for (const page of pages) expect(page.split(watermarkTextOf(buyer))).toHaveLength(2);
			for (const page of before) expect(page).not.toContain(buyer.order.code);
			const copied = await inspectPdf(copy);
			expect(copied).toEqual(await inspectPdf(original));
			expect(copied.outline.length).toBeGreaterThan(3);
			expect(await editionOf(buyer.client)).toMatchObject({ pageCount: before.length, size: copy.length });
		},
	);

	test('has the watermark at the bottom of pages with any size, rotation and boxes', async () => {
		const cut = '/CropBox[100 150 320 500]';
		const pages: Array<PageToMake & { seen: [number, number] }> = [
			{ seen: [420, 595] },
			{ entries: '/Rotate 90', seen: [595, 420] },
			{ entries: '/Rotate 180', seen: [420, 595] },
			{ entries: '/Rotate 270', seen: [595, 420] },
			{ box: [0, 0, 1200, 800], seen: [1200, 800] },
			{ entries: cut, seen: [220, 350] },
			{ entries: `${cut}/Rotate 90`, seen: [350, 220] },
			{ entries: `${cut}/Rotate 270`, seen: [350, 220] },
			{ entries: '/TrimBox[20 20 400 575]', seen: [420, 595] },
			{ box: [-50, -60, 370, 535], seen: [420, 595] },
			{ entries: '/Rotate -90', seen: [595, 420] },
			{ entries: '/Rotate -180', seen: [420, 595] },
			{ entries: '/Rotate 450', seen: [595, 420] },
			{ entries: '/Rotate 45', seen: [420, 595] },
			{ entries: '/TrimBox[0 0 5 5]', seen: [420, 595] },
			{ entries: '/CropBox[700 900 1000 1200]', seen: [420, 595] },
			{ entries: '/TrimBox[700 900 1000 1200]/Rotate 450', seen: [595, 420] },
			{ box: [0, 0, 0, 0], seen: [612, 792] },
		];
		const { buyer, copy, pages: texts } = await makeCopy(makePdf({ pages }));
		const found = await findWordPositions(copy, buyer.order.code);
		expect(found).toHaveLength(pages.length);
		for (const [i, { seen }] of pages.entries()) {
			const box = found[i];
			if (box == null) throw new Error(`There is no watermark on page ${i + 1}.`);
			const [width, height] = seen;
			// The watermark is horizontal, centred, and in the lowest tenth of the visible page.
			expect(box.right - box.left).toBeGreaterThan(box.bottom - box.top);
			expect(box.left).toBeGreaterThan(width / 2 - 10);
			expect(box.right).toBeLessThan(width);
			expect(box.top).toBeGreaterThan(height * 0.9);
			expect(box.bottom).toBeLessThan(height);
		}
		// The text of cropped pages is not visible.
		for (const [i, text] of texts.entries())
			if (pages[i]?.entries?.includes('/CropBox[100') !== true) expect(text).toContain(`Page ${i + 1} of the book`);
	});

	test.each([420, 230])(
		'has a watermark of the same height for every name on pages that are %i points wide',
		async (width) => {
			await assign(makePdf({ pages: [{ box: [0, 0, width, 595] }] }));
			const heights: number[] = [];
			for (const name of ['Asha', 'Anantha '.repeat(30), `${'क्'.repeat(4000)}क`]) {
				const buyer = await joinBuyer(name);
				const [box] = await findWordPositions(await readWatermarkedCopy(buyer.client), buyer.order.code);
				heights.push(box == null ? 0 : box.bottom - box.top);
			}
			expect(heights[0]).toBeGreaterThan(6);
			expect(heights).toEqual(heights.map(() => expect.closeTo(heights[0] ?? 0, 1)));
		},
	);

	test.each([
		['a name in Devanagari', 'क्षितिज़ श्रीवास्तव', 'क्षितिज़ श्रीवास्तव'],
		['a name in both scripts', 'Asha वर्मा', 'Asha वर्मा'],
		['a name with letters outside ASCII', 'Łukasz Ångström', 'Łukasz Ångström'],
		['emoji', 'Asha 😀👩‍👩‍👧 Verma', 'Asha Verma'],
		['letters that the fonts do not contain', 'محمد', ''],
		['bidirectional controls', 'Asha\u202e Verma', 'Asha Verma'],
		['a very long name', 'Anantha'.repeat(30), `${'Anantha'.repeat(30).slice(0, 47)}…`],
	])('has the expected watermark for %s: %s', async (_what, name, shown) => {
		const { buyer, pages } = await makeCopy(plainBook, name);
		expect(pages).toHaveLength(12);
		const line = watermarkTextOf(buyer, shown).normalize('NFC');
		const linesOf = (page: string) => page.normalize('NFC').split(/\s*\n\s*/u);
		for (const page of pages) expect(linesOf(page.trim())).toContain(line);
	});

	test('of an encrypted PDF that opens without a password is also encrypted, and is stored as a complete file', async () => {
		const { buyer, copy, pages } = await makeCopy(await encryptPdf(plainBook, ''));
		expect(await getRow(deps, 'watermarked_copies', { user_id: buyer.id })).toMatchObject({ base_blob_id: null });
		expect(copy.includes('/Encrypt')).toBe(true);
		expect(copy.includes(Buffer.from('Page 1 of the book'))).toBe(false);
		for (const page of pages) expect(page).toContain(watermarkTextOf(buyer));
	});

	test('of a PDF with 65 page sizes has the watermark on every page', async () => {
		const sizes = Array.from({ length: 65 }, (_, i) => 400 + i);
		const { buyer, pages } = await makeCopy(makePdf({ pages: sizes.map((width) => ({ box: [0, 0, width, 595] })) }));
		expect(pages).toHaveLength(65);
		for (const page of pages) expect(page).toContain(watermarkTextOf(buyer));
	});

	test('shares its base with the copies of other members, and is sent correctly in every range', async () => {
		const book = makePdf({ pages: [{ pictureBytes: 500_000 }, { box: [0, 0, 300, 300] }, { pictureBytes: 500_000 }] });
		const { client, copy } = await makeCopy(book, 'Asha Verma');
		const other = await joinBuyer('आशा वर्मा');
		const otherCopy = await readWatermarkedCopy(other.client);
		expect(await findPdfErrors(otherCopy)).toBe('');
		for (const page of await readPages(otherCopy)) expect(page).toContain(watermarkTextOf(other, 'आशा वर्मा'));
		const rows = await findRows(deps, 'watermarked_copies');
		const made = rows.filter(({ blob_id, base_blob_id }) => blob_id !== null && base_blob_id !== null);
		const [baseId, ...others] = [...new Set(made.map((row) => row.base_blob_id ?? ''))].slice(-1);
		expect(others).toEqual([]);
		expect((await getRow(deps, 'blobs', { id: baseId })).size_bytes).toBeLessThan(copy.length);
		for (const { blob_id } of made)
			expect((await getRow(deps, 'blobs', { id: blob_id ?? '' })).size_bytes).toBeLessThan(20_000);
		const { url, version } = await editionOf(client);
		const etag = `"${version}"`;
		const inserts = JSON.parse(made.find((row) => row.blob_id === version)?.inserts ?? '[]') as Array<[number, number]>;
		expect(inserts.length).toBe(3);
		let inserted = 0;
		const edges: number[] = [];
		for (const [at, length] of inserts) {
			edges.push(at + inserted, at + inserted + length);
			inserted += length;
		}
		for (const start of [0, ...edges.flatMap((edge) => [edge - 1, edge, edge + 1])].filter((at) => at < copy.length))
			for (const end of [start, start + 10, ...edges, copy.length - 1].filter((at) => at >= start)) {
				const headers = { range: `bytes=${start}-${end}`, 'if-range': etag };
				const part = await client.call('GET', url, undefined, headers);
				expect([part.statusCode, part.headers['content-range']]).toEqual([
					206,
					`bytes ${start}-${Math.min(end, copy.length - 1)}/${copy.length}`,
				]);
				expect(part.rawPayload.equals(copy.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
			}
		const head = await client.call('HEAD', url);
		expect([head.statusCode, head.headers['content-length'], head.headers.etag]).toEqual([
			200,
			String(copy.length),
			etag,
		]);
		const whole = await client.call('GET', url, undefined, { range: 'bytes=0-9', 'if-range': '"another"' });
		expect([whole.statusCode, whole.rawPayload.equals(copy)]).toEqual([200, true]);
		expect((await checkIntegrity(deps)).problems).toEqual([]);
	});

	test('of a PDF with 5,000 pages has the watermark on every page', async () => {
		const pdf = makePdf({ pages: 5000, chapterEvery: 100 });
		const { buyer, pages } = await makeCopy(pdf);
		expect(pages).toHaveLength(5000);
		for (const page of pages) expect(page).toContain(watermarkTextOf(buyer));
	});
});

describe('a PDF with a broken cross-reference table', () => {
	const replaceIn = (pdf: Buffer, pattern: RegExp, by: string) =>
		Buffer.from(pdf.toString('latin1').replace(pattern, by), 'latin1');
	const cutAt = (pdf: Buffer, text: string) => pdf.subarray(0, pdf.lastIndexOf(text));
	const insertAt = (pdf: Buffer, at: number, text: string) =>
		Buffer.concat([pdf.subarray(0, at), Buffer.from(text), pdf.subarray(at)]);
	const lastStart = /startxref\n\d+\n%%EOF\n$/u;
	const damages: Array<[string, (pdf: Buffer) => Buffer]> = [
		['has startxref pointing into an object', (pdf) => replaceIn(pdf, lastStart, 'startxref\n17\n%%EOF\n')],
		['has startxref pointing after the end', (pdf) => replaceIn(pdf, lastStart, 'startxref\n99999999\n%%EOF\n')],
		['has no startxref', (pdf) => cutAt(pdf, 'startxref')],
		[
			'has its offsets shifted by bytes after the header',
			(pdf) => insertAt(pdf, 15, '% a comment that was inserted\n'),
		],
		[
			'has its offsets shifted from the middle on',
			(pdf) => insertAt(pdf, pdf.indexOf('endobj\n', pdf.length / 2) + 7, '% a comment\n'),
		],
		[
			'has bytes before the header and wrong offsets',
			(pdf) => insertAt(insertAt(pdf, 15, '% a comment\n'), 0, 'HTTP/1.1 200 OK\n\n'),
		],
		['is followed by zeros', (pdf) => Buffer.concat([pdf, Buffer.alloc(5000)])],
	];
	const tableDamages: typeof damages = [
		['has its table cut off', (pdf) => cutAt(pdf, 'xref\n0 ').subarray(0, -1)],
		['has its table cut in the middle', (pdf) => pdf.subarray(0, pdf.lastIndexOf('xref\n0 ') + 100)],
		['has its trailer cut', (pdf) => cutAt(pdf, '/Root')],
		['has a table of zeros', (pdf) => replaceIn(pdf, /\d{10} 00000 n/gu, '0000000000 00000 n')],
	];
	const fewDamages = damages.filter((_, i) => i === 0 || i === 4);
	const kinds: Array<[string, () => Promise<Buffer>, typeof damages]> = [
		['a PDF of version 1.4', async () => plainBook, [...damages, ...tableDamages]],
		['a PDF with object streams', () => rewritePdf(plainBook, '--object-streams=generate'), fewDamages],
		['a linearized PDF', () => rewritePdf(plainBook, '--linearize'), fewDamages],
		['an encrypted PDF', () => encryptPdf(plainBook, ''), fewDamages],
	];

	test.each(kinds.flatMap(([kind, make, all]) => all.map(([damage, apply]) => [kind, damage, make, apply] as const)))(
		'is accepted, and has the outline and watermarked copies of the intact file: %s that %s',
		async (_kind, _damage, make, apply) => {
			const original = await make();
			const broken = apply(original);
			const { fileId, copy, pages, buyer } = await makeCopy(broken);
			expect(pages).toHaveLength(12);
			for (const [i, page] of pages.entries()) {
				expect(page).toContain(`Page ${i + 1} of the book`);
				expect(page).toContain(watermarkTextOf(buyer));
			}
			// Only a trailer refers to the metadata.
			const { pages: count, outline: headings, links } = await inspectPdf(original);
			expect(await inspectPdf(copy)).toMatchObject({ pages: count, outline: headings, links });
			const { blob_id } = await getRow(deps, 'nodes', { id: fileId });
			const stored = await getRow(deps, 'outlines', { blob_id: blob_id ?? '' });
			const entries = [1, 5, 9].map((page, i) => ({ title: `Chapter ${i + 1}`, page }));
			expect([stored.page_count, JSON.parse(stored.entries ?? '[]')]).toMatchObject([12, entries]);
			// An admin reads the stored file.
			expect((await admin.call('GET', '/api/editions/part-1-en/content')).rawPayload).toEqual(broken);
		},
	);

	test('is refused if pages are missing, although the rest can be read', async () => {
		const fileId = await addBookFile(plainBook.subarray(0, plainBook.indexOf('endobj\n', plainBook.length / 2) + 7));
		const refused = await saveEditions([{ key: 'part-1-en', fileId }]);
		const problem = expect.stringContaining('of this PDF is damaged.');
		expect(refused.json()).toMatchObject({ code: 'EDITION_UNFIT', fields: { 'editions.part-1-en': problem } });
	});
});

describe('a PDF that cannot be copied', () => {
	test.each([
		['an encrypted PDF', () => encryptPdf(plainBook, 'secret'), 'This PDF asks for a password.'],
		['a PDF without pages', async () => makePdf({ pages: [] }), 'This PDF has no pages.'],
		['a damaged PDF', async () => Buffer.from('%PDF-1.4\nand nothing more'), 'This PDF is damaged.'],
	])(
		'is refused as an edition, and its copy fails with a reason after it replaced the file of an edition: %s',
		async (_what, make, words) => {
			const good = await assign(plainBook);
			const bytes = await make();
			const bad = await addBookFile(bytes);
			const refused = await saveEditions([{ key: 'part-1-en', fileId: bad }]);
			expect(refused.json()).toMatchObject({
				status: 422,
				code: 'EDITION_UNFIT',
				fields: { 'editions.part-1-en': expect.stringContaining(words) },
			});
			expect(await readEdition()).toMatchObject({ fileId: good });

			// `replaceEditionFile` does not check the PDF.
			await inTransaction(deps.db, (tx) => replaceEditionFile(deps, tx, good, bad));
			const buyer = await joinBuyer();
			await testApp.runDueWork();
			expect(await editionOf(buyer.client)).toMatchObject({ copy: { state: 'failed' }, version: null });
			expect((await buyer.client.call('GET', '/api/editions/part-1-en/content')).statusCode).toBe(404);
			expect((await readEdition()).problem).toContain(words);
			const inHindi = { cookie: `${admin.cookie()}; lang=hi` };
			const hindi = (await admin.call('GET', '/api/settings/book', undefined, inHindi)).json();
			expect(hindi.editions[0].problem).toMatch(/PDF .*[ऀ-ॿ]/u);
			// A failed job is not repeated.
			expect(await runNextJob(deps, jobHandlers, 'copies')).toBe(false);
			await shelfOf(buyer.client);
			expect(await runNextJob(deps, jobHandlers, 'copies')).toBe(false);
			await assign(plainBook);
			expect(await readPages(await readWatermarkedCopy(buyer.client))).toHaveLength(12);
		},
	);
});

const readBytes = (client: HttpClient, query = '') => client.call('GET', `/api/editions/part-1-en/content${query}`);
const statusOf = async (client: HttpClient, query = '') => (await readBytes(client, query)).statusCode;

/** Counts the `book-access` events of a user during `work`, and requires at least one. */
async function countAccessEvents(userId: string, work: () => Promise<unknown>): Promise<number> {
	let events = 0;
	const stop = deps.bus.subscribe((message) => {
		if (message.kind !== 'event' || message.event.topic !== 'book-access') return;
		if (message.audience.to === 'user' && message.audience.userId === userId) events += 1;
	});
	await work();
	await expect.poll(() => events).toBeGreaterThan(0);
	stop();
	return events;
}

describe('the watermark job', () => {
	test('makes a copy when an order becomes Complete, leaves no temporary files, and shows its progress on the shelf', async () => {
		await assign(plainBook);
		const buyer = await joinBuyer();
		expect(await editionOf(buyer.client)).toMatchObject({
			copy: { state: 'making', percent: 0 },
			version: null,
			pageCount: null,
			url: '/api/editions/part-1-en/content',
			mayDownload: false,
			place: null,
		});
		expect(await statusOf(buyer.client)).toBe(404);
		const setStart = (run_at: string) =>
			deps.db.updateTable('jobs').set({ run_at }).where('lane', '=', 'copies').execute();
		await setStart('2999-01-01T00:00:00.000Z');
		expect(await runNextJob(deps, jobHandlers, 'copies')).toBe(false);
		await setStart('2020-01-01T00:00:00.000Z');
		await countAccessEvents(buyer.id, () => testApp.runDueWork());
		const edition = await editionOf(buyer.client);
		expect(edition).toMatchObject({ copy: { state: 'ready' }, pageCount: 12 });
		expect(edition.url).toBe(`/api/editions/part-1-en/content?v=${edition.version}`);
		expect(await readdir(join(deps.config.DATA_DIR, 'scratch'))).toEqual([]);
	});

	test('is repeated while the disk is full, also after five hours, and then makes the copy', async () => {
		await assign(plainBook);
		fakeDiskSpace(deps, diskWithSpaceForFiles(0));
		const buyer = await joinBuyer();
		for (let hour = 0; hour < 5; hour += 1) {
			await testApp.runDueWork();
			testApp.clock.advance(3600);
		}
		expect(await editionOf(buyer.client)).toMatchObject({ copy: { state: 'making' }, version: null });
		fakeDiskSpace(deps, largeDisk);
		expect(await readPages(await readWatermarkedCopy(buyer.client))).toHaveLength(12);
	});

	test('uses the first Complete order of a member who has several orders', async () => {
		await assign(plainBook);
		const buyer = await joinBuyer('First');
		testApp.clock.advance(60);
		const later = await makeOrder(deps, { userId: buyer.id, email: buyer.email, name: 'Later', status: 'Complete' });
		expect((await readPages(await readWatermarkedCopy(buyer.client)))[0]).toContain(watermarkTextOf(buyer, 'First'));
		await setStatus(buyer, 'Pending');
		const [page = ''] = await readPages(await readWatermarkedCopy(buyer.client));
		expect(page).toContain(later.code);
		expect(page).not.toContain(buyer.order.code);
	});

	test('makes a new copy when the name of the member changes, and the previous copy is readable until then', async () => {
		const { buyer } = await makeCopy(plainBook);
		const before = await editionOf(buyer.client);
		await setStatus(buyer, 'Complete', { name: 'Asha Rao' });
		expect(await editionOf(buyer.client)).toMatchObject({ copy: { state: 'ready' }, version: before.version });
		expect(await statusOf(buyer.client)).toBe(200);
		await testApp.runDueWork();
		const after = await editionOf(buyer.client);
		expect(after.version).not.toBe(before.version);
		expect(await statusOf(buyer.client, `?v=${before.version}`)).toBe(404);
		const pages = await readPages(await readWatermarkedCopy(buyer.client));
		expect(pages[11]).toContain(watermarkTextOf(buyer, 'Asha Rao'));
		expect(await findRows(deps, 'blobs', { id: before.version ?? '' })).toEqual([]);
	});

	test('makes a new copy when the edition gets another file, and the previous copy returns 404 immediately', async () => {
		const { client } = await makeCopy(plainBook);
		const before = await editionOf(client);
		await assign(makePdf({ pages: 2 }));
		expect(await editionOf(client)).toMatchObject({ copy: { state: 'making' }, version: null });
		for (const query of ['', `?v=${before.version}`]) expect(await statusOf(client, query)).toBe(404);
		expect(await readPages(await readWatermarkedCopy(client))).toHaveLength(2);
	});

	test('makes a missing copy when the member opens the shelf, earlier than copies for other members', async () => {
		await assign(plainBook);
		await testApp.runDueWork();
		const { id, client } = await makeBuyer(testApp, `early-${next()}@example.com`);
		await testApp.runDueWork();
		expect(await findRows(deps, 'watermarked_copies', { user_id: id })).toEqual([]);
		const other = await joinBuyer('Other');
		await shelfOf(client);
		await runNextJob(deps, jobHandlers, 'copies');
		expect((await editionOf(client)).copy.state).toBe('ready');
		expect((await editionOf(other.client)).copy.state).toBe('making');
	});

	test('makes one copy for each member and one base when two processes run the jobs at the same time', async () => {
		await assign(makePdf({ pages: 4 }));
		await collectGarbage(deps);
		const secondApp = await openSecondProcess(testApp);
		const [buyer, other] = [await joinBuyer(), await joinBuyer('Other')];
		await Promise.all([testApp, secondApp].map((process) => runNextJob(process.deps, jobHandlers, 'copies')));
		await Promise.all([testApp.runDueWork(), secondApp.runDueWork()]);
		const copies = await findRows(deps, 'watermarked_copies');
		const blobIds = copies.flatMap(({ blob_id }) => blob_id ?? []);
		const blobs = await Promise.all(blobIds.map((id) => getRow(deps, 'blobs', { id })));
		const stored = await listStoredKeys(deps, 'copies/');
		expect(stored.sort()).toEqual(blobs.map((blob) => blob.storage_key).sort());
		const made = copies.filter(({ user_id }) => user_id === buyer.id || user_id === other.id);
		expect(made).toHaveLength(2);
		const [template, ...others] = await findRows(deps, 'copy_templates');
		expect([others, made.map((row) => row.base_blob_id)]).toEqual([[], [template?.blob_id, template?.blob_id]]);
		const base = await getRow(deps, 'blobs', { id: template?.blob_id ?? '' });
		expect(await listStoredKeys(deps, 'copy-bases/')).toEqual([base.storage_key]);
	});
});

describe('GET /api/editions/:id/content', () => {
	test('returns 404 for the version of a copy of another buyer', async () => {
		await assign(plainBook);
		const [one, two] = [await joinBuyer('One'), await joinBuyer('Two')];
		const [first, second] = [await readWatermarkedCopy(one.client), await readWatermarkedCopy(two.client)];
		expect(first.equals(second)).toBe(false);
		const { version } = await editionOf(two.client);
		expect(await statusOf(one.client, `?v=${version}`)).toBe(404);
		expect(await statusOf(two.client, `?v=${version}`)).toBe(200);
		for (const query of ['?v=', '?v=1&v=2']) expect(await statusOf(two.client, query)).not.toBe(200);
		const url = `/api/editions/part-1-en/content?v=${version}`;
		const part = await two.client.call('GET', url, undefined, { range: 'bytes=0-9' });
		expect([part.statusCode, part.rawPayload]).toEqual([206, second.subarray(0, 10)]);
	});

	test('returns 404 when the access has ended, and the original when the member has become an admin', async () => {
		const { buyer, copy } = await makeCopy(plainBook);
		await setStatus(buyer, 'Pending');
		expect(await statusOf(buyer.client)).toBe(404);
		await setStatus(buyer, 'Complete');
		expect((await readBytes(buyer.client)).rawPayload).toEqual(copy);
		await admin.call('POST', `/api/users/${buyer.id}/role`, { id: buyer.id, role: 'admin' });
		expect((await readBytes(buyer.client)).rawPayload).toEqual(plainBook);
		await admin.call('POST', `/api/users/${buyer.id}/role`, { id: buyer.id, role: 'user' });
		expect((await readBytes(buyer.client)).rawPayload).toEqual(copy);
	});

	test('returns the copy of the member to an admin who impersonates the member', async () => {
		const { buyer, copy } = await makeCopy(plainBook);
		const { client: owner } = await makeSignedInUser(testApp, `looking-${next()}@example.com`, 'admin');
		expect((await readBytes(owner)).rawPayload).toEqual(plainBook);
		expect((await owner.call('POST', `/api/users/${buyer.id}/view-as`, {})).statusCode).toBe(200);
		expect((await readBytes(owner)).rawPayload).toEqual(copy);
	});
});

describe('the original of an edition', () => {
	/** Stores the bytes in three spaces and in the chat. @returns the node and folder IDs, and all URLs of the bytes */
	async function storeEverywhere(bytes: Buffer, member: Member) {
		const file = { bytes, name: `copy-${next()}.pdf` };
		const guest = await makePdfFile(deps, 'guest', file);
		const own = await makePdfFile(deps, member.id, file);
		const sharerEmail = `sharer-${next()}@example.com`;
		const { id: sharer } = await makeSignedInUser(testApp, sharerEmail);
		const folder = await makeFolder(deps, sharerEmail, 'Folder');
		const shared = await makePdfFile(deps, sharer, { ...file, folder });
		const share = await admin.call('POST', '/api/shares', { nodeId: folder.id, email: member.email });
		expect(share.statusCode).toBe(200);
		const sent = await sendChatFile(admin, member.id, { name: file.name, bytes, type: 'application/pdf' });
		expect(sent.statusCode).toBe(200);
		const nodes = [guest, own, shared];
		// The server makes a thumbnail when it is first requested.
		for (const id of nodes) await admin.call('GET', `/api/files/${id}/thumb`);
		await testApp.runDueWork();
		const paths = ['content', 'content?download=1', 'thumb'];
		const addresses = nodes.flatMap((id) => paths.map((path) => `/api/files/${id}/${path}`));
		const attachment: string = sent.json().message;
		return { nodes, folder: folder.id, addresses: [...addresses, attachment, `${attachment}?download=1`] };
	}

	test('returns 404 to a buyer at every other URL of the same bytes, but can be read by an admin', async () => {
		const book = makePdf({ pages: 3, title: 'The book itself' });
		await assign(book);
		const buyer = await joinBuyer();
		await testApp.runDueWork();
		const { addresses, nodes, folder } = await storeEverywhere(book, buyer);
		for (const address of addresses) {
			for (const [method, headers] of [
				['GET', {}],
				['HEAD', {}],
				['GET', { range: 'bytes=0-99' }],
			] as const) {
				const refused = await buyer.client.call(method, address, undefined, headers);
				expect([address, method, refused.statusCode]).toEqual([address, method, 404]);
				expect(refused.rawPayload.includes('%PDF')).toBe(false);
			}
			expect([address, (await admin.call('GET', address)).statusCode]).toEqual([address, 200]);
		}
		// The ZIP of a buyer has a text file with an explanation instead of the PDF.
		for (const ids of [...nodes, folder, nodes.join(',')]) {
			const zip = readZip((await buyer.client.call('GET', `/api/archive?ids=${ids}`)).rawPayload);
			expect(zip.some(({ bytes }) => bytes.includes('%PDF'))).toBe(false);
			expect(zip.map(({ name }) => name).join()).toContain('.txt');
			const whole = readZip((await admin.call('GET', `/api/archive?ids=${ids}`)).rawPayload);
			expect(whole.some(({ bytes }) => bytes.equals(book))).toBe(true);
		}
	});

	test('does not affect a PDF with different bytes in the same places', async () => {
		await assign(plainBook);
		const buyer = await joinBuyer();
		const { addresses, folder } = await storeEverywhere(makePdf({ pages: 1, title: 'An excerpt' }), buyer);
		for (const address of addresses)
			expect([address, (await buyer.client.call('GET', address)).statusCode]).toEqual([address, 200]);
		const zip = readZip((await buyer.client.call('GET', `/api/archive?ids=${folder}`)).rawPayload);
		expect(zip.some(({ bytes }) => bytes.includes('%PDF'))).toBe(true);
	});

	test('returns 404 at other URLs after it becomes an edition, and until an admin releases it as a former edition', async () => {
		const excerpt = makePdf({ pages: 2, title: 'Soon a book' });
		const buyer = await joinBuyer();
		const { nodes, folder, addresses } = await storeEverywhere(excerpt, buyer);
		const statuses = async () =>
			new Set(await Promise.all(addresses.map(async (url) => (await buyer.client.call('GET', url)).statusCode)));
		const findFormer = async () => {
			const { formerEditions } = (await admin.call('GET', '/api/settings/book')).json();
			return formerEditions.find(({ name }: { name: string }) => name === fileName);
		};
		const releaseUrl = (id: string) => `/api/settings/book/former-editions/${id}`;
		expect(await statuses()).toEqual(new Set([200]));
		const fileId = await assign(excerpt, 'part-2-hi');
		const { name: fileName, blob_id } = await getRow(deps, 'nodes', { id: fileId });
		const { sha256 } = await getRow(deps, 'blobs', { id: blob_id ?? '' });
		expect(await statuses()).toEqual(new Set([404]));
		expect(await findFormer()).toBe(undefined);
		expect((await admin.call('DELETE', releaseUrl(sha256))).statusCode).toBe(404);

		// Another file replaces it, as by an upload of the same name, and its own file is deleted for good.
		const later = await addBookFile(makePdf({ pages: 1, title: 'The next version' }));
		await inTransaction(deps.db, (tx) => replaceEditionFile(deps, tx, fileId, later));
		await admin.call('DELETE', `/api/nodes/${fileId}`);
		expect((await admin.call('DELETE', `/api/trash/${fileId}`)).statusCode).toBe(200);
		await testApp.runDueWork();
		fileIds.delete(excerpt);
		expect(await statuses()).toEqual(new Set([404]));
		// Copied and moved files have the same content.
		const { path } = await makeFolder(deps, buyer.email, 'Copies');
		const copied = await admin.call('POST', '/api/nodes/copy', { ids: [nodes[0]], owner: buyer.email, path });
		expect(copied.json()).toMatchObject({ done: [nodes[0]] });
		await testApp.runDueWork();
		const readable = await findRows(deps, 'nodes', { owner_id: buyer.id, kind: 'file' });
		expect(readable).toHaveLength(2);
		for (const { id } of readable)
			expect((await buyer.client.call('GET', `/api/files/${id}/content`)).statusCode).toBe(404);
		const zip = readZip((await buyer.client.call('GET', `/api/archive?ids=${folder}`)).rawPayload);
		expect(zip.some(({ bytes }) => bytes.includes('%PDF'))).toBe(false);

		const former = await findFormer();
		expect(former).toEqual({ id: sha256, name: fileName, usedAt: expect.any(String) });
		expect((await buyer.client.call('DELETE', releaseUrl(former.id))).statusCode).toBe(403);
		expect(await statuses()).toEqual(new Set([404]));
		expect((await admin.call('DELETE', releaseUrl(former.id))).json()).toEqual({});
		expect(await statuses()).toEqual(new Set([200]));
		expect(await findFormer()).toBe(undefined);
		const [entry] = await findRows(deps, 'audit', { action: 'former-edition-released' });
		expect(JSON.parse(entry?.detail ?? '{}')).toEqual({ name: fileName, sha256 });
		expect((await admin.call('DELETE', releaseUrl(former.id))).statusCode).toBe(404);
		// Another save of the settings does not protect it again, but another assignment does.
		expect((await saveEditions([{ key: 'part-2-hi', fileId: null }])).statusCode).toBe(200);
		expect(await statuses()).toEqual(new Set([200]));
		await assign(excerpt, 'part-2-hi');
		expect((await saveEditions([{ key: 'part-2-hi', fileId: null }])).statusCode).toBe(200);
		expect(await statuses()).toEqual(new Set([404]));
	});

	test('aborts running downloads and ZIP downloads of the same bytes when it becomes an edition', async () => {
		// The PDF exceeds the socket buffers, so that its download is still running while the client does not read.
		const large = makePdf({ pages: Array.from({ length: 10 }, () => ({ pictureBytes: 4_000_000 })) });
		const buyer = await joinBuyer();
		const fileId = await makePdfFile(deps, 'guest', { name: 'large.pdf', bytes: large });
		const url = await listen(testApp.app);
		const addresses = [`/api/files/${fileId}/content`, `/api/archive?ids=${fileId}`];
		const downloads = await Promise.all(addresses.map((address) => downloadSlowly(url, buyer.client, address)));
		await assign(large, 'part-2-hi');
		await expect.poll(() => deps.live.count(), { timeout: secondWithMarginMs }).toBe(0);
		expect(await Promise.all(downloads.map((download) => download.finish()))).toEqual([false, false]);
		for (const download of downloads) expect(download.received()).toBeLessThan(large.length);
		expect((await saveEditions([{ key: 'part-2-hi', fileId: null }])).statusCode).toBe(200);
	});
});

describe('downloading an edition', () => {
	test('is possible for a buyer only while the owner permits downloads of this edition', async () => {
		const { fileId, client, copy } = await makeCopy(plainBook);
		expect((await editionOf(client)).mayDownload).toBe(false);
		expect(await statusOf(client, '?download=1')).toBe(404);
		expect(await statusOf(admin, '?download=1')).toBe(200);
		expect((await saveEditions([{ key: 'part-1-en', fileId, mayDownload: true }])).statusCode).toBe(200);
		expect((await editionOf(client)).mayDownload).toBe(true);
		const answer = await readBytes(client, '?download=1');
		expect(answer.rawPayload).toEqual(copy);
		expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="Build Your Empire\.pdf"/u);
		// A save without `mayDownload` keeps the stored value.
		await saveEditions([{ key: 'part-1-en', fileId }]);
		expect(await readEdition()).toMatchObject({ mayDownload: true });
		await saveEditions([{ key: 'part-1-en', fileId, mayDownload: false }]);
		expect(await statusOf(client, '?download=1')).toBe(404);
	});
});

describe('book access granted by an admin', () => {
	const setGrant = (id: string, isGranted: boolean) => admin.call('PUT', `/api/users/${id}/book-grant`, { isGranted });

	test('lets a member without an order read the book until the access is withdrawn', async () => {
		await assign(plainBook);
		const email = `given-${next()}@example.com`;
		const { id, client } = await makeSignedInUser(testApp, email);
		const member = { email, order: { id: '', code: '' } };
		expect((await client.call('GET', '/api/shelf')).json()).toMatchObject({ access: 'none', editions: [] });
		await countAccessEvents(id, () => setGrant(id, true));
		expect((await setGrant(id, true)).json()).toMatchObject({ access: 'open', grant: { by: 'admin@example.com' } });
		const copy = await readWatermarkedCopy(client);
		for (const page of await readPages(copy)) expect(page.trim().endsWith(watermarkTextOf(member, ''))).toBe(true);
		expect((await admin.call('GET', `/api/users/${id}/book-access`)).json()).toMatchObject({ access: 'open' });
		await countAccessEvents(id, () => setGrant(id, false));
		expect(await statusOf(client)).toBe(404);
		expect((await client.call('GET', '/api/shelf')).json()).toMatchObject({ access: 'none', editions: [] });
		expect((await setGrant(id, false)).json()).toEqual({ access: 'none', grant: null });
		const entries = await findRows(deps, 'audit', { subject_id: id });
		expect(entries.map(({ action }) => action).sort()).toEqual(['book-grant-taken', 'book-granted']);
		expect((await setGrant('nobody', true)).statusCode).toBe(404);
	});

	test('is independent of the access by an order', async () => {
		await assign(plainBook);
		const buyer = await joinBuyer();
		await setGrant(buyer.id, true);
		await setStatus(buyer, 'Pending');
		expect((await buyer.client.call('GET', '/api/shelf')).json().access).toBe('open');
		const [page = ''] = await readPages(await readWatermarkedCopy(buyer.client));
		expect(page).not.toContain(buyer.order.code);
		await setStatus(buyer, 'Complete');
		await setGrant(buyer.id, false);
		expect((await buyer.client.call('GET', '/api/shelf')).json().access).toBe('open');
	});
});

describe('collectGarbage', () => {
	const listCopies = () => listStoredKeys(deps, 'copies/');
	const listBases = () => listStoredKeys(deps, 'copy-bases/');

	test('deletes only copies of users without access, of deleted users and of editions without a file', async () => {
		const fileId = await assign(plainBook);
		const [stays, loses, leaves] = [await joinBuyer('Stays'), await joinBuyer('Loses'), await joinBuyer('Leaves')];
		for (const { client } of [stays, loses, leaves]) await readWatermarkedCopy(client);
		await collectGarbage(deps);
		expect([(await listCopies()).length, (await listBases()).length]).toEqual([3, 1]);
		await setStatus(loses, 'Pending');
		const { id, email } = leaves;
		await admin.call('POST', '/delete-user-all', { uid: id, email, userEmail: email, id });
		await testApp.runDueWork();
		await collectGarbage(deps);
		expect([(await listCopies()).length, (await listBases()).length]).toEqual([1, 1]);
		expect(await statusOf(stays.client)).toBe(200);
		expect((await checkIntegrity(deps)).problems).toEqual([]);
		await saveEditions([{ key: 'part-1-en', fileId: null }]);
		await testApp.runDueWork();
		await collectGarbage(deps);
		expect([...(await listCopies()), ...(await listBases())]).toEqual([]);
		await saveEditions([{ key: 'part-1-en', fileId }]);
		expect(await readPages(await readWatermarkedCopy(stays.client))).toHaveLength(12);
		expect((await checkIntegrity(deps)).problems).toEqual([]);
		await deps.db.updateTable('watermarked_copies').set({ blob_id: null }).where('user_id', '=', stays.id).execute();
		const problem = { kind: 'incomplete-copy', what: `${stays.id} part-1-en` };
		expect((await checkIntegrity(deps)).problems).toContainEqual(problem);
		await deps.db.deleteFrom('watermarked_copies').where('user_id', '=', stays.id).execute();
	});
});
