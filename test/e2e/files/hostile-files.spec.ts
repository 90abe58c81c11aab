import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { openPreview } from '../../support/browser/file-manager-page.ts';
import {
	expectNoHorizontalOverflow,
	expectText,
	failRequests,
	hostJourneys,
	test,
} from '../../support/browser/journey.ts';
import { addFile, addUser, listNodes } from '../../support/browser/seeding.ts';
import { prefixPdf } from '../../support/documents/recordings.ts';
import { paintPicture, writePdf } from '../../support/documents/sample-files.ts';

const product = hostJourneys();

/** Each action of this script leaves a trace, which the tests look for. */
const script = `document.title = 'OWNED'; document.cookie = 'owned=1; path=/'; localStorage.setItem('owned', '1'); fetch('/canary');`;
const html = `<!doctype html><title>as it was</title><img src=x onerror="fetch('/canary')"><script>${script}</script>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('/canary')"><title>as it was</title><script>${script}</script></svg>`;
const pdf = writePdf(['a letter'], "app.alert('OWNED')");
const hostile = [
	{ name: 'page.html', bytes: Buffer.from(html), type: 'text/html' },
	{ name: 'drawing.svg', bytes: Buffer.from(svg), type: 'image/svg+xml' },
	// Without a content type, the browser detects the type itself.
	{ name: 'photo.jpg', bytes: Buffer.from(html), type: null },
	{ name: 'letter.pdf', bytes: pdf, type: 'application/pdf' },
];
/** HTML that begins like a recording, so that the browser opens its player. */
const likeRecordings = [
	{ name: 'both.m4a', bytes: Buffer.from(`<!--ftypmp42-->${html}`) },
	{ name: 'tagged.mp3', bytes: Buffer.from(`ID3<html>${html}`) },
];
/** HTML and a PDF with a script, named like other types. The control test does not open these files. */
const imitations = [
	...likeRecordings,
	{ name: 'page.m4a', bytes: Buffer.from(html) },
	{ name: 'zeros.mp3', bytes: Buffer.concat([Buffer.alloc(40), Buffer.from(html)]) },
	{ name: 'paper.pdf', bytes: Buffer.from(`${html}%PDF-1.7`) },
	{ name: 'prefixed.pdf', bytes: prefixPdf(Buffer.from('\n'), {}, pdf) },
];

let plainServer: Server;
test.beforeAll(async () => {
	plainServer = createServer(({ url }, response) => {
		const file = hostile.find(({ name }) => url === `/${name}`);
		if (typeof file?.type === 'string') response.setHeader('content-type', file.type);
		response.end(file?.bytes ?? 'nothing');
	});
	await new Promise<void>((resolve) => plainServer.listen(0, '127.0.0.1', resolve));
});
test.afterAll(() => {
	plainServer.closeAllConnections();
	plainServer.close();
});

/** Collects the requests and dialogs of hostile scripts in `traces`. */
function watch(context: BrowserContext): { traces: string[] } {
	const traces: string[] = [];
	context.on('request', (request) => {
		if (request.url().endsWith('/canary')) traces.push('a request');
	});
	context.on('dialog', (dialog) => {
		traces.push(`a dialog ${dialog.message()}`);
		dialog.dismiss().catch(() => {});
	});
	return { traces };
}

/** Opens a URL as if it was entered. @returns 'saved' if the browser downloads the file instead of showing it */
async function open(page: Page, address: string): Promise<'shown' | 'saved'> {
	const saved = page.waitForEvent('download', { timeout: 10_000 }).then(
		(download) => download.cancel().then(() => 'saved' as const),
		() => 'shown' as const,
	);
	const shown = page.goto(address).then(
		() => 'shown' as const,
		() => saved,
	);
	return Promise.race([shown, saved]);
}

test('hostile files run their scripts when a server without protection sends them (control)', async ({ browser }) => {
	const origin = `http://127.0.0.1:${(plainServer.address() as AddressInfo).port}`;
	const context = await browser.newContext();
	for (const { name } of hostile) {
		const page = await context.newPage();
		const { traces } = watch(context);
		expect(await open(page, `${origin}/${name}`), name).toBe('shown');
		const trace = name === 'letter.pdf' ? 'a dialog OWNED' : 'a request';
		await expect.poll(() => traces, name).toContain(trace);
		if (name !== 'letter.pdf') {
			expect(await page.title(), name).toBe('OWNED');
			expect(await page.evaluate(() => localStorage.getItem('owned')), name).toBe('1');
			await page.evaluate(() => localStorage.clear());
			expect((await context.cookies()).map((cookie) => cookie.name)).toContain('owned');
			await context.clearCookies();
		}
		await page.close();
	}
	await context.close();
});

test('hostile files run no script at their own URLs, in elements or in the preview', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'hostile@example.com');
	const files = [...hostile, ...imitations];
	for (const { name, bytes } of files) await addFile(product.owner, email, name, bytes);
	const items = await listNodes(product.owner, email);
	expect(items.map(({ name }) => name).sort()).toEqual(files.map(({ name }) => name).sort());

	const page = await enter({ signedInAs: email });
	const { traces } = watch(page.context());
	for (const { url, name } of items) {
		for (const address of [`${url}`, `${url}?download=1`]) {
			const tab = await page.context().newPage();
			const isPlayed = address === url && likeRecordings.some((file) => file.name === name);
			expect(await open(tab, address), `${name} at ${address}`).toBe(isPlayed ? 'shown' : 'saved');
			expect(await tab.title(), name).not.toBe('OWNED');
			await tab.close();
		}
	}
	// Embeds the files in a page of the product.
	await page.goto('/dashboard');
	await expect(page.getByText('letter.pdf')).toBeVisible();
	const tags = ['iframe', 'embed', 'object', 'img'] as const;
	const elements = items.flatMap(({ url }) => tags.map((tag) => ({ tag, url: `${url}` })));
	await Promise.all(elements.map((element) => page.evaluate(insert, element)));
	expect(await page.title()).not.toBe('OWNED');
	expect(await page.evaluate(() => localStorage.getItem('owned'))).toBeNull();
	expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('owned');
	expect(traces).toEqual([]);

	// The preview shows the PDF without running its script.
	await page.reload();
	await openPreview(page, 'letter.pdf');
	await expect(page.getByRole('dialog').locator('canvas').first()).toBeVisible();
	await expect(page.getByRole('dialog').getByText('Page 1 of 1')).toBeVisible();
	expect(traces).toEqual([]);
});

test('a deleted file shows an explanation in the preview and at its URL, and the next file can be opened', async ({
	enter,
}) => {
	const { email } = await addUser(product.owner, 'gone@example.com');
	const picture = await paintPicture();
	await addFile(product.owner, email, '1 first.png', picture);
	await addFile(product.owner, email, '2 gone.png', picture);
	await addFile(product.owner, email, '3 gone.mp4', await readFile('demo/media/morning-routine.mp4'));
	await addFile(product.owner, email, '4 gone.pdf', writePdf(['gone']));
	await addFile(product.owner, email, '5 last.png', picture);
	const items = await listNodes(product.owner, email);
	const page = await enter({ signedInAs: email });
	// Without events, the list still contains files that are deleted below.
	await failRequests(page, /\/api\/events/u);
	await page.goto('/dashboard');
	await expect(page.getByRole('button', { name: 'Preview 1 first.png' })).toBeVisible();
	const gone = items.filter(({ name }) => name.includes('gone'));
	for (const { id } of gone) await product.owner.request(`/api/nodes/${id}`, { method: 'DELETE' });

	const overlay = page.getByRole('dialog');
	const next = () => overlay.getByRole('button', { name: 'Next file' }).click();
	await openPreview(page, '1 first.png');
	for (const { name } of gone) {
		await next();
		await expect(overlay.getByRole('heading', { name, exact: true })).toBeVisible();
		await expectText(overlay, "This file no longer exists, or you don't have access to it.");
	}
	await next();
	await expect(overlay.getByRole('img', { name: '5 last.png' })).toBeVisible();
	const restore = await failRequests(page, /\/content$/u);
	await overlay.getByRole('button', { name: 'Previous file' }).click();
	await overlay.getByRole('button', { name: 'Previous file' }).click();
	await expectText(overlay, 'This file could not be loaded.');
	await restore();
	await overlay.getByRole('button', { name: 'Try again' }).click();
	await expectText(overlay, "This file no longer exists, or you don't have access to it.");

	await page.setViewportSize({ width: 360, height: 740 });
	await page.goto(`${gone[0]?.url}?download=1`);
	await expect(page.getByRole('heading', { name: 'This no longer exists' })).toBeVisible();
	await expectNoHorizontalOverflow(page);
});

/** Runs in the page. Inserts an element with this URL, and waits for its load, its error or a timeout. */
function insert({ tag, url }: { tag: 'iframe' | 'embed' | 'object' | 'img'; url: string }): Promise<void> {
	const element = document.createElement(tag);
	const over = new Promise<void>((resolve) => {
		for (const event of ['load', 'error']) element.addEventListener(event, () => resolve());
		// Some elements fire no event, because the browser downloads their content.
		setTimeout(resolve, 300);
	});
	element.setAttribute(tag === 'object' ? 'data' : 'src', url);
	document.body.append(element);
	return over;
}
