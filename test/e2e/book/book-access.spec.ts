import { expect, type Page } from '@playwright/test';
import { openBookSettings } from '../../support/browser/forms.ts';
import { expectFieldError, expectText, hostJourneys, test, waitForEventStream } from '../../support/browser/journey.ts';
import { addSampleEditions } from '../../support/browser/reader-page.ts';
import { addUser, runSql } from '../../support/browser/seeding.ts';
import { ownerEmail } from '../../support/services/built-server.ts';

const product = hostJourneys();
const asha = 'asha@example.com';

test.beforeAll(async () => {
	const { owner } = product;
	await addUser(owner, asha);
	await addSampleEditions(owner, ['part-1-en']);
});

const menuOf = (page: Page) => page.getByRole('button', { name: `More for ${asha}` });

test('granting and withdrawing book access changes the open dashboard of the member', async ({ enter }) => {
	const [member, owner] = await Promise.all([enter({ signedInAs: asha }), enter({ signedInAs: 'owner' })]);
	await Promise.all([waitForEventStream(member), member.goto('/dashboard')]);
	const read = member.getByRole('link', { name: 'Read', exact: true });
	await expect(member.getByText('The book opens here when you have bought it.')).toBeVisible();
	await expect(read).toHaveCount(0);
	await member.evaluate(() => Object.assign(window, { isStillThisPage: true }));

	await owner.goto('/admin');
	await menuOf(owner).click();
	await owner.getByRole('menuitem', { name: 'Give the book' }).click();
	const giving = owner.getByRole('dialog', { name: `Give ${asha} the book?` });
	await expect(giving).toContainText('their own copy, marked with their name on every page');
	await giving.getByRole('button', { name: 'Give the book' }).click();
	await expectText(owner, `${asha} has the book now.`);
	await expect(giving).toHaveCount(0);
	await expect(read).toBeVisible();

	await owner.goto(`/admin/contact?person=${encodeURIComponent(asha)}`);
	const panel = owner.getByRole('complementary', { name: /^Details of/u });
	await expect(panel).toContainText('Has book access.');
	await panel.getByRole('button', { name: 'Take the book back' }).click();
	const taking = owner.getByRole('dialog', { name: `Take the book back from ${asha}?` });
	await expect(taking).toContainText('They stop reading at once');
	await taking.getByRole('button', { name: 'Take the book back' }).click();
	await expectText(owner, `${asha} no longer has the book.`);
	await expect(panel.getByRole('button', { name: 'Give the book' })).toBeVisible();
	await expect(panel).toContainText('No book access: there is no order.');
	await expect(read).toHaveCount(0);
	expect(await member.evaluate(() => 'isStillThisPage' in window)).toBe(true);
});

test('buyers cannot download an edition by default, and the owner can permit the download', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	const dialog = page.getByRole('dialog', { name: 'Book Dashboard' });
	const allowed = (edition: string) =>
		dialog.getByRole('checkbox', { name: `Buyers may download it: ${edition}`, exact: true });
	const open = async () => {
		await openBookSettings(page);
		await expect(allowed('Part 1, English')).toBeVisible();
	};
	await open();
	await expect(allowed('Part 1, English')).not.toBeChecked();
	await allowed('Part 1, English').check();
	await dialog.getByRole('button', { name: 'Save Changes' }).click();
	await expect(dialog).toHaveCount(0);
	await open();
	await expect(allowed('Part 1, English')).toBeChecked();
	await expect(allowed('Part 1, Hindi')).not.toBeChecked();

	await test.step('the settings show that the copy of an edition failed, and choosing another file keeps the entered title', async () => {
		await runSql(
			product.server,
			`insert into watermarked_copies (user_id, edition, state, wanted_source_id, wanted_watermark, failure, updated_at)
			select users.id, 'part-1-en', 'failed', nodes.blob_id, 'x', 'broken', '2026-01-01T00:00:00.000Z'
			from users, nodes where users.email = $1 and nodes.name = 'part-1-en.pdf'`,
			[ownerEmail],
		);
		await open();
		const file = dialog.getByRole('combobox', { name: 'Part 1, English' });
		const problem = 'This PDF is damaged. Save it anew in the program it was made with, then choose it again.';
		await expectFieldError(file, problem);
		await dialog.getByLabel('Book title').fill('Typed beside it');
		await file.selectOption({ label: 'Not assigned' });
		await expect(file).not.toHaveAttribute('aria-invalid', 'true');
		await expect(dialog.getByLabel('Book title')).toHaveValue('Typed beside it');
	});
});
