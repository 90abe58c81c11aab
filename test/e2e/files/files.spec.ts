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

test('uploading several files skips an existing name and lists the files in natural order', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'several@example.com');
	await addFile(product.owner, email, 'Notes.txt', text);
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	await choose(page, [
		{ name: 'b.png', mimeType: 'image/png', buffer: await paintPicture() },
		{ name: 'notes.TXT', mimeType: 'text/plain', buffer: Buffer.from('others') },
		{ name: '10 end.pdf', mimeType: 'application/pdf', buffer: writePdf(['end']) },
		{ name: '2 begin.pdf', mimeType: 'application/pdf', buffer: writePdf(['begin']) },
		{ name: 'A.zip', mimeType: 'application/zip', buffer: Buffer.alloc(1_572_864, 7) },
	]);
	await expectText(page, 'File notes.TXT already exists');
	await expect(fileNames(page)).toHaveText(['2 begin.pdf', '10 end.pdf', 'A.zip', 'b.png', 'Notes.txt']);
	const panel = uploadsPanel(page);
	await expect(panel).toContainText('1 skipped');
	await expect(panel).toContainText('4 done');
	await expect(rowOf(page, 'A.zip')).toContainText('1.50 MB');
	await expect(rowOf(page, 'Notes.txt')).toContainText('0.01 KB');
	await expect(rowOf(page, 'Notes.txt')).toContainText(/\d{1,2} [A-Z]\w+ \d{4}, \d{1,2}:\d\d [ap]m/u);

	const long = `${'x'.repeat(260)}.txt`;
	await choose(page, [{ name: long, mimeType: 'text/plain', buffer: text }]);
	await expectText(page, `Upload failed for ${long}: This name is too long: 255 bytes at most.`);
	expect(await listNodes(product.owner, email)).toHaveLength(5);
});

test('the URL contains the search and type filter of a folder, which remain after a reload', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'search@example.com');
	for (const name of ['Yearly ledger.pdf', 'Ledger photo.png', 'Speech.mp3', 'letter.docx'])
		await addFile(product.owner, email, name, text);
	await addFolder(product.owner, email, 'Old ledgers');
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	const search = page.getByRole('searchbox', { name: 'Search files and folders' });
	const chip = (name: string) => page.getByRole('button', { name, exact: true });
	await expect(fileNames(page)).toHaveCount(4);

	await page.keyboard.press('/');
	await expect(search).toBeFocused();
	await search.fill('LEDGER');
	await expect(fileNames(page)).toHaveText(['Ledger photo.png', 'Yearly ledger.pdf']);
	await expect(folderLink(page, 'Old ledgers')).toBeVisible();
	await expect(page).toHaveURL(/\?q=LEDGER$/u);
	await chip('Images').click();
	await expect(fileNames(page)).toHaveText(['Ledger photo.png']);
	await expect(page).toHaveURL(/\?q=LEDGER&type=images$/u);

	await page.reload();
	await expect(search).toHaveValue('LEDGER');
	await expect(chip('Images')).toHaveAttribute('aria-pressed', 'true');
	await expect(fileNames(page)).toHaveText(['Ledger photo.png']);
	await chip('Compressed').click();
	await search.fill('nowhere');
	await expect(page).toHaveURL(/q=nowhere/u);
	await expectText(page, 'No files or folders match your search.');
	await page.getByRole('button', { name: 'Show everything' }).click();
	await expect(fileNames(page)).toHaveCount(4);
	await expect(page).toHaveURL((url) => url.search === '');
});

test('the preview shows pictures and PDFs, and downloads have the same bytes', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'preview@example.com');
	const picture = await paintPicture('#3d7a57', 900, 600);
	const pdf = writePdf(['the first page', 'the second page']);
	await addFile(product.owner, email, '1 green.png', picture);
	await addFile(product.owner, email, '2 words.txt', text);
	await addFile(product.owner, email, '3 two pages.pdf', pdf);
	await addFile(product.owner, email, '4 red.png', await paintPicture());
	const page = await enter({ signedInAs: email, at: '/dashboard' });
	const overlay = page.getByRole('dialog');
	const title = (name: string) => overlay.getByRole('heading', { name });
	const previous = overlay.getByRole('button', { name: 'Previous file' });
	const next = overlay.getByRole('button', { name: 'Next file' });

	await openPreview(page, '1 green.png');
	await expect(title('1 green.png')).toBeVisible();
	await expect(overlay.getByText('1 of 4').first()).toBeVisible();
	const drawn = overlay.getByRole('img', { name: '1 green.png' });
	await expect.poll(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(900);
	await expect(previous).toBeDisabled();
	expect((await download(page, overlay.getByRole('link', { name: 'Download 1 green.png' }))).bytes).toEqual(picture);
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
});

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
