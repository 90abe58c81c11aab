import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import {
	chooseCommand,
	confirm,
	fileField,
	fileNames,
	folderLink,
	openPreview,
	rowOf,
	uploadsPanel,
} from '../../support/browser/file-manager-page.ts';
import {
	download,
	expectFieldError,
	expectNoHorizontalOverflow,
	expectText,
	failRequests,
	hostJourneys,
	phone,
	test,
} from '../../support/browser/journey.ts';
import { addFile, addFolder, addUser, findNode, listNodes } from '../../support/browser/seeding.ts';
import { paintPicture, writePdf } from '../../support/documents/sample-files.ts';

const product = hostJourneys();
const text = Buffer.from('a few words');

const choose = (page: Page, files: Array<{ name: string; mimeType: string; buffer: Buffer }>) =>
	fileField(page).first().setInputFiles(files);

test('the owner creates, opens and renames folders, and existing names are refused', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'folders@example.com');
	await addFile(product.owner, email, 'Ledger', text);
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	const field = page.getByLabel('Folder name');
	const create = page.getByRole('button', { name: 'Create' });
	const open = page.getByRole('button', { name: 'New folder' });

	await open.click();
	await create.click();
	await expectFieldError(field, 'Folder name required');
	await field.fill('  Workbooks ');
	await create.click();
	await expect(folderLink(page, 'Workbooks')).toBeVisible();
	for (const taken of ['WORKBOOKS', 'ledger']) {
		await open.click();
		await field.fill(taken);
		await create.click();
		await expectFieldError(field, 'Name exists');
		await expect(field).toHaveValue(taken);
		await page.keyboard.press('Escape');
		await expect(field).toHaveCount(0);
	}

	await folderLink(page, 'Workbooks').click();
	await expect(page.getByRole('heading', { level: 1, name: 'Workbooks' })).toBeVisible();
	await expectText(page, 'This folder is empty.');
	const inside = page.url();
	await choose(page, [{ name: 'page-1.txt', mimeType: 'text/plain', buffer: text }]);
	await expect(fileNames(page)).toHaveText(['page-1.txt']);
	await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: email }).click();

	await chooseCommand(page, 'Workbooks', 'Edit');
	await expect(field).toHaveValue('Workbooks');
	await field.fill('LEDGER');
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await expectFieldError(field, 'Name exists');
	await field.fill('01 Workbooks');
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await folderLink(page, '01 Workbooks').click();
	await expect(page).toHaveURL(inside);
	await chooseCommand(page, 'page-1.txt', 'Edit');
	await page.getByLabel('File name').fill('renamed.txt');
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(fileNames(page)).toHaveText(['renamed.txt']);
});

test('uploading several files skips existing names until the user replaces or renames the files', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'several@example.com');
	const taken = ['two.txt', 'three.txt', 'four.txt'];
	for (const name of ['Notes.txt', ...taken]) await addFile(product.owner, email, name, text);
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	await choose(page, [
		{ name: 'b.png', mimeType: 'image/png', buffer: await paintPicture() },
		{ name: 'notes.TXT', mimeType: 'text/plain', buffer: Buffer.from('others') },
		{ name: '10 end.pdf', mimeType: 'application/pdf', buffer: writePdf(['end']) },
		{ name: '2 begin.pdf', mimeType: 'application/pdf', buffer: writePdf(['begin']) },
		{ name: 'A.zip', mimeType: 'application/zip', buffer: Buffer.alloc(1_572_864, 7) },
		...taken.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('others') })),
	]);
	await expectText(page, 'File notes.TXT already exists');
	const naturalOrder = ['2 begin.pdf', '10 end.pdf', 'A.zip', 'b.png', 'four.txt', 'Notes.txt', 'three.txt', 'two.txt'];
	await expect(fileNames(page)).toHaveText(naturalOrder);
	const panel = uploadsPanel(page);
	await expect(panel).toContainText('4 done · 4 skipped');
	await expect(panel).toContainText('0 failed');
	await expect(rowOf(page, 'A.zip')).toContainText('1.50 MB');
	await expect(rowOf(page, 'Notes.txt')).toContainText('0.01 KB');
	await expect(rowOf(page, 'Notes.txt')).toContainText(/\d{1,2} [A-Z]\w+ \d{4}, \d{1,2}:\d\d [ap]m/u);

	await panel.getByRole('button', { name: 'Replace notes.TXT' }).click();
	await panel.getByRole('button', { name: 'Keep both: two.txt' }).click();
	await expect(panel).toContainText('6 done · 2 skipped');
	await panel.getByRole('button', { name: 'Keep both for all 2' }).click();
	await expect(panel).toContainText('8 done');
	const texts = (await listNodes(product.owner, email)).filter(({ name }) => /\.txt$/iu.test(name));
	expect(texts.map(({ name, size }) => `${name} ${size}`).sort()).toEqual(
		['notes.TXT 6', ...taken.flatMap((name) => [`${name} 11`, `${name.replace('.', ' (2).')} 6`])].sort(),
	);

	const long = `${'x'.repeat(260)}.txt`;
	await choose(page, [{ name: long, mimeType: 'text/plain', buffer: text }]);
	await expectText(page, `Upload failed for ${long}: This name is too long: 255 bytes at most.`);
	expect(await listNodes(product.owner, email)).toHaveLength(11);
});

test('the preview has a URL, shows pictures with zoom and PDFs, and downloads have the same bytes', async ({
	enter,
}) => {
	const { email } = await addUser(product.owner, 'preview@example.com');
	const picture = await paintPicture('#3d7a57', 900, 600);
	const pdf = writePdf(['the first page', 'the second page']);
	await addFile(product.owner, email, '1 green.png', picture);
	await addFile(product.owner, email, '2 words.txt', text);
	await addFile(product.owner, email, '3 two pages.pdf', pdf);
	await addFile(product.owner, email, '4 red.png', await paintPicture());
	const page = await enter({ signedInAs: email, at: '/dashboard?sort=name' });
	const overlay = page.getByRole('dialog');
	const title = (name: string) => overlay.getByRole('heading', { name });
	const previous = overlay.getByRole('button', { name: 'Previous file' });
	const next = overlay.getByRole('button', { name: 'Next file' });

	await openPreview(page, '1 green.png');
	await expect(page).toHaveURL(/sort=name&preview=/u);
	await expect(title('1 green.png')).toBeVisible();
	await expect(overlay.getByText('1 of 4').first()).toBeVisible();
	const drawn = overlay.getByRole('img', { name: '1 green.png' });
	await expect.poll(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(900);
	await expect(previous).toBeDisabled();
	expect((await download(page, overlay.getByRole('link', { name: 'Download 1 green.png' }))).bytes).toEqual(picture);
	const zoom = overlay.getByText(/^\d+%$/u);
	await page.keyboard.press('+');
	await expect(zoom).toHaveText('150%');
	await page.keyboard.press('ArrowRight');
	await expect(drawn).toBeVisible();
	await page.keyboard.press('0');
	await expect(zoom).toHaveText('100%');
	await drawn.dblclick();
	await expect(zoom).toHaveText('250%');
	await overlay.getByRole('button', { name: 'Fit to the screen' }).click();
	await expect(zoom).toHaveText('100%');
	await page.keyboard.press('ArrowRight');
	await expectText(overlay, 'There is no preview of this type of file.');
	await page.keyboard.press('ArrowRight');

	await expect(title('3 two pages.pdf')).toBeVisible();
	await expect(overlay.getByText('Page 1 of 2')).toBeVisible();
	await expect(overlay.locator('[data-drawn="1"]')).toBeVisible();
	await overlay.getByRole('button', { name: 'Next page' }).click();
	await expect(overlay.getByText('Page 2 of 2')).toBeVisible();
	await next.click();
	await expect(title('4 red.png')).toBeVisible();
	await expect(next).toBeDisabled();
	for (let back = 0; back < 3; back += 1) await previous.click();
	await expect(title('1 green.png')).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(overlay).toHaveCount(0);
	await expect(page.getByRole('button', { name: 'Preview 1 green.png' })).toBeFocused();

	const saved = await download(page, page.getByRole('link', { name: 'Download 2 words.txt' }));
	expect(saved).toEqual({ name: '2 words.txt', bytes: text });
	expect((await download(page, page.getByRole('link', { name: 'Download 3 two pages.pdf' }))).bytes).toEqual(pdf);

	await openPreview(page, '1 green.png');
	await next.click();
	await expect(title('2 words.txt')).toBeVisible();
	const address = page.url();
	await page.goBack();
	await expect(overlay).toHaveCount(0);
	await expect(page).toHaveURL(/\?sort=name$/u);
	await page.goto(address);
	await expect(title('2 words.txt')).toBeVisible();
	await overlay.getByRole('button', { name: 'Close' }).click();
	await expect(page).toHaveURL(/\?sort=name$/u);
	await page.goto('/dashboard?preview=AAAAAAAAAAAAAAAAAAAAAA');
	await expectText(overlay, "This file no longer exists, or you don't have access to it.");
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

async function swipeLeft(page: Page): Promise<void> {
	const session = await page.context().newCDPSession(page);
	for (const [type, touchPoints] of [
		['touchStart', [{ x: 300, y: 420 }]],
		['touchMove', [{ x: 80, y: 420 }]],
		['touchEnd', []],
	] as const)
		await session.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints] });
}

test('the keyboard is sufficient to open, preview and delete files in the file manager', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'keyboard@example.com');
	await addFolder(product.owner, email, 'First');
	await addFolder(product.owner, email, 'Second');
	await addFile(product.owner, email, '1.png', await paintPicture());
	await addFile(product.owner, email, '2.png', await paintPicture());
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	const press = (key: string) => page.keyboard.press(key);

	await folderLink(page, 'First').focus();
	await press('ArrowRight');
	await expect(folderLink(page, 'Second')).toBeFocused();
	await press('ArrowDown');
	await expect(rowOf(page, '1.png')).toBeFocused();
	await press('ArrowDown');
	await expect(rowOf(page, '2.png')).toBeFocused();
	await press('Enter');
	await expect(page.getByRole('dialog').getByRole('heading', { name: '2.png' })).toBeVisible();
	await press('Escape');
	await expect(rowOf(page, '2.png')).toBeFocused();
	await press('Delete');
	await expectText(page, 'Delete this file?');
	await press('Escape');
	await expect(page.getByRole('dialog')).toHaveCount(0);
	await expect(rowOf(page, '2.png')).toBeFocused();
	await press('Delete');
	await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
	await press('Tab');
	await press('Enter');
	await expect(fileNames(page)).toHaveText(['1.png']);
	await folderLink(page, 'First').focus();
	await press('End');
	await expect(rowOf(page, '1.png')).toBeFocused();
	await press('Home');
	await press('Enter');
	await expect(page.getByRole('heading', { level: 1, name: 'First' })).toBeVisible();
});

test('the dashboard of a member is read-only and shows uploads and deletions immediately', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'reads-only@example.com');
	const { realPath } = await addFolder(product.owner, 'guest', 'For everybody');
	await addFile(product.owner, 'guest', 'welcome.txt', text, realPath ?? '');
	const page = await enter({ signedInAs: email, at: '/dashboard' });
	const own = page.getByRole('region', { name: 'My files' });
	const guest = page.getByRole('region', { name: 'Guest space' });
	await expectText(own, 'This folder is empty.');

	await folderLink(guest, 'For everybody').click();
	await expect(fileNames(guest)).toHaveText(['welcome.txt']);
	await expect(page).toHaveURL(/\?guest=\d+$/u);
	const owner = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	await choose(owner, [{ name: 'new today.png', mimeType: 'image/png', buffer: await paintPicture() }]);
	await expect(fileNames(own)).toHaveText(['new today.png']);
	for (const name of [/^New folder$/u, /^Upload$/u, /^Delete /u, /^More for /u, /^Edit /u])
		await expect(page.getByRole('button', { name })).toHaveCount(0);
	await addFile(product.owner, 'guest', 'another.txt', text, realPath ?? '');
	await expect(fileNames(guest)).toHaveText(['another.txt', 'welcome.txt']);

	const { url } = await findNode(product.owner, email, 'new today.png');
	expect((await page.request.get(`${url}`)).status()).toBe(200);
	const remove = owner.getByRole('button', { name: 'Delete new today.png' });
	await remove.click();
	await expectText(owner, 'Delete this file?');
	await owner.getByRole('button', { name: 'Cancel' }).click();
	await expect(fileNames(owner)).toHaveText(['new today.png']);
	await remove.click();
	await confirm(owner, 'Delete');
	await expectText(owner, 'This folder is empty.');
	await expectText(own, 'This folder is empty.');
	expect((await page.request.get(`${url}`)).status()).toBe(404);
});

test('a folder that cannot be loaded shows an error and a button that repeats the request', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'offline@example.com');
	await addFile(product.owner, email, 'here.txt', text);
	const page = await enter({ signedInAs: 'owner' });
	const restore = await failRequests(page, /\/nodes$/u);
	await page.goto(`/user/${email}`);
	await expectText(page, 'Failed to load folder');
	await restore();
	await page.getByRole('button', { name: 'Try again' }).click();
	await expect(fileNames(page)).toHaveText(['here.txt']);
	await page.goto(`/user/nobody@example.com`);
	await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
});

test('files with unusual names can be downloaded, and forged pictures have no preview', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'names@example.com');
	const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
	const accented = 'Café naïve.txt';
	const names = [
		'<img src=x onerror=alert(1)>.txt',
		'%2f%2e%2e%00.txt',
		'\u202egpj.exe',
		`${'क्ष'.repeat(27)}xx.txt`,
		'"quoted"; filename=evil.html',
		'🙂 श्री.txt',
		accented.normalize('NFC'),
	];
	const forged = ['drawing.png', 'page.png', 'empty.png', 'drawing.svg', 'page.html'];
	for (const name of forged) await addFile(product.owner, email, name, name === 'empty.png' ? Buffer.alloc(0) : svg);
	const owner = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	const plain = (name: string) => ({ name, mimeType: 'text/plain', buffer: text });
	await choose(owner, [...names.slice(0, -1), accented.normalize('NFD')].map(plain));
	await expectText(uploadsPanel(owner), 'Uploads finished');
	await choose(owner, [plain(accented.normalize('NFC'))]);
	await expectText(owner, `File ${accented.normalize('NFC')} already exists`);

	const page = await enter({ signedInAs: email, at: '/dashboard' });
	await expect(fileNames(page)).toHaveCount(names.length + forged.length);
	expect((await fileNames(page).allTextContents()).sort()).toEqual([...names, ...forged].sort());
	for (const name of names.slice(3)) {
		const link = page.getByRole('link', { name: `Download ${name}`, exact: true });
		// The browser replaces quotation marks, because some systems do not permit them in file names.
		const savedAs = name.replaceAll('"', '_');
		expect(await download(page, link)).toEqual({ name: savedAs, bytes: text });
	}
	await expect(page.getByRole('button', { name: /^Preview/u })).toHaveCount(0);
	await expect(page.locator('img[src="x"]')).toHaveCount(0);

	for (const width of [390, 360]) {
		await page.setViewportSize({ width, height: 800 });
		await expectNoHorizontalOverflow(page);
	}
});
