import { expect } from '@playwright/test';
import type { Node } from '#contract/files/files.ts';
import {
	expectNoHorizontalOverflow,
	expectText,
	hostJourneys,
	test,
	waitForEventStream,
} from '../../support/browser/journey.ts';
import { drawnPage } from '../../support/browser/reader-page.ts';
import { addFile, addFolder, addUser, findNode, share } from '../../support/browser/seeding.ts';
import { makePdf } from '../../support/documents/make-pdf.ts';
import { encryptPdf } from '../../support/documents/pdf-tools.ts';

const product = hostJourneys();
const member = 'borrows@example.com';
const lender = 'lends@example.com';
const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const sheet = makePdf({ pages: 30, title: 'Not its name' });

let folder: Node;

test.beforeAll(async () => {
	const { owner } = product;
	for (const email of [member, lender]) await addUser(owner, email);
	folder = await addFolder(owner, lender, 'Worksheets');
	await addFile(owner, lender, 'Plan of a shop.pdf', sheet, folder.realPath ?? '');
	await share(owner, folder.id, member);
});

const fileOf = (space: string, name: string, path = '') => findNode(product.owner, space, name, path);
const inReader = { name: 'Open in the reader' };

test('a shared PDF has the same reading position and annotations on another device', async ({ enter }) => {
	const { id } = await fileOf(lender, 'Plan of a shop.pdf', folder.realPath ?? '');
	const page = await enter({ signedInAs: member });
	await Promise.all([waitForEventStream(page), page.goto(`/dashboard/book?folder=${folder.id}`)]);
	const overlay = page.getByRole('dialog');
	await page.getByRole('button', { name: 'Preview Plan of a shop.pdf' }).click();
	await expect(overlay.getByText('Page 1 of 30')).toBeVisible();
	await overlay.getByRole('link', inReader).click();

	await expect(page).toHaveURL(`/read/file/${id}`);
	await expect(page).toHaveTitle('Plan of a shop.pdf · Folio');
	await expect(page.getByRole('heading', { level: 1, name: 'Plan of a shop.pdf', exact: true })).toBeVisible();
	await page.getByRole('button', { name: /^Chapter 2/u }).click();
	const positionSaved = page.waitForResponse(
		(answer) => answer.url().endsWith(`/${id}/place`) && answer.ok() && answer.request().postDataJSON()?.page === 12,
	);
	await page.keyboard.press('ArrowRight');
	const sentence = drawnPage(page, 12).locator('span', { hasText: 'Page 12 of the book' }).last();
	await sentence.click({ clickCount: 3 });
	await page.getByRole('toolbar', { name: 'Selected text' }).getByRole('button', { name: 'Green' }).click();
	await expect(drawnPage(page, 12).locator('[data-color="green"]').first()).toBeVisible();
	await positionSaved;

	await test.step('Back opens the preview at the same page, and turning pages in the preview does not change the reading position', async () => {
		await page.getByRole('button', { name: 'Back', exact: true }).click();
		await expect(overlay.getByText('Page 12 of 30')).toBeVisible();
		await expect(page).toHaveTitle('Shared Folders · Folio');
		for (let turned = 12; turned < 15; turned += 1) await page.keyboard.press('ArrowRight');
		await expect(overlay.getByText('Page 15 of 30')).toBeVisible();
		await overlay.getByRole('button', { name: 'Close' }).click();
		await expect(overlay).toHaveCount(0);
		await expect(page).toHaveURL(`/dashboard/book?folder=${folder.id}`);
	});

	const onPhone = await enter({ signedInAs: member, ...phone });
	await Promise.all([waitForEventStream(onPhone), onPhone.goto(`/read/file/${id}`)]);
	await expect(drawnPage(onPhone, 12).locator('[data-color="green"]').first()).toBeVisible();
	await expectNoHorizontalOverflow(onPhone);

	await test.step('the open reader shows a new file name immediately, and closes when the share is removed', async () => {
		await product.owner.send('POST', `/api/nodes/${id}/rename`, { name: 'Plan of two shops.pdf' });
		await expect(onPhone.getByRole('heading', { level: 1, name: 'Plan of two shops.pdf' })).toBeVisible();
		await expect(onPhone).toHaveTitle('Plan of two shops.pdf · Folio');
		await product.owner.send('POST', '/api/shares/remove', { nodeId: folder.id, email: member });
		await expectText(onPhone, 'You cannot read this file');
		await expect(onPhone.getByText('you read your own copy from the dashboard')).toBeVisible();
		await expect(onPhone.locator('[data-pages]')).toHaveCount(0);
		await expect(onPhone).toHaveTitle('Reader · Folio');
		await expectNoHorizontalOverflow(onPhone);
		// The reader was opened by its URL, so there is no previous screen.
		await onPhone.getByRole('link', { name: 'Back to the dashboard' }).click();
		await expect(onPhone).toHaveURL('/dashboard');
	});
});

test('Back from the reader opens the lesson at the page that was open before', async ({ enter }) => {
	const course = await addFolder(product.owner, lender, 'A course');
	await addFile(product.owner, lender, '1 Begin.pdf', sheet, course.realPath ?? '');
	await share(product.owner, course.id, member);
	const { id } = await fileOf(lender, '1 Begin.pdf', course.realPath ?? '');
	const page = await enter({
		signedInAs: member,
		...phone,
		at: `/dashboard/preview/book?module=${course.id}&lesson=${id}`,
	});
	const lesson = page.getByRole('dialog');
	await expect(lesson.getByText('Page 1 of 30')).toBeVisible();
	await page.keyboard.press('ArrowRight');
	await expect(lesson.getByText('Page 2 of 30')).toBeVisible();
	await expectNoHorizontalOverflow(page);
	await lesson.getByRole('link', inReader).click();
	await expect(page.getByRole('heading', { level: 1, name: '1 Begin.pdf' })).toBeVisible();
	await expect(drawnPage(page, 1)).toBeVisible();
	await page.keyboard.press('End');
	await expect(drawnPage(page, 30)).toBeVisible();
	await page.getByRole('button', { name: 'Back', exact: true }).click();
	await expect(lesson.getByText('Page 2 of 30')).toBeVisible();
});

test('the reader fits long file names on a phone, and shows why a file cannot be opened', async ({ enter }) => {
	const { owner } = product;
	// A file name has at most 255 bytes.
	const names = [
		['दुकान की योजना ', 80],
		['خطة المتجر ', 110],
		['A plan of a shop ', 200],
	].map(([words, length]) => `${String(words).repeat(20).slice(0, Number(length)).trim()}.pdf`);
	for (const name of names) await addFile(owner, member, name, sheet);
	await addFile(owner, member, 'locked.pdf', await encryptPdf(sheet, 'a word'));
	await addFile(owner, member, 'broken.pdf', Buffer.concat([sheet.subarray(0, 400), Buffer.alloc(9000, 'x')]));
	await addFile(owner, member, 'note.txt', Buffer.from('a note'));
	const page = await enter({ signedInAs: member, ...phone });
	for (const name of names) {
		const { id } = await fileOf(member, name);
		await page.goto(`/read/file/${id}`);
		await expect(drawnPage(page, 1)).toBeVisible();
		await expectNoHorizontalOverflow(page);
		const bar = await page.locator('header').first().boundingBox();
		expect(bar?.height).toBeLessThan(80);
		await expect(page.getByRole('button', { name: 'Search in the file' })).toBeInViewport({ ratio: 1 });
		await expect(page.getByRole('button', { name: 'How pages look' })).toBeInViewport({ ratio: 1 });
		await expect(page).toHaveTitle(`${name} · Folio`);
	}
	const reasons = {
		'locked.pdf': 'This PDF is locked.',
		'broken.pdf': 'This PDF cannot be read.',
		'note.txt': 'This file is no PDF',
	};
	for (const [name, words] of Object.entries(reasons)) {
		await page.goto(`/read/file/${(await fileOf(member, name)).id}`);
		await expectText(page, words);
		await expectNoHorizontalOverflow(page);
	}
});

test('the controls below the preview of a PDF with 5,000 pages fit on a phone', async ({ enter }) => {
	await addFile(product.owner, 'guest', 'thick.pdf', makePdf({ pages: 5000 }));
	const { id } = await fileOf('guest', 'thick.pdf');
	for (const [lang, open, larger] of [
		['en', 'Open in the reader', 'Zoom in'],
		['hi', 'रीडर में खोलें', 'बड़ा करें'],
	] as const) {
		const page = await enter({ signedInAs: member, ...phone, at: `/dashboard?preview=${id}&lang=${lang}` });
		const overlay = page.getByRole('dialog');
		await expect(overlay.getByRole('link', { name: open })).toBeInViewport({ ratio: 1 });
		// The End key needs the number of pages.
		await expect(overlay.getByRole('status').filter({ hasText: /5000/u })).toBeVisible();
		await page.keyboard.press('End');
		await expect(overlay.getByRole('status').filter({ hasText: /5000 .*5000/u })).toBeInViewport({ ratio: 1 });
		await expect(overlay.getByRole('button', { name: larger })).toBeInViewport({ ratio: 1 });
	}
});
