import { copyFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { type Client, signInOwner } from '../services/server-client.ts';
import { logSpecifiedTexts } from '../texts/specified-texts-report.ts';
import { memberPassword } from './seeding.ts';

/** The built product that the journeys of one file share, with the owner's client for setting up data. */
export interface HostedProduct {
	readonly server: BuiltServer;
	readonly owner: Client;
	readonly url: string;
}

/**
 * The user of a browser: none, the owner, or a user whom {@link memberPassword} signs in. Members have closed the
 * welcome dialog before, unless `isWelcomed`.
 */
export type Visitor = { signedInAs?: 'owner' | (string & {}); isWelcomed?: boolean };

/** A phone with a touch screen. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Opens a page in a new browser context, signed in before the page loads, and goes to the address `at`. */
export type OpenPage = (options?: Visitor & { at?: string } & BrowserContextOptions) => Promise<Page>;

const host: { world?: HostedProduct } = {};

/** Console output of the current journey's pages. */
const consoleOutput: string[] = [];

/**
 * Starts the server of one file before its first journey and ends it after the last. Rate limits are wide, because they
 * have tests of their own. `env` is called when the server starts, and may change any setting. With
 * FOLIO_TEST_SHAPE=scaled the server is two processes on PostgreSQL and S3 behind nginx.
 */
export function hostJourneys(env: () => Record<string, string> = () => ({})): HostedProduct {
	let started: { server: BuiltServer; owner: Client } | undefined;
	const get = () => {
		if (started === undefined) throw new Error('The server is up only while journeys run.');
		return started;
	};
	const world: HostedProduct = {
		get server() {
			return get().server;
		},
		get owner() {
			return get().owner;
		},
		get url() {
			return get().server.url;
		},
	};
	// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names off the first parameter.
	base.beforeAll(async ({}, { file }) => {
		const settings = { RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'warn', ...env() };
		const isScaled = process.env.FOLIO_TEST_SHAPE === 'scaled';
		const server = await (isScaled ? startCluster : startBuiltServer)({
			env: settings,
			logName: basename(file, '.spec.ts'),
		});
		started = { server, owner: await signInOwner(server.url) };
		host.world = world;
	});
	base.afterAll(async () => {
		await started?.server.close();
		started = undefined;
		delete host.world;
	});
	return world;
}

/**
 * Journeys that watch every page: a dialog, a script's error, an answer of 500 or more, or a request to another host
 * fails the journey.
 */
export const test = base.extend<{ enter: OpenPage; evidence: undefined }>({
	// Set up before all other fixtures and torn down after them, so that the journey's result is known by then.
	evidence: [
		// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names off the first parameter.
		async ({}, use, testInfo) => {
			consoleOutput.length = 0;
			await use(undefined);
			if (testInfo.status === testInfo.expectedStatus) return;
			await writeFile(testInfo.outputPath('console.log'), consoleOutput.join(''));
			const logFile = host.world?.server.logFile;
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

/** Runs in the page: makes the welcome dialog count as closed before. */
function dismissWelcome(): void {
	const { getItem } = Storage.prototype;
	Storage.prototype.getItem = function (key: string) {
		return getItem.call(this, key) ?? (key.startsWith('welcome_seen_') ? 'true' : null);
	};
}

async function open(browser: Browser, options: BrowserContextOptions, faults: string[]) {
	if (host.world === undefined) throw new Error('hostJourneys() stands before the journeys of a file.');
	const { url } = host.world;
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
		faults.push(`a dialog said ${dialog.message()}`);
		void dialog.dismiss();
	});
	context.on('weberror', (error) => {
		const said = String(error.error().stack ?? error.error());
		// pdf.js's own worker throws this when a document is closed while it is being opened; users do not see it.
		if (!/^Error: Worker was terminated\b[\s\S]*pdf\.worker/u.test(said)) faults.push(said);
	});
	context.on('response', (response) => {
		// Answers that a journey gives in place of the server carry this header.
		const isOurs = response.headers()['x-stand-in'] === undefined;
		if (response.status() >= 500 && isOurs) faults.push(`${response.status()} for ${response.url()}`);
	});
	context.on('request', (request) => {
		const asked = request.url();
		// The browser's own PDF viewer loads pages from chrome-extension:.
		if (!asked.startsWith(url) && !/^(?:data|blob|chrome|chrome-extension):/u.test(asked))
			faults.push(`a request to ${asked}`);
	});
	return { context, page: await context.newPage() };
}

/**
 * Timeout for changes that open pages must show within a second, with a margin for a busy machine. Without the event
 * stream, pages would not show them at all.
 */
export const liveUpdateTimeout = { timeout: 5000 };

/** Waits until exactly this text is visible, and records which specified text it is. */
export async function expectText(
	where: Page | Locator,
	words: string,
	options: { timeout?: number } = {},
): Promise<void> {
	await expect(where.getByText(words, { exact: true }).first()).toBeVisible(options);
	logSpecifiedTexts(words, 'a journey');
}

/** Waits until a field shows this error and has it as its accessible description. */
export async function expectFieldError(field: Locator, words: string): Promise<void> {
	await expect(field).toHaveAccessibleDescription(words);
	await expect(field).toHaveAttribute('aria-invalid', 'true');
	logSpecifiedTexts(words, 'a journey');
}

/** Signs in on the login screen. */
export async function fillLogin(page: Page, email: string, password: string): Promise<void> {
	await page.getByLabel('Email').fill(email);
	await page.getByLabel('Password', { exact: true }).fill(password);
	await page.getByRole('button', { name: 'Login', exact: true }).click();
}

/**
 * Waits until the page's event stream is connected; from then on the page learns when its session ends. Call before
 * opening the page.
 */
export function waitForEventStream(page: Page): Promise<Response> {
	return page.waitForResponse((response) => new URL(response.url()).pathname === eventsPath);
}

const uploadTimeoutMs = 60_000;

/**
 * Waits until the server has stored at least `bytes` bytes of the user's only unfinished upload.
 * @returns number of bytes stored
 */
export async function waitForUploadedBytes(page: Page, bytes: number): Promise<number> {
	const giveUpAt = performance.now() + uploadTimeoutMs;
	for (;;) {
		const answer = await page.request.get('/api/uploads');
		const { items } = (await answer.json()) as { items: UnfinishedUpload[] };
		const arrived = items[0]?.arrivedBytes ?? 0;
		if (arrived >= bytes) return arrived;
		if (performance.now() > giveUpAt) throw new Error(`Of ${bytes} bytes ${arrived} have arrived.`);
		await sleep(2);
	}
}

/** Makes every call to a path fail like a lost connection, until the returned function is called. */
export async function failRequests(page: Page, path: RegExp, method?: string): Promise<() => Promise<void>> {
	const isMeant = (url: URL) => path.test(url.pathname);
	await page.route(isMeant, (route) =>
		method === undefined || route.request().method() === method ? route.abort() : route.fallback(),
	);
	return () => page.unroute(isMeant);
}

/** Waits until the page has no horizontal overflow. */
export async function expectNoHorizontalOverflow(page: Page): Promise<void> {
	await expect
		.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
		.toBeLessThanOrEqual(0);
}
