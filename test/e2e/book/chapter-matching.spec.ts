import { expect, type Page } from '@playwright/test';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import {
	expectNoHorizontalOverflow,
	expectText,
	holdRequests,
	hostJourneys,
	test,
} from '../../support/browser/journey.ts';
import { addEditions, openReader } from '../../support/browser/reader-page.ts';
import { addReader } from '../../support/browser/seeding.ts';
import { makePdf, parseHeadings } from '../../support/documents/make-pdf.ts';

const product = hostJourneys();
const asha = 'asha@example.com';
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const bookOf = (pages: number, outline: string) => makePdf({ pages, outline: parseHeadings(outline) });

/** Only the English edition has a preface. */
const english = bookOf(30, 'Before we set out @ 1\nBelief @ 5\nMindset @ 11\n\tWhat doubt is for @ 13\nHabits @ 21');
const hindi = bookOf(32, 'विश्वास @ 2\nमानसिकता @ 10\n\tसंदेह किसलिए @ 13\nआदतें @ 22');

test.beforeAll(async () => {
	const { owner } = product;
	await addReader(owner, asha);
	await addEditions(owner, { 'part-1-en': english, 'part-1-hi': hindi });
});

async function readChapter(page: Page, title: string): Promise<void> {
	const isReady = async () => {
		const { editions } = await (await page.request.get('/api/shelf')).json();
		return editions.length === 2 && editions.every(({ copy }: ShelfEdition) => copy.state === 'ready');
	};
	await expect.poll(isReady).toBe(true);
	await openReader(page);
	await page.getByRole('button', { name: new RegExp(`^${title}`, 'u') }).click();
}

const shown = (page: Page) => page.locator('footer [role="status"]');

test('switching the language opens the matched chapter, despite a preface in one edition', async ({ enter }) => {
	const [owner, reader] = await Promise.all([enter({ signedInAs: 'owner' }), enter({ signedInAs: asha })]);
	await readChapter(reader, 'Mindset');
	await expect(shown(reader)).toContainText('Page 11');
	await reader.getByRole('button', { name: 'हिन्दी' }).click();
	await expect(reader).toHaveURL(/part-1-hi$/u);
	await expect(shown(reader)).toContainText('Page 10');
	await expect(reader.locator('[aria-current="true"]', { hasText: 'मानसिकता' })).toBeVisible();

	await owner.goto('/admin/book');
	const part = owner.getByRole('region', { name: 'Part 1', exact: true });
	const choice = (title: string) => part.getByRole('combobox', { name: `Counterpart of: ${title}`, exact: true });
	const expectChoice = (title: string, label: string) =>
		expect(choice(title).locator('option:checked')).toHaveText(label);
	await expectChoice('Before we set out', 'Suggested: no counterpart');
	await expectChoice('Mindset', 'Suggested: मानसिकता – p. 10');
	await expectChoice('What doubt is for', 'Suggested: संदेह किसलिए – p. 13');
	await expect(part).toContainText('Every Hindi heading has a counterpart.');
	await expect(owner.getByRole('region', { name: 'Part 2', exact: true })).toContainText('No edition of this part');

	await test.step('a manual match takes its counterpart from another chapter, and the suggestions change accordingly', async () => {
		await choice('Mindset').selectOption({ label: 'आदतें – p. 22' });
		await expect(part.getByRole('listitem').filter({ hasText: 'Mindset' }).first()).toContainText('Chosen by you');
		await expectChoice('What doubt is for', 'Suggested: no counterpart');
		await choice('Habits').selectOption({ label: 'आदतें – p. 22' });
		await expect(part.getByRole('status')).toHaveText('The counterpart was taken from: Mindset');
		await expectChoice('Mindset', 'Suggested: मानसिकता – p. 10');
		await choice('Mindset').selectOption({ label: 'आदतें – p. 22' });
		await owner.getByRole('link', { name: 'Orders' }).first().click();
		const question = owner.getByRole('dialog', { name: 'Leave without saving?' });
		await expect(question).toContainText('What you changed here is not saved.');
		await question.getByRole('button', { name: 'Cancel' }).click();
		await expect(question).toBeHidden();
		await owner.getByRole('button', { name: 'Save the chapters' }).click();
		await expectText(owner, 'Chapters saved.');
		await test.step('a match that is chosen while another is being saved is kept, and can be saved', async () => {
			const releaseSave = await holdRequests(owner, /^\/api\/settings\/outline-pairs$/u, 'PUT');
			await choice('Belief').selectOption({ label: 'No counterpart' });
			const save = owner.getByRole('button', { name: 'Save the chapters' });
			await save.click();
			await choice('Belief').selectOption({ label: 'विश्वास – p. 2' });
			releaseSave();
			await expect(save).toBeEnabled();
			await expectChoice('Belief', 'विश्वास – p. 2');
			await save.click();
			await expect(save).toBeDisabled();
			await expectChoice('Belief', 'विश्वास – p. 2');
		});
		await owner.reload();
		await expectChoice('Mindset', 'आदतें – p. 22');
		await expect(part).toContainText('Without a counterpart in English');
	});

	await readChapter(reader, 'Mindset');
	await reader.getByRole('button', { name: 'हिन्दी' }).click();
	await expect(shown(reader)).toContainText('Page 22');

	await test.step('switching the language back and forth without turning pages returns to the same two pages', async () => {
		for (let times = 0; times < 3; times += 1) {
			await reader.getByRole('button', { name: 'English' }).click();
			await expect(shown(reader)).toContainText('Page 11');
			await reader.getByRole('button', { name: 'हिन्दी' }).click();
			await expect(shown(reader)).toContainText('Page 22');
		}
	});

	await test.step('the owner replaces the manual match with the suggestion', async () => {
		await part.getByRole('button', { name: 'Use the suggestion again: part 1' }).click();
		await expectChoice('Mindset', 'Suggested: मानसिकता – p. 10');
		await owner.getByRole('button', { name: 'Save the chapters' }).click();
		await expectText(owner, 'Chapters saved.');
	});
});

test('the chapter matching card fits on a phone, and a match can be changed with the keyboard', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', ...phone, at: '/admin/book' });
	const choice = page.getByRole('combobox', { name: 'Counterpart of: Belief', exact: true });
	await expect(choice).toBeVisible();
	await expectNoHorizontalOverflow(page);
	await choice.focus();
	await choice.press('ArrowDown');
	await expect(choice.locator('option:checked')).toHaveText('No counterpart');
	await expect(page.getByRole('region', { name: 'Part 1', exact: true })).toContainText('विश्वास');
});
