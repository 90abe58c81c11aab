import { expect, type Page } from '@playwright/test';
import { findScreen } from '#contract/core/screens.ts';
import { expectNoHorizontalOverflow, hostJourneys, phone, test } from '../../support/browser/journey.ts';
import { addUser } from '../../support/browser/seeding.ts';
import { readMessages } from '../../support/texts/messages.ts';

const product = hostJourneys();
const messages = readMessages('core/common', 'en');
const member = 'member@example.com';

test.beforeAll(() => addUser(product.owner, member));

/** Every screen of the owner by its name, and the item of the navigation to which it belongs. */
const ownerScreens = [
	['Orders', '/Bookdashboard', 'Orders'],
	['Chat', '/admin/contact', 'Chat'],
	['Users', '/admin', 'Users'],
	['Groups', '/admin/groups', 'Users'],
	['Delete Users', '/delete-user', 'Users'],
	['Login history', '/login-history', 'Users'],
	['Storefront', '/admin/storefront', 'Storefront'],
	['Book', '/admin/book', 'Book'],
	['Guest space', '/user/guest', 'Files'],
	['Book files', '/user/book', 'Files'],
	['Share folders', '/share-folders', 'Files'],
	['Shared Folders', '/shared', 'Files'],
	['Visitors', '/admin/visitor', 'Visitors'],
	['Mail', '/admin/mail', 'Settings'],
	['Dashboard button', '/user-share-btn', 'Settings'],
	['Credentials', '/admin/credentials', 'Settings'],
	['Storage', '/admin/storage', 'Settings'],
	['Audit', '/admin/audit', 'Settings'],
	['Account & security', '/account', 'Settings'],
] as const;

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Navigation' });

const currentTab = (page: Page) => page.getByRole('navigation', { name: 'In this section' }).locator('[aria-current]');

/** Presses an item of the navigation. On a phone, most items are in the menu More. */
async function openArea(page: Page, area: string): Promise<void> {
	await expect(navigation(page).getByRole('link').first()).toBeVisible();
	const link = navigation(page).getByRole('link', { name: area, exact: true });
	if (await link.isVisible()) return link.click();
	await navigation(page).getByRole('button', { name: 'More' }).click();
	await page.getByRole('menuitem', { name: area, exact: true }).click();
}

async function expectScreen(page: Page, name: string, path: string): Promise<void> {
	await expect(page).toHaveURL((url) => url.pathname === path);
	const screen = findScreen(path);
	const heading = screen?.path === '/user/$email' ? name : messages(screen?.heading ?? '');
	await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
}

for (const [form, options] of [
	['a desktop', {}],
	['a phone', phone],
] as const) {
	test(`the owner finds each screen by its name on ${form}`, async ({ enter }) => {
		const page = await enter({ signedInAs: 'owner', at: '/admin', ...options });
		const isPhone = form === 'a phone';
		await expect(navigation(page).getByRole('link')).toHaveCount(isPhone ? 4 : 10);
		for (const [name, path, area] of ownerScreens) {
			await test.step(name, async () => {
				await openArea(page, area);
				const inArea = page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`, 'u') });
				if (name !== area) await inArea.click();
				await expectScreen(page, name, path);
				const item = navigation(page).getByRole('link', { name: area, exact: true });
				const isItem = name === area || name === 'Guest space';
				if (!isPhone) await expect(item).toHaveAttribute('aria-current', isItem ? 'page' : 'true');
				if (area === 'Users' || area === 'Files') await expect(currentTab(page)).toHaveText([name]);
				await expectNoHorizontalOverflow(page);
				if (area !== 'Settings') return;
				await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click();
				await expectScreen(page, 'Settings', '/admin/settings');
			});
		}
	});

	test(`'View storefront' opens the landing page in a new tab on ${form}, for the owner only`, async ({ enter }) => {
		const page = await enter({ signedInAs: 'owner', at: '/admin', ...options });
		const opened = page.context().waitForEvent('page');
		await openArea(page, 'View storefront');
		await expect((await opened).getByRole('heading', { level: 1, name: 'Build Your Empire 1.0' })).toBeVisible();
		await expect(page).toHaveURL(/\/admin$/u);

		const other = await enter({ signedInAs: member, at: '/dashboard', ...options });
		await expect(navigation(other).getByRole('link')).toHaveText(['Home', 'Shared Folders', 'Chat']);
		await expect(other.getByText('View storefront')).toHaveCount(0);
	});
}

test('the current tab of an area is scrolled into view, and other tabs are opened with the keyboard', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'owner', at: '/shared', ...phone });
	const tabs = page.getByRole('navigation', { name: 'In this section' });
	await expect(tabs.locator('[aria-current="page"]')).toHaveText('Shared Folders');
	await expect(tabs.getByRole('link', { name: 'Shared Folders' })).toBeInViewport({ ratio: 1 });
	await tabs.getByRole('link', { name: 'Share folders' }).focus();
	await page.keyboard.press('Enter');
	await expectScreen(page, 'Share folders', '/share-folders');
	await expect(tabs.locator('[aria-current="page"]')).toHaveText('Share folders');
});
