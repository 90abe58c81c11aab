import { beforeEach, expect, test } from 'vitest';
import { jobHandlers } from '#server/job-handlers.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { drawFirstPage } from '#server/platform/pdf/first-page.ts';
import { readPdfOutline } from '#server/platform/pdf/mark.ts';
import { withScratch } from '#server/platform/scratch.ts';
import { sniffStored } from '#server/platform/sniff.ts';
import { makeFile } from '../support/files.ts';
import { makeOrder } from '../support/orders.ts';
import { findFaults, readPages } from '../support/pdf-tools.ts';
import { makePdf } from '../support/pdfs.ts';
import { joinWorld } from '../support/people.ts';
import { pdfPrefixes, prefixPdf } from '../support/recordings.ts';
import { openWorld } from '../support/world.ts';

const { world, admin } = await openWorld();
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

test.each(files)('a PDF behind $what is drawn, read, sold and marked', async ({ number, bytes }) => {
	const storageKey = `files/test/${number}`;
	const stored = { storageKey, ...(await deps.storage.put(storageKey, bytes)) };
	const contentType = await sniffStored(deps.storage, stored);
	expect(contentType).toBe('application/pdf');
	expect((await drawFirstPage(deps.storage, stored, 200)).length).toBeGreaterThan(500);
	const outline = await withScratch(deps, (folder) => readPdfOutline(deps.storage, { storageKey, folder }));
	expect(outline).toMatchObject({ pageCount: 2, entries: [{ title: 'Belief', page: 2 }] });

	const fileId = await makeFile(deps, { ownerId: 'book', name: `${number}.pdf`, bytes, contentType });
	const settings = (await admin.call('GET', '/api/settings/book')).json();
	const bank = { name: 'Bank', accountNumber: '1234 5678', ifsc: 'EXMP0000001', accountHolder: 'R. Rao' };
	const editions = [{ key: 'part-1-en', fileId }];
	const saved = await admin.call('PUT', '/api/settings/book', { ...settings, bank, upi: undefined, editions });
	expect(saved.statusCode).toBe(200);
	const email = `buyer-${number}@example.com`;
	const buyer = await joinWorld(world, email);
	const order = await makeOrder(deps, { userId: buyer.id, email, name: 'Asha Verma' });
	const { phone, upiId, version } = (await admin.call('GET', `/api/orders/${order.id}/row`)).json();
	const change = { name: 'Asha Verma', email, phone, upiId, version, status: 'Complete' };
	expect((await admin.call('PUT', `/api/orders/${order.id}`, change)).statusCode).toBe(200);
	while (await runNextJob(deps, jobHandlers, 'copies'));
	const { editions: shelf } = (await buyer.client.call('GET', '/api/shelf')).json();
	expect(shelf).toMatchObject([{ key: 'part-1-en', copy: { state: 'ready' }, pageCount: 2 }]);
	const copy = (await buyer.client.call('GET', shelf[0].url)).rawPayload;
	expect(copy.subarray(0, 5).toString()).toBe('%PDF-');
	expect(await findFaults(copy)).toBe('');
	const pages = await readPages(copy);
	expect(pages.map((text) => [text.includes('of the book'), text.includes(order.code)])).toEqual([
		[true, true],
		[true, true],
	]);
});
