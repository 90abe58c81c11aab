import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
	type BookLanguage,
	type EditionKey,
	type EditionMatrix,
	listEditionKeys,
	unnamedPart,
} from '#contract/book/editions.ts';
import { type Locale, locales } from '#contract/core/text.ts';
import { deleteStaleCopies } from '#server/features/book/index.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makePicture } from '../../support/documents/images.ts';
import { makePdf, parseHeadings } from '../../support/documents/make-pdf.ts';
import { pairsFrom, saveBook } from '../../support/fixtures/book.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { makePdfFile } from '../../support/fixtures/files.ts';
import { changeOrder, makeBuyer } from '../../support/fixtures/orders.ts';

const { testApp, deps, admin } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' }, 'owner@example.com');
const screenshot = { bytes: await makePicture() };
const english = { code: 'en', name: 'English' };
const hindi = { code: 'hi', name: 'हिन्दी' };
const marathi = { code: 'mr', name: 'मराठी' };
const sweets = { number: 3, name: { en: 'Sweets', hi: '' } };
const title = "Dadi's Kitchen";
/** The parts with these numbers, without names of the owner. */
const offer = (numbers: number[], ...languages: BookLanguage[]): EditionMatrix => {
	return { parts: numbers.map(unnamedPart), languages };
};

const getSettings = async () => (await admin.call('GET', '/api/settings/book')).json();
const save = (changes: object) => saveBook(admin, changes);

// Earlier buyers lose their access, so that copies are made only for buyers of the current test.
beforeEach(async () => {
	await deps.db.updateTable('orders').set({ status: 'Pending' }).execute();
});

let count = 0;
const next = () => count++;
async function addFile(pages = 3, outline = ''): Promise<string> {
	const bytes = makePdf({ pages, outline: parseHeadings(outline) });
	return makePdfFile(deps, 'book', { name: `book-${next()}.pdf`, bytes });
}

const fileIds = new Map<EditionKey, string>();

/**
 * Saves a book of these parts and languages, with a file and downloads for every edition. An edition gets the same file
 * in every test, so that the file is validated and read once.
 */
async function setUp(matrix: EditionMatrix): Promise<EditionKey[]> {
	const keys = listEditionKeys(matrix);
	const editions = [];
	for (const key of keys) {
		const fileId = fileIds.get(key) ?? (await addFile());
		fileIds.set(key, fileId);
		editions.push({ key, fileId, mayDownload: true });
	}
	expect((await save({ title, ...matrix, editions })).json()).toMatchObject({ version: expect.any(Number) });
	return keys;
}

/** Text that people read or hear, without the language switch and the captions of the videos, which are not about the book. */
function wordsOf(html: string): string {
	return html
		.replace(/<nav[^>]*class="language-switch"[\s\S]*?<\/nav>/gu, ' ')
		.replace(/<track[^>]*>/gu, ' ')
		.replaceAll('&#x27;', "'")
		.replace(/\s+/gu, ' ');
}

async function readPages(paths: readonly string[], locale: Locale): Promise<string> {
	const visitor = createHttpClient(testApp.app);
	const bodies = [];
	for (const path of paths) {
		const answer = await visitor.call('GET', `${path}?lang=${locale}`, undefined, { accept: 'text/html' });
		expect([path, answer.statusCode]).toEqual([path, 200]);
		bodies.push(wordsOf(answer.body));
	}
	return bodies.join('\n');
}

/** Buys the book in a language. @returns the pages of the order and the mails to the buyer */
async function buy(locale: Locale): Promise<string> {
	const email = `buyer-${next()}@example.com`;
	const visitor = createHttpClient(testApp.app, `198.51.100.${count % 250}`);
	const answer = await sendCheckoutForm(visitor, { email }, screenshot, { cookie: `lang=${locale}` });
	const { statusUrl } = answer.json();
	const [order] = (await admin.call('GET', `/api/orders?search=${email}`)).json().items;
	expect((await changeOrder(admin, order.id, { status: 'Complete' })).statusCode).toBe(200);
	const mails = (await testApp.runDueWork()).filter(({ to }) => to?.[0]?.address === email);
	expect(mails).toHaveLength(2);
	const mailed = mails.flatMap(({ subject, text, html }) => [subject, text, wordsOf(html ?? '')]);
	return [await readPages([statusUrl, `${statusUrl}/receipt`], locale), ...mailed].join('\n');
}

async function joinReader(): Promise<HttpClient> {
	const { client } = await makeBuyer(testApp, `reader-${next()}@example.com`);
	await client.call('GET', '/api/shelf');
	await testApp.runDueWork();
	return client;
}

const partWords = /both parts|two parts|\bpart 1\b|\bparts\b|\bpart one\b|दोनों भाग|दो भाग|भाग 1|भाग एक|भागों/giu;

const position = (page: number) => {
	return { page, pageCount: 3, offset: 0, chapter: null, readAt: testApp.clock.now().toISOString() };
};

describe.each<[string, EditionMatrix, RegExp, [first: string, last: string], string]>([
	['one English edition', offer([1], english), /हिन्दी|Hindi/gu, [title, title], `${title}.pdf`],
	['one Hindi edition', offer([1], hindi), /English|अंग्रेज़ी/gu, [title, title], `${title}.pdf`],
	[
		'three parts in two languages',
		{ parts: [...offer([1, 2]).parts, sweets], languages: [english, marathi] },
		/हिन्दी|Hindi|both parts|two parts/gu,
		[`${title} – Part 1, English`, `${title} – Sweets, मराठी`],
		`${title} – Sweets (मराठी).pdf`,
	],
])('a book of %s', (_what, matrix, forbidden, names, fileName) => {
	test('names only its own parts and languages on every page and in every mail', async () => {
		await setUp(matrix);
		for (const locale of locales) {
			const pages = await readPages(['/', '/terms', '/privacy', '/refund'], locale);
			const words = `${pages}\n${await buy(locale)}`;
			expect(words.match(forbidden) ?? []).toEqual([]);
			expect(pages.includes('"book book-rear"')).toBe(matrix.parts.length > 1);
			if (matrix.parts.length === 1) expect(words.match(partWords) ?? []).toEqual([]);
			else expect(words).toContain(locale === 'en' ? `${title}, in 3 parts` : `${title}, 3 भागों में`);
		}
	});

	test('is read by a buyer: shelf, watermarked copy, position, download and export, and has no other edition', async () => {
		const keys = await setUp(matrix);
		const { editions, parts, languages } = await getSettings();
		expect(editions.map(({ key }: { key: string }) => key)).toEqual(keys);
		expect({ parts, languages }).toEqual(matrix);
		const client = await joinReader();
		const shelf = (await client.call('GET', '/api/shelf')).json();
		expect(shelf.offered).toEqual(matrix);
		expect(shelf.editions).toMatchObject(keys.map((key) => ({ key, copy: { state: 'ready' }, pageCount: 3 })));
		for (const key of [keys[0], keys.at(-1)]) {
			const copy = await client.call('GET', `/api/editions/${key}/content`);
			expect(copy.statusCode).toBe(200);
			expect(copy.rawPayload.equals((await admin.call('GET', `/api/editions/${key}/content`)).rawPayload)).toBe(false);
			expect((await client.call('PUT', `/api/reading/${key}/place`, position(2))).statusCode).toBe(200);
			const mark = { kind: 'bookmark', page: 2, boxes: [], quote: '', note: '', color: 'yellow', chapter: null };
			await client.call('PUT', `/api/reading/${key}/marks/${crypto.randomUUID()}`, mark);
			expect((await client.call('GET', `/api/reading/${key}`)).json()).toMatchObject({ place: { page: 2 } });
			expect((await admin.call('GET', `/api/reading-stats/people?edition=${key}`)).json().items).toHaveLength(1);
		}
		const { documents } = (await client.call('GET', '/api/reading-export?format=json')).json();
		expect([documents[0].name, documents.at(-1).name]).toEqual(names);
		const download = await client.call('GET', `/api/editions/${keys.at(-1)}/content?download=1`);
		expect(decodeURIComponent(String(download.headers['content-disposition']))).toContain(fileName);
		for (const key of ['part-2-hi', 'part-4-mr', 'part-1-ta', 'part-13-en', 'part-1-en-x', 'PART-1-EN'])
			for (const url of [`/api/editions/${key}/content`, `/api/reading/${key}`])
				expect([url, (await client.call('GET', url)).statusCode]).toEqual([url, 404]);
	});
});

test('an edition of a removed language loses its file and its copies; positions return with the language', async () => {
	await setUp(offer([1], english, marathi));
	const client = await joinReader();
	await client.call('PUT', '/api/reading/part-1-mr/place', position(3));
	const countCopies = async () => (await findRows(deps, 'watermarked_copies', { edition: 'part-1-mr' })).length;
	expect(await countCopies()).toBeGreaterThan(0);

	const { editions } = await getSettings();
	const remaining = editions.filter(({ key }: { key: string }) => key === 'part-1-en');
	expect((await save({ languages: [english], editions: remaining })).statusCode).toBe(200);
	expect((await client.call('GET', '/api/editions/part-1-mr/content')).statusCode).toBe(404);
	expect((await client.call('GET', '/api/shelf')).json()).toMatchObject({
		offered: { languages: [english] },
		editions: [{ key: 'part-1-en' }],
	});
	await deleteStaleCopies(deps);
	expect(await countCopies()).toBe(0);

	expect((await save({ languages: [english, marathi], editions: remaining })).statusCode).toBe(200);
	expect((await getSettings()).editions).toContainEqual(
		expect.objectContaining({ key: 'part-1-mr', fileId: null, mayDownload: false }),
	);
	await save({ editions: [...remaining, { key: 'part-1-mr', fileId: await addFile() }] });
	const shelf = (await client.call('GET', '/api/shelf')).json();
	expect(shelf.editions).toMatchObject([{ key: 'part-1-en' }, { key: 'part-1-mr', place: { page: 3 } }]);
});

describe('saving parts and languages', () => {
	test.each([
		['languages', { languages: [english, { ...english, name: 'Other' }] }, /^This language is there twice\.$/u],
		['parts', offer([1, 1], english), /^This part is there twice\.$/u],
		['parts.0.name.en', { parts: [{ number: 1, name: { en: 'x'.repeat(61), hi: '' } }] }, /./u],
		['languages.0.name', { languages: [{ code: 'en', name: ' ' }] }, /./u],
		['languages.0.code', { languages: [{ code: 'EN', name: 'English' }] }, /2 to 8 small letters/u],
		['languages', { languages: [] }, /./u],
		['parts', offer([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], english), /./u],
		['editions.part-5-en', { editions: [{ key: 'part-5-en', fileId: 'x' }] }, /no longer exists/u],
	])('refuses invalid %s with a field error and saves nothing', async (field, changes, message) => {
		await setUp(offer([1], english));
		const before = await getSettings();
		const answer = await save(changes);
		expect(answer.statusCode).toBe(422);
		expect(answer.json().fields).toMatchObject({ [field]: expect.stringMatching(message) });
		expect(await getSettings()).toEqual(before);
	});

	test('checks a file once that several editions have', async () => {
		const matrix = { parts: [unnamedPart(1), unnamedPart(2)], languages: [english, hindi] };
		const fileId = await addFile();
		const read = vi.spyOn(deps.storage, 'read');
		onTestFinished(() => read.mockRestore());
		const answer = await save({ ...matrix, editions: listEditionKeys(matrix).map((key) => ({ key, fileId })) });
		expect(answer.statusCode).toBe(200);
		expect(read).toHaveBeenCalledTimes(1);
	});

	test('keeps them when a page of an earlier version saves without them, and shows names as text', async () => {
		const parts = [unnamedPart(2), { number: 1, name: { en: '<b>Volume</b>', hi: '' } }];
		await setUp({ parts, languages: [marathi, english] });
		const { parts: _parts, languages: _languages, upi: _upi, ...book } = await getSettings();
		expect((await admin.call('PUT', '/api/settings/book', { ...book, editions: [] })).statusCode).toBe(200);
		expect(await getSettings()).toMatchObject({ parts: [{ number: 1 }, { number: 2 }], languages: [marathi, english] });
		const page = (await createHttpClient(testApp.app).call('GET', '/?lang=en')).body;
		expect(page).toContain('&lt;b&gt;Volume&lt;/b&gt;');
		expect(page).not.toContain('<b>Volume');
	});
});

test('the chapters of every other language are matched with those of the first', async () => {
	const chapters = (word: string) => `${word} 1 @ 1\n${word} 2 @ 4`;
	const editions = [];
	for (const [language, word] of Object.entries({ en: 'Chapter', hi: 'अध्याय', mr: 'प्रकरण' }))
		editions.push({ key: `part-1-${language}`, fileId: await addFile(9, chapters(word)) });
	await save({ ...offer([1], english, hindi, marathi), editions });
	const client = await joinReader();
	await admin.call('GET', '/api/settings/outline-pairs');
	await testApp.runDueWork();
	const readPairs = async () => (await client.call('GET', '/api/outline-pairs')).json().parts;
	const ofLanguage = (language: string, pairs = pairsFrom('1=1 2=2')) => {
		return { part: 1, firstLanguage: 'en', language, pairs };
	};
	expect(await readPairs()).toEqual([ofLanguage('hi'), ofLanguage('mr')]);

	const { parts, version } = (await admin.call('GET', '/api/settings/outline-pairs')).json();
	const { en, hi: other } = parts.find(({ language }: { language: string }) => language === 'mr');
	const match = (pairs: string) => {
		const changed = [{ part: 1, language: 'mr', en: en.id, hi: other.id, byHand: pairsFrom(pairs) }];
		return admin.call('PUT', '/api/settings/outline-pairs', { parts: changed, version });
	};
	expect(Object.keys((await match('9=1')).json().fields)).toEqual(['1-en-mr.9']);
	expect((await match('1=2')).statusCode).toBe(200);
	expect(await readPairs()).toEqual([ofLanguage('hi'), ofLanguage('mr', pairsFrom('1=2'))]);
});
