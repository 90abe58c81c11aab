import { expect } from '@playwright/test';
import { chooseCommand, fileField, openPreview, uploadsPanel } from '../../support/browser/file-manager-page.ts';
import { expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { addFile, addFolder, addUser, findNode, listNodes, saveBook } from '../../support/browser/seeding.ts';
import { paintPicture, writePdf } from '../../support/documents/sample-files.ts';

const product = hostJourneys();

test('deleting a folder that contains an edition warns which edition buyers will lose', async ({ enter }) => {
	const { realPath } = await addFolder(product.owner, 'book', 'Editions');
	await addFile(product.owner, 'book', 'first.pdf', writePdf(['one']), realPath ?? '');
	await addFile(product.owner, 'book', 'notes.txt', Buffer.from('notes'));
	const first = await findNode(product.owner, 'book', 'first.pdf', realPath ?? '');
	await saveBook(product.owner, [{ key: 'part-2-hi', fileId: first.id }]);

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

test('a preview has its own address, Back closes only the preview, and pictures can be zoomed', async ({ enter }) => {
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

test('an upload with a taken name is skipped, and can then replace the file or stay beside it', async ({ enter }) => {
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
