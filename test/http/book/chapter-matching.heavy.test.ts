import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { EditionOutline, PartOutlines } from '#contract/book/chapter-matching.ts';
import { editionDefaults, listEditionKeys } from '#contract/book/editions.ts';
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
import { makePdf, parseHeadings } from '../../support/documents/make-pdf.ts';
import { encryptPdf } from '../../support/documents/pdf-tools.ts';
import { pairsFrom, readDemoBook, saveBook } from '../../support/fixtures/book.ts';
import { makePdfFile } from '../../support/fixtures/files.ts';
import { makeBuyer } from '../../support/fixtures/orders.ts';

const { testApp, deps, admin } = await openTestApp();
const path = '/api/settings/outline-pairs';
const keys = listEditionKeys(editionDefaults);

const bookOf = (pages: number, outline: string) => makePdf({ pages, outline: parseHeadings(outline) });

const english = bookOf(20, 'Preface @ 1\nChapter 1: Belief @ 3\n\tDoubt @ 4\n\tTrust @ 6\nChapter 2: Habits @ 10');
const hindiHeadings = 'अध्याय १: विश्वास @ 1\n\tसंदेह @ 2\n\tभरोसा @ 5\nअध्याय २: आदतें @ 10';
const hindi = bookOf(22, hindiHeadings);
const suggested = pairsFrom('2=1 2.1=1.1 2.2=1.2 3=2');

let count = 0;
const next = () => count++;

/** The files of assigned books: a file that is assigned again is neither validated nor read again. */
const fileIds = new Map<Buffer, string>();

/** Assigns files to the editions. Editions without a file in `files` have no file afterwards. */
async function assign(files: Partial<Record<string, Buffer>>) {
	const assigned = [];
	for (const key of keys) {
		const bytes = files[key];
		const name = `book-${next()}.pdf`;
		const fileId = bytes && (fileIds.get(bytes) ?? (await makePdfFile(deps, 'book', { name, bytes })));
		if (bytes !== undefined && fileId !== undefined) fileIds.set(bytes, fileId);
		assigned.push({ key, fileId: fileId ?? null });
	}
	expect((await saveBook(admin, { editions: assigned })).statusCode).toBe(200);
}

/** Assigns a file to both editions of part 1, and runs the job that reads their outlines. */
async function assignPart1(): Promise<void> {
	await assign({ 'part-1-en': english, 'part-1-hi': hindi });
	await testApp.runDueWork();
}

const get = async (): Promise<{ parts: [PartOutlines, PartOutlines]; version: number }> =>
	(await admin.call('GET', path)).json();
const partOf = async (part: 1 | 2) => (await get()).parts[part === 1 ? 0 : 1];
const pairsOf = async (client: HttpClient, part = 1) => {
	const { parts } = (await client.call('GET', '/api/outline-pairs')).json();
	return parts.find((item: { part: number }) => item.part === part)?.pairs;
};
function entriesOf(outline: EditionOutline | null): readonly OutlineEntry[] {
	if (outline?.state !== 'ready') throw new Error(`The outline is not ready: ${JSON.stringify(outline)}`);
	return outline.entries;
}
const idOf = (outline: EditionOutline | null) => (outline?.state === 'ready' ? outline.id : '');

async function saveMatches(byHand: Array<{ en: string; hi: string | null }>, changes: object = {}) {
	const { parts, version } = await get();
	const part = { part: 1, en: idOf(parts[0].en), hi: idOf(parts[0].hi), byHand, ...changes };
	return admin.call('PUT', path, { parts: [part], version });
}

async function buy(status: 'Complete' | 'Pending'): Promise<HttpClient> {
	return (await makeBuyer(testApp, `reader-${next()}@example.com`, { status })).client;
}

// Earlier orders become Pending, so that the jobs make watermarked copies only for buyers of the current test.
beforeEach(async () => {
	await deps.db.updateTable('orders').set({ status: 'Pending' }).execute();
	await deps.db.deleteFrom('settings').where('key', '=', 'outline-pairs').execute();
});

/** Reads an outline with the code of the web reader. @returns the entries as a flat list */
async function readInBrowser(pdf: Buffer): Promise<OutlineEntry[]> {
	const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
	const outline = await readOutline((await task.promise) as unknown as Parameters<typeof readOutline>[0]);
	await task.destroy();
	const flat = (entries: typeof outline): OutlineEntry[] =>
		entries.flatMap(({ id, title, page, children }) => [{ id, title, page }, ...flat(children)]);
	return flat(outline);
}

async function readOnServer(pdf: Buffer): Promise<Outline> {
	const storageKey = `files/test/outline-${next()}`;
	await deps.storage.put(storageKey, pdf);
	return withTemporaryFolder(deps, (folder) => readPdfOutline(deps.storage, { storageKey, folder }));
}

describe('readPdfOutline', () => {
	test.each(keys)('reads the same outline of the demo book (%s) as the web reader', async (key) => {
		const pdf = await readDemoBook(key);
		const { entries } = await readOnServer(pdf);
		expect(entries.length).toBeGreaterThan(8);
		expect(entries).toEqual(await readInBrowser(pdf));
	});

	test('returns the same IDs and pages as the web reader, also for entries without target or title and for deeply nested entries', async () => {
		const nested = '\n\t \n\tनीचे @ 4\n\t\tDeep @ 5';
		const tooDeep = '\n\tA @ 3\n\t\tB\n\t\t\tToo deep';
		const odd = bookOf(9, ` @ 2\nLeads nowhere${nested}\nEmoji 🏔️ and \u202eback @ 9${tooDeep}`);
		const { entries, pageCount } = await readOnServer(odd);
		const plain = (list: readonly OutlineEntry[]) => list.map(({ id, page }) => ({ id, page }));
		expect(pageCount).toBe(9);
		expect(plain(entries)).toEqual(plain(await readInBrowser(odd)));
		expect(entries.map(({ id }) => id)).toEqual(['1', '2', '2.1', '2.2', '2.2.1', '3', '3.1', '3.1.1']);
		expect(entries[4]).toEqual({ id: '2.2.1', title: 'Deep', page: 5 });
	});

	test('limits the number of entries and the lengths of their titles', async () => {
		const outline = Array(limits.outlineEntriesMax + 50).fill({ title: 'अ'.repeat(900), page: 3 });
		const { entries } = await readOnServer(makePdf({ pages: 9, outline }));
		expect(entries).toHaveLength(limits.outlineEntriesMax);
		expect(entries.every(({ title }) => title.length === limits.outlineTitleMaxLength)).toBe(true);
	});

	test('reads the outline of a PDF of more than 30 MB with 5,000 pages', async () => {
		const pages = Array.from({ length: 5000 }, (_, i) => (i % 250 === 0 ? { pictureBytes: 1_500_000 } : {}));
		const pdf = makePdf({ pages, chapterEvery: 10 });
		expect(pdf.length).toBeGreaterThan(30_000_000);
		const { entries, pageCount } = await readOnServer(pdf);
		expect(pageCount).toBe(5000);
		expect(entries.at(-1)).toEqual({ id: '500', title: 'Chapter 500', page: 4991 });
	});
});

describe('the outlines of the editions', () => {
	test('have the state reading, the state ready, or the state failed with a reason', async () => {
		await assign({ 'part-1-en': english, 'part-2-en': makePdf({ pages: 4, outline: [] }) });
		expect(await partOf(1)).toMatchObject({ en: { state: 'reading' }, hi: null, byHand: [] });
		await testApp.runDueWork();
		const [one, two] = (await get()).parts;
		expect(entriesOf(one.en)).toHaveLength(5);
		expect(one.hi).toBeNull();
		expect(two.en).toMatchObject({ state: 'ready', pageCount: 4, entries: [] });

		await assign({ 'part-1-en': english });
		const fileId = await makePdfFile(deps, 'book', { name: 'locked.pdf', bytes: await encryptPdf(hindi, 'secret') });
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

	test('are read again one minute after the first failure and ten minutes after the second, and have the state failed after the third', async () => {
		await assign({ 'part-1-en': bookOf(3, 'Only @ 1') });
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

	test('are deleted together with the stored file', async () => {
		await assign({ 'part-1-en': bookOf(3, 'Only @ 1') });
		await testApp.runDueWork();
		const id = idOf((await partOf(1)).en);
		await deps.db.updateTable('nodes').set({ blob_id: null }).where('blob_id', '=', id).execute();
		await deps.db.deleteFrom('blobs').where('id', '=', id).execute();
		expect(await findRows(deps, 'outlines', { blob_id: id })).toEqual([]);
	});

	test('are not read again while the files are unchanged', async () => {
		await assignPart1();
		const read = () => deps.db.selectFrom('outlines').selectAll().orderBy('blob_id').execute();
		const before = await read();
		await get();
		await testApp.runDueWork();
		expect(await read()).toEqual(before);
	});
});

describe('chapter matches', () => {
	test('contain every chapter and section of the demo book with its counterpart in the other language', async () => {
		await assign(Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await readDemoBook(key)]))));
		await testApp.runDueWork();
		for (const part of [1, 2] as const) {
			const { en } = await partOf(part);
			expect(await pairsOf(admin, part)).toEqual(entriesOf(en).map(({ id }) => ({ en: id, hi: id })));
		}
	});

	test('are found despite an additional preface, and are sent only to readers with book access', async () => {
		await assignPart1();
		expect(await pairsOf(await buy('Complete'))).toEqual(suggested);
		expect(await pairsOf(await buy('Pending'))).toBeUndefined();
		expect((await (await buy('Pending')).call('GET', '/api/outline-pairs')).json()).toEqual({ parts: [] });
	});

	test('include manual matches, which are audited and which readers receive immediately', async () => {
		await assignPart1();
		const reader = await buy('Complete');
		const byHand = pairsFrom('1=1.1 2.2=');
		expect((await saveMatches(byHand)).json()).toEqual({ version: 1 });
		expect((await partOf(1)).byHand).toEqual(byHand);
		expect(await pairsOf(reader)).toEqual(pairsFrom('1=1.1 2=1 2.1=1.2 3=2'));
		const sentences = await readAuditSentences(admin, 'kind=settings');
		expect(sentences.filter((sentence) => sentence.includes('paired'))).toEqual([
			'admin@example.com paired the chapters of the two languages.',
		]);
		expect((await saveMatches([])).json()).toEqual({ version: 2 });
		expect(await pairsOf(reader)).toEqual(suggested);
	});

	test('keep a manual match when a corrected file replaces the file of the edition, unless the title of the chapter has changed', async () => {
		await assignPart1();
		await saveMatches(pairsFrom('1=1.1 2.1=1.2'));
		const corrected = `समर्पण @ 1\n${hindiHeadings.replace('भरोसा', 'यक़ीन')}`;
		await assign({ 'part-1-en': english, 'part-1-hi': bookOf(25, corrected) });
		await testApp.runDueWork();
		expect((await partOf(1)).byHand).toEqual(pairsFrom('1=2.1'));
	});

	test('keep the manual matches of a part that a save does not contain, also while one of its editions has no file', async () => {
		await assignPart1();
		const byHand = pairsFrom('3=');
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
	const absent = 'This entry is not in the outline any more.';
	const taken = 'Another entry has the same counterpart. Choose one of them.';

	test.each([
		[pairsFrom('1=1 2=1'), { '1.2': taken }],
		[pairsFrom('9=1'), { '1.9': absent }],
		[pairsFrom('1=9'), { '1.1': absent }],
	])('refuses a counterpart that is used twice and entries that are not in the outline: %j', async (pairs, fields) => {
		await assignPart1();
		const answer = await saveMatches(pairs);
		expect(answer.statusCode).toBe(422);
		expect(answer.json().fields).toEqual(fields);
		expect((await partOf(1)).byHand).toEqual([]);
	});

	test('refuses a malformed match', async () => {
		await assignPart1();
		const malformed = [...pairsFrom('0= 1..2= 1;drop='), { en: '1' }, { en: 1, hi: 1 }];
		for (const pair of malformed)
			expect((await saveMatches([pair as never])).statusCode, JSON.stringify(pair)).toBe(422);
	});

	test('returns STALE for matches of a replaced file and for matches with an outdated version', async () => {
		await assignPart1();
		expect((await saveMatches([], { hi: 'another' })).json()).toMatchObject({ code: 'STALE' });
		const { version } = await get();
		const saveNone = () => admin.call('PUT', path, { parts: [], version });
		expect((await saveNone()).statusCode).toBe(200);
		expect((await saveNone()).json()).toMatchObject({ code: 'STALE' });
	});
});
