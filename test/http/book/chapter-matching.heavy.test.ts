import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { EditionOutline, PartOutlines } from '#contract/book/chapter-matching.ts';
import { limits } from '#contract/core/limits.ts';
import { readOutlines } from '#server/features/book/chapter-matching/chapter-matching.jobs.ts';
import type { RunningJob } from '#server/platform/jobs/jobs.ts';
import { readPdfOutline } from '#server/platform/pdf/watermark.ts';
import { withTemporaryFolder } from '#server/platform/storage/temporary-folder.ts';
import type { Outline, OutlineEntry } from '#shared/chapter-matching.ts';
import { readOutline } from '#web/ui/pdf/document/pdf-outline.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { readAuditSentences } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { type HeadingToMake, makePdf } from '../../support/documents/make-pdf.ts';
import { encryptPdf } from '../../support/documents/pdf-tools.ts';
import { readDemoBook, saveBook } from '../../support/fixtures/book.ts';
import { makePdfFile } from '../../support/fixtures/files.ts';
import { makeBuyer } from '../../support/fixtures/orders.ts';

const { testApp, deps, admin } = await openTestApp();
const path = '/api/settings/outline-pairs';

const bookOf = (pages: number, outline: HeadingToMake[]) =>
	makePdf({ pages: Array.from({ length: pages }, () => ({})), chapterEvery: 1000, outline });

const english = bookOf(20, [
	{ title: 'Preface', page: 1 },
	{
		title: 'Chapter 1: Belief',
		page: 3,
		children: [
			{ title: 'Doubt', page: 4 },
			{ title: 'Trust', page: 6 },
		],
	},
	{ title: 'Chapter 2: Habits', page: 10 },
]);
const hindiHeadings: HeadingToMake[] = [
	{
		title: 'अध्याय १: विश्वास',
		page: 1,
		children: [
			{ title: 'संदेह', page: 2 },
			{ title: 'भरोसा', page: 5 },
		],
	},
	{ title: 'अध्याय २: आदतें', page: 10 },
];
const hindi = bookOf(22, hindiHeadings);
const suggested = [
	{ en: '2', hi: '1' },
	{ en: '2.1', hi: '1.1' },
	{ en: '2.2', hi: '1.2' },
	{ en: '3', hi: '2' },
];

let count = 0;

/** Assigns files to the editions; an edition without an entry in `files` has no file afterwards. */
async function assign(files: Partial<Record<string, Buffer>>) {
	const editions = [];
	for (const key of ['part-1-en', 'part-1-hi', 'part-2-en', 'part-2-hi']) {
		const bytes = files[key];
		count += 1;
		const name = `book-${count}.pdf`;
		editions.push({ key, fileId: bytes === undefined ? null : await makePdfFile(deps, 'book', { name, bytes }) });
	}
	expect((await saveBook(admin, { editions })).statusCode).toBe(200);
}

/** Assigns both languages of part 1, and reads their outlines. */
async function assignPart1(): Promise<void> {
	await assign({ 'part-1-en': english, 'part-1-hi': hindi });
	await testApp.runDueWork();
}

const get = async (): Promise<{ parts: PartOutlines[]; version: number }> => (await admin.call('GET', path)).json();
async function partOf(part: 1 | 2): Promise<PartOutlines> {
	const outlines = (await get()).parts.find((item) => item.part === part);
	if (outlines === undefined) throw new Error(`There is no part ${part}.`);
	return outlines;
}
const pairsOf = async (client: HttpClient, part = 1) => {
	const { parts } = (await client.call('GET', '/api/outline-pairs')).json();
	return parts.find((item: { part: number }) => item.part === part)?.pairs;
};
function entriesOf(outline: EditionOutline | null): readonly OutlineEntry[] {
	if (outline?.state !== 'ready') throw new Error(`The outline is not ready: ${JSON.stringify(outline)}`);
	return outline.entries;
}
const idOf = (outline: EditionOutline | null) => (outline?.state === 'ready' ? outline.id : '');

/** Saves manual matches for the current outlines of part 1. */
async function saveMatches(byHand: Array<{ en: string; hi: string | null }>, changes: object = {}) {
	const { version } = await get();
	const { en, hi } = await partOf(1);
	const parts = [{ part: 1, en: idOf(en), hi: idOf(hi), byHand, ...changes }];
	return admin.call('PUT', path, { parts, version });
}

async function buy(status: 'Complete' | 'Pending'): Promise<HttpClient> {
	count += 1;
	return (await makeBuyer(testApp, `reader-${count}@example.com`, { status })).client;
}

// So that watermarked copies are made only for the buyers of the current test.
beforeEach(async () => {
	await deps.db.updateTable('orders').set({ status: 'Pending' }).execute();
	await deps.db.deleteFrom('settings').where('key', '=', 'outline-pairs').execute();
});

/** Reads an outline as the reader in the browser does. @returns the entries as a flat list */
async function readInBrowser(pdf: Buffer): Promise<OutlineEntry[]> {
	const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
	const outline = await readOutline((await task.promise) as unknown as Parameters<typeof readOutline>[0]);
	await task.destroy();
	const flat = (entries: typeof outline): OutlineEntry[] =>
		entries.flatMap(({ id, title, page, children }) => [{ id, title, page }, ...flat(children)]);
	return flat(outline);
}

async function readOnServer(pdf: Buffer): Promise<Outline> {
	count += 1;
	const storageKey = `files/test/outline-${count}`;
	await deps.storage.put(storageKey, pdf);
	return withTemporaryFolder(deps, (folder) => readPdfOutline(deps.storage, { storageKey, folder }));
}

describe('readPdfOutline', () => {
	test.each([
		[1, 'en'],
		[1, 'hi'],
		[2, 'en'],
		[2, 'hi'],
	])('reads the same outline from part %d of the demo book in %s as the reader does', async (part, language) => {
		const pdf = await readDemoBook(part, language);
		const { entries } = await readOnServer(pdf);
		expect(entries.length).toBeGreaterThan(8);
		expect(entries).toEqual(await readInBrowser(pdf));
	});

	test('assigns the right IDs also around entries without target or title and around deeply nested entries', async () => {
		const odd = bookOf(9, [
			{ title: '', page: 2 },
			{
				title: 'Leads nowhere',
				children: [{ title: ' ' }, { title: 'नीचे', page: 4, children: [{ title: 'Deep', page: 5 }] }],
			},
			{
				title: 'Emoji 🏔️ and \u202eback',
				page: 9,
				children: [{ title: 'A', page: 3, children: [{ title: 'B', children: [{ title: 'Too deep' }] }] }],
			},
		]);
		const { entries, pageCount } = await readOnServer(odd);
		const plain = (list: readonly OutlineEntry[]) => list.map(({ id, page }) => ({ id, page }));
		expect(pageCount).toBe(9);
		expect(plain(entries)).toEqual(plain(await readInBrowser(odd)));
		expect(entries.map(({ id }) => id)).toEqual(['1', '2', '2.1', '2.2', '2.2.1', '3', '3.1', '3.1.1']);
		expect(entries[4]).toEqual({ id: '2.2.1', title: 'Deep', page: 5 });
	});

	test('limits the number of entries and the length of their titles', async () => {
		const long = Array.from({ length: limits.outlineEntriesMax + 50 }, (_, i) => ({
			title: 'अ'.repeat(900),
			page: (i % 9) + 1,
		}));
		const { entries } = await readOnServer(bookOf(9, long));
		expect(entries).toHaveLength(limits.outlineEntriesMax);
		expect(entries.every(({ title }) => title.length === limits.outlineTitleMaxLength)).toBe(true);
	});

	test('reads the outline of a PDF with 5,000 pages and more than 30 MB', async () => {
		const pages = Array.from({ length: 5000 }, (_, i) => (i % 250 === 0 ? { pictureBytes: 1_500_000 } : {}));
		const pdf = makePdf({ pages, chapterEvery: 10 });
		expect(pdf.length).toBeGreaterThan(30_000_000);
		const { entries, pageCount } = await readOnServer(pdf);
		expect(pageCount).toBe(5000);
		expect(entries.at(-1)).toEqual({ id: '500', title: 'Chapter 500', page: 4991 });
	});
});

describe('the outlines of the editions', () => {
	test('have the state reading, ready, or failed with a reason', async () => {
		await assign({ 'part-1-en': english, 'part-2-en': bookOf(4, []) });
		expect(await partOf(1)).toMatchObject({ en: { state: 'reading' }, hi: null, byHand: [] });
		await testApp.runDueWork();
		const [one, two] = (await get()).parts;
		expect(entriesOf(one?.en ?? null)).toHaveLength(5);
		expect(one?.hi).toBeNull();
		expect(two?.en).toMatchObject({ state: 'ready', pageCount: 4, entries: [] });

		const locked = await encryptPdf(hindi, 'secret');
		await assign({ 'part-1-en': english });
		const fileId = await makePdfFile(deps, 'book', { name: 'locked.pdf', bytes: locked });
		const settings = JSON.parse((await getRow(deps, 'settings', { key: 'book' })).value);
		settings.editions['part-1-hi'] = fileId;
		const value = JSON.stringify(settings);
		await deps.db.updateTable('settings').set({ value }).where('key', '=', 'book').execute();
		await get();
		await testApp.runDueWork();
		expect((await partOf(1)).hi).toEqual({
			state: 'failed',
			problem: 'This PDF asks for a password. Save it without one, then choose it again.',
		});
	});

	test('are read again one and ten minutes after a failure, and have the state failed after the third', async () => {
		await assign({ 'part-1-en': bookOf(3, [{ title: 'Only', page: 1 }]) });
		const read = () => Promise.reject(new Error('The disk is slow today.'));
		const failingDeps = { ...deps, storage: Object.assign(Object.create(deps.storage), { read }) };
		const calls: unknown[] = [];
		const job = (): RunningJob => ({
			savePayload: async (_tx, payload) => void calls.push(payload),
			reschedule: (seconds) => void calls.push(seconds),
		});
		await readOutlines(failingDeps, {}, job());
		await readOutlines(failingDeps, { tries: 1 }, job());
		expect(calls).toEqual([{ tries: 1 }, 60, { tries: 2 }, 600]);
		expect((await partOf(1)).en).toEqual({ state: 'reading' });
		await readOutlines(failingDeps, { tries: 2 }, job());
		expect((await partOf(1)).en).toMatchObject({ state: 'failed' });
		expect(calls).toHaveLength(4);
	});

	test('are deleted with the stored file', async () => {
		await assign({ 'part-1-en': english });
		await testApp.runDueWork();
		const id = idOf((await partOf(1)).en);
		await deps.db.updateTable('nodes').set({ blob_id: null }).where('blob_id', '=', id).execute();
		await deps.db.deleteFrom('blobs').where('id', '=', id).execute();
		expect(await findRows(deps, 'outlines', { blob_id: id })).toEqual([]);
	});

	test('are not read again while the files do not change', async () => {
		await assignPart1();
		const read = () => deps.db.selectFrom('outlines').selectAll().orderBy('blob_id').execute();
		const before = await read();
		await get();
		await testApp.runDueWork();
		expect(await read()).toEqual(before);
	});
});

describe('chapter matches', () => {
	test('contain every chapter and section of the demo book with its counterpart', async () => {
		await assign({
			'part-1-en': await readDemoBook(1, 'en'),
			'part-1-hi': await readDemoBook(1, 'hi'),
			'part-2-en': await readDemoBook(2, 'en'),
			'part-2-hi': await readDemoBook(2, 'hi'),
		});
		await testApp.runDueWork();
		for (const part of [1, 2] as const) {
			const { en } = await partOf(part);
			expect(await pairsOf(admin, part)).toEqual(entriesOf(en).map(({ id }) => ({ en: id, hi: id })));
		}
	});

	test('are suggested despite an extra preface, and sent only to readers with access', async () => {
		await assignPart1();
		expect(await pairsOf(await buy('Complete'))).toEqual(suggested);
		expect(await pairsOf(await buy('Pending'))).toBeUndefined();
		expect((await (await buy('Pending')).call('GET', '/api/outline-pairs')).json()).toEqual({ parts: [] });
	});

	test('contain manual matches, which readers receive at once and which are audited', async () => {
		await assignPart1();
		const reader = await buy('Complete');
		const byHand = [
			{ en: '1', hi: '1.1' },
			{ en: '2.2', hi: null },
		];
		expect((await saveMatches(byHand)).json()).toEqual({ version: 1 });
		expect((await partOf(1)).byHand).toEqual(byHand);
		expect(await pairsOf(reader)).toEqual([
			{ en: '1', hi: '1.1' },
			{ en: '2', hi: '1' },
			{ en: '2.1', hi: '1.2' },
			{ en: '3', hi: '2' },
		]);
		const sentences = await readAuditSentences(admin, 'kind=settings');
		expect(sentences.filter((sentence) => sentence.includes('paired'))).toEqual([
			'admin@example.com paired the chapters of the two languages.',
		]);
		expect((await saveMatches([])).json()).toEqual({ version: 2 });
		expect(await pairsOf(reader)).toEqual(suggested);
	});

	test('keep a manual match in a corrected file, but not a match of a chapter whose title has changed', async () => {
		await assignPart1();
		await saveMatches([
			{ en: '1', hi: '1.1' },
			{ en: '2.1', hi: '1.2' },
		]);
		const corrected = hindiHeadings.map((heading) => ({
			...heading,
			children:
				heading.children?.map(({ title, page }) => ({ title: title.replace('भरोसा', 'यक़ीन'), page: page ?? 1 })) ?? [],
		}));
		await assign({ 'part-1-en': english, 'part-1-hi': bookOf(25, [{ title: 'समर्पण', page: 1 }, ...corrected]) });
		await testApp.runDueWork();
		expect((await partOf(1)).byHand).toEqual([{ en: '1', hi: '2.1' }]);
	});

	test('keep the manual matches of a part that is not saved, also while one of its editions has no file', async () => {
		await assignPart1();
		const byHand = [{ en: '3', hi: null }];
		await saveMatches(byHand);
		await assign({ 'part-1-en': english });
		expect((await partOf(1)).byHand).toEqual([]);
		const { version } = await get();
		expect((await admin.call('PUT', path, { parts: [], version })).statusCode).toBe(200);
		await assignPart1();
		expect((await partOf(1)).byHand).toEqual(byHand);
	});
});

describe('PUT /api/settings/outline-pairs', () => {
	test('refuses two chapters with the same counterpart, with a field error', async () => {
		await assignPart1();
		const answer = await saveMatches([
			{ en: '1', hi: '1' },
			{ en: '2', hi: '1' },
		]);
		expect(answer.statusCode).toBe(422);
		expect(answer.json().fields).toEqual({ '1.2': 'Another entry has the same counterpart. Choose one of them.' });
		expect((await partOf(1)).byHand).toEqual([]);
	});

	test.each([
		[{ en: '9', hi: '1' }, '1.9'],
		[{ en: '1', hi: '9' }, '1.1'],
	])('refuses a match with an entry that is not in the outline: %j', async (pair, field) => {
		await assignPart1();
		const answer = await saveMatches([pair]);
		expect(answer.statusCode).toBe(422);
		expect(answer.json().fields).toEqual({ [field]: 'This entry is not in the outline any more.' });
	});

	test.each([
		{ en: '0', hi: null },
		{ en: '1..2', hi: null },
		{ en: '1; drop', hi: null },
		{ en: '1' },
		{ en: 1, hi: 1 },
	])('refuses a malformed match: %j', async (pair) => {
		await assignPart1();
		expect((await saveMatches([pair as never])).statusCode).toBe(422);
	});

	test('returns STALE for matches of another file or of an outdated version', async () => {
		await assignPart1();
		expect((await saveMatches([], { hi: 'another' })).json()).toMatchObject({ code: 'STALE' });
		const { version } = await get();
		expect((await admin.call('PUT', path, { parts: [], version })).statusCode).toBe(200);
		expect((await admin.call('PUT', path, { parts: [], version })).json()).toMatchObject({ code: 'STALE' });
	});
});
