import { expect, type Page } from '@playwright/test';
import { expectNoHorizontalOverflow, holdRequests, hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser, memberPassword } from '../../support/browser/seeding.ts';
import { expectSaved, openSection, publishDraft } from '../../support/browser/storefront-editor.ts';

const product = hostJourneys();
const phone = { width: 360, height: 800 };
/** The position where a jump ends, in pixels below the top of the window (`scroll-padding` in the styles). */
const jumpPx = 97;

test('social links, the chat link and legal texts are checked, and reach visitors when they are published', async ({
	enter,
}) => {
	const owner = await enter({ signedInAs: 'owner', at: '/admin/storefront?section=footer' });
	const visitor = await enter({ javaScriptEnabled: false, viewport: phone });
	await owner.getByRole('button', { name: 'Add a link' }).click();
	await owner.getByLabel('Name of link 1').fill('YouTube');
	await owner.getByLabel('Address of link 1').fill('javascript:alert(1)');
	const chat = owner.getByRole('textbox', { name: 'Chat link' });
	await chat.fill('contact');
	await expect(owner.getByLabel('Address of link 1')).toHaveAccessibleDescription(
		/^Enter a whole address .* mailto:\.$/u,
	);
	await expect(owner.getByLabel('Address of link 1')).toHaveValue('javascript:alert(1)');
	await owner.getByLabel('Address of link 1').fill('https://video.example/@founder');
	await expect(chat).toHaveAccessibleDescription(/or a path of this site/u);
	await expect(owner.getByText('or a path of this site'), 'the error is shown once').toHaveCount(1);
	await chat.fill('/contact');
	await openSection(owner, 'Legal texts');
	const refunds = owner.getByRole('textbox', { name: 'Refunds' });
	await expect(refunds).toHaveValue(/^We want nobody to pay for nothing\./u);
	await refunds.fill('Within seven days.\n\nAlways.');
	await expect(owner.getByText('Not yet changed in हिन्दी.')).toBeVisible();
	await expectSaved(owner);
	await publishDraft(owner);
	await visitor.goto('/');
	await expect(visitor.locator('a[href="https://video.example/@founder"]')).toHaveText('YouTube');
	await expect(visitor.locator('footer a[href="/contact"]')).toHaveText('Chat with us');
	await visitor.getByRole('link', { name: 'Refunds' }).click();
	await expect(visitor.getByText('Within seven days.')).toBeVisible();
	await expectNoHorizontalOverflow(visitor);
});

test('a link of any storefront page to a screen for members leads through sign-in to this screen', async ({
	enter,
}) => {
	const email = 'asha@example.com';
	await addUser(product.owner, email);
	const { version } = await product.owner.get<{ version: number }>('/api/contact-info');
	await product.owner.send('PUT', '/api/settings/contact-info', { email: 'help@example.com', phone: '', version });
	const visitor = await enter();
	const withoutScript = await enter({ javaScriptEnabled: false, viewport: phone });
	const expectShown = (page: Page, text: string) =>
		expect(page.locator('body')).toContainText(text, { useInnerText: true });
	for (const path of ['/', '/privacy', '/film/benefits', '/order/none']) {
		for (const page of [visitor, withoutScript]) {
			await page.goto(path);
			await page.evaluate(() => {
				const [link] = document.querySelectorAll('footer a, main a');
				if (link instanceof HTMLAnchorElement) Object.assign(link, { href: '/dashboard/book', innerText: 'Own link' });
			});
			await page.getByRole('link', { name: 'Own link' }).click();
			await expectShown(page, 'Log in to open this page.');
		}
		await expect(visitor.getByRole('link', { name: 'help@example.com' })).toBeVisible();
	}
	await visitor.goto('/refund');
	await visitor.getByRole('link', { name: 'Chat with us' }).click();
	await withoutScript.goto('/refund');
	await withoutScript.getByRole('link', { name: 'Chat with us' }).click();
	for (const page of [visitor, withoutScript]) {
		await expectShown(page, 'The chat is for readers with a login.');
		await expectShown(page, 'help@example.com');
	}
	await expectNoHorizontalOverflow(withoutScript);
	await visitor.getByLabel('Email').fill(email);
	await visitor.getByLabel('Password', { exact: true }).fill(memberPassword);
	await visitor.getByRole('button', { name: 'Login' }).click();
	await expect(visitor).toHaveURL(/\/contact/u);
	await expect(visitor.getByRole('heading', { name: 'Chat' }).first()).toBeVisible();
});

test('a link within the landing page scrolls to the same position with and without its script', async ({ enter }) => {
	const page = await enter({ viewport: phone });
	const release = await holdRequests(page, /\/landing-[^/]*\.js$/u);
	await page.goto('/', { waitUntil: 'commit' });
	const topOf = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
	const book = page.locator('.hero').getByRole('link', { name: 'Get Instant Access' });
	await book.click();
	await expect(page).toHaveURL(/#book$/u);
	await expect(page.locator('.laid-out-later')).not.toHaveCount(0);
	const isInPlace = async () => {
		const top = await topOf('#book');
		return top >= 0 && top <= jumpPx;
	};
	await expect.poll(isInPlace).toBe(true);
	const before = await topOf('#book');

	release();
	await expect(page.locator('.laid-out-later')).toHaveCount(0);
	expect(Math.abs((await topOf('#book')) - before), 'the position stays when the script loads').toBeLessThanOrEqual(1);
	await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
	await book.click();
	await expect.poll(async () => Math.abs((await topOf('#book')) - before)).toBeLessThanOrEqual(1);
});

test('without JavaScript, the menu, anchors and excerpts work, and the language is stored', async ({ enter }) => {
	const page = await enter({ javaScriptEnabled: false, viewport: phone, at: '/' });
	await page.locator('details.menu summary').click();
	await page.locator('.menu-panel').getByRole('link', { name: 'Book' }).click();
	await expect(page).toHaveURL(/#book$/u);
	await expect(page.locator('#book')).toBeInViewport();
	await page.locator('[data-excerpt]').first().click();
	const excerpt = page.getByRole('dialog');
	await expect(excerpt).toBeVisible();
	await excerpt.getByRole('link', { name: 'Close' }).click();
	await expect(excerpt).toBeHidden();

	await page.goto('/privacy');
	await page.getByRole('link', { name: 'हिन्दी' }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'गोपनीयता' })).toBeVisible();
	await page.getByRole('link', { name: 'पुस्तक पर वापस जाएँ' }).click();
	await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
	await expect(page).toHaveURL(/\/$/u);
	await page.goto('/refund');
	await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
	await expectNoHorizontalOverflow(page);
});
