import { expect } from '@playwright/test';
import type { Node } from '#contract/files/files.ts';
import { hostJourneys, test, told } from '../support/journey.ts';
import { writePdf } from '../support/samples.ts';
import { addFile, addFolder } from '../support/seeding.ts';

const world = hostJourneys();

test('whoever deletes what buyers read is told which edition they lose', async ({ enter }) => {
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
	await told(dialog, 'Delete folder and its content?');
	await told(dialog, 'Buyers read Part 2, हिन्दी here. They lose it at once.');
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await page.getByRole('button', { name: 'Delete notes.txt' }).click();
	await told(dialog, 'Delete this file?');
	await expect(dialog.getByRole('button', { name: 'Delete', exact: true })).toBeEnabled();
	await expect(dialog.getByText('Buyers read')).toHaveCount(0);
});
