import { expect, type Page } from '@playwright/test';
import { unnamedPart } from '#contract/book/editions.ts';
import { openBookSettings } from '../../support/browser/forms.ts';
import { expectFieldError, expectText, hostJourneys, phone, test } from '../../support/browser/journey.ts';
import { openReader, sampleEdition } from '../../support/browser/reader-page.ts';
import { addFile, addReader, changeBook, findNode } from '../../support/browser/seeding.ts';

const product = hostJourneys();
const asha = 'asha@example.com';

test.beforeAll(async () => {
	await addReader(product.owner, asha);
	await addFile(product.owner, 'book', 'kitchen.pdf', await sampleEdition('part-1-en'));
});

/** Checks the text and the accessible names, without the pages of the PDF. */
async function expectNoPartsOrLanguages(page: Page): Promise<void> {
	const words = await page.locator('body').evaluate((root) => {
		const copy = root.cloneNode(true) as HTMLElement;
		for (const element of copy.querySelectorAll('script, [data-drawn]')) element.remove();
		const labels = [...copy.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label'));
		return `${document.title} ${copy.textContent} ${labels.join(' ')}`;
	});
	expect(words.match(/both|\btwo parts|\bparts?\b|हिन्दी|Hindi|English/giu) ?? []).toEqual([]);
}

test('the owner sets up a single English edition, and neither shelf nor reader mentions parts or languages', async ({
	enter,
}) => {
	const owner = await enter({ signedInAs: 'owner', ...phone });
	await test.step('the owner removes a part and a language, and assigns the file', async () => {
		const dialog = await openBookSettings(owner);
		await dialog.getByLabel('Book title').fill("Dadi's Kitchen");
		await dialog.getByText('Parts and languages').click();
		await dialog.getByRole('button', { name: 'Remove: हिन्दी' }).click();
		await expect(dialog.getByRole('button', { name: 'Remove: English' })).toHaveCount(0);
		await expect(dialog.getByRole('group', { name: 'Parts and languages' })).toBeFocused();
		await dialog.getByRole('button', { name: 'Remove: Part 2' }).click();
		await dialog.getByLabel('PDF of the book').selectOption({ label: 'kitchen.pdf' });
		await dialog.getByRole('button', { name: 'Save Changes' }).click();
		await expectText(owner, 'Settings updated successfully!');
	});

	const member = await enter({ signedInAs: asha, isWelcomed: true, at: '/dashboard' });
	await test.step('the welcome dialog and the dashboard', async () => {
		await expect(member.getByRole('dialog')).toContainText('You read the book here, on any device');
		await expect(member.getByRole('dialog')).toContainText('It is open for you on your dashboard.');
		await expectNoPartsOrLanguages(member);
		await member.getByRole('button', { name: "Let's begin" }).click();
		await expect(member.getByRole('link', { name: 'Read', exact: true })).toBeVisible();
		await expect(member.getByRole('group', { name: 'Editions' })).toHaveCount(0);
		await expectNoPartsOrLanguages(member);
	});
	await test.step('the reader', async () => {
		await openReader(member);
		await expect(member.getByRole('heading', { name: "Dadi's Kitchen" })).toBeVisible();
		await expectNoPartsOrLanguages(member);
	});
});

test('the owner adds a language and named parts, and a member changes between them in the reader', async ({
	enter,
}) => {
	const owner = await enter({ signedInAs: 'owner' });
	await addFile(product.owner, 'book', 'sweets-mr.pdf', await sampleEdition('part-1-hi'));
	const { id } = await findNode(product.owner, 'book', 'kitchen.pdf');
	await changeBook(product.owner, {
		parts: [unnamedPart(1)],
		languages: [{ code: 'en', name: 'English' }],
		editions: [{ key: 'part-1-en', fileId: id }],
	});
	const dialog = await openBookSettings(owner);
	await dialog.getByText('Parts and languages').click();
	await dialog.getByLabel('Add a language').selectOption({ label: 'Marathi – मराठी' });
	await dialog.getByLabel('Add a language').selectOption({ label: 'Another language…' });
	await dialog.getByLabel('Language code, such as mr').fill('mr');
	await dialog.getByRole('button', { name: 'Add', exact: true }).click();
	await expectText(dialog, 'This language is there twice.');
	await test.step('an error opens the section and stands at its field', async () => {
		await dialog.getByLabel('Name of the language (mr)').fill(' ');
		await dialog.getByText('Parts and languages').click();
		await dialog.getByRole('button', { name: 'Save Changes' }).click();
		await expectFieldError(dialog.getByLabel('Name of the language (mr)'), 'Please fill in this field.');
		await dialog.getByLabel('Name of the language (mr)').fill('मराठी');
	});
	await dialog.getByRole('button', { name: 'Add a part' }).click();
	await dialog.getByLabel('Part 2, name in English').fill('Sweets');
	await dialog.getByLabel('Sweets, Marathi', { exact: true }).selectOption({ label: 'sweets-mr.pdf' });
	await dialog.getByLabel('Part 1, Marathi', { exact: true }).selectOption({ label: 'sweets-mr.pdf' });
	await dialog.getByRole('button', { name: 'Save Changes' }).click();
	await expectText(owner, 'Settings updated successfully!');

	const member = await enter({ signedInAs: asha });
	await openReader(member, 'part-1-en');
	await member.getByRole('button', { name: 'मराठी' }).click();
	await expect(member).toHaveURL(/part-1-mr$/u);
	await member.getByRole('button', { name: 'Sweets' }).click();
	await expect(member).toHaveURL(/part-2-mr$/u);
	await member.getByRole('button', { name: 'English' }).click();
	await expect(member).toHaveURL(/part-1-en$/u);
	await expectText(member, 'There is no such edition. Open now: Part 1, English.');

	await test.step('removing a language that readers use asks first', async () => {
		await openBookSettings(owner);
		await dialog.getByText('Parts and languages').click();
		await dialog.getByRole('button', { name: 'Remove: मराठी' }).click();
		const question = owner.getByRole('dialog', { name: 'Remove मराठी from the book?' });
		await expect(question).toContainText('Reading positions, highlights and notes are kept');
		await question.getByRole('button', { name: 'Remove' }).click();
		await expect(dialog.getByRole('group', { name: 'Parts and languages' })).toBeFocused();
		await dialog.getByRole('button', { name: 'Save Changes' }).click();
		await expectText(owner, 'Settings updated successfully!');
		await member.goto('/read/part-1-mr');
		await expectText(member, 'This edition is not available');
	});
});
