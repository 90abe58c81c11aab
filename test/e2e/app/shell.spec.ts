import { expect } from '@playwright/test';
import type { Node } from '#contract/files/files.ts';
import { openBookSettings } from '../../support/browser/forms.ts';
import { holdRequests, hostJourneys, test, waitForEventStream } from '../../support/browser/journey.ts';
import { addFile, addUser } from '../../support/browser/seeding.ts';

const product = hostJourneys();

test('a slow screen shows a loading status, and a lost connection shows a message', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	const release = await holdRequests(page, /^\/api\/me$/u);
	await page.route('**/api/events*', (route) => route.abort());
	await page.goto('/admin');
	await expect(page.getByRole('status').filter({ hasText: 'Loading…' })).toBeVisible();
	release();
	await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
	await expect(page.getByText('Loading…', { exact: true })).toHaveCount(0);

	const lost = page.getByText('Connection lost, trying again…');
	await expect(lost).toBeVisible();
	await page.unroute('**/api/events*');
	await expect(lost).toHaveCount(0);
});

test('an event stream that opens late does not make the screen request its data twice', async ({ enter }) => {
	const listed = 'meera@example.com';
	await addUser(product.owner, listed);
	const page = await enter({ signedInAs: 'owner' });
	await page.addInitScript(() => {
		const { request } = LockManager.prototype;
		LockManager.prototype.request = function (
			this: LockManager,
			name: string,
			options: object,
			callback: LockGrantedCallback<unknown>,
		) {
			const delayedCallback = async (lock: Lock | null) => {
				await new Promise((resolve) => setTimeout(resolve, 1500));
				return callback(lock);
			};
			return Reflect.apply(request, this, [name, options, delayedCallback]);
		} as typeof request;
	});
	const requests: string[] = [];
	page.on('request', (sent) => {
		const { pathname, search } = new URL(sent.url());
		if (sent.method() === 'GET' && pathname.startsWith('/api/')) requests.push(pathname + search);
	});
	const stream = waitForEventStream(page);
	await page.goto('/admin');
	await expect(page.getByText(listed).first()).toBeVisible();
	await stream;
	expect(requests.length).toBeGreaterThan(1);
	expect(requests.filter((url, index) => requests.indexOf(url) !== index)).toEqual([]);
});

test('closing unsaved book settings with Escape or the Close button asks for confirmation', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	const settings = await openBookSettings(page);
	const question = page.getByRole('dialog', { name: 'Leave without saving?' });
	await settings.getByLabel('Book title').fill('Another title');
	for (const close of [
		() => page.keyboard.press('Escape'),
		() => settings.getByRole('button', { name: 'Close' }).click(),
	]) {
		await close();
		await expect(question).toBeVisible();
		await page.keyboard.press('Escape');
		await expect(question).toBeHidden();
		await expect(settings.getByLabel('Book title')).toHaveValue('Another title');
	}
	await page.keyboard.press('Escape');
	await question.getByRole('button', { name: 'Leave' }).click();
	await expect(settings).toBeHidden();
	await page.getByRole('button', { name: 'Book Dashboard' }).click();
	await expect(settings.getByLabel('Book title')).toHaveValue('Build Your Empire');
	await page.keyboard.press('Escape');
	await expect(settings).toBeHidden();
});

test('a menu opens with the first key press while its scripts load, and returns the focus', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	const release = await holdRequests(page, /\/mantine-overlays-[^/]*\.js$/u);
	await page.goto('/Bookdashboard');
	const button = page.getByRole('button', { name: 'Account menu' });
	await button.focus();
	await page.keyboard.press('Enter');
	await expect(button).toHaveAttribute('aria-expanded', 'true');
	await expect(button).toBeFocused();
	release();
	await expect(page.locator('[role=menu]:focus, [role=menu] :focus')).toHaveCount(1);
	await page.keyboard.press('ArrowDown');
	await expect(page.locator('[role=menu] [role^=menuitem]:focus')).toHaveCount(1);
	await page.keyboard.press('Escape');
	await expect(page.getByRole('menu')).toHaveCount(0);
	await expect(button).toBeFocused();
	await button.click();
	await button.click();
	await expect(page.getByRole('menu')).toHaveCount(0);
});

test('a dialog shows that it is loading and holds the focus, and says why it cannot be loaded', async ({ enter }) => {
	const page = await enter({ at: '/Bookdashboard', signedInAs: 'owner' });
	const scripts = /\/book-settings-dialog-[^/]*\.js$/u;
	const button = page.getByRole('button', { name: 'Book Dashboard' });
	const loading = page.getByRole('dialog', { name: 'Loading…' });

	const release = await holdRequests(page, scripts);
	await button.click();
	await expect(loading).toBeFocused();
	await page.keyboard.press('Tab');
	await expect(loading).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(loading).toHaveCount(0);
	await expect(button).toBeFocused();
	release();

	await test.step('the server was upgraded: the page offers a reload', async () => {
		await page.route(scripts, (route) => route.fulfill({ status: 404 }));
		await page.reload();
		await button.click();
		const toast = page.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded' });
		await expect(toast).toBeVisible();
		await expect(button).toBeFocused();
		await page.unroute(scripts);
		await toast.getByRole('button', { name: 'Reload' }).click();
		await expect(toast).toHaveCount(0);
		await button.click();
		await expect(page.getByRole('dialog').getByLabel('Book title')).toBeVisible();
	});
	await test.step('the scripts of all menus and toasts are missing', async () => {
		const overlays = /\/mantine-overlays-[^/]*\.js$/u;
		await page.route(overlays, (route) => route.fulfill({ status: 404 }));
		await page.reload();
		await page.getByRole('button', { name: 'Account menu' }).click();
		await expect(page.getByRole('alert').getByRole('button', { name: 'Reload' })).toBeVisible();
		await page.unroute(overlays);
	});
	await test.step('no connection', async () => {
		await page.reload();
		// The menu shows that the scripts of overlays have been loaded: one that fails halfway can be had only by a reload.
		await page.getByRole('button', { name: 'Account menu' }).click();
		await expect(page.getByRole('menu')).toBeVisible();
		await page.keyboard.press('Escape');
		await page.context().setOffline(true);
		await button.click();
		await expect(page.getByRole('alert').filter({ hasText: 'No connection to the server' })).toBeVisible();
		await page.context().setOffline(false);
		await button.click();
		await expect(page.getByRole('dialog').getByLabel('Book title')).toBeVisible();
	});
});

test('toasts are shown for 4000 ms, or 2000 ms for a success, and at most 20 at once', async ({ enter }) => {
	const email = 'toasts@example.com';
	await addUser(product.owner, email);
	const file = { name: 'taken.txt', mimeType: 'text/plain', buffer: Buffer.from('taken') };
	await addFile(product.owner, email, file.name, file.buffer);
	await addFile(product.owner, email, 'trashed.txt', file.buffer);
	const { items } = await product.owner.get<{ items: Node[] }>(`/api/spaces/${email}/nodes?search=trashed`);
	await product.owner.request(`/api/nodes/${items[0]?.id}`, { method: 'DELETE' });

	const page = await enter({ signedInAs: 'owner' });
	await page.clock.install();
	await page.goto(`/user/${email}`);
	const choose = page.locator('input[type=file]:not([webkitdirectory])').last();
	await choose.waitFor({ state: 'attached' });
	await page.clock.pauseAt(Date.now() + 60_000);
	const toasts = page.locator('[data-kind]');
	// The test advances the clock in small steps, so that no toast expires during a slow upload.
	const advanceClockUntil = (isReached: () => Promise<boolean>) =>
		expect(async () => {
			await page.clock.runFor(10);
			expect(await isReached()).toBe(true);
		}).toPass({ intervals: [1] });
	const expectToDisappearAfter = async (ms: number) => {
		await page.clock.runFor(ms - 100);
		await expect(toasts).toHaveCount(1);
		// The closing transition takes additional time.
		await page.clock.runFor(600);
		await expect(toasts).toHaveCount(0);
	};

	await choose.setInputFiles([file]);
	await advanceClockUntil(async () => (await toasts.count()) === 1);
	await expect(toasts).toHaveText('File taken.txt already exists');
	await page.clock.runFor(500);
	const box = await toasts.boundingBox();
	expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1400);
	expect(box?.y).toBeLessThan(80);
	// The toast must not cover the top bar.
	expect(box?.y).toBeGreaterThan(56);
	await expectToDisappearAfter(3500);

	await choose.setInputFiles(Array<typeof file>(21).fill(file));
	await advanceClockUntil(async () => (await toasts.count()) === 20);
	await choose.setInputFiles(Array<typeof file>(4).fill(file));
	await advanceClockUntil(async () => (await page.getByText(/26 skipped/u).count()) > 0);
	await page.clock.runFor(200);
	await expect(toasts).toHaveCount(20);
	// The pointer keeps only the toast below it, and the other toasts expire.
	const firstBox = await toasts.first().boundingBox();
	await page.mouse.move((firstBox?.x ?? 0) + 20, (firstBox?.y ?? 0) + 20);
	await advanceClockUntil(async () => {
		await page.clock.runFor(1000);
		return (await toasts.count()) === 1;
	});
	await page.mouse.move(400, 500);
	await advanceClockUntil(async () => {
		await page.clock.runFor(1000);
		return (await toasts.count()) === 0;
	});

	await page.goto(`/user/${email}?trash`);
	await advanceClockUntil(async () => (await page.getByRole('button', { name: 'Restore trashed.txt' }).count()) === 1);
	await page.getByRole('button', { name: 'Restore trashed.txt' }).click();
	await advanceClockUntil(async () => (await toasts.count()) === 1);
	await expect(toasts).toHaveAttribute('data-kind', 'success');
	await expectToDisappearAfter(2000);
});
