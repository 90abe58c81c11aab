import { expect, type Page } from '@playwright/test';
import { chooseCommand, confirm, rowOf } from '../../support/browser/file-manager-page.ts';
import { expectText, failRequests, holdRequests, hostJourneys, test } from '../../support/browser/journey.ts';
import { addFile, addFolder, addUser, findNode, listNodes, share } from '../../support/browser/seeding.ts';
import { ownerEmail } from '../../support/services/built-server.ts';

const product = hostJourneys();
const space = 'asha@example.com';
const member = 'dev@example.com';

test.beforeAll(async () => {
	const { owner } = product;
	for (const email of [space, member]) await addUser(owner, email);
	const gone = await addUser(owner, 'gone@example.com');
	await owner.send('POST', `/api/users/${gone.id}/active`, { active: false });
	const course = await addFolder(owner, space, 'Course');
	const inner = await addFolder(owner, space, 'Inner', course.realPath ?? '');
	await addFile(owner, space, 'deep.txt', Buffer.from('deep'), `${course.realPath}/${inner.realPath}`);
	await addFile(owner, space, 'plan.txt', Buffer.from('plan'), course.realPath ?? '');
	await addFile(owner, space, 'letter.txt', Buffer.from('letter'));
});

test('the storage browser shares a folder, excludes an inner folder and removes the share', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: '/admin' });
	await page.getByRole('link', { name: 'Files', exact: true }).click();
	await page.getByRole('link', { name: 'Share folders' }).click();
	await page.getByRole('region', { name: 'Recipient' }).getByRole('link', { name: member }).click();
	await expect(page.getByRole('region', { name: 'Recipient' }), 'the users are listed once').toHaveCount(0);
	await expectText(page, `Choose whose folders and files ${member} receives.`);
	await page.getByRole('region', { name: 'Whose files' }).getByRole('link', { name: space }).click();

	await rowOf(page, 'Course').getByRole('button', { name: 'Share Course' }).click();
	await expect(page.getByRole('dialog')).toContainText('anything added later');
	await expect(page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true })).toBeFocused();
	await confirm(page, 'Share');
	await expectText(page, `Shared with ${member}`);
	await expect(rowOf(page, 'Course')).toContainText('Shared');

	await rowOf(page, 'Course').getByRole('link', { name: 'Course' }).click();
	await expect(rowOf(page, 'plan.txt')).toContainText('Shared through Course');
	await rowOf(page, 'Inner').getByRole('button', { name: 'Unshare Inner' }).click();
	await expect(page.getByRole('dialog')).toContainText('Course stays shared');
	await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
	await confirm(page, 'Unshare');
	await expectText(page, 'Folder and all inner folders/files unshared');
	await expect(rowOf(page, 'Inner')).toContainText('Excluded');

	// This screen shows what the recipient can see.
	await page.getByRole('link', { name: 'What they see' }).click();
	await rowOf(page, 'Course').getByRole('link', { name: 'Course' }).click();
	await expect(rowOf(page, 'plan.txt')).toBeVisible();
	await expect(rowOf(page, 'Inner')).toBeHidden();
	await page.goBack();
	await rowOf(page, 'Course').getByRole('button', { name: 'Unshare Course' }).click();
	const restore = await failRequests(page, /\/api\/shares\/remove$/u);
	await confirm(page, 'Unshare');
	await expectText(page, 'Unshare failed');
	await restore();
	await rowOf(page, 'Course').getByRole('button', { name: 'Unshare Course' }).click();
	await confirm(page, 'Unshare');
	await expect(page.getByText(`Nothing is shared with ${member} yet.`)).toBeVisible();
});

test('several nodes can be shared at once, and the file manager shows the readers of a file', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: `/share-folders?email=${member}&space=${space}` });
	await page.getByRole('checkbox', { name: 'Select Course' }).check();
	await page.getByRole('checkbox', { name: 'Select letter.txt' }).check();
	await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click();
	await confirm(page, 'Share');
	await expectText(page, `Shared with ${member}`);
	await expect(rowOf(page, 'letter.txt').getByRole('button', { name: 'Unshare letter.txt' })).toBeVisible();
	// Nothing can be shared with a deactivated user.
	await page.goto(`/share-folders?email=gone@example.com&space=${space}`);
	await expect(rowOf(page, 'letter.txt').getByText('Not shared')).toBeVisible();
	await expect(page.getByRole('button', { name: /^Share /u })).toHaveCount(0);
	await expect(page.getByRole('checkbox')).toHaveCount(0);

	await page.goto(`/user/${space}`);
	const mark = (name: string) => page.locator('[data-entry]').filter({ hasText: name }).getByTitle('Shared');
	await expect(mark('Course')).toBeVisible();
	await expect(mark('letter.txt')).toBeVisible();
	await chooseCommand(page, 'letter.txt', 'Share');
	const dialog = page.getByRole('dialog', { name: 'Share letter.txt' });
	const readers = dialog.getByRole('region', { name: 'Who can read this, and why' });
	await expect(readers).toContainText(`${space} (owner)`);
	await expect(readers.getByRole('listitem').filter({ hasText: member })).toContainText('Shared by');
	const shareButton = dialog.getByRole('button', { name: 'Share', exact: true });
	await expect(shareButton).toBeDisabled();
	await dialog.getByRole('region', { name: 'Recently shared with' }).getByRole('button', { name: member }).click();
	await shareButton.click();
	await expectText(page, 'Already shared with this user');
	await dialog.getByRole('button', { name: `Remove ${member} from the selection` }).click();
	// The owner of the file, oneself and a deactivated user cannot be chosen.
	for (const email of [space, ownerEmail, 'gone@example.com']) {
		await dialog.getByRole('searchbox', { name: 'Search people and groups' }).fill(email);
		const found = dialog.getByRole('region', { name: 'People', exact: true });
		await expect(found.getByRole('listitem').filter({ hasText: email })).toBeVisible();
		await expect(found.getByRole('button', { name: `Choose ${email}` })).toHaveCount(0);
	}
	await readers.getByRole('button', { name: `Unshare for ${member}` }).click();
	await confirm(page, 'Unshare');
	await expect(readers).toContainText('Shared with nobody yet.');
	await expect(mark('letter.txt')).toBeHidden();
	await expect(mark('Course')).toBeVisible();
	// Another admin deletes the file while the dialog is open.
	const { id } = await findNode(product.owner, space, 'letter.txt');
	await product.owner.send('POST', '/api/nodes/remove', { ids: [id] });
	await dialog.getByRole('searchbox', { name: 'Search people and groups' }).fill(member);
	await dialog.getByRole('button', { name: `Choose ${member}` }).click();
	await shareButton.click();
	await expectText(page, 'Sharing failed');
	await expectText(page, 'It was deleted in the meantime.');
	await dialog.getByRole('button', { name: `Remove ${member} from the selection` }).click();
	await dialog.getByRole('button', { name: 'Close' }).last().click();
	await page.getByRole('link', { name: 'Share files' }).click();
	await expect(page).toHaveURL(/\/shared\?email=asha(?:%40|@)example\.com$/u);
});

test('a folder is shared with a group and a person at once; a member sees it, is left out, and leaves', async ({
	enter,
}) => {
	const [joined, direct] = ['meera@example.com', 'kabir@example.com'];
	for (const email of [joined, direct]) await addUser(product.owner, email);
	const folder = await addFolder(product.owner, space, 'For the batch');
	await addFile(product.owner, space, 'first.txt', Buffer.from('first'), folder.realPath ?? '');
	await addFile(product.owner, space, 'second.txt', Buffer.from('second'), folder.realPath ?? '');
	const memberPage = await enter({ signedInAs: joined, at: '/dashboard/book' });
	await expectText(memberPage, 'No folders shared with you.');

	const page = await enter({ signedInAs: 'owner', at: '/admin' });
	await page.getByRole('link', { name: 'Groups', exact: true }).click();
	await page.getByRole('button', { name: 'Create group' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('textbox', { name: 'Name' }).fill('all members');
	await dialog.getByRole('button', { name: 'Create group' }).click();
	await expect(dialog).toContainText('There is already a group with this name.');
	await dialog.getByRole('textbox', { name: 'Name' }).fill('Batch 2026');
	await dialog.getByRole('button', { name: 'Create group' }).click();
	await expect(page.getByText('No members yet.')).toBeVisible();
	await page.getByRole('button', { name: 'Add people' }).click();
	await dialog.getByRole('searchbox').fill(joined);
	await dialog.getByRole('button', { name: `Choose ${joined}` }).click();
	await dialog.getByRole('button', { name: 'Add people' }).click();
	await expectText(page, '1 person was added.');
	await expect(page.getByRole('list', { name: 'Members' })).toContainText(joined);

	await page.goto(`/user/${space}`);
	await chooseCommand(page, 'For the batch', 'Share');
	await dialog.getByRole('region', { name: 'Groups' }).getByRole('button', { name: 'Choose Batch 2026' }).click();
	await dialog.getByRole('searchbox', { name: 'Search people and groups' }).fill(direct);
	await dialog.getByRole('button', { name: `Choose ${direct}` }).click();
	await expect(dialog.getByRole('list', { name: 'Share with' })).toContainText('Batch 2026');
	await dialog.getByRole('button', { name: 'Share', exact: true }).click();
	await expectText(page, 'Shared with 2 people and groups');
	const readers = dialog.getByRole('region', { name: 'Who can read this, and why' });
	await expect(readers.getByRole('listitem').filter({ hasText: direct })).toContainText('Shared by');
	await expect(readers.getByRole('listitem').filter({ hasText: joined })).toContainText('Through the group Batch 2026');
	// The member's open page shows the folder.
	await memberPage.getByRole('link', { name: 'For the batch' }).click();
	await expect(memberPage.getByText('first.txt')).toBeVisible();

	// One file is excluded for this member, and stays shared with the group.
	await page.goto(`/shared?email=${joined}`);
	await expect(rowOf(page, 'For the batch')).toContainText('Through the group Batch 2026');
	await rowOf(page, 'For the batch').getByRole('link', { name: 'For the batch' }).click();
	await rowOf(page, 'first.txt').getByRole('button', { name: 'Unshare first.txt' }).click();
	await expect(page.getByRole('dialog')).toContainText(
		'It stays shared with the group Batch 2026, but no longer with this person',
	);
	await confirm(page, 'Unshare');
	await expectText(page, 'File unshared');
	await expect(memberPage.getByText('first.txt')).toBeHidden();
	await expect(memberPage.getByText('second.txt')).toBeVisible();

	await page.goto('/admin/groups');
	await page.getByRole('link', { name: 'Batch 2026' }).click();
	await page.getByRole('button', { name: `Remove ${joined} from the group` }).click();
	await expectText(page, `${joined} was removed from Batch 2026.`);
	await expectText(memberPage, 'This folder is no longer shared with you');
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(page.getByRole('list', { name: 'Members' })).toContainText(joined);
	await page.getByRole('button', { name: 'Delete group' }).click();
	await confirm(page, 'Delete group');
	await expectText(page, 'The group Batch 2026 was deleted.');
	await expect(page.getByRole('link', { name: 'All members' })).toBeVisible();
});

test('the list of shares shows a loading error, and reports an unknown email address', async ({ enter }) => {
	const reader = 'ravi@example.com';
	await addUser(product.owner, reader);
	const folder = await addFolder(product.owner, space, 'Reading list');
	await addFile(product.owner, space, 'plan.txt', Buffer.from('plan'), folder.realPath ?? '');
	await share(product.owner, folder.id, reader);
	const page = await enter({ signedInAs: 'owner' });
	let restore = await failRequests(page, /\/api\/shares$/u);
	await page.goto(`/shared?email=${reader}`);
	await expectText(page, 'Failed to load shared folders');
	await restore();
	await page.getByRole('button', { name: 'Try again' }).click();
	restore = await failRequests(page, /\/api\/shares\/.*\/nodes$/u);
	await rowOf(page, 'Reading list').getByRole('link', { name: 'Reading list' }).click();
	await expectText(page, 'Error loading folder content');
	await restore();
	await page.getByRole('button', { name: 'Try again' }).click();
	await expect(rowOf(page, 'plan.txt')).toBeVisible();
	await page.goto('/shared?email=nobody@example.com');
	await expect(page.getByText('There is no account with this address.')).toBeVisible();
	await page.getByRole('link', { name: 'Choose another person' }).click();
	await expect(page.getByRole('link', { name: reader })).toBeVisible();
});

test('the shared folders of a member show new shares, which can be sorted and filtered', async ({ enter }) => {
	const page = await enter({ signedInAs: space, at: '/dashboard' });
	await page.getByRole('main').getByRole('link', { name: 'Shared Folders' }).click();
	await expectText(page, 'No folders shared with you.');
	await addFolder(product.owner, member, 'Notes of the evening');
	await addFile(product.owner, member, 'long.txt', Buffer.from('a long text'));
	await addFile(product.owner, member, 'short.txt', Buffer.from('text'));
	const items = await listNodes(product.owner, member);
	for (const { id } of items) await share(product.owner, id, space);
	await expect(page.getByRole('link', { name: 'Notes of the evening' })).toBeVisible();

	const files = page.getByRole('row').filter({ hasText: '.txt' });
	await expect(files).toHaveCount(2);
	const sortBySize = page.getByRole('columnheader').getByRole('button', { name: 'Size' });
	await sortBySize.click();
	await expect(files.first()).toContainText('long.txt');
	await sortBySize.click();
	await expect(files.first()).toContainText('short.txt');
	await page.getByRole('group', { name: 'Type of file' }).getByRole('button', { name: 'PDF' }).click();
	await expectText(page, 'No files or folders match your search.');
	await page.getByRole('button', { name: 'Show everything' }).click();
	await expect(files.first()).toContainText('short.txt');
});

test('the switch of the dashboard button shows that it is saving, and changes open pages', async ({ enter }) => {
	const dashboard = await enter({ signedInAs: member, at: '/dashboard' });
	const link = (name: string) => dashboard.getByRole('main').getByRole('link', { name });
	await expect(link('Shared Folders')).toBeVisible();
	// A reload would remove this attribute.
	await dashboard.evaluate(() => document.body.setAttribute('data-first-load', ''));
	const page = await enter({ signedInAs: 'owner' });
	const other = await enter({ signedInAs: 'owner' });
	await page.goto('/user-share-btn');
	await other.goto('/user-share-btn');
	const shows = (where: Page, what: string) =>
		expect(where.getByRole('status').getByText(what, { exact: true })).toBeVisible();
	await shows(other, 'Shared Folders');
	const release = await holdRequests(page, /^\/api\/settings\/dashboard$/u, 'PUT');
	await page.getByRole('button', { name: 'Toggle Button' }).click();
	await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
	release();
	await shows(page, 'Course');
	await shows(other, 'Course');
	await expect(link('Course')).toHaveAttribute('href', '/dashboard/preview/book');
	await expect(link('Shared Folders')).toBeHidden();
	await page.getByRole('button', { name: 'Toggle Button' }).click();
	await expect(link('Shared Folders')).toHaveAttribute('href', '/dashboard/book');
	await expect(dashboard.locator('body')).toHaveAttribute('data-first-load');
});
