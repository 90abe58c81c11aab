import { expect, type Page } from '@playwright/test';
import {
	expectNoHorizontalOverflow,
	expectText,
	failRequests,
	hostJourneys,
	test,
} from '../../support/browser/journey.ts';

const product = hostJourneys();
/** A visit with the user agent of headless Chromium would be recorded as the visit of a program. */
const userAgent =
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const phone = { width: 360, height: 800 };

const figure = (page: Page, name: string) =>
	page.getByText(name, { exact: true }).locator('xpath=following-sibling::dd');
const step = (page: Page, name: string) =>
	page.getByRole('region', { name: 'From visit to sale' }).getByRole('listitem').filter({ hasText: name });
const visitEvent = (page: Page, event: string) =>
	page.waitForResponse(
		(response) =>
			response.url().endsWith('/api/visits') && response.request().postData()?.includes(`"${event}"`) === true,
	);
async function visitLanding(page: Page, path = '/', referer = ''): Promise<void> {
	const visit = visitEvent(page, 'visit');
	await page.goto(path, referer === '' ? {} : { referer });
	expect((await visit).status()).toBe(200);
}
const total = async () => (await product.owner.get<{ totalVisits: number }>('/api/visits-summary')).totalVisits;

test('the visitors screen counts visits live, but no visits of the owner or of programs', async ({ enter }) => {
	const owner = await enter({ signedInAs: 'owner', userAgent, at: '/admin/visitor' });
	await expectText(owner, 'Total Visits');
	await expectText(owner, 'Unique Visitors');
	await expect(figure(owner, 'Total Visits')).toHaveText('0');
	await expect(owner.getByText('No visits yet.')).toBeVisible();

	const visitor = await enter({ userAgent, viewport: phone });
	await visitLanding(visitor, '/?lang=hi', 'https://www.instagram.com/p/1?who=me');
	await expect(figure(owner, 'Total Visits')).toHaveText('1');
	await expect(figure(owner, 'Unique Visitors')).toHaveText('1');
	const row = owner.getByRole('row').filter({ hasText: '127.0.0.1' });
	await expect(row.getByRole('cell').nth(1)).toHaveText('1');
	await expect(owner.getByText('Landing page, Hindi')).toBeVisible();
	await expect(owner.getByText('www.instagram.com', { exact: true })).toBeVisible();
	await expect(owner.getByText('who=me')).toHaveCount(0);

	const form = visitEvent(visitor, 'form');
	await visitor.locator('#purchase-name').fill('A');
	await form;
	await visitor.locator('#purchase-phone').fill('9');
	await expect(step(owner, 'Form begun')).toContainText('1');

	await owner.getByRole('button', { name: '90 days' }).click();
	await expect(owner).toHaveURL(/\?days=90$/u);
	await expect(owner.getByRole('button', { name: '90 days' })).toHaveAttribute('aria-pressed', 'true');
	await owner.getByRole('button', { name: 'Table' }).click();
	await expect(owner.getByRole('region', { name: 'Visits by day' }).first().getByRole('row')).toHaveCount(91);
	await owner.getByRole('button', { name: 'IP Address' }).click();
	await expect(owner.getByRole('columnheader', { name: 'IP Address' })).toHaveAttribute('aria-sort', 'ascending');

	const ownVisit = await owner.context().newPage();
	await visitLanding(ownVisit);
	await visitLanding(await enter());
	expect(await total()).toBe(1);
});

test('the landing page works without errors when a visit cannot be reported', async ({ enter }) => {
	const before = await total();
	const visitor = await enter({ userAgent });
	await failRequests(visitor, /^\/api\/visits$/u);
	const lost = visitor.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/visits'));
	await visitor.goto('/');
	await lost;
	await visitor.locator('#purchase-name').fill('A');
	await expect(visitor.locator('.toast, [role="alert"]')).toHaveCount(0);
	expect(await total()).toBe(before);
});

test('visit settings shorten addresses, refuse invalid days and report a conflict', async ({ enter }) => {
	const visitor = await enter({ userAgent });
	await visitLanding(visitor);
	const owner = await enter({ signedInAs: 'owner', viewport: phone });
	const other = await enter({ signedInAs: 'owner' });
	await owner.goto('/admin');
	await owner.goto('/admin/visitor');
	await other.goto('/admin/visitor');
	const days = owner.getByLabel('Days that addresses are kept');
	await days.fill('soon');
	await owner.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(days).toHaveAccessibleDescription(/^Enter whole days, 1 to 3650\./u);
	await days.fill('30');
	await owner.getByText('Shorten addresses').click();
	await other.getByLabel('Days that addresses are kept').fill('90');
	await owner.getByRole('button', { name: 'Save', exact: true }).click();
	await expectText(owner, 'Settings of visits saved.');
	await expect(owner.getByRole('cell', { name: '127.0.0.0' })).toBeVisible();
	await expect(owner.getByRole('cell', { name: '127.0.0.1' })).toHaveCount(0);
	await expectNoHorizontalOverflow(owner);

	await other.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(other.getByRole('region', { name: 'What is counted and kept' }).getByRole('alert')).toBeVisible();
	const keptDays = async () => (await product.owner.get<{ keptDays: number }>('/api/settings/visits')).keptDays;
	expect(await keptDays()).toBe(30);
	await expect(other.getByLabel('Shorten addresses'), "the owner's change is merged into the form").toBeChecked();
	await other.getByRole('button', { name: 'Save', exact: true }).click();
	await expect.poll(keptDays).toBe(90);

	await owner.getByRole('button', { name: 'Back', exact: true }).click();
	await expect(owner).toHaveURL(/\/admin$/u);
});
