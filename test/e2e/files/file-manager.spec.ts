import { expect, type Locator, type Page } from '@playwright/test';
import type { Node } from '#contract/files/files.ts';
import {
	button,
	chooseCommand,
	confirm,
	fileNames,
	folderLink,
	rowOf,
} from '../../support/browser/file-manager-page.ts';
import {
	download,
	expectFieldError,
	expectNoHorizontalOverflow,
	expectText,
	hostJourneys,
	phone,
	test,
} from '../../support/browser/journey.ts';
import { addFile, addFolder, addUser, findNode, listNodes, saveBook } from '../../support/browser/seeding.ts';
import { paintPicture, writePdf } from '../../support/documents/sample-files.ts';

const product = hostJourneys();
const text = Buffer.from('a few words');

const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });
/** Clicks the text with the size of a file, which selects the row. */
const clickRow = (page: Page | Locator, name: string, ...modifiers: Array<'Shift' | 'ControlOrMeta'>) =>
	rowOf(page, name).getByText('KB').click({ modifiers });
const namesIn = async (owner: string, path = '') =>
	(await listNodes(product.owner, owner, path)).map(({ name }) => name);

/** Adds a user with two folders and three files. @returns the email of the user, and the path of the folder Archive */
async function fillSpace(): Promise<{ email: string; realPath: string }> {
	const { email } = await addUser(product.owner, `${Math.random().toString(36).slice(2)}@example.com`);
	const { realPath } = await addFolder(product.owner, email, 'Archive');
	await addFolder(product.owner, email, 'Drafts');
	for (const [name, size] of Object.entries({ 'a.txt': 30, 'b.txt': 20, 'c.txt': 10 }))
		await addFile(product.owner, email, name, Buffer.alloc(size, 7));
	return { email, realPath: realPath ?? '' };
}

test('the URL contains search, filter, order and view, and a search match links to its folder', async ({ enter }) => {
	const { email, realPath } = await fillSpace();
	await addFolder(product.owner, email, 'Deep end');
	for (const name of ['deep.txt', 'Deep photo.png']) await addFile(product.owner, email, name, text, realPath);
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	const search = page.getByRole('searchbox', { name: 'Search files and folders' });
	await button(page, 'Size').click();
	await expect(fileNames(page)).toHaveText(['a.txt', 'b.txt', 'c.txt']);
	await button(page, 'Size').click();
	await expect(fileNames(page)).toHaveText(['c.txt', 'b.txt', 'a.txt']);
	await expect(page).toHaveURL(/\?sort=size$/u);
	await button(page, 'Grid').click();
	await expect(page).toHaveURL(/sort=size&view=grid$/u);
	await page.reload();
	await expect(page.locator('[data-entry] button bdi')).toHaveText(['c.txt', 'b.txt', 'a.txt']);
	await page.getByRole('combobox', { name: 'Order' }).selectOption('Name, Z to A');
	await expect(page.locator('[data-entry] button bdi')).toHaveText(['c.txt', 'b.txt', 'a.txt']);
	await button(page, 'List').click();

	await page.keyboard.press('/');
	await expect(search).toBeFocused();
	await search.fill('DEEP');
	await expect(fileNames(page)).toHaveText(['Deep photo.png', 'deep.txt']);
	await expect(folderLink(page, 'Deep end')).toBeVisible();
	await expect(page).toHaveURL(/\?q=DEEP&order=desc$/u);
	await button(page, 'Images').click();
	await expect(fileNames(page)).toHaveText(['Deep photo.png']);
	await expect(page).toHaveURL(/\?q=DEEP&type=images&order=desc$/u);
	await page.reload();
	await expect(search).toHaveValue('DEEP');
	await expect(button(page, 'Images')).toHaveAttribute('aria-pressed', 'true');
	await expect(fileNames(page)).toHaveText(['Deep photo.png']);
	await button(page, 'Compressed').click();
	await search.fill('nowhere');
	await expect(page).toHaveURL(/q=nowhere/u);
	await expectText(page, 'No files or folders match your search.');
	await button(page, 'Show everything').click();
	await expect(fileNames(page)).toHaveText(['c.txt', 'b.txt', 'a.txt']);
	await expect(page).toHaveURL(/\?order=desc$/u);

	await search.fill('deep');
	await page.getByRole('link', { name: 'Open location: Archive' }).first().click();
	await expect(page.getByRole('heading', { level: 1, name: 'Archive' })).toBeVisible();
	await expect(fileNames(page)).toHaveText(['deep.txt', 'Deep photo.png']);
	await expect(search).toHaveValue('');
});

test('selected nodes move together, an existing name is reported, and Undo moves them back', async ({ enter }) => {
	const { email, realPath } = await fillSpace();
	await addFile(product.owner, email, 'B.TXT', text, realPath);
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	await clickRow(page, 'a.txt');
	await clickRow(page, 'c.txt', 'Shift');
	await expectText(bar(page), '3 selected');
	await clickRow(page, 'c.txt', 'ControlOrMeta');
	await expectText(bar(page), '2 selected');
	await page.keyboard.press('Escape');
	await expect(bar(page)).toHaveCount(0);
	await rowOf(page, 'a.txt').focus();
	await page.keyboard.press('Shift+ArrowDown');
	await expectText(bar(page), '2 selected');
	await page.keyboard.press('Control+a');
	await expectText(bar(page), '5 selected');
	await page.keyboard.press('Escape');
	await rowOf(page, 'a.txt').focus();
	await page.keyboard.press('Space');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Space');

	await button(bar(page), 'Move').click();
	const dialog = page.getByRole('dialog');
	await expect(button(dialog, 'Move here')).toBeDisabled();
	await button(dialog, 'Archive').press('Enter');
	await button(dialog, 'Move here').click();
	await expectText(dialog, 'Not moved: 1');
	await expectText(dialog, 'File b.txt already exists');
	await dialog.getByRole('button', { name: 'Close' }).last().click();
	await expect(fileNames(page)).toHaveText(['b.txt', 'c.txt']);
	expect(await namesIn(email, realPath)).toEqual(['a.txt', 'B.TXT']);
	await button(page, 'Undo').click();
	await expect(fileNames(page)).toHaveText(['a.txt', 'b.txt', 'c.txt']);
});

test('nodes are copied to a new folder in another space', async ({ enter }) => {
	const { email } = await fillSpace();
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	await folderLink(page, 'Archive').click({ modifiers: ['ControlOrMeta'] });
	await clickRow(page, 'a.txt', 'ControlOrMeta');
	await button(bar(page), 'Copy').click();
	const dialog = page.getByRole('dialog');
	await button(dialog, 'All spaces').click();
	await button(dialog, 'Guest space').click();
	await button(dialog, 'New folder').click();
	await button(dialog, 'Create').click();
	await expectFieldError(dialog.getByLabel('Folder name'), 'Folder name required');
	await expect(button(dialog, 'Copy here')).toBeDisabled();
	await dialog.getByLabel('Folder name').fill('From a person');
	await button(dialog, 'Create').click();
	// The button is pressed before the folder exists.
	await button(dialog, 'Copy here').click();
	await expect(dialog).toHaveCount(0);
	const items = await listNodes(product.owner, 'guest');
	const newFolder = items.find(({ name }) => name === 'From a person');
	await expect.poll(() => namesIn('guest', newFolder?.realPath ?? '')).toEqual(['Archive', 'a.txt']);
});

test('dragging a row onto a folder or a breadcrumb moves the file to that folder', async ({ enter }) => {
	const { email, realPath } = await fillSpace();
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	await rowOf(page, 'a.txt').dragTo(page.locator('[data-drop-path]').filter({ hasText: 'Archive' }));
	await expectText(page, 'Moved: a.txt');
	await expect(fileNames(page)).toHaveText(['b.txt', 'c.txt']);
	await folderLink(page, 'Archive').click();
	await expect(fileNames(page)).toHaveText(['a.txt']);
	expect(await namesIn(email, realPath)).toEqual(['a.txt']);
	await rowOf(page, 'a.txt').dragTo(page.getByRole('navigation', { name: 'Where you are' }).getByText(email));
	await expectText(page, 'This folder is empty.');
	expect(await namesIn(email, realPath)).toEqual([]);
});

test('Undo and the trash restore deleted nodes, and the trash purges nodes', async ({ enter }) => {
	const { email } = await fillSpace();
	const page = await enter({ signedInAs: 'owner', at: `/user/${email}` });
	const dialog = page.getByRole('dialog');
	await button(page, 'Delete a.txt').click();
	await expectText(page, 'Delete this file?');
	await confirm(page, 'Delete');
	await expect(fileNames(page)).toHaveText(['b.txt', 'c.txt']);
	await button(page, 'Undo').click();
	await expect(fileNames(page)).toHaveText(['a.txt', 'b.txt', 'c.txt']);
	await page.getByRole('checkbox', { name: 'Select everything' }).check();
	await button(bar(page), 'Delete').click();
	await expectText(page, 'Delete 5 items?');
	await expect(dialog.getByRole('listitem')).toHaveText(['Archive', 'Drafts', 'a.txt', 'b.txt', 'c.txt']);
	await expectText(
		dialog,
		'Everything inside a folder is deleted with it. Deleted items stay in the trash for 30 days.',
	);
	await confirm(page, 'Delete');
	await expectText(page, 'This folder is empty.');

	await page.getByRole('link', { name: 'Trash' }).click();
	await expect(page).toHaveURL(/\?trash=$/u);
	const rows = page.getByRole('main').getByRole('listitem');
	await button(page, 'Restore Archive').click();
	await expectText(page, 'Archive is back.');
	await button(page, 'Delete a.txt for good').click();
	await confirm(page, 'Delete for good');
	await expect(button(page, 'Restore a.txt')).toHaveCount(0);
	await expect(rows.filter({ hasText: 'Drafts' })).toContainText('At the top of the space');
	await button(page, 'Empty trash').click();
	await expectText(page, 'Delete 3 items for good?');
	await confirm(page, 'Empty trash');
	await expectText(page, 'The trash is empty.');
	expect(await namesIn(email)).toEqual(['Archive']);
});

test('on a phone, the trash can be searched, and Select everything loads all pages', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'large-trash@example.com');
	const ids: string[] = [];
	for (let number = 1; number <= 53; number += 1)
		ids.push((await addFolder(product.owner, email, `Folder ${number}`)).id);
	ids.push((await addFolder(product.owner, email, 'Kept words')).id);
	await product.owner.send('POST', '/api/nodes/remove', { ids });
	const page = await enter({ signedInAs: 'owner', viewport: phone.viewport, at: `/user/${email}?trash` });
	const everything = page.getByRole('checkbox', { name: 'Select everything' });
	await page.getByRole('searchbox', { name: 'Search the trash' }).fill('kept');
	await expect(button(page, 'Restore Folder 1')).toHaveCount(0);
	await expect(page).toHaveURL(/\?trash=&q=kept$/u);
	await page.reload();
	await everything.check();
	await expectText(bar(page), '1 selected');
	await button(bar(page), 'Restore').click();
	await expectText(page, 'Nothing in the trash has this name.');
	await page.getByRole('searchbox').fill('');
	// Selecting everything first loads the remaining pages.
	await everything.click();
	await expectText(bar(page), '53 selected');
	await page.getByRole('checkbox', { name: 'Select Folder 53' }).uncheck();
	await expectText(bar(page), '52 selected');
	await button(page, 'Next').click();
	await expect(page.getByRole('checkbox', { name: 'Select Folder 1', exact: true })).toBeChecked();
	await button(bar(page), 'Delete for good').click();
	await expectText(page, 'Delete 52 items for good?');
	await button(page.getByRole('dialog'), 'Delete for good').click();
	await expect(bar(page)).toHaveCount(0);
	const { items } = await product.owner.get<{ items: Node[] }>(`/api/spaces/${email}/trash`);
	expect(items.map(({ name }) => name)).toEqual(['Folder 53']);
	expect(await namesIn(email)).toEqual(['Kept words']);
});

test('the storage screen shows the space of users, and changes a quota and the file settings', async ({ enter }) => {
	const { email } = await fillSpace();
	const page = await enter({ signedInAs: 'owner' });
	await addUser(product.owner, 'uses-nothing@example.com');
	await addFile(product.owner, email, 'gone.txt', text);
	const { items } = await product.owner.get<{ items: Node[] }>(`/api/spaces/${email}/nodes?search=gone`);
	await product.owner.send('POST', '/api/nodes/remove', { ids: items.map(({ id }) => id) });
	await page.goto('/admin/storage');
	await expect(rowOf(page, 'uses-nothing@example.com')).toContainText('0 KB');
	await expect(rowOf(page, email).getByRole('link', { name: 'less than 1 KB in the trash' })).toBeVisible();
	await button(page, `Set the quota of ${email}`).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Quota in MB').fill('lots');
	await button(dialog, 'Save').click();
	await expectText(dialog, 'A number of MB, please.');
	await dialog.getByLabel('Quota in MB').fill('2');
	await button(dialog, 'Save').click();
	await expect(rowOf(page, email)).toContainText('2.00 MB');
	await page.getByLabel('Days in the trash').fill('7');
	await button(page, 'Save').click();
	await expectText(page, 'The settings are saved.');
	expect(await product.owner.get('/api/settings/files')).toMatchObject({ trashDays: 7 });
});

test('on a touch screen, a file has a menu, and a long press starts a selection', async ({ enter }) => {
	const { email } = await fillSpace();
	await addFile(product.owner, email, 'photo.png', await paintPicture());
	const page = await enter({ signedInAs: 'owner', ...phone, at: `/user/${email}` });
	await page.getByRole('button', { name: 'More for photo.png' }).tap();
	await page.getByRole('menuitem', { name: 'Preview' }).tap();
	const dialog = page.getByRole('dialog');
	await expect(dialog.getByRole('img', { name: 'photo.png' })).toBeVisible();
	await button(dialog, 'Close').tap();
	await page.getByRole('button', { name: 'More for photo.png' }).tap();
	await page.getByRole('menuitem', { name: 'Delete' }).tap();
	await expectText(page, 'Delete this file?');
	await button(dialog, 'Delete').tap();
	await expect(fileNames(page)).toHaveText(['a.txt', 'b.txt', 'c.txt']);
	await expectNoHorizontalOverflow(page);

	const touch = { pointerType: 'touch', bubbles: true, clientX: 100, clientY: 300 };
	await rowOf(page, 'a.txt').dispatchEvent('pointerdown', touch);
	await expectText(bar(page), '1 selected');
	await rowOf(page, 'a.txt').dispatchEvent('pointerup', touch);
	await expect(bar(page).getByRole('link', { name: 'Download as ZIP' })).toBeVisible();
	await rowOf(page, 'c.txt').getByText('KB').tap();
	await expectText(bar(page), '2 selected');
});

test('a member can select files with keyboard and mouse, but has no commands that change files', async ({ enter }) => {
	const { email } = await fillSpace();
	const page = await enter({ signedInAs: email, at: '/dashboard' });
	const own = page.getByRole('region', { name: 'My files' });
	await expect(fileNames(own)).toHaveText(['a.txt', 'b.txt', 'c.txt']);
	await rowOf(own, 'a.txt').focus();
	await page.keyboard.press('Space');
	await page.keyboard.press('Shift+ArrowDown');
	await expectText(bar(page), '2 selected');
	await clickRow(own, 'c.txt', 'ControlOrMeta');
	await expectText(bar(page), '3 selected');
	await rowOf(own, 'b.txt').getByRole('checkbox').click();
	await expectText(bar(page), '2 selected');
	const zip = await download(page, bar(page).getByRole('link', { name: 'Download as ZIP' }));
	expect(['a.txt', 'b.txt', 'c.txt'].map((name) => zip.bytes.includes(name))).toEqual([true, false, true]);

	await rowOf(own, 'a.txt').focus();
	await page.keyboard.press('Control+a');
	for (const key of ['F2', 'Delete']) await page.keyboard.press(key);
	await expect(page.getByRole('dialog')).toHaveCount(0);
	await expect(page.getByRole('textbox')).toHaveCount(0);
	await expect(own.locator('[draggable="true"]')).toHaveCount(0);
	const change = /^(Move|Copy|Delete|Edit|Upload$|Upload folder|New folder)/u;
	await expect(page.getByRole('button', { name: change })).toHaveCount(0);
	await expect(page.getByRole('link', { name: 'Trash' })).toHaveCount(0);
	await expect(bar(page).getByRole('button')).toHaveText(['']);
	await page.keyboard.press('Escape');
	await expect(bar(page)).toHaveCount(0);
	await own
		.getByRole('button', { name: /^More for/u })
		.first()
		.click();
	const items = page.getByRole('menu').getByRole('menuitem');
	await expect(items.first()).toBeVisible();
	for (const label of await items.allTextContents()) expect(label).toMatch(/Download|Preview|Open/u);
});

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
