import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import type { Node } from '#contract/files/files.ts';
import { button, fileField, fileNames, uploadsPanel } from '../../support/browser/file-manager-page.ts';
import { expectText, hostJourneys, test, waitForUploadedBytes } from '../../support/browser/journey.ts';
import { addFile, addFolder, addUser, expireSessions, memberPassword } from '../../support/browser/seeding.ts';

const mebibyte = 1024 * 1024;
/** `node scripts/journeys.mjs upload-folders --long` uses 1,000 files, 200 MB and an outage of 30 s. */
const isLong = process.env.FOLIO_UPLOAD_LONG === '1';
const tree = isLong ? { files: 1000, taken: 20 } : { files: 200, taken: 8 };
const largeBytes = (isLong ? 200 : 40) * mebibyte;
const cutMs = isLong ? 30_000 : 2000;

// Two files of 200 MB and an outage of half a minute take long on a busy machine.
test.setTimeout(isLong ? 360_000 : 120_000);

const world = hostJourneys(() => ({ LOG_LEVEL: 'info' }));
const folders: string[] = [];
test.afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'folio-tree-'));
	folders.push(folder);
	return folder;
}

/** Returns all nodes below a folder of a space, by their path of names from there. */
async function readSpace(owner: string, path = '', before = ''): Promise<Map<string, Node>> {
	const found = new Map<string, Node>();
	const { items } = await world.owner.get<{ items: Node[] }>(
		`/api/spaces/${owner}/nodes?limit=1000&path=${encodeURIComponent(path)}`,
	);
	for (const node of items) {
		found.set(before + node.name, node);
		if (node.kind === 'folder') {
			const inside = [path, node.realPath].filter(Boolean).join('/');
			for (const [name, each] of await readSpace(owner, inside, `${before}${node.name}/`)) found.set(name, each);
		}
	}
	return found;
}

async function bytesOf(node: Node | undefined): Promise<Buffer> {
	return Buffer.from(await (await world.owner.request(`${node?.url}?download=1`)).arrayBuffer());
}

const expectWhole = async () =>
	expect(await world.server.cli('fsck')).toMatchObject({ code: 0, output: expect.stringMatching(/ 0 problems/u) });

/** Opens an address until its page offers the unfinished upload. */
const openWithUnfinished = (page: Page, address: string) =>
	expect(async () => {
		await page.goto(address);
		await expectText(uploadsPanel(page), '1 upload is not finished', { timeout: 2000 });
	}).toPass();

/** Drops files and folders of the disk onto the page, as the file manager of the operating system does. */
async function drop(page: Page, paths: string[], onto: { x: number; y: number }): Promise<void> {
	const cdp = await page.context().newCDPSession(page);
	const data = { items: [], files: paths, dragOperationsMask: 1 };
	for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
		await cdp.send('Input.dispatchDragEvent', { type, ...onto, data });
	await cdp.detach();
}

test('a dropped folder tree uploads completely despite a kill, and skips files with taken names', async ({ enter }) => {
	const { email: owner } = await addUser(world.owner, 'tree@example.com');
	const root = join(await newFolder(), 'Archive');
	const wanted = new Map<string, Buffer>();
	await mkdir(join(root, 'nothing in it'), { recursive: true });
	for (let index = 0; index < tree.files; index += 1) {
		const folder = join(`part ${index % 7}`, `bit ${index % 3}`);
		await mkdir(join(root, folder), { recursive: true });
		const bytes = randomBytes(200 + ((index * 37) % 6000));
		await writeFile(join(root, folder, `file ${index}.bin`), bytes);
		wanted.set(`Archive/${folder}/file ${index}.bin`, bytes);
	}
	const archive = await addFolder(world.owner, owner, 'archive');
	const part = await addFolder(world.owner, owner, 'part 0', archive.realPath ?? '');
	const bit = await addFolder(world.owner, owner, 'bit 0', `${archive.realPath}/${part.realPath}`);
	const path = [archive, part, bit].map(({ realPath }) => realPath).join('/');
	const taken = [...wanted.keys()].filter((name) => name.startsWith('Archive/part 0/bit 0/')).slice(0, tree.taken);
	for (const name of taken) {
		await addFile(world.owner, owner, basename(name).toUpperCase(), Buffer.from('was here'), path);
		wanted.set(name, Buffer.from('was here'));
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
	const startedAt = performance.now();
	await drop(page, [root], { x: 700, y: 800 });
	await expect(uploadsPanel(page).getByRole('progressbar').first()).toBeVisible();
	const countFiles = () => [...world.server.log].filter(({ msg }) => msg === 'upload chunk').length;
	await expect.poll(countFiles, { intervals: [5] }).toBeGreaterThan(tree.files / 3);
	await world.server.kill();
	expect(await uploadsPanel(page).getByRole('listitem').count()).toBeLessThan(30);
	await expectText(uploadsPanel(page), 'No connection, trying again');
	await world.server.start();
	await expectText(uploadsPanel(page), 'Uploads finished', { timeout: 100_000 });
	const seconds = (performance.now() - startedAt) / 1000;
	await expect(uploadsPanel(page)).toContainText(`${tree.files - tree.taken} done · ${tree.taken} skipped`);
	expect(Number(await page.evaluate(() => document.body.dataset.toasts))).toBe(tree.taken);

	const found = await readSpace(owner);
	expect(found.get('archive/nothing in it')).toMatchObject({ kind: 'folder', itemCount: 0 });
	const files = new Map(
		[...found].filter(([, { kind }]) => kind === 'file').map(([key, node]) => [key.toLowerCase(), node]),
	);
	expect(files.size).toBe(tree.files);
	for (const [name, bytes] of wanted)
		expect((await bytesOf(files.get(name.toLowerCase()))).equals(bytes), name).toBe(true);
	await expectWhole();
	const description = `${tree.files} files in ${seconds.toFixed(1)} s, one kill included`;
	test.info().annotations.push({ type: 'tree', description });
});

test('files dropped onto a folder card, pasted files and a chosen folder are uploaded', async ({ enter }) => {
	const { email: owner } = await addUser(world.owner, 'ways@example.com');
	await addFolder(world.owner, owner, 'Card');
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

/** Writes a large file with random bytes. */
async function writeLarge(name: string): Promise<{ file: string; bytes: Buffer }> {
	const file = join(await newFolder(), name);
	const bytes = randomBytes(largeBytes);
	await writeFile(file, bytes);
	return { file, bytes };
}

async function expectSameBytes(owner: string, name: string, bytes: Buffer): Promise<void> {
	const found = await readSpace(owner);
	expect([...found.keys()]).toEqual([name]);
	expect((await bytesOf(found.get(name))).equals(bytes)).toBe(true);
	await expectWhole();
}

test('a large upload completes after a lost connection, and after signing in again', async ({ enter }) => {
	const owner = 'cut@example.com';
	const admin = 'second-admin@example.com';
	await addUser(world.owner, owner);
	await addUser(world.owner, admin, 'admin');
	const page = await enter({ signedInAs: admin, at: `/user/${owner}` });
	const cut = await writeLarge('cut.bin');
	await page.locator('input[type=file]').last().setInputFiles(cut.file);
	await waitForUploadedBytes(page, largeBytes / 8);
	await page.context().setOffline(true);
	await expectText(uploadsPanel(page), 'No connection, trying again');
	await sleep(cutMs);
	await page.context().setOffline(false);
	await expectText(uploadsPanel(page), 'Uploads finished');
	await expectSameBytes(owner, 'cut.bin', cut.bytes);

	const expired = await writeLarge('expired.bin');
	await page.locator('input[type=file]').last().setInputFiles(expired.file);
	await waitForUploadedBytes(page, largeBytes / 8);
	await expireSessions(world.server, admin);
	const dialog = page.getByRole('dialog', { name: 'Sign in again' });
	await expect(dialog).toContainText(`Sign in again as ${admin}`);
	await expect(page).toHaveURL(new RegExp(`/user/${owner}$`, 'u'));
	const signIn = async (password: string) => {
		await dialog.getByLabel('Password', { exact: true }).fill(password);
		await button(dialog, 'Login').click();
	};
	await signIn('wrong');
	await expectText(dialog, 'Login failed. Please check your credentials.');
	await signIn(memberPassword);
	await expect(dialog).toHaveCount(0);
	await expect(uploadsPanel(page)).toContainText('2 done');
	const found = await readSpace(owner);
	expect((await bytesOf(found.get('expired.bin'))).equals(expired.bytes)).toBe(true);
	await expectWhole();
});

test('an unfinished upload of a closed tab resumes with the same file only, or can be discarded', async ({ enter }) => {
	const { email: owner } = await addUser(world.owner, 'closed@example.com');
	const { file, bytes } = await writeLarge('closed.bin');
	const page = await enter({ signedInAs: 'owner', at: `/user/${owner}` });
	await page.locator('input[type=file]').last().setInputFiles(file);
	await waitForUploadedBytes(page, largeBytes / 8);
	await page.close();

	const next = await page.context().newPage();
	await openWithUnfinished(next, `/user/${owner}`);
	const choose = uploadsPanel(next).locator('input[type=file]');
	const other = join(await newFolder(), 'closed.bin');
	await writeFile(other, Buffer.alloc(10));
	await choose.setInputFiles(other);
	await expect(next.getByRole('alert').filter({ hasText: 'This is not the same file' })).toBeVisible();
	await choose.setInputFiles(file);
	await expectText(uploadsPanel(next), 'Uploads finished');
	const offsets = world.server.log.filter(({ msg }) => msg === 'upload chunk').map(({ offset }) => Number(offset));
	expect(offsets.lastIndexOf(0)).toBeLessThan(offsets.length - 1);
	await expectSameBytes(owner, 'closed.bin', bytes);

	const second = await writeLarge('left.bin');
	await utimes(second.file, new Date(), new Date());
	await next.locator('input[type=file]').last().setInputFiles(second.file);
	await waitForUploadedBytes(next, largeBytes / 8);
	await next.close();
	const last = await page.context().newPage();
	await openWithUnfinished(last, '/admin');
	await uploadsPanel(last).getByRole('button', { name: 'Discard left.bin' }).click();
	await expect(uploadsPanel(last)).toHaveCount(0);
	expect(await world.owner.get('/api/uploads')).toMatchObject({ items: [] });
	// With an object storage there is no such folder; fsck then reports what is left.
	const left = await readdir(join(world.server.dataDir, 'uploads')).catch(() => []);
	expect(left.filter((name) => !name.endsWith('.json'))).toEqual([]);
	await expectWhole();
});

/** A size for which a browser without a profile certainly has enough storage. */
const ownBytes = 40 * mebibyte;

test('the upload of a closed tab resumes by one click when the browser has kept its file handle', async ({ enter }) => {
	const { email: owner } = await addUser(world.owner, 'one-click@example.com');
	const page = await enter({ signedInAs: 'owner' });
	// A test cannot operate the system's file dialog, so the picker returns a real handle to a file of the browser.
	await page.context().addInitScript(provideFileHandle, { name: 'one click.bin', bytes: ownBytes });
	await page.goto(`/user/${owner}`);
	await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
	await waitForUploadedBytes(page, ownBytes / 8);
	await page.close();

	const next = await page.context().newPage();
	const resume = uploadsPanel(next).getByRole('button', { name: 'Resume one click.bin' });
	await expect(async () => {
		await next.goto(`/user/${owner}`);
		await expect(resume).toBeVisible({ timeout: 2000 });
	}).toPass();
	expect(await countFileHandles(next)).toBe(1);
	await resume.click();
	await expectText(uploadsPanel(next), 'Uploads finished');
	const offsets = world.server.log.filter(({ msg }) => msg === 'upload chunk').map(({ offset }) => Number(offset));
	expect(offsets.at(-1)).toBeGreaterThan(0);
	const found = await readSpace(owner);
	expect([...found.keys()]).toEqual(['one click.bin']);
	expect((await bytesOf(found.get('one click.bin'))).equals(Buffer.alloc(ownBytes, 'way'))).toBe(true);
	await expect.poll(() => countFileHandles(next)).toBe(0);

	await next.getByRole('button', { name: 'Upload', exact: true }).first().click();
	await expectText(next, 'File one click.bin already exists');
	await next.evaluate(removeProvidedFile, 'one click.bin');
	await expectWhole();
});

/** Runs in every page: the file picker returns a file of the origin private file system and creates it if missing. */
function provideFileHandle({ name, bytes }: { name: string; bytes: number }): void {
	const pick = async () => {
		const folder = await navigator.storage.getDirectory();
		const handle = await folder.getFileHandle(name, { create: true });
		if ((await handle.getFile()).size !== bytes) {
			const out = await handle.createWritable();
			await out.write('way'.repeat(Math.ceil(bytes / 3)).slice(0, bytes));
			await out.close();
		}
		return [handle];
	};
	Object.assign(window, { showOpenFilePicker: pick });
}

/** Runs in the page: deletes the file that {@link provideFileHandle} created. */
async function removeProvidedFile(name: string): Promise<void> {
	await (await navigator.storage.getDirectory()).removeEntry(name);
}

/** Returns the number of file handles that the browser has stored. */
function countFileHandles(page: Page): Promise<number> {
	return page.evaluate(
		() =>
			new Promise<number>((resolve, reject) => {
				const opened = indexedDB.open('folio-uploads', 1);
				opened.onerror = () => reject(opened.error);
				opened.onsuccess = () => {
					const count = opened.result.transaction('handles').objectStore('handles').count();
					count.onsuccess = () => {
						opened.result.close();
						resolve(count.result);
					};
				};
			}),
	);
}

test('of two uploads of one name at once, one is stored and the other is reported as existing', async ({ enter }) => {
	const { email: owner } = await addUser(world.owner, 'race@example.com');
	const pages = await Promise.all([enter({ signedInAs: 'owner' }), enter({ signedInAs: 'owner' })]);
	const disk = [await newFolder(), await newFolder()];
	const contents = [randomBytes(2 * mebibyte), randomBytes(2 * mebibyte)];
	for (const [index, page] of pages.entries()) {
		await writeFile(join(disk[index] ?? '', 'same.bin'), contents[index] ?? '');
		await page.goto(`/user/${owner}`);
	}
	// Both uploads are held until both files were chosen: otherwise the later browser may be offered the earlier upload
	// to resume, in a field of its own.
	let begun = 0;
	let release = () => {};
	const areBothBegun = new Promise<void>((resolve) => {
		release = resolve;
	});
	for (const page of pages)
		await page.route('**/api/uploads', async (route) => {
			if (route.request().method() === 'POST') begun += 1;
			if (begun === pages.length) release();
			if (route.request().method() === 'POST') await areBothBegun;
			await route.continue();
		});
	const choose = (page: Page, index: number) =>
		fileField(page)
			.last()
			.setInputFiles(join(disk[index] ?? '', 'same.bin'));
	await Promise.all(pages.map(choose));
	const end = /^Uploads (?:finished|ended)$/u;
	await Promise.all(pages.map((page) => expect(uploadsPanel(page).getByText(end).first()).toBeVisible()));
	const said = await Promise.all(
		pages.map((page) => uploadsPanel(page).getByText('File same.bin already exists').count()),
	);
	expect(said.sort()).toEqual([0, 1]);
	const found = await readSpace(owner);
	expect([...found.keys()]).toEqual(['same.bin']);
	const stored = await bytesOf(found.get('same.bin'));
	expect(contents.filter((bytes) => bytes.equals(stored))).toHaveLength(1);
	await expectWhole();
});

test('files with unusual names are stored once, and shown and downloaded under the same name', async ({ enter }) => {
	const { email: owner } = await addUser(world.owner, 'odd-names@example.com');
	const hindi = `${'क्ष'.repeat(27)}कि.txt`.slice(0, -4).concat('xx.txt');
	expect(Buffer.byteLength(hindi)).toBe(255);
	const twin = 'Café naïve.txt';
	const names = [
		hindi,
		twin.normalize('NFD'),
		'<img src=x onerror=alert(1)>.txt',
		'\u202egpj.exe',
		'%2f%2e%2e%00.txt',
		'🙂 श्री.txt',
	];
	const page = await enter({ signedInAs: 'owner', at: `/user/${owner}` });
	const choose = (list: string[]) =>
		fileField(page)
			.last()
			.setInputFiles(list.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })));
	await choose(names);
	await expectText(uploadsPanel(page), 'Uploads finished');
	await choose([twin.normalize('NFC')]);
	await expectText(page, `File ${twin.normalize('NFC')} already exists`);
	const kept = names.map((name) => name.normalize('NFC'));
	await expect(fileNames(page)).toHaveCount(kept.length);
	expect((await fileNames(page).allTextContents()).sort()).toEqual([...kept].sort());
	for (const name of [hindi, twin.normalize('NFC'), '🙂 श्री.txt']) {
		const started = page.waitForEvent('download');
		await page.getByRole('link', { name: `Download ${name}`, exact: true }).click();
		const download = await started;
		expect(download.suggestedFilename()).toBe(name);
		expect((await readFile(await download.path())).toString().normalize('NFC')).toBe(name);
	}
	await expectWhole();
});
