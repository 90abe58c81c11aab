import { beforeEach, expect, test } from 'vitest';
import { jobHandlers } from '#server/job-handlers.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { drawFirstPage } from '#server/platform/pdf/first-page.ts';
import { readPdfOutline } from '#server/platform/pdf/watermark.ts';
import { detectStoredContentType } from '#server/platform/storage/content-type.ts';
import { withTemporaryFolder } from '#server/platform/storage/temporary-folder.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { makePdf } from '../../support/documents/make-pdf.ts';
import { findPdfErrors, readPages } from '../../support/documents/pdf-tools.ts';
import { pdfPrefixes, prefixPdf } from '../../support/documents/recordings.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';

const { world, admin } = await openTestApp();
const { deps } = world;

beforeEach(async () => {
	await deps.db.updateTable('orders').set({ status: 'Pending' }).execute();
});

const book = makePdf({ pages: [{}, {}], outline: [{ title: 'Belief', page: 2 }] });

const files = Object.entries(pdfPrefixes).flatMap(([what, prefix], i) => [
	{ what: `${what} that counts from its header`, number: 2 * i, bytes: prefixPdf(prefix, {}, book) },
	{
		what: `${what} that counts from its first byte`,
		number: 2 * i + 1,
		bytes: prefixPdf(prefix, { countsFromStart: true }, book),
	},
]);

test.each(files)('a PDF behind $what is detected, drawn, sold and watermarked', async ({ number, bytes }) => {
	const storageKey = `files/test/${number}`;
	const stored = { storageKey, ...(await deps.storage.put(storageKey, bytes)) };
	const contentType = await detectStoredContentType(deps.storage, stored);
	expect(contentType).toBe('application/pdf');
	expect((await drawFirstPage(deps.storage, stored, 200)).length).toBeGreaterThan(500);
	const outline = await withTemporaryFolder(deps, (folder) => readPdfOutline(deps.storage, { storageKey, folder }));
	expect(outline).toMatchObject({ pageCount: 2, entries: [{ title: 'Belief', page: 2 }] });

	const fileId = await makeFile(deps, { ownerId: 'book', name: `${number}.pdf`, bytes, contentType });
	const settings = (await admin.call('GET', '/api/settings/book')).json();
	const bank = { name: 'Bank', accountNumber: '1234 5678', ifsc: 'EXMP0000001', accountHolder: 'R. Rao' };
	const editions = [{ key: 'part-1-en', fileId }];
	const saved = await admin.call('PUT', '/api/settings/book', { ...settings, bank, upi: undefined, editions });
	expect(saved.statusCode).toBe(200);
	const email = `buyer-${number}@example.com`;
	const buyer = await makeSignedInUser(world, email);
	const order = await makeOrder(deps, { userId: buyer.id, email, name: 'Asha Verma' });
	const { phone, upiId, version } = (await admin.call('GET', `/api/orders/${order.id}/row`)).json();
	const change = { name: 'Asha Verma', email, phone, upiId, version, status: 'Complete' };
	expect((await admin.call('PUT', `/api/orders/${order.id}`, change)).statusCode).toBe(200);
	while (await runNextJob(deps, jobHandlers, 'copies'));
	const { editions: shelf } = (await buyer.client.call('GET', '/api/shelf')).json();
	expect(shelf).toMatchObject([{ key: 'part-1-en', copy: { state: 'ready' }, pageCount: 2 }]);
	const copy = (await buyer.client.call('GET', shelf[0].url)).rawPayload;
	expect(copy.subarray(0, 5).toString()).toBe('%PDF-');
	expect(await findPdfErrors(copy)).toBe('');
	const pages = await readPages(copy);
	expect(pages.map((text) => [text.includes('of the book'), text.includes(order.code)])).toEqual([
		[true, true],
		[true, true],
	]);
});
