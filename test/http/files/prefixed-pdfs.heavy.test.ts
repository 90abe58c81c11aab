import { beforeEach, expect, test } from 'vitest';
import { jobHandlers } from '#server/job-handlers.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { drawFirstPage } from '#server/platform/pdf/first-page.ts';
import { readPdfOutline } from '#server/platform/pdf/watermark.ts';
import { detectStoredContentType } from '#server/platform/storage/content-type.ts';
import { withTemporaryFolder } from '#server/platform/storage/temporary-folder.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makePdf } from '../../support/documents/make-pdf.ts';
import { findPdfErrors, readPages } from '../../support/documents/pdf-tools.ts';
import { pdfPrefixes, prefixPdf } from '../../support/documents/recordings.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import { changeOrder, makeBuyer } from '../../support/fixtures/orders.ts';

const { testApp, deps, admin } = await openTestApp();

beforeEach(async () => {
	await deps.db.updateTable('orders').set({ status: 'Pending' }).execute();
});

const book = makePdf({ pages: 2, outline: [{ title: 'Belief', page: 2 }] });

const fromStart = { countsFromStart: true };
const files = Object.entries(pdfPrefixes).flatMap(([what, prefix], i) => [
	{ what: `${what}, with offsets from its header`, number: 2 * i, bytes: prefixPdf(prefix, {}, book) },
	{ what: `${what}, with offsets from the first byte`, number: 2 * i + 1, bytes: prefixPdf(prefix, fromStart, book) },
]);

test.each(files)('a PDF after $what is detected, rendered, sold and watermarked', async ({ number, bytes }) => {
	const storageKey = `files/test/${number}`;
	const stored = { storageKey, ...(await deps.storage.put(storageKey, bytes)) };
	const contentType = await detectStoredContentType(deps.storage, stored);
	expect(contentType).toBe('application/pdf');
	expect((await drawFirstPage(deps.storage, stored, 200)).length).toBeGreaterThan(500);
	const outline = await withTemporaryFolder(deps, (folder) => readPdfOutline(deps.storage, { storageKey, folder }));
	expect(outline).toMatchObject({ pageCount: 2, entries: [{ title: 'Belief', page: 2 }] });

	const fileId = await makeFile(deps, { ownerId: 'book', name: `${number}.pdf`, bytes, contentType });
	expect((await saveBook(admin, { editions: [{ key: 'part-1-en', fileId }] })).statusCode).toBe(200);
	const { client, order } = await makeBuyer(testApp, `buyer-${number}@example.com`, { status: 'Pending' });
	expect((await changeOrder(admin, order.id, { status: 'Complete' })).statusCode).toBe(200);
	while (await runNextJob(deps, jobHandlers, 'copies'));
	const { editions } = (await client.call('GET', '/api/shelf')).json();
	expect(editions).toMatchObject([{ key: 'part-1-en', copy: { state: 'ready' }, pageCount: 2 }]);
	const copy = (await client.call('GET', editions[0].url)).rawPayload;
	expect(copy.subarray(0, 5).toString()).toBe('%PDF-');
	expect(await findPdfErrors(copy)).toBe('');
	const pages = await readPages(copy);
	const found = pages.map((text) => text.includes('of the book') && text.includes(order.code));
	expect(found).toEqual([true, true]);
});
