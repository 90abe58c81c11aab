import { expect } from '@playwright/test';
import type { Node } from '#contract/files/files.ts';
import { expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { addFile, addFolder, addUser } from '../../support/browser/seeding.ts';
import { paintPicture, writePdf } from '../../support/documents/sample-files.ts';

const world = hostJourneys();

test('deleting a folder that contains an edition warns which edition buyers lose', async ({ enter }) => {
	const { realPath } = await addFolder(world.owner, 'book', 'Editions');
	await addFile(world.owner, 'book', 'first.pdf', writePdf(['one']), realPath ?? '');
	await addFile(world.owner, 'book', 'notes.txt', Buffer.from('notes'));
	const { items } = await world.owner.get<{ items: Node[] }>(`/api/spaces/book/nodes?path=${realPath}`);
	const { version, ...settings } = await world.owner.get<{ version: number }>('/api/settings/book');
	const editions = [{ key: 'part-2-hi', fileId: items[0]?.id }];
	await world.owner.send('PUT', '/api/settings/book', { ...settings, version, editions });

	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/user/book');
	const dialog = page.getByRole('dialog');
	await page.getByRole('button', { name: 'More for Editions' }).click();
	await page.getByRole('menuitem', { name: 'Delete' }).click();
	await expectText(dialog, 'Delete folder and its content?');
	await expectText(dialog, 'Buyers read Part 2, हिन्दी here. They lose it at once.');
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await page.getByRole('button', { name: 'Delete notes.txt' }).click();
	await expectText(dialog, 'Delete this file?');
	await expect(dialog.getByRole('button', { name: 'Delete', exact: true })).toBeEnabled();
	await expect(dialog.getByText('Buyers read')).toHaveCount(0);
});

test('a preview has an address that opens it, Back closes only the preview, and pictures can be zoomed', async ({
	enter,
}) => {
	const email = 'previews-here@example.com';
	await addUser(world.owner, email);
	for (const name of ['a.png', 'b.png']) await addFile(world.owner, email, name, await paintPicture());
	const page = await enter({ signedInAs: 'owner' });
	await page.goto(`/user/${email}?sort=date`);
	await page.getByRole('button', { name: 'Preview a.png' }).click();
	const overlay = page.getByRole('dialog');
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

test('an upload with a taken name is skipped, and can then replace the file or be kept beside it', async ({
	enter,
}) => {
	const email = 'doubles@example.com';
	await addUser(world.owner, email);
	const names = ['one.txt', 'two.txt', 'three.txt', 'four.txt'];
	for (const name of names) await addFile(world.owner, email, name, Buffer.from('old'));
	const page = await enter({ signedInAs: 'owner' });
	await page.goto(`/user/${email}`);
	const choose = page.locator('input[type=file]:not([webkitdirectory])').last();
	const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('the new one') });
	await choose.setInputFiles(names.map(file));
	const panel = page.getByRole('region', { name: 'Uploads' });
	await expect(panel).toContainText('4 skipped');
	await expect(panel).toContainText('0 failed');
	await panel.getByRole('button', { name: 'Replace one.txt' }).click();
	await panel.getByRole('button', { name: 'Keep both: two.txt' }).click();
	await expect(panel).toContainText('2 done · 2 skipped');
	await panel.getByRole('button', { name: 'Keep both for all 2' }).click();
	await expect(panel).toContainText('4 done');
	const { items } = await world.owner.get<{ items: Node[] }>(`/api/spaces/${email}/nodes`);
	expect(items.map(({ name, size }) => `${name} ${size}`).sort()).toEqual(
		[
			'four (2).txt 11',
			'four.txt 3',
			'one.txt 11',
			'three (2).txt 11',
			'three.txt 3',
			'two (2).txt 11',
			'two.txt 3',
		].sort(),
	);
});
