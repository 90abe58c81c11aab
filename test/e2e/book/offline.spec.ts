import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { ReadingPosition } from '#contract/book/reading.ts';
import { signInElsewhere } from '../../support/browser/forms.ts';
import { hostJourneys, test } from '../../support/browser/journey.ts';
import { addSampleEditions, drawnPage, goToPage, sampleEdition } from '../../support/browser/reader-page.ts';
import { addFile, addReader, findNode, memberPassword, saveBook } from '../../support/browser/seeding.ts';
import { builtDist, startBuiltServer } from '../../support/services/built-server.ts';
import { signInOwner } from '../../support/services/server-client.ts';

const product = hostJourneys();
/** A build must be in a folder of the repository, because the build needs the packages of the repository. */
const work = resolve(import.meta.dirname, '..', '..', '..', '.stamp');
const members: Record<string, string> = {};

test.beforeAll(async () => {
	await addSampleEditions(product.owner, ['part-1-en']);
	for (const name of ['asha', 'ravi', 'meera', 'kiran', 'tara'])
		members[name] = await addReader(product.owner, `${name}@example.com`);
});

async function saveForOffline(page: Page): Promise<void> {
	await page.goto('/dashboard');
	await page.getByRole('button', { name: /^Keep on this device/u }).click();
	await expect(page.getByText(/^Kept on this device/u)).toBeVisible();
}

/**
 * Returns the offline data on the device. Empty caches are ignored, because Chromium creates a deleted cache again to
 * store compiled scripts.
 */
const leftOn = (page: Page) =>
	page.evaluate(async () => {
		const folder = await navigator.storage.getDirectory();
		const files: string[] = [];
		for await (const name of folder.keys()) files.push(name);
		const workers = await navigator.serviceWorker.getRegistrations();
		const filled: string[] = [];
		for (const name of await caches.keys()) if ((await (await caches.open(name)).keys()).length > 0) filled.push(name);
		return { caches: filled, files, workers: workers.length };
	});
const nothing = { caches: [], files: [], workers: 0 };

/** Logs out from a screen that has the account menu, and waits until all offline data is deleted. */
async function logOut(page: Page): Promise<void> {
	await page
		.getByRole('button', { name: /^Account menu/u })
		.first()
		.click();
	await page.getByRole('menuitem', { name: 'Logout' }).click();
	await expect(page).toHaveURL(/\/login/u);
	await expect.poll(() => leftOn(page)).toEqual(nothing);
}

const drawn = (page: Page, number: number) => expect(drawnPage(page, number).first()).toBeVisible();

async function openFirstPage(page: Page): Promise<void> {
	await page.goto('/read/part-1-en');
	await drawn(page, 1);
}

/** Returns the page number of the saved reading position, and the number of saved annotations. */
async function readSaved(page: Page): Promise<{ page: number | undefined; marks: number }> {
	const answer = await page.request.get('/api/reading/part-1-en');
	const { place, marks }: { place: ReadingPosition | null; marks: object[] } = await answer.json();
	return { page: place?.page, marks: marks.length };
}

test('no service worker runs before an edition is saved, and admins cannot save editions', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	for (const address of ['/', '/dashboard']) {
		await page.goto(address);
		expect(await leftOn(page)).toEqual(nothing);
	}
	const worker = await page.request.get('/offline.js');
	expect(worker.headers()).toMatchObject({
		'cache-control': 'no-cache',
		'content-type': expect.stringContaining('javascript'),
		'content-security-policy': expect.stringContaining("default-src 'none'"),
	});
	for (const name of ['icon-192', 'icon-512', 'icon-maskable-512', 'apple-touch-icon'])
		expect((await page.request.get(`/${name}.png`)).headers()['content-type'], name).toBe('image/png');
	await expect(page.getByRole('link', { name: /^(?:Read|Continue reading)$/u })).toBeVisible();
	await expect(page.getByRole('button', { name: /^Keep on this device/u })).toHaveCount(0);
});

test('an offline copy can be read, searched and annotated, and the changes sync when online again', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'asha@example.com' });
	await saveForOffline(page);
	await openFirstPage(page);

	await product.server.kill();
	await page.context().setOffline(true);
	await page.goto('/dashboard');
	await page.getByRole('link', { name: /^(?:Read|Continue reading)$/u }).click();
	await drawn(page, 1);
	await page.reload();
	await drawn(page, 1);
	await expect(page.getByText('No connection. What is kept on this device can be read.')).toBeVisible();
	await goToPage(page, 20);
	await page.keyboard.press('/');
	await page.getByRole('searchbox', { name: 'Search in the book' }).fill('the');
	await expect(page.getByText(/places found/u)).toBeVisible();
	await page.locator('main').focus();
	await page.getByRole('button', { name: 'Bookmark this page' }).click();
	await expect(page.getByRole('button', { name: 'Remove the bookmark' })).toBeVisible();
	await page.reload();
	await drawn(page, 20);
	await expect(page.getByRole('button', { name: 'Remove the bookmark' })).toBeVisible();

	await page.context().setOffline(false);
	await product.server.start();
	await expect.poll(() => readSaved(page).catch(() => null)).toEqual({ page: 20, marks: 1 });
	const unsent = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('reading-unsent')));
	await expect.poll(unsent).toEqual([]);

	await page.goto('/dashboard');
	await logOut(page);
});

test('an offline logout deletes the offline copy at once, and ends the session when online again', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'ravi@example.com' });
	await saveForOffline(page);
	await page.goto('/dashboard');
	await page.context().setOffline(true);
	await logOut(page);
	await page.context().setOffline(false);
	await page.goto('/dashboard');
	await expect.poll(async () => (await page.request.get('/api/me')).status()).toBe(401);
});

test('the offline copy is deleted when access or the session ends, or another user signs in', async ({ enter }) => {
	const page = await enter({ signedInAs: 'meera@example.com' });
	await saveForOffline(page);
	await page.goto('/');
	await page.context().setOffline(true);
	await product.owner.send('PUT', `/api/users/${members.meera}/book-grant`, { isGranted: false });
	await openFirstPage(page);
	await page.context().setOffline(false);
	await page.reload();
	await expect(page.getByText('You have no access to this book')).toBeVisible();
	await expect.poll(() => leftOn(page)).toEqual(nothing);

	await product.owner.send('PUT', `/api/users/${members.meera}/book-grant`, { isGranted: true });
	await saveForOffline(page);
	await signInElsewhere(page, 'kiran@example.com');
	await openFirstPage(page);
	await expect.poll(() => leftOn(page)).toEqual(nothing);
	await saveForOffline(page);

	// The session ends outside the app, and the server redirects the next page before the app can load.
	await page.goto('/privacy');
	await page.request.post('/api/sign-out', { data: {} });
	await page.goto('/dashboard');
	await expect(page).toHaveURL(/\/(?:login.*)?$/u);
	await expect.poll(() => leftOn(page)).toEqual(nothing);
});

/** Starts a server that responds like a proxy or a captive portal at the URL of the stopped server. */
async function answerInPlaceOfServer(status: number, location?: string): Promise<() => Promise<void>> {
	const server = createServer(({ url }, response) => {
		const own = { 'content-type': 'text/html', connection: 'close', 'x-stand-in': '1' };
		response.writeHead(url === location ? 200 : status, { ...own, ...(location && { location }) });
		response.end('<h1>Not now</h1>');
	});
	await once(server.listen(Number(new URL(product.url).port), '127.0.0.1'), 'listening');
	return async () => {
		server.closeAllConnections();
		await new Promise((done) => server.close(done));
	};
}

test('the offline copy remains while a proxy or a captive portal responds instead of the server', async ({ enter }) => {
	const page = await enter({ signedInAs: 'tara@example.com' });
	await saveForOffline(page);

	await product.server.kill();
	let leave = await answerInPlaceOfServer(502);
	await openFirstPage(page);
	await page.getByRole('button', { name: 'Bookmark this page' }).click();
	await expect(page.getByRole('button', { name: 'Remove the bookmark' })).toBeVisible();
	await leave();
	leave = await answerInPlaceOfServer(302, '/network');
	// After a slow response, the service worker waits only half a second for the next one before it shows the kept screen.
	await expect(async () => {
		await page.goto('/dashboard');
		await expect(page).toHaveURL(/\/network$/u, { timeout: 2000 });
	}).toPass();
	await leave();
	await product.server.start();
	await page.goto('/dashboard');
	await expect(page.getByText(/^Kept on this device/u)).toBeVisible();
	// Any screen sends the queued bookmark, not only the reader.
	await expect.poll(() => readSaved(page).catch(() => null)).toMatchObject({ marks: 1 });

	await product.server.kill();
	leave = await answerInPlaceOfServer(502);
	await logOut(page);
	await leave();
	await product.server.start();
	await page.goto('/dashboard');
	await expect(page).not.toHaveURL(/\/dashboard/u);
	await expect.poll(async () => (await page.request.get('/api/me')).status()).toBe(401);
});

test('an incomplete offline copy cannot be opened offline, and its download continues online', async ({ enter }) => {
	const page = await enter({ signedInAs: 'ravi@example.com', at: '/dashboard' });
	const cut = /\/api\/editions\//u;
	await page.context().route(cut, (route) => route.abort());
	await page.getByRole('button', { name: /^Keep on this device/u }).click();
	await expect(page.getByRole('button', { name: /^Go on keeping/u })).toBeVisible();
	await page.context().setOffline(true);
	await expect(page.goto('/dashboard')).rejects.toThrow(/ERR_/u);
	await page.context().setOffline(false);
	await page.context().unroute(cut);
	await page.goto('/dashboard');
	await expect(page.getByText(/^Kept on this device/u)).toBeVisible();
	await page.getByRole('button', { name: 'Remove from this device' }).click();
	await expect.poll(() => leftOn(page)).toEqual(nothing);
});

test('saving an offline copy when the storage is full shows an error and leaves no partial copy', async ({ enter }) => {
	const page = await enter({ signedInAs: 'ravi@example.com', at: '/dashboard' });
	const refusals = [
		() => {
			navigator.storage.estimate = async () => ({ quota: 1_000_000, usage: 0 });
		},
		() => {
			navigator.storage.estimate = async () => ({});
			const { put } = Cache.prototype;
			Cache.prototype.put = async function (request, response) {
				if (String(request).includes('piece=')) throw new DOMException('Full', 'QuotaExceededError');
				return put.call(this, request, response);
			};
		},
	];
	for (const refuse of refusals) {
		await page.reload();
		await page.evaluate(refuse);
		await page.getByRole('button', { name: /^Keep on this device/u }).click();
		await expect(page.getByText(/^There is not enough room on this device/u)).toBeVisible();
		await expect(page.getByRole('button', { name: /^Keep on this device/u })).toBeVisible();
		await expect.poll(() => leftOn(page)).toEqual(nothing);
	}
});

test('a new watermarked copy replaces the offline copy', async ({ enter }) => {
	const page = await enter({ signedInAs: 'ravi@example.com' });
	await saveForOffline(page);
	const piecesOn = () =>
		page.evaluate(async () => {
			const name = (await caches.keys()).find((each) => each.startsWith('folio-kept-')) ?? '';
			const requests = await (await caches.open(name)).keys();
			return requests.map(({ url }) => new URL(url).searchParams.get('v')).filter((version) => version !== null);
		});
	const before = new Set(await piecesOn());
	expect(before.size).toBe(1);
	await addFile(product.owner, 'book', 'second.pdf', await sampleEdition('part-2-en'));
	const second = await findNode(product.owner, 'book', 'second.pdf');
	await saveBook(product.owner, [{ key: 'part-1-en', fileId: second.id }]);
	await expect.poll(async () => (await piecesOn()).some((version) => !before.has(version))).toBe(true);
	await expect(page.getByText(/^Kept on this device/u)).toBeVisible();
	const after = new Set(await piecesOn());
	expect(after.size).toBe(1);
	expect([...after].some((version) => before.has(version))).toBe(false);
	await product.server.kill();
	await openFirstPage(page);
	await product.server.start();
});

test('after a deployment, the new build of the app loads online and offline', async ({ browser }) => {
	const dist = await mkdtemp(join(work, 'deploy-'));
	await cp(builtDist, dist, { recursive: true });
	const server = await startBuiltServer({ dist, env: { RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'warn' } });
	const context = await browser.newContext({ baseURL: server.url });
	try {
		const owner = await signInOwner(server.url);
		await addSampleEditions(owner, ['part-1-en']);
		await addReader(owner, 'asha@example.com');
		await context.request.post('/api/sign-in', { data: { email: 'asha@example.com', password: memberPassword } });
		const page = await context.newPage();
		await page.goto('/dashboard');
		await page.getByRole('button', { name: "Let's begin" }).click();
		await saveForOffline(page);
		const before = await page.evaluate(() => caches.keys());

		await server.kill();
		await deployAnother(dist);
		await server.start();
		await page.goto('/dashboard');
		expect(await page.evaluate(() => Reflect.get(globalThis, 'isNewBuild'))).toBe(true);
		await expect
			.poll(async () => (await page.evaluate(() => caches.keys())).filter((name) => name.startsWith('folio-shell-')))
			.toEqual([expect.stringMatching(/new$/u)]);
		expect(before.filter((name) => name.startsWith('folio-shell-'))).toHaveLength(1);

		await server.kill();
		await openFirstPage(page);
		expect(await page.evaluate(() => Reflect.get(globalThis, 'isNewBuild'))).toBe(true);
	} finally {
		await context.close();
		await server.close();
		await rm(dist, { recursive: true, force: true });
	}
});

/** Changes a build. Its entry gets another name and sets a flag, and its precache gets another hash. */
async function deployAnother(dist: string): Promise<void> {
	const web = join(dist, 'web');
	const manifest = JSON.parse(await readFile(join(web, '.vite/manifest.json'), 'utf8'));
	const entry: string = manifest['src/web/app/main.tsx'].file.replace('assets/', '');
	const renamed = entry.replace(/-[\w-]{8}\.js$/u, '-anewhash.js');
	const worker = await readFile(join(web, 'offline.js'), 'utf8');
	const hash = /"?hash"?:[`"'](?<hash>[\da-f]{12})[`"']/u.exec(worker)?.groups?.hash ?? '';
	for (const name of await readdir(web, { recursive: true })) {
		const file = join(web, name);
		if (/\.(?:br|gz)$/u.test(name)) await rm(file);
		else if (/(?:\.js|\.css|manifest\.json)$/u.test(name)) {
			const text = await readFile(file, 'utf8');
			await writeFile(file, text.replaceAll(entry, renamed).replaceAll(hash, `${hash}new`));
		}
	}
	const moved = join(web, 'assets', renamed);
	await rename(join(web, 'assets', entry), moved);
	await writeFile(moved, `globalThis.isNewBuild = true;\n${await readFile(moved, 'utf8')}`);
}
