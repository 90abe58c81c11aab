import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { addEditions } from '../../support/browser/reader-page.ts';
import { addFile, addReader } from '../../support/browser/seeding.ts';
import { makePdf } from '../../support/documents/make-pdf.ts';
import { encryptPdf } from '../../support/documents/pdf-tools.ts';

const product = hostJourneys();

const member = 'reads.much@example.com';
/** The limit of fetched bytes of the PDF until page one is shown. */
const maxFirstPageBytes = 400 * 1024;
const maxMemoryBytes = 400 * 1024 * 1024;

test.beforeAll(async () => {
	const { owner } = product;
	// The image on the first page has 150 KB, and the image on each other page has 300 KB.
	const largePages = Array.from({ length: 100 }, (_, index) => ({ pictureBytes: index === 0 ? 150_000 : 300_000 }));
	await addEditions(owner, { 'part-1-en': makePdf({ pages: largePages }), 'part-2-en': makePdf({ pages: 5000 }) });
	await addReader(owner, member);
});

/** Counts the fetched bytes of editions. @returns a function that returns the current number */
function countBytes(page: Page): () => number {
	let bytes = 0;
	page.on('response', (answer) => {
		if (/\/api\/editions\//u.test(answer.url())) bytes += Number(answer.headers()['content-length'] ?? 0);
	});
	return () => bytes;
}

for (const [form, options] of [
	['a desktop', { viewport: { width: 1440, height: 900 } }],
	['a phone', { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }],
] as const) {
	test(`the reader shows page one of a copy of 30 MB after fetching at most 400 KB on ${form}`, async ({ enter }) => {
		const page = await enter({ signedInAs: member, ...options });
		const fetched = countBytes(page);
		await page.goto('/read/part-1-en');
		await expect(page.locator('[data-drawn="1"]')).toBeVisible();
		const bytes = fetched();
		test.info().annotations.push({ type: 'page one', description: `${form}: ${Math.round(bytes / 1024)} KB` });
		expect(bytes).toBeGreaterThan(0);
		expect(bytes).toBeLessThanOrEqual(maxFirstPageBytes);
	});
}

test('the reader opens the last of 5,000 pages with one key and less than 400 MB of memory', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: '/read/part-2-en' });
	await expect(page.locator('[data-drawn="1"]')).toBeVisible();
	await page.keyboard.press('End');
	await expect(page.locator('[data-drawn="5000"]')).toBeVisible();
	await page.getByRole('button', { name: 'How pages look' }).click();
	await page.getByRole('button', { name: 'Continuous' }).click();
	await page.keyboard.press('Escape');
	for (const key of ['Home', 'End', 'Home']) {
		await page.keyboard.press(key);
		await expect(page.locator(`[data-drawn="${key === 'Home' ? 1 : 5000}"]`)).toBeVisible();
	}
	expect(await page.locator('[data-pages] canvas').count()).toBeLessThan(8);
	const bytes = await memoryOf(page);
	test.info().annotations.push({ type: '5,000 pages', description: `${Math.round(bytes / 1024 / 1024)} MB` });
	expect(bytes).toBeLessThan(maxMemoryBytes);
});

test('the preview shows why a PDF cannot be opened, and opens the next file', async ({ enter }) => {
	const { owner } = product;
	await addFile(owner, 'guest', '1 locked.pdf', await encryptPdf(makePdf({ pages: 1 }), 'a word'));
	const broken = Buffer.concat([makePdf({ pages: 1 }).subarray(0, 400), Buffer.alloc(90_000, 'x')]);
	await addFile(owner, 'guest', '2 broken.pdf', broken);
	await addFile(owner, 'guest', '3 empty.pdf', Buffer.alloc(0));
	await addFile(owner, 'guest', '4 no pages.pdf', makePdf({ pages: [] }));
	await addFile(owner, 'guest', '5 whole.pdf', makePdf({ pages: 1 }));
	const page = await enter({ signedInAs: 'owner', at: '/user/guest' });
	const overlay = page.getByRole('dialog');
	await page.getByRole('button', { name: '1 locked.pdf', exact: true }).click();
	await expectText(overlay, 'This PDF is locked.');
	await overlay.getByRole('button', { name: 'Next file' }).click();
	// An empty file has no detected type, so it has no preview.
	const messages = {
		'2 broken.pdf': 'This PDF cannot be read.',
		'3 empty.pdf': 'There is no preview of this type of file.',
		'4 no pages.pdf': 'This PDF cannot be read.',
	};
	for (const [name, message] of Object.entries(messages)) {
		await expect(overlay.getByText(name, { exact: true })).toBeVisible();
		await expectText(overlay, message);
		await overlay.getByRole('button', { name: 'Next file' }).click();
	}
	await expect(overlay.locator('[data-drawn="1"]')).toBeVisible();
});

/** Returns the resident bytes of the largest renderer process, including shared memory. Works only on Linux. */
async function memoryOf(page: Page): Promise<number> {
	const session = await page.context().browser()?.newBrowserCDPSession();
	const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] };
	const readSize = async (id: number) =>
		Number(/VmRSS:\s+(\d+)/u.exec(await readFile(`/proc/${id}/status`, 'latin1'))?.[1]) * 1024;
	const renderers = processInfo.filter(({ type }) => type === 'renderer');
	return Math.max(...(await Promise.all(renderers.map(({ id }) => readSize(id)))));
}
