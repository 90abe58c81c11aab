import { expect, type Page } from '@playwright/test';
import { canSeeScreen, findScreen, type Screen, screens } from '#contract/core/screens.ts';
import { fillLogin } from '../../support/browser/forms.ts';
import {
	expectFieldError,
	expectText,
	hostJourneys,
	liveUpdateTimeout,
	type OpenPage,
	test,
	waitForEventStream,
} from '../../support/browser/journey.ts';
import { addUser, memberPassword } from '../../support/browser/seeding.ts';
import { readStoredMails } from '../../support/services/received-mails.ts';
import { readMessages } from '../../support/texts/messages.ts';

const product = hostJourneys();
const messages = readMessages('core/common', 'en');

type Visitor = 'anonymous' | 'member' | 'admin';
const member = 'member@example.com';

test.beforeAll(() => addUser(product.owner, member));

const pathOf = ({ path }: Screen) =>
	path.replace('$email', member).replace('$edition', 'part-1-en').replace('$id', 'AAAAAAAAAAAAAAAAAAAAAA');

/** Returns the path to which the contract redirects the visitor from this screen. */
function destinationOf(screen: Screen, visitor: Visitor): string {
	const path = pathOf(screen);
	if (visitor === 'anonymous') {
		if (screen.role === 'public') return path;
		return screen.anonymous ?? '';
	}
	const role = visitor === 'admin' ? 'admin' : 'user';
	if (path === '/login') return role === 'admin' ? '/admin' : '/dashboard';
	return canSeeScreen(screen, role) ? path : (screen.denied ?? '');
}

function enterAs(enter: OpenPage, visitor: Visitor): Promise<Page> {
	if (visitor === 'anonymous') return enter();
	return enter({ signedInAs: visitor === 'admin' ? 'owner' : member });
}

async function expectScreen(page: Page, path: string): Promise<void> {
	await expect(page).toHaveURL((url) => url.pathname.toLowerCase() === path.toLowerCase());
	const screen = findScreen(path);
	if (screen === undefined) throw new Error(`${path} is no screen.`);
	if (path === '/') {
		await expect(page.getByRole('heading', { level: 1, name: 'Build Your Empire 1.0' })).toBeVisible();
		return;
	}
	await expect(page).toHaveTitle(`${messages(screen.heading)} · Folio`);
	const heading = {
		'/user/$email': member,
		'/read/$edition': /no access to this book|edition is not available/u,
		'/read/file/$id': 'You cannot read this file',
	}[screen.path];
	const name = heading ?? messages(screen.heading);
	await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
}

/** Every second URL is in capitals, because the paths of screens ignore case. */
const addresses = screens.map((screen, index) => {
	const path = pathOf(screen);
	return { screen, address: index % 2 === 0 ? path : path.toUpperCase() };
});

test('each URL opens the screen that the contract specifies for an anonymous visitor', { tag: '@variant' }, async ({
	enter,
}) => {
	const page = await enter();
	for (const { screen, address } of addresses) {
		await test.step(address, async () => {
			await page.goto(address, { waitUntil: 'commit' });
			await expectScreen(page, destinationOf(screen, 'anonymous'));
		});
	}
});

/** Opens a URL without loading the page, like a link in the app. */
async function moveTo(page: Page, address: string): Promise<void> {
	await page.evaluate((to) => {
		history.pushState({}, '', to);
		dispatchEvent(new PopStateEvent('popstate'));
	}, address);
}

for (const visitor of ['member', 'admin'] as const) {
	test(`each URL opened inside the app shows the screen that the contract specifies for the role ${visitor}`, async ({
		enter,
	}) => {
		const page = await enterAs(enter, visitor);
		await page.goto('/forget');
		for (const { screen, address } of addresses.filter(({ address }) => address !== '/')) {
			await test.step(address, async () => {
				await moveTo(page, address);
				await expectScreen(page, destinationOf(screen, visitor));
			});
		}
		await moveTo(page, '/');
		await expectScreen(page, '/');
	});
}

test("unknown URLs return 404 and show 'Page Not Found' to visitors, members and admins", async ({ enter }) => {
	for (const visitor of ['anonymous', 'member', 'admin'] as const) {
		const page = await enterAs(enter, visitor);
		for (const path of ['//admin', '/admin//credentials', '/nowhere']) {
			const answer = await page.goto(`${product.server.url}${path}`);
			expect(answer?.status()).toBe(404);
			await expectText(page, 'Page Not Found');
		}
		const linkName = visitor === 'anonymous' ? 'Go to the home page' : 'Go to the first screen';
		await page.getByRole('link', { name: linkName }).click();
		await expectScreen(page, { anonymous: '/', member: '/dashboard', admin: '/admin' }[visitor]);
	}
});

test('a refused login shows the reason and keeps the entered email and password', async ({ enter }) => {
	const { id } = await addUser(product.owner, 'sent-off@example.com');
	await product.owner.send('POST', `/api/users/${id}/active`, { active: false });
	const page = await enter({ at: '/login' });
	const typedEmail = page.getByLabel('Email');
	const typedPassword = page.getByLabel('Password', { exact: true });
	for (const [email, password] of [
		['nobody@example.com', 'wrong one'],
		["x'--@example.com", '<img src=x onerror=alert(1)>'],
		['sent-off@example.com', '🧑🏽‍🌾 🙂'],
	] as const) {
		await fillLogin(page, email, password);
		await expectText(page, 'Login failed. Please check your credentials.');
		await expect(typedEmail).toHaveValue(email);
		await expect(typedPassword).toHaveValue(password);
	}
	const longEmail = `${'x'.repeat(10_001)}@example.com`;
	await fillLogin(page, longEmail, memberPassword);
	await expectFieldError(typedEmail, 'This is too long.');
	await expect(typedEmail).toHaveValue(longEmail);
	await fillLogin(page, member, 'p'.repeat(1001));
	await expectFieldError(typedPassword, 'This is too long.');

	await fillLogin(page, 'sent-off@example.com', memberPassword);
	await expectText(page, 'Your account has been deactivated. Contact admin.');
	expect((await page.request.get('/api/me')).status()).toBe(401);

	await fillLogin(page, member, memberPassword);
	await expectScreen(page, '/dashboard');
});

test('deactivating a user closes the open screens of the user', async ({ enter }) => {
	const { id } = await addUser(product.owner, 'deactivated@example.com');
	const page = await enter({ signedInAs: 'deactivated@example.com' });
	const otherTab = await page.context().newPage();
	const isListening = waitForEventStream(page);
	await page.goto('/dashboard');
	await expect(page.getByText('This folder is empty.').first()).toBeVisible();
	await isListening;
	await otherTab.goto('/contact');
	await expectScreen(otherTab, '/contact');

	await product.owner.send('POST', `/api/users/${id}/active`, { active: false });
	await expectText(page, 'Access denied: Your account is deactivated.', liveUpdateTimeout);
	await expect(page).toHaveURL('/login?reason=deactivated');
	await expectText(otherTab, 'Your account is not active.');
	await expect(otherTab).toHaveURL('/contact');

	for (const path of ['/dashboard/book', '/read/part-1-en', '/admin', '/Bookdashboard']) {
		const answer = await page.goto(path);
		expect(answer?.status()).toBe(403);
		await expectText(page, 'Your account is not active.');
	}
	await page.goto('/dashboard');
	await expect(page).toHaveURL('/login?reason=deactivated');
	await expectText(page, 'Access denied: Your account is deactivated.');
	expect((await page.request.get('/api/me')).status()).toBe(403);
});

test('logging out in one tab shows the login in the other tab', async ({ enter }) => {
	const page = await enter({ signedInAs: member, at: '/dashboard' });
	const otherTab = await page.context().newPage();
	await otherTab.goto('/contact');
	await expectScreen(otherTab, '/contact');

	await page.getByRole('button', { name: 'Account menu' }).click();
	await page.getByRole('menuitem', { name: 'Logout' }).click();
	await expectScreen(page, '/login');
	await expectScreen(otherTab, '/login');
	expect((await page.request.get('/api/me')).status()).toBe(401);
	await page.goto('/dashboard');
	await expectScreen(page, '/');
});

test('visitors and signed-in members change the language to Hindi and back', async ({ enter }) => {
	const page = await enter({ signedInAs: member, at: '/dashboard' });
	await page.getByRole('button', { name: 'Account menu' }).click();
	await page.getByRole('menuitemradio', { name: 'हिन्दी' }).click();
	await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\p{Script=Devanagari}/u);
	await page.goto('/unauthorized');
	await page.getByRole('button', { name: 'English' }).click();
	await expect(page.locator('html')).toHaveAttribute('lang', 'en');
	await expect(page.getByRole('heading', { level: 1, name: 'Unauthorized' })).toBeVisible();

	const visitor = await enter({ at: '/' });
	await visitor.getByRole('link', { name: 'हिन्दी' }).first().click();
	await expect(visitor.locator('html')).toHaveAttribute('lang', 'hi');
	await visitor.goto('/login');
	await visitor.getByLabel(/ईमेल/u).fill('nobody@example.com');
	await expect(visitor.locator('html')).toHaveAttribute('lang', 'hi');
	await visitor.goto('/');
	await visitor.getByRole('link', { name: 'English' }).first().click();
	await expect(visitor.getByRole('button', { name: 'Submit Details' })).toBeVisible();
});

test('the mailed link for a forgotten password can set a new password only once', async ({ enter }) => {
	const email = 'forgetful@example.com';
	await addUser(product.owner, email);
	const page = await enter({ at: '/login' });
	await page.getByRole('link', { name: 'Forgot password?' }).click();
	await expectScreen(page, '/forget');
	await page.getByLabel('Email').fill(`${'x'.repeat(10_001)}@example.com`);
	await page.getByRole('button', { name: 'Send Reset Email' }).click();
	await expectFieldError(page.getByLabel('Email'), 'This is too long.');
	for (const address of ['nobody@example.com', email]) {
		await page.getByLabel('Email').fill(address);
		const answered = page.waitForResponse((response) => response.url().endsWith('/request-reset'));
		await page.getByRole('button', { name: 'Send Reset Email' }).click();
		expect((await answered).status()).toBe(200);
		await expectText(page, 'Password reset email sent. Please check your inbox and spam folder.');
	}
	const mailTo = async () => (await readStoredMails(product.server.dataDir)).find(({ to }) => to === email);
	await expect.poll(mailTo).toBeDefined();
	const link = (await mailTo())?.link ?? '';

	const secondTab = await enter({ at: link });
	await secondTab.getByLabel('New password').fill('too late');
	await page.goto(link);
	await page.getByLabel('New password').fill('short');
	await page.getByRole('button', { name: 'Set password' }).click();
	await expectText(page, '❌ Password must be at least 6 characters.');
	await expect(page.getByLabel('New password')).toHaveValue('short');
	await page.getByLabel('New password').fill('one of my own');
	await page.getByRole('button', { name: 'Set password' }).click();
	await expectText(page, 'Your password is set. Log in with it now.');
	await fillLogin(page, email, 'one of my own');
	await expectScreen(page, '/dashboard');

	const isUsed = 'This link has been used or has expired. Ask for a new one.';
	await secondTab.getByRole('button', { name: 'Set password' }).click();
	await expectText(secondTab, isUsed);
	await secondTab.reload();
	await expectText(secondTab, isUsed);
	await expect(secondTab.getByLabel('New password')).toHaveCount(0);
	expect((await secondTab.request.post('/api/sign-in', { data: { email, password: memberPassword } })).status()).toBe(
		401,
	);
});
