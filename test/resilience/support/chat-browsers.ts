import { chromium, type Page } from '@playwright/test';
import { requireChromium } from '../../../scripts/services/chromium.mjs';
import { chromiumFlags } from '../../../scripts/services/chromium-flags.mjs';
import { addUser, memberPassword } from '../../support/browser/seeding.ts';
import { type BuiltServer, ownerEmail, ownerPassword } from '../../support/services/built-server.ts';
import { signInOwner } from '../../support/services/server-client.ts';
import { waitForPrinted } from './server.ts';

export interface Writer {
	/** The prefix of each message of this writer. */
	name: string;
	member: { email: string; userId: string };
	page: Page;
	/** `token`: the first word of the text, or the name of the file without its extension. */
	sent: Array<{ token: string; isFile: boolean }>;
}

export type Chat = Awaited<ReturnType<typeof openChat>>;

export interface Plan {
	messages: number;
	kills: number;
	/** Kills when the server prints this line, which only a variant of the server prints. */
	killAtPrinted?: string;
}

export type Run = Awaited<ReturnType<typeof writeUnderKills>>;

const fileEvery = 8;

/** Opens three browsers: one for each of two members, and one for the owner with a tab for each conversation. */
export async function openChat(server: BuiltServer) {
	const owner = await signInOwner(server.url);
	const executablePath = await requireChromium({ isShellEnough: true });
	await using opened = new AsyncDisposableStack();
	const launch = async () => opened.use(await chromium.launch({ executablePath, args: chromiumFlags }));
	const errors: string[] = [];
	const enterAs = async (email: string, password: string) => {
		const context = await (await launch()).newContext({ baseURL: server.url, reducedMotion: 'reduce' });
		context.on('weberror', (error) => errors.push(`${email}: ${error.error()}`));
		const answer = await context.request.post('/api/sign-in', { data: { email, password } });
		if (answer.status() !== 200) throw new Error(`The sign-in of ${email} was answered with ${answer.status()}.`);
		return context;
	};
	const ownerContext = await enterAs(ownerEmail, ownerPassword);
	const writers: Writer[] = [];
	for (const email of ['asha@example.com', 'dev@example.com']) {
		const member = { email, userId: (await addUser(owner, email)).id };
		const context = await enterAs(email, memberPassword);
		const name = email.slice(0, email.indexOf('@'));
		const memberPage = await open(await context.newPage(), '/contact');
		const ownerPage = await open(await ownerContext.newPage(), `/admin/contact?person=${encodeURIComponent(email)}`);
		writers.push(
			{ name, member, page: memberPage, sent: [] },
			{ name: `to-${name}`, member, page: ownerPage, sent: [] },
		);
	}
	const browsers = opened.move();
	return { writers, errors, [Symbol.asyncDispose]: () => browsers.disposeAsync() };
}

async function open(page: Page, path: string): Promise<Page> {
	await page.goto(path);
	await fieldOf(page).waitFor();
	return page;
}

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/**
 * All writers write in turn while the server is killed (-9) and started again. A kill happens only while a request with
 * a message is pending. The writers also write between kill and restart.
 */
export async function writeUnderKills(server: BuiltServer, { writers }: Chat, plan: Plan) {
	/** `killsDuringRequest`: kills while a message was sent and not answered yet. */
	const run = { kills: 0, killsDuringRequest: 0 };
	const sending = trackSending(writers.map(({ page }) => page));
	for (let number = 1; number <= plan.messages; number += 1) {
		const writer = writers[(number - 1) % writers.length] as Writer;
		await write(writer, number % fileEvery === 0);
		if (run.kills === plan.kills || number < Math.floor((plan.messages * (run.kills + 1)) / (plan.kills + 1))) continue;
		const { killAtPrinted } = plan;
		let nextMessage: Promise<void> | undefined;
		if (killAtPrinted === undefined) await writeUntilOneIsPending(writer, sending);
		else {
			const isCommitted = waitForPrinted(server, killAtPrinted);
			// The server prints the line after the commit of a message and before its answer. The message may be this one or
			// one that was written earlier and is not answered yet.
			nextMessage = write(writer, false);
			await isCommitted;
		}
		run.killsDuringRequest += sending.isPending() ? 1 : 0;
		await server.kill();
		run.kills += 1;
		await nextMessage;
		// Every writer writes while the server does not run.
		for (const eachWriter of writers) await write(eachWriter, false);
		await server.start();
	}
	return run;
}

async function write(writer: Writer, isFile: boolean): Promise<void> {
	const token = `${writer.name}-${writer.sent.length + 1}`;
	writer.sent.push({ token, isFile });
	if (isFile) {
		const buffer = Buffer.from(bytesOf(token));
		const file = { name: `${token}.txt`, mimeType: 'text/plain', buffer };
		await writer.page.locator('input[type=file]').setInputFiles(file);
		return;
	}
	const field = fieldOf(writer.page);
	await field.fill(`${token} says something`);
	await field.press('Enter');
}

export function bytesOf(token: string): string {
	return `the file ${token}\n`.repeat(50);
}

function trackSending(pages: Page[]) {
	const sending = new Set<object>();
	let next = Promise.withResolvers<void>();
	for (const page of pages) {
		page.on('request', (request) => {
			if (request.method() !== 'POST' || !/\/(?:messages|attachments)(?:\?|$)/u.test(request.url())) return;
			sending.add(request);
			next.resolve();
			next = Promise.withResolvers<void>();
		});
		page.on('requestfinished', (request) => void sending.delete(request));
		page.on('requestfailed', (request) => void sending.delete(request));
	}
	return {
		isPending: () => sending.size > 0,
		next: () => next.promise,
	};
}

/** Writes messages until a request is pending, because the server may answer a message at once. */
async function writeUntilOneIsPending(
	writer: Writer,
	{ isPending, next }: ReturnType<typeof trackSending>,
): Promise<void> {
	while (!isPending()) {
		const isSent = next();
		await write(writer, false);
		await isSent;
	}
}
