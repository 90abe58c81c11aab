import { expect } from '@playwright/test';
import type { UserSummary } from '#contract/accounts/administration.ts';
import {
	expectNoHorizontalOverflow,
	expectText,
	failRequests,
	hostJourneys,
	test,
} from '../../support/browser/journey.ts';
import { addFile, addUser } from '../../support/browser/seeding.ts';

const world = hostJourneys();
const email = 'leaving@example.com';

test('deleting a user signs the user out at once, and a failed deletion shows an error', async ({ enter }) => {
	const { id } = await addUser(world.owner, email);
	await addFile(world.owner, email, 'a.txt', Buffer.from('12345'));
	await addFile(world.owner, email, 'b.txt', Buffer.from('123'));
	const member = await enter({ signedInAs: email });
	await member.goto('/dashboard');
	await expect(member.getByText('a.txt')).toBeVisible();

	const page = await enter({ signedInAs: 'owner', viewport: { width: 390, height: 844 } });
	const mendList = await failRequests(page, /^\/api\/users$/u);
	await page.goto('/delete-user');
	await expectText(page, '❌ Error loading users.');
	await mendList();
	await page.getByRole('button', { name: 'Try again' }).click();
	await expect(page.getByRole('article')).toHaveCount(2);
	await expectNoHorizontalOverflow(page);

	await page.getByRole('searchbox', { name: 'Search by email' }).fill('nobody');
	await expectText(page, 'No users found.');
	await page.getByRole('button', { name: 'Clear search', exact: true }).last().click();

	const deleteOf = (name: string) =>
		page.getByRole('article').filter({ hasText: name }).getByRole('button', { name: 'Delete' });
	const dialog = page.getByRole('dialog');
	const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
	const own = page.getByRole('article').filter({ hasText: 'owner@example.com' });
	await expect(own).toContainText('Another admin can delete your account.');
	await expect(own.getByRole('button')).toHaveCount(0);

	// Another admin has deleted the user first.
	const quick = await addUser(world.owner, 'gone-already@example.com');
	await deleteOf('gone-already@example.com').click();
	await world.owner.send('POST', '/delete-user-all', { uid: quick.id });
	await confirm.click();
	await expectText(page, '❌ Failed: Not found.');

	const mendCall = await failRequests(page, /^\/delete-user-all$/u);
	await deleteOf(email).click();
	await confirm.click();
	await expectText(page, '❌ Server error.');
	await mendCall();

	await deleteOf(email).click();
	await expect(dialog).toContainText('Delete this user?');
	await expect(dialog).toContainText('2 files (0.01 KB) will be removed for good.');
	await page.keyboard.press('Escape');
	await expect(dialog).toBeHidden();
	await expect(deleteOf(email)).toBeFocused();
	await deleteOf(email).click();
	await confirm.click();
	await expectText(page, `✅ User ${id} deleted successfully.`);
	await expect(page.getByRole('article')).toHaveCount(1);
	await expect(member).toHaveURL(/\/login\?reason=deletion$/u);
	await expectText(member, 'Your account has been deleted.');
	const { total } = await world.owner.get<{ items: UserSummary[]; total: number }>(`/api/users?search=${email}`);
	expect(total).toBe(0);

	// Deleting a large space takes a while, and the screen shows its progress.
	const running = [{ id, email, totalFiles: 5000, removedFiles: 1240 }];
	await page.route('**/api/removals', (route) => route.fulfill({ json: running }));
	await addUser(world.owner, 'another@example.com');
	await page.reload();
	await expectText(page, 'Removing 1,240 of 5,000 files...');
	await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
});
