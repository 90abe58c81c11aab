import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
	type Browser,
	type BrowserContextOptions,
	test as base,
	expect,
	type Locator,
	type Page,
	type Response,
} from '@playwright/test';
import { eventsPath } from '#contract/core/events.ts';
import type { UnfinishedUpload } from '#contract/files/uploads.ts';
import { type BuiltServer, ownerEmail, ownerPassword, startBuiltServer } from '../services/built-server.ts';
import { startCluster } from '../services/cluster.ts';
import { type Mailbox, startMailbox } from '../services/mailbox.ts';
import { type Client, signInOwner } from '../services/server-client.ts';
import { logSpecifiedTexts } from '../texts/specified-texts.ts';
import { memberPassword } from './seeding.ts';

export interface HostedProduct {
	readonly server: BuiltServer;
	readonly owner: Client;
	readonly url: string;
}

/** The signed-in user: `owner`, or the email address of a user with {@link memberPassword}; by default none. */
export type Visitor = { signedInAs?: 'owner' | (string & {}); isWelcomed?: boolean };

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Opens a page in a new browser context, signs in, and then loads the address `at`. */
export type OpenPage = (options?: Visitor & { at?: string } & BrowserContextOptions) => Promise<Page>;

let hosted: HostedProduct | undefined;

const consoleOutput: string[] = [];

/**
 * Starts a server before the first journey of a file and ends it after the last. The rate limits are high, so that no
 * journey reaches them. `env` is called when the server starts, and may change any setting. With
 * FOLIO_TEST_SHAPE=scaled, the server consists of two processes on PostgreSQL and S3 behind nginx.
 * @returns the product, whose properties are set only while journeys run
 */
export function hostJourneys(env: () => Record<string, string> = () => ({})): HostedProduct {
	const product = {} as HostedProduct;
	// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names off the first parameter.
	base.beforeAll(async ({}, { file }) => {
		const settings = { RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'warn', ...env() };
		const start = process.env.FOLIO_TEST_SHAPE === 'scaled' ? startCluster : startBuiltServer;
		const server = await start({ env: settings, logName: basename(file, '.spec.ts') });
		hosted = Object.assign(product, { server, url: server.url, owner: await signInOwner(server.url) });
	});
	base.afterAll(async () => {
		await product.server?.close();
		hosted = undefined;
	});
	return product;
}

/** Like {@link hostJourneys}, with a mail server. `mailbox()` may be called only while journeys run. */
export function hostJourneysWithMail(): { product: HostedProduct; mailbox: () => Mailbox } {
	let mailbox: Mailbox | undefined;
	const get = () => {
		if (mailbox === undefined) throw new Error('The mail server is up only while journeys run.');
		return mailbox;
	};
	base.beforeAll(async () => {
		mailbox = await startMailbox();
	});
	const product = hostJourneys(() => ({ SMTP_URL: get().url, MAIL_FROM: 'Folio <folio@example.com>' }));
	base.afterAll(() => mailbox?.close());
	return { product, mailbox: get };
}

/**
 * Defines a journey. A journey fails when one of its pages opens a dialog, throws an error, receives a response with a
 * status of 500 or more, or sends a request to another host.
 */
export const test = base.extend<{ enter: OpenPage; evidence: undefined }>({
	// Automatic fixtures are torn down last, when the result of the journey is known.
	evidence: [
		// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names off the first parameter.
		async ({}, use, testInfo) => {
			consoleOutput.length = 0;
			await use(undefined);
			if (testInfo.status === testInfo.expectedStatus) return;
			await writeFile(testInfo.outputPath('console.log'), consoleOutput.join(''));
			const logFile = hosted?.server.logFile;
			if (logFile) await copyFile(logFile, testInfo.outputPath('server.log')).catch(() => {});
		},
		{ auto: true },
	],
	enter: async ({ browser }, use) => {
		const faults: string[] = [];
		const opened: Array<{ close(): Promise<void> }> = [];
		await use(async ({ signedInAs, isWelcomed = false, at, ...options } = {}) => {
			const { context, page } = await open(browser, options, faults);
			opened.push(context);
			if (!isWelcomed) await context.addInitScript(dismissWelcome);
			if (signedInAs !== undefined) {
				const credentials =
					signedInAs === 'owner'
						? { email: ownerEmail, password: ownerPassword }
						: { email: signedInAs, password: memberPassword };
				const answer = await context.request.post('/api/sign-in', { data: credentials });
				expect(answer.status(), `sign-in of ${credentials.email}`).toBe(200);
			}
			if (at !== undefined) await page.goto(at);
			return page;
		});
		await Promise.all(opened.map((context) => context.close()));
		expect(faults).toEqual([]);
	},
});

/** Runs in the page: makes the page treat the welcome dialog as already closed. */
function dismissWelcome(): void {
	const { getItem } = Storage.prototype;
	Storage.prototype.getItem = function (key: string) {
		return getItem.call(this, key) ?? (key.startsWith('welcome_seen_') ? 'true' : null);
	};
}

async function open(browser: Browser, options: BrowserContextOptions, faults: string[]) {
	if (hosted === undefined) throw new Error('Call hostJourneys() before the journeys of a file.');
	const { url } = hosted;
	const context = await browser.newContext({
		baseURL: url,
		viewport: { width: 1440, height: 900 },
		reducedMotion: 'reduce',
		...options,
	});
	context.on('console', (message) => {
		consoleOutput.push(`${new Date().toISOString()} ${message.type()} ${message.text()} (${message.page()?.url()})\n`);
	});
	context.on('dialog', (dialog) => {
		faults.push(`a dialog opened: ${dialog.message()}`);
		void dialog.dismiss();
	});
	context.on('weberror', (error) => {
		const stack = String(error.error().stack ?? error.error());
		// pdf.js throws this error when a document is closed before it is open; users do not see the error.
		if (!/^Error: Worker was terminated\b[\s\S]*pdf\.worker/u.test(stack)) faults.push(stack);
	});
	context.on('response', (response) => {
		// Responses that a journey fakes have this header.
		const isFromServer = response.headers()['x-stand-in'] === undefined;
		if (response.status() >= 500 && isFromServer) faults.push(`${response.status()} for ${response.url()}`);
	});
	context.on('request', (request) => {
		const requestUrl = request.url();
		// The browser's own PDF viewer loads pages from chrome-extension:.
		if (!requestUrl.startsWith(url) && !/^(?:data|blob|chrome|chrome-extension):/u.test(requestUrl))
			faults.push(`a request to ${requestUrl}`);
	});
	return { context, page: await context.newPage() };
}

/** For changes that open pages must show within a second by the event stream, with a margin for a busy machine. */
export const liveUpdateTimeout = { timeout: 5000 };

/** Waits until exactly this text is visible, and records the specified texts in it. */
export async function expectText(
	where: Page | Locator,
	words: string,
	options: { timeout?: number } = {},
): Promise<void> {
	await expect(where.getByText(words, { exact: true }).first()).toBeVisible(options);
	logSpecifiedTexts(words, 'a journey');
}

export async function expectFieldError(field: Locator, words: string): Promise<void> {
	await expect(field).toHaveAccessibleDescription(words);
	await expect(field).toHaveAttribute('aria-invalid', 'true');
	logSpecifiedTexts(words, 'a journey');
}

/** Waits until the event stream, which notifies the page, is connected. Must be called before the page is opened. */
export function waitForEventStream(page: Page): Promise<Response> {
	return page.waitForResponse((response) => new URL(response.url()).pathname === eventsPath);
}

/** Waits until `bytes` bytes of the user's only unfinished upload are stored. @returns number of bytes stored */
export async function waitForUploadedBytes(page: Page, bytes: number): Promise<number> {
	let arrivedBytes = 0;
	const readArrived = async () => {
		const answer = await page.request.get('/api/uploads');
		const { items } = (await answer.json()) as { items: UnfinishedUpload[] };
		arrivedBytes = items[0]?.arrivedBytes ?? 0;
		return arrivedBytes;
	};
	await expect.poll(readArrived, { timeout: 60_000, intervals: [2] }).toBeGreaterThanOrEqual(bytes);
	return arrivedBytes;
}

/** Makes every request to a path fail like a lost connection, until the returned function is called. */
export async function failRequests(page: Page, path: RegExp, method?: string): Promise<() => Promise<void>> {
	const isMatch = (url: URL) => path.test(url.pathname);
	await page.route(isMatch, (route) =>
		method === undefined || route.request().method() === method ? route.abort() : route.fallback(),
	);
	return () => page.unroute(isMatch);
}

/** Delays requests whose path and query match until the returned function is called. */
export async function holdRequests(page: Page, path: RegExp, method?: string): Promise<() => void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	await page.route(
		({ pathname, search }) => path.test(pathname + search),
		async (route) => {
			if (method === undefined || route.request().method() === method) await promise;
			await route.fallback();
		},
	);
	return resolve;
}

/** Presses a link that downloads a file. @returns the bytes, and the name that the browser suggests */
export async function download(page: Page, link: Locator): Promise<{ name: string; bytes: Buffer }> {
	const [saved] = await Promise.all([page.waitForEvent('download'), link.click()]);
	return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
}

export async function expectNoHorizontalOverflow(page: Page): Promise<void> {
	await expect
		.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
		.toBeLessThanOrEqual(0);
}
