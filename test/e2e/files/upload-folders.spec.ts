import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import type { Node } from '#contract/files/files.ts';
import { button, fileField, uploadsPanel } from '../../support/browser/file-manager-page.ts';
import { signInAgain } from '../../support/browser/forms.ts';
import { expectText, hostJourneys, test, waitForUploadedBytes } from '../../support/browser/journey.ts';
import { addFile, addFolder, addUser, expireSessions } from '../../support/browser/seeding.ts';

const mebibyte = 1024 * 1024;
/** `node scripts/journeys.mjs upload-folders --long` uses 1,000 files, 200 MB and an outage of 30 s. */
const isLong = process.env.FOLIO_UPLOAD_LONG === '1';
const tree = isLong ? { files: 1000, taken: 20 } : { files: 200, taken: 8 };
const largeBytes = (isLong ? 200 : 40) * mebibyte;
const cutMs = isLong ? 30_000 : 2000;

// With --long, two files of 200 MB and the outage take minutes on a busy machine.
test.setTimeout(isLong ? 360_000 : 120_000);

const product = hostJourneys(() => ({ LOG_LEVEL: 'info' }));
const folders: string[] = [];
test.afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'folio-tree-'));
	folders.push(folder);
	return folder;
}

/** Returns all nodes in a folder of a space. The keys are paths of names relative to the folder. */
async function readSpace(owner: string, path = '', before = ''): Promise<Map<string, Node>> {
	const nodes = new Map<string, Node>();
	const { items } = await product.owner.get<{ items: Node[] }>(
		`/api/spaces/${owner}/nodes?limit=1000&path=${encodeURIComponent(path)}`,
	);
	for (const node of items) {
		nodes.set(before + node.name, node);
		if (node.kind === 'folder') {
			const inside = [path, node.realPath].filter(Boolean).join('/');
			for (const [name, inner] of await readSpace(owner, inside, `${before}${node.name}/`)) nodes.set(name, inner);
		}
	}
	return nodes;
}

async function bytesOf(node: Node | undefined): Promise<Buffer> {
	return Buffer.from(await (await product.owner.request(`${node?.url}?download=1`)).arrayBuffer());
}

const chunkOffsets = () =>
	product.server.log.filter(({ msg }) => msg === 'upload chunk').map(({ offset }) => Number(offset));

/** Counts the small files that have arrived in batches. */
const countBatched = () =>
	product.server.log.reduce((sum, { msg, files }) => (msg === 'upload batch' ? sum + Number(files) : sum), 0);

const expectNoProblems = async () =>
	expect(await product.server.cli('fsck')).toMatchObject({ code: 0, output: expect.stringMatching(/ 0 problems/u) });

/** Opens a URL repeatedly until the page has a button that resumes or discards an unfinished upload. */
const openUntilOffered = (page: Page, address: string, button: string) =>
	expect(async () => {
		await page.goto(address);
		await expect(uploadsPanel(page).getByRole('button', { name: button })).toBeVisible({ timeout: 2000 });
	}).toPass();

/** Drops files and folders onto the page, like a user of the system's file manager. */
async function drop(page: Page, paths: string[], onto: { x: number; y: number }): Promise<void> {
	const cdp = await page.context().newCDPSession(page);
	const data = { items: [], files: paths, dragOperationsMask: 1 };
	for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
		await cdp.send('Input.dispatchDragEvent', { type, ...onto, data });
	await cdp.detach();
}

test('a dropped folder tree uploads completely although the server is killed', async ({ enter }) => {
	const { email: owner } = await addUser(product.owner, 'tree@example.com');
	const root = join(await newFolder(), 'Archive');
	const expected = new Map<string, Buffer>();
	await mkdir(join(root, 'nothing in it'), { recursive: true });
	for (let index = 0; index < tree.files; index += 1) {
		const folder = join(`part ${index % 7}`, `bit ${index % 3}`);
		await mkdir(join(root, folder), { recursive: true });
		const bytes = randomBytes(200 + ((index * 37) % 6000));
		await writeFile(join(root, folder, `file ${index}.bin`), bytes);
		expected.set(`Archive/${folder}/file ${index}.bin`, bytes);
	}
	const archive = await addFolder(product.owner, owner, 'archive');
	const part = await addFolder(product.owner, owner, 'part 0', archive.realPath ?? '');
	const bit = await addFolder(product.owner, owner, 'bit 0', `${archive.realPath}/${part.realPath}`);
	const path = [archive, part, bit].map(({ realPath }) => realPath).join('/');
	const taken = [...expected.keys()].filter((name) => name.startsWith('Archive/part 0/bit 0/')).slice(0, tree.taken);
	for (const name of taken) {
		await addFile(product.owner, owner, basename(name).toUpperCase(), Buffer.from('was here'), path);
		expected.set(name, Buffer.from('was here'));
	}

	const page = await enter({ signedInAs: 'owner', at: `/user/${owner}` });
	await expect(page.getByRole('link', { name: 'archive', exact: true })).toBeVisible();
	await page.evaluate(() => {
		const seen = new Set<Element>();
		new MutationObserver(() => {
			for (const toast of document.querySelectorAll('[data-kind="error"]')) seen.add(toast);
			document.body.dataset.toasts = String(seen.size);
		}).observe(document.body, { childList: true, subtree: true });
	});
	await drop(page, [root], { x: 700, y: 800 });
	await expect(uploadsPanel(page).getByRole('progressbar').first()).toBeVisible();
	await expect.poll(countBatched, { intervals: [5] }).toBeGreaterThan(tree.files / 3);
	await product.server.kill();
	expect(await uploadsPanel(page).getByRole('listitem').count()).toBeLessThan(30);
	await expectText(uploadsPanel(page), 'No connection, trying again');
	await product.server.start();
	await expectText(uploadsPanel(page), 'Uploads finished', { timeout: 100_000 });
	await expect(uploadsPanel(page)).toContainText(`${tree.files - tree.taken} done · ${tree.taken} skipped`);
	expect(Number(await page.evaluate(() => document.body.dataset.toasts))).toBe(tree.taken);

	const nodes = await readSpace(owner);
	expect(nodes.get('archive/nothing in it')).toMatchObject({ kind: 'folder', itemCount: 0 });
	const files = new Map(
		[...nodes].filter(([, { kind }]) => kind === 'file').map(([key, node]) => [key.toLowerCase(), node]),
	);
	expect(files.size).toBe(tree.files);
	for (const [name, bytes] of expected)
		expect((await bytesOf(files.get(name.toLowerCase()))).equals(bytes), name).toBe(true);
	await expectNoProblems();
});

test('files dropped onto a folder card, pasted files and a selected folder are uploaded', async ({ enter }) => {
	const { email: owner } = await addUser(product.owner, 'ways@example.com');
	await addFolder(product.owner, owner, 'Card');
	const disk = await newFolder();
	await writeFile(join(disk, 'dropped.txt'), 'dropped');
	await mkdir(join(disk, 'Chosen', 'deeper'), { recursive: true });
	await writeFile(join(disk, 'Chosen', 'deeper', 'leaf.txt'), 'leaf');
	const page = await enter({ signedInAs: 'owner', at: `/user/${owner}` });
	const box = await page.getByRole('link', { name: 'Card', exact: true }).boundingBox();
	await drop(page, [join(disk, 'dropped.txt')], { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 });
	await expectText(uploadsPanel(page), 'Uploads finished');
	await page.evaluate(() => {
		const clipboardData = new DataTransfer();
		clipboardData.items.add(new File(['a picture'], 'image.png', { type: 'image/png' }));
		document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
	});
	await expect(page.getByRole('row').filter({ hasText: /Pasted .*\.png/u })).toHaveCount(1);
	await page.locator('input[type=file][webkitdirectory]').setInputFiles(join(disk, 'Chosen'));
	await expect(page.getByRole('link', { name: 'Chosen', exact: true })).toBeVisible();
	await expect(uploadsPanel(page)).toContainText('3 done');
	const names = [...(await readSpace(owner)).keys()].map((name) => name.replace(/ \d.*(?=\.png)/u, ''));
	expect(names.sort()).toEqual(
		['Card', 'Card/dropped.txt', 'Chosen', 'Chosen/deeper', 'Chosen/deeper/leaf.txt', 'Pasted.png'].sort(),
	);
});

async function writeLarge(name: string): Promise<{ file: string; bytes: Buffer }> {
	const file = join(await newFolder(), name);
	const bytes = randomBytes(largeBytes);
	await writeFile(file, bytes);
	return { file, bytes };
}

async function expectStoredBytes(owner: string, name: string, bytes: Buffer): Promise<void> {
	expect((await bytesOf((await readSpace(owner)).get(name))).equals(bytes)).toBe(true);
	await expectNoProblems();
}

test('a large upload is completed after a lost connection and after another sign-in', async ({ enter }) => {
	const owner = 'cut@example.com';
	const admin = 'second-admin@example.com';
	await addUser(product.owner, owner);
	await addUser(product.owner, admin, 'admin');
	const page = await enter({ signedInAs: admin, at: `/user/${owner}` });
	const cut = await writeLarge('cut.bin');
	await fileField(page).last().setInputFiles(cut.file);
	await waitForUploadedBytes(page, largeBytes / 8);
	await page.context().setOffline(true);
	await expectText(uploadsPanel(page), 'No connection, trying again');
	await sleep(cutMs);
	await page.context().setOffline(false);
	await expectText(uploadsPanel(page), 'Uploads finished');
	await expectStoredBytes(owner, 'cut.bin', cut.bytes);

	const expired = await writeLarge('expired.bin');
	await fileField(page).last().setInputFiles(expired.file);
	await waitForUploadedBytes(page, largeBytes / 8);
	await expireSessions(product.server, admin);
	const dialog = page.getByRole('dialog', { name: 'Sign in again' });
	await dialog.getByLabel('Password', { exact: true }).fill('wrong');
	await button(dialog, 'Login').click();
	await expectText(dialog, 'Login failed. Please check your credentials.');
	await expect(page).toHaveURL(new RegExp(`/user/${owner}$`, 'u'));
	await signInAgain(page, admin);
	await expect(uploadsPanel(page)).toContainText('2 done');
	await expectStoredBytes(owner, 'expired.bin', expired.bytes);
});

test('an unfinished upload of a closed tab can be resumed only with the same file, or discarded', async ({ enter }) => {
	const { email: owner } = await addUser(product.owner, 'closed@example.com');
	const { file, bytes } = await writeLarge('closed.bin');
	const page = await enter({ signedInAs: 'owner', at: `/user/${owner}` });
	await fileField(page).last().setInputFiles(file);
	await waitForUploadedBytes(page, largeBytes / 8);
	await page.close();

	const next = await page.context().newPage();
	await openUntilOffered(next, `/user/${owner}`, 'Discard closed.bin');
	await expectText(uploadsPanel(next), '1 upload is not finished');
	const choose = uploadsPanel(next).locator('input[type=file]');
	const differentFile = join(await newFolder(), 'closed.bin');
	await writeFile(differentFile, Buffer.alloc(10));
	await choose.setInputFiles(differentFile);
	await expect(next.getByRole('alert').filter({ hasText: 'This is not the same file' })).toBeVisible();
	await choose.setInputFiles(file);
	await expectText(uploadsPanel(next), 'Uploads finished');
	expect(chunkOffsets().at(-1)).toBeGreaterThan(0);
	expect([...(await readSpace(owner)).keys()]).toEqual(['closed.bin']);
	await expectStoredBytes(owner, 'closed.bin', bytes);

	const second = await writeLarge('left.bin');
	await utimes(second.file, new Date(), new Date());
	await fileField(next).last().setInputFiles(second.file);
	await waitForUploadedBytes(next, largeBytes / 8);
	await next.close();
	const last = await page.context().newPage();
	await openUntilOffered(last, '/admin', 'Discard left.bin');
	await uploadsPanel(last).getByRole('button', { name: 'Discard left.bin' }).click();
	await expect(uploadsPanel(last)).toHaveCount(0);
	expect(await product.owner.get('/api/uploads')).toMatchObject({ items: [] });
	// With an S3 store, this folder does not exist, so remaining chunks are found only for local files.
	const remaining = await readdir(join(product.server.dataDir, 'uploads')).catch(() => []);
	expect(remaining.filter((name) => !name.endsWith('.json'))).toEqual([]);
	await expectNoProblems();
});

/** Small enough for the storage of a browser without a profile. */
const ownBytes = 40 * mebibyte;

test('one click resumes the upload of a closed tab when the browser has stored the file handle', async ({ enter }) => {
	const { email: owner } = await addUser(product.owner, 'one-click@example.com');
	const page = await enter({ signedInAs: 'owner' });
	// A test cannot use the file dialog. Therefore the picker returns the handle of a file in the browser.
	await page.context().addInitScript(provideFileHandle, { name: 'one click.bin', bytes: ownBytes });
	await page.goto(`/user/${owner}`);
	await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
	await waitForUploadedBytes(page, ownBytes / 8);
	await page.close();

	const next = await page.context().newPage();
	await openUntilOffered(next, `/user/${owner}`, 'Resume one click.bin');
	await uploadsPanel(next).getByRole('button', { name: 'Resume one click.bin' }).click();
	await expectText(uploadsPanel(next), 'Uploads finished');
	expect(chunkOffsets().at(-1)).toBeGreaterThan(0);
	expect([...(await readSpace(owner)).keys()]).toEqual(['one click.bin']);
	await expectStoredBytes(owner, 'one click.bin', Buffer.alloc(ownBytes, 'way'));
	await expect.poll(() => countFileHandles(next)).toBe(0);

	await next.getByRole('button', { name: 'Upload', exact: true }).first().click();
	await expectText(next, 'File one click.bin already exists');
});

/** Runs in each page. The file picker returns a file that it creates in the origin private file system. */
function provideFileHandle({ name, bytes }: { name: string; bytes: number }): void {
	const pick = async () => {
		const folder = await navigator.storage.getDirectory();
		const handle = await folder.getFileHandle(name, { create: true });
		const out = await handle.createWritable();
		await out.write('way'.repeat(Math.ceil(bytes / 3)).slice(0, bytes));
		await out.close();
		return [handle];
	};
	Object.assign(window, { showOpenFilePicker: pick });
}

function countFileHandles(page: Page): Promise<number> {
	return page.evaluate(async () => {
		const resultOf = <T>(request: IDBRequest<T>) =>
			new Promise<T>((resolve, reject) => {
				request.onsuccess = () => resolve(request.result);
				request.onerror = () => reject(request.error);
			});
		const database = await resultOf(indexedDB.open('folio-uploads', 1));
		const count = await resultOf(database.transaction('handles').objectStore('handles').count());
		database.close();
		return count;
	});
}
