import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { chooseCommand, fileField, openPreview, uploadsPanel } from '../../support/browser/file-manager-page.ts';
import { expectText, hostJourneys, phone, test } from '../../support/browser/journey.ts';
import { addFile, addFolder, addUser, findNode, listNodes, saveBook } from '../../support/browser/seeding.ts';
import { paintPicture, writePdf } from '../../support/documents/sample-files.ts';

const product = hostJourneys();

test('deleting a folder with the file of an edition shows a warning that names the edition', async ({ enter }) => {
	const { realPath } = await addFolder(product.owner, 'book', 'Editions');
	await addFile(product.owner, 'book', 'first.pdf', writePdf(['one']), realPath ?? '');
	await addFile(product.owner, 'book', 'other.pdf', writePdf(['other']));
	await addFile(product.owner, 'book', 'notes.txt', Buffer.from('notes'));
	const other = await findNode(product.owner, 'book', 'other.pdf');
	const first = await findNode(product.owner, 'book', 'first.pdf', realPath ?? '');
	await saveBook(product.owner, [
		{ key: 'part-1-en', fileId: other.id },
		{ key: 'part-2-hi', fileId: first.id },
	]);

	const page = await enter({ signedInAs: 'owner', at: '/user/book' });
	const dialog = page.getByRole('dialog');
	await chooseCommand(page, 'Editions', 'Delete');
	await expectText(dialog, 'Delete folder and its content?');
	await expectText(dialog, 'Buyers read Part 2, हिन्दी here. They lose it at once.');
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await page.getByRole('button', { name: 'Delete notes.txt' }).click();
	await expectText(dialog, 'Delete this file?');
	await expect(dialog.getByRole('button', { name: 'Delete', exact: true })).toBeEnabled();
	await expect(dialog.getByText('Buyers read')).toHaveCount(0);
});

test('a preview has a URL, Back closes only the preview, and pictures can be zoomed', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'previews-here@example.com');
	for (const name of ['a.png', 'b.png']) await addFile(product.owner, email, name, await paintPicture());
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}?sort=date` });
	const overlay = await openPreview(page, 'a.png');
	const picture = (name: string) => overlay.getByRole('img', { name });
	await expect(page).toHaveURL(/sort=date&preview=/u);
	await expect(picture('a.png')).toBeVisible();
	const zoom = overlay.getByText(/^\d+%$/u);
	await page.keyboard.press('+');
	await expect(zoom).toHaveText('150%');
	await page.keyboard.press('ArrowRight');
	await expect(picture('a.png')).toBeVisible();
	await page.keyboard.press('0');
	await expect(zoom).toHaveText('100%');
	await picture('a.png').dblclick();
	await expect(zoom).toHaveText('250%');
	await overlay.getByRole('button', { name: 'Fit to the screen' }).click();
	await expect(zoom).toHaveText('100%');
	await overlay.getByRole('button', { name: /(Next|Previous) file/u, disabled: false }).click();
	await expect(picture('b.png')).toBeVisible();
	const address = page.url();
	await page.goBack();
	await expect(overlay).toHaveCount(0);
	await expect(page).toHaveURL(/\?sort=date$/u);
	await page.goto(address);
	await expect(picture('b.png')).toBeVisible();
	await overlay.getByRole('button', { name: 'Close' }).click();
	await expect(page).toHaveURL(/\?sort=date$/u);
	await page.goto(`/user/${email}?preview=AAAAAAAAAAAAAAAAAAAAAA`);
	await expectText(overlay, 'This file is no longer there, or you may not read it.');
});

test('the file list shows thumbnails, and the preview dialog also opens files that it cannot show', async ({
	enter,
}) => {
	const { email } = await addUser(product.owner, 'gallery@example.com');
	const film = await readFile('demo/media/morning-routine.mp4');
	await addFile(product.owner, email, '1 green.png', await paintPicture('#3d7a57', 900, 600));
	await addFile(product.owner, email, '2 red.png', await paintPicture());
	await addFile(product.owner, email, '3 film.mp4', film);
	await addFile(product.owner, email, '4 words.txt', Buffer.from('words'));
	await addFile(product.owner, email, '5 torn.mp4', film.subarray(0, 900));
	await addFile(product.owner, email, '6 book.pdf', writePdf(['a page']));
	const page = await enter({ signedInAs: 'owner', ...phone, at: `/user/${email}` });
	const shown = page.locator('[data-shown] img');
	// Two pictures, a page of a PDF, and a poster that this browser has made from the video.
	await expect(shown).toHaveCount(4);
	const pictured = (await listNodes(product.owner, email)).filter(({ thumb }) => thumb !== null);
	expect(pictured.map(({ name }) => name[0])).toEqual(['1', '2', '3', '6']);

	await page.getByRole('button', { name: '1 green.png', exact: true }).click();
	const overlay = page.getByRole('dialog');
	const title = (name: string) => overlay.getByRole('heading', { name });
	await expect(overlay.getByRole('img', { name: '1 green.png' })).toBeVisible();
	await swipeLeft(page);
	await expect(title('2 red.png')).toBeVisible();
	await page.keyboard.press('ArrowRight');
	await expect(title('3 film.mp4')).toBeVisible();
	await expect(overlay.getByLabel('3 film.mp4', { exact: true })).toHaveAttribute('poster', /\/thumb\?v=/u);
	await page.keyboard.press('ArrowRight');
	await expectText(overlay, 'There is no preview of this type of file.');
	await page.keyboard.press('ArrowRight');
	await expectText(overlay, 'This file cannot be shown in this browser.');
	await expect(overlay.getByRole('link', { name: 'Download', exact: true })).toBeVisible();
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.press('Escape');
	await expect(overlay).toHaveCount(0);
});

/** Swipes over the picture with one finger. */
async function swipeLeft(page: Page): Promise<void> {
	const session = await page.context().newCDPSession(page);
	for (const [type, touchPoints] of [
		['touchStart', [{ x: 300, y: 420 }]],
		['touchMove', [{ x: 80, y: 420 }]],
		['touchEnd', []],
	] as const)
		await session.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints] });
}

test('an upload with an existing name is skipped, and can replace the file or be renamed', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'doubles@example.com');
	const names = ['one.txt', 'two.txt', 'three.txt', 'four.txt'];
	for (const name of names) await addFile(product.owner, email, name, Buffer.from('old'));
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('the new one') });
	await fileField(page).last().setInputFiles(names.map(file));
	const panel = uploadsPanel(page);
	await expect(panel).toContainText('4 skipped');
	await expect(panel).toContainText('0 failed');
	await panel.getByRole('button', { name: 'Replace one.txt' }).click();
	await panel.getByRole('button', { name: 'Keep both: two.txt' }).click();
	await expect(panel).toContainText('2 done · 2 skipped');
	await panel.getByRole('button', { name: 'Keep both for all 2' }).click();
	await expect(panel).toContainText('4 done');
	const items = await listNodes(product.owner, email);
	const oldFiles = ['four.txt 3', 'three.txt 3', 'two.txt 3'];
	const newFiles = ['one.txt 11', 'four (2).txt 11', 'three (2).txt 11', 'two (2).txt 11'];
	expect(items.map(({ name, size }) => `${name} ${size}`).sort()).toEqual([...oldFiles, ...newFiles].sort());
});
