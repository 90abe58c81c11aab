import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { checkEverything, collectGarbage } from '#server/features/upkeep/upkeep.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { createTwin } from '../support/app.ts';
import { makeFile } from '../support/files.ts';
import type { HttpClient } from '../support/http.ts';
import { makeOrder } from '../support/orders.ts';
import { findFaults, findWord, lockPdf, readPages } from '../support/pdf-tools.ts';
import { makePdf, type PageToMake } from '../support/pdfs.ts';
import { joinWorld } from '../support/people.ts';
import { openWorld } from '../support/world.ts';
import { readZip } from '../support/zip.ts';

const { world, admin } = await openWorld();
const { deps } = world;

const demoBook = (language: string) =>
	readFile(join(import.meta.dirname, `../../demo/book/build-your-empire-part-1-${language}.pdf`));

const plainBook = makePdf({ pages: Array.from({ length: 12 }, () => ({})), chapterEvery: 4 });

let count = 0;

// Each test's buyers alone have copies made: whatever is assigned is made for all who may read.
beforeEach(async () => {
	await deps.db.updateTable('orders').set({ status: 'Pending' }).execute();
	await deps.db.deleteFrom('book_grants').execute();
});

/** Lays bytes into the book's space. @returns the file's id */
function addBookFile(bytes: Buffer): Promise<string> {
	count += 1;
	return makeFile(deps, { ownerId: 'book', name: `book-${count}.pdf`, bytes, contentType: 'application/pdf' });
}

async function saveEditions(editions: Array<{ key: string; fileId: string | null; mayDownload?: boolean }>) {
	const book = (await admin.call('GET', '/api/settings/book')).json();
	const bank = { name: 'Bank', accountNumber: '1234 5678', ifsc: 'EXMP0000001', accountHolder: 'R. Rao' };
	return admin.call('PUT', '/api/settings/book', { ...book, bank, upi: undefined, editions });
}

/** From now on `part-1-en` is this PDF. @returns the file's id */
async function assign(bytes: Buffer, key = 'part-1-en'): Promise<string> {
	const fileId = await addBookFile(bytes);
	expect((await saveEditions([{ key, fileId }])).statusCode).toBe(200);
	return fileId;
}

interface Member {
	id: string;
	email: string;
	client: HttpClient;
	order: { id: string; code: string } | null;
}

/** A member with an order, set to Complete at the desk. */
async function joinBuyer(name = 'Asha Verma', email = `asha-${(count += 1)}@example.com`): Promise<Member> {
	const { id, client } = await joinWorld(world, email);
	const order = await makeOrder(deps, { userId: id, email, name });
	await complete(order.id);
	return { id, email, client, order };
}

async function setStatus(id: string, status: 'Complete' | 'Pending', changes: object = {}) {
	const row = (await admin.call('GET', `/api/orders/${id}/row`)).json();
	const { name, email, phone, upiId, version } = row;
	const answer = await admin.call('PUT', `/api/orders/${id}`, {
		name,
		email,
		phone,
		upiId,
		version,
		status,
		...changes,
	});
	expect(answer.statusCode).toBe(200);
}

const complete = (id: string) => setStatus(id, 'Complete');

async function shelfOf(client: HttpClient): Promise<ShelfEdition[]> {
	return (await client.call('GET', '/api/shelf')).json().editions;
}

async function editionOf(client: HttpClient, key = 'part-1-en'): Promise<ShelfEdition> {
	const edition = (await shelfOf(client)).find((each) => each.key === key);
	if (edition === undefined) throw new Error(`${key} is not on the shelf.`);
	return edition;
}

/** The bytes of a person's ready copy. */
async function readCopy(client: HttpClient, key = 'part-1-en'): Promise<Buffer> {
	await world.settle();
	const edition = await editionOf(client, key);
	expect(edition.copy).toEqual({ state: 'ready' });
	const answer = await client.call('GET', edition.url);
	expect(answer.statusCode).toBe(200);
	expect(answer.rawPayload).toHaveLength(edition.size);
	return answer.rawPayload;
}

/** What a copy must keep of its original. */
async function lookInto(pdf: Buffer) {
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

const markOf = ({ email, order }: Member, name = 'Asha Verma') =>
	[name, `${email.slice(0, 2)}…@example.com`, order?.code].filter(Boolean).join(' · ');

describe('a buyer’s copy', () => {
	test.each(['en', 'hi'])(
		'of the demo book (%s) has the mark on every page, and all else as it was',
		async (language) => {
			const original = await demoBook(language);
			await assign(original);
			const buyer = await joinBuyer();
			const copy = await readCopy(buyer.client);
			const before = await readPages(original);
			const pages = await readPages(copy);
			expect(pages).toHaveLength(before.length);
			for (const page of pages) expect(page.split(markOf(buyer))).toHaveLength(2);
			// A control: the original has none.
			for (const page of before) expect(page).not.toContain(buyer.order?.code);
			expect(await findFaults(copy)).toBe('');
			const kept = await lookInto(copy);
			expect(kept).toEqual(await lookInto(original));
			expect(kept.outline.length).toBeGreaterThan(3);
			expect(await editionOf(buyer.client)).toMatchObject({ pageCount: before.length, size: copy.length });
		},
	);

	test('stands at the foot of pages of other sizes, turned, cut and scaled', async () => {
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
		];
		await assign(makePdf({ pages }));
		const buyer = await joinBuyer();
		const copy = await readCopy(buyer.client);
		expect(await findFaults(copy)).toBe('');
		const found = await findWord(copy, buyer.order?.code ?? '');
		expect(found).toHaveLength(pages.length);
		for (const [i, { seen }] of pages.entries()) {
			const box = found[i];
			if (box == null) throw new Error(`There is no mark on page ${i + 1}.`);
			const [width, height] = seen;
			// Upright, as wide as a word, within the last tenth of what is seen, in its middle.
			expect(box.right - box.left).toBeGreaterThan(box.bottom - box.top);
			expect(box.left).toBeGreaterThan(width / 2 - 10);
			expect(box.right).toBeLessThan(width);
			expect(box.top).toBeGreaterThan(height * 0.9);
			expect(box.bottom).toBeLessThan(height);
		}
	});

	test.each([
		['a name in Devanagari', 'क्षितिज़ श्रीवास्तव', 'क्षितिज़ श्रीवास्तव'],
		['both scripts', 'Asha वर्मा', 'Asha वर्मा'],
		['a name of other letters', 'Łukasz Ångström', 'Łukasz Ångström'],
		['pictures', 'Asha 😀👩‍👩‍👧 Verma', 'Asha Verma'],
		['letters that no font has', 'محمد', ''],
		['signs that turn the line round', 'Asha\u202e Verma', 'Asha Verma'],
		['a very long one', 'Anantha'.repeat(30), `${'Anantha'.repeat(30).slice(0, 47)}…`],
	])('%s: %s', async (_what, name, shown) => {
		await assign(plainBook);
		const buyer = await joinBuyer(name);
		const copy = await readCopy(buyer.client);
		expect(await findFaults(copy)).toBe('');
		const pages = await readPages(copy);
		expect(pages).toHaveLength(12);
		const line = markOf(buyer, shown).normalize('NFC');
		for (const page of pages)
			expect(
				page
					.normalize('NFC')
					.split('\n')
					.map((each) => each.trim()),
			).toContain(line);
	});

	test('of a PDF that opens for everybody but may not be copied from stays as closed', async () => {
		await assign(await lockPdf(plainBook, ''));
		const buyer = await joinBuyer();
		const copy = await readCopy(buyer.client);
		expect(await findFaults(copy)).toBe('');
		expect(copy.includes('/Encrypt')).toBe(true);
		expect(copy.includes(Buffer.from('Page 1 of the book'))).toBe(false);
		for (const page of await readPages(copy)) expect(page).toContain(markOf(buyer));
	});

	test('of 5,000 pages is made, within 400 MB', async () => {
		await assign(makePdf({ pages: Array.from({ length: 5000 }, () => ({})), chapterEvery: 100 }));
		const buyer = await joinBuyer();
		const copy = await readCopy(buyer.client);
		const pages = await readPages(copy);
		expect(pages).toHaveLength(5000);
		for (const page of pages) expect(page).toContain(markOf(buyer));
		expect(await findFaults(copy)).toBe('');
	}, 60_000);

	test('of 30 MB shows page one after no more than 400 KB', async () => {
		await assign(makePdf({ pages: Array.from({ length: 300 }, () => ({ pictureBytes: 100_000 })) }));
		const buyer = await joinBuyer();
		const copy = await readCopy(buyer.client);
		expect(copy.length).toBeGreaterThan(30_000_000);
		const { url } = await editionOf(buyer.client);
		const { PDFDataRangeTransport } = await import('pdfjs-dist/legacy/build/pdf.mjs');
		let fetched = 0;
		class Ranges extends PDFDataRangeTransport {
			override async requestDataRange(start: number, end: number) {
				const answer = await buyer.client.call('GET', url, undefined, { range: `bytes=${start}-${end - 1}` });
				fetched += answer.rawPayload.length;
				this.onDataRange(start, new Uint8Array(answer.rawPayload));
			}
		}
		const range = new Ranges(copy.length, null);
		const task = getDocument({ range, disableAutoFetch: true, disableStream: true, verbosity: 0 });
		const page = await (await task.promise).getPage(1);
		const words = await page.getTextContent();
		await page.getOperatorList();
		await task.destroy();
		expect(words.items.map((item) => ('str' in item ? item.str : '')).join('')).toContain(buyer.order?.code);
		expect(fetched).toBeGreaterThan(0);
		expect(fetched).toBeLessThanOrEqual(400_000);
	}, 60_000);
});

describe('what no copy can be made of', () => {
	test.each([
		['a locked one', () => lockPdf(plainBook, 'secret'), 'This PDF asks for a password.'],
		['an empty one', async () => makePdf({ pages: [] }), 'This PDF has no pages.'],
		['a broken one', async () => Buffer.from('%PDF-1.4\nand nothing more'), 'This PDF is damaged.'],
	])('%s is refused beside its field, and told of where it came otherwise', async (_what, make, words) => {
		const good = await assign(plainBook);
		const bytes = await make();
		const bad = await addBookFile(bytes);
		const refused = await saveEditions([{ key: 'part-1-en', fileId: bad }]);
		expect(refused.json()).toMatchObject({
			status: 422,
			code: 'EDITION_UNFIT',
			fields: { 'editions.part-1-en': expect.stringContaining(words) },
		});
		expect((await admin.call('GET', '/api/settings/book')).json().editions[0]).toMatchObject({ fileId: good });

		// As when it takes the place of the assigned file: nobody looked into it.
		const { blob_id } = await deps.db
			.selectFrom('nodes')
			.select('blob_id')
			.where('id', '=', bad)
			.executeTakeFirstOrThrow();
		await deps.db.updateTable('nodes').set({ blob_id, size_bytes: bytes.length }).where('id', '=', good).execute();
		const buyer = await joinBuyer();
		await world.settle();
		expect(await editionOf(buyer.client)).toMatchObject({ copy: { state: 'failed' }, version: null });
		expect((await buyer.client.call('GET', '/api/editions/part-1-en/content')).statusCode).toBe(404);
		const [edition] = (await admin.call('GET', '/api/settings/book')).json().editions;
		expect(edition.problem).toContain(words);
		const hindi = (
			await admin.call('GET', '/api/settings/book', undefined, { cookie: `${admin.cookie()}; lang=hi` })
		).json();
		expect(hindi.editions[0].problem).toMatch(/PDF .*[ऀ-ॿ]/u);
		// It is not tried again and again.
		expect(await runNextJob(deps, jobHandlers, 'copies')).toBe(false);
		await shelfOf(buyer.client);
		expect(await runNextJob(deps, jobHandlers, 'copies')).toBe(false);
		// Another file is.
		await assign(plainBook);
		expect(await readPages(await readCopy(buyer.client))).toHaveLength(12);
	});
});
