/**
 * Checks how much members without a paid order can store. One such account, made by the checkout form, sends texts and
 * files of 24 MB over ten connections: it stores no more than its limits, and checkouts of others succeed meanwhile.
 * Then a thousand such accounts send as much as their limits allow, and checkouts take no longer.
 * Control: with limits a thousand times as high, the one account must be found to store more.
 *
 * `node scripts/resilience.mjs storage-limits [--short]`: 12 s instead of a minute, and 8 s instead of 30 s for the
 * thousand accounts.
 */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { attachmentsPath, chatMessagesPerMinute } from '#contract/chat/chat.ts';
import { defaultFilesSettings } from '#contract/files/spaces.ts';
import { checkoutPath } from '#contract/orders/checkout.ts';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { createSession, sessionCookie } from '#server/platform/auth/sessions/sessions.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { checkoutForm, multipart } from '../support/app/http-client.ts';
import { paintPicture } from '../support/documents/sample-files.ts';
import type { BuiltServer } from '../support/services/built-server.ts';
import { readStoredMails } from '../support/services/received-mails.ts';
import { createClient, signInOwner } from '../support/services/server-client.ts';
import { withData } from './support/deletion-data.ts';
import { finishTest, isShort, medianOf, printLine, waitUntil } from './support/report.ts';
import { withServer } from './support/server.ts';

const oneAccountSeconds = isShort ? 12 : 60;
const manyAccountsSeconds = isShort ? 8 : 30;
const controlSeconds = 15;
const accounts = 1000;
const mebibyte = 1024 * 1024;
const fileBytes = 24 * mebibyte;
/** One gigabit a second, as on the network of a rented server. Over loopback the senders would take its CPU time. */
const networkBytesPerMs = 125_000;
const pieceBytes = mebibyte;
/** The promise is one second. The rest allows for the senders, which run on the same machine. */
const slowestPurchaseMs = 2000;
const usualPurchaseMs = 1000;
/** A member who sends more large forms at once than allowed is cut off, or asked to try again in a moment. */
const tooManyFormsAtOnce = 0;
const env = { TRUST_PROXY: '1', LOG_LEVEL: 'error' };

const screenshot = await paintPicture();
const failures: string[] = [];
let buyers = 0;
let networkFreeAt = 0;

const limited = async (server: BuiltServer) => {
	const taken = await attackFromOneAccount(server, oneAccountSeconds, 'one account');
	failures.push(...checkStoredBytes(taken, oneAccountSeconds).map((fault) => `one account: ${fault}`));
	failures.push(...(await floodFromMany(server)).map((fault) => `a thousand accounts: ${fault}`));
};
await withServer(undefined, limited, { ...env, RATE_LIMIT_FACTOR: '1' });

const unlimited = async (server: BuiltServer) => {
	const taken = await attackFromOneAccount(server, controlSeconds, 'control, limits a thousand times as high');
	// Slow or few checkouts do not show that the limits are missing.
	const faults = checkStoredBytes(taken, controlSeconds).filter((fault) => fault.endsWith(' were taken'));
	if (faults.length < 2) failures.push(`the control was not caught: ${faults.join('; ')}`);
};
await withServer(undefined, unlimited, { ...env, RATE_LIMIT_FACTOR: '1000' });
finishTest(failures);

interface StoredBytes {
	texts: number;
	files: number;
	bytes: number;
	refused: number;
	/** Statuses that are neither an accepted message nor a refusal by the limits. */
	others: number[];
	purchases: Purchases;
}

interface Purchases {
	ms: number[];
	failed: string[];
}

/** Sends over ten connections of one account, half with texts and half with files, while others buy. */
async function attackFromOneAccount(at: BuiltServer, seconds: number, name: string): Promise<StoredBytes> {
	const email = `${randomUUID()}@example.com`;
	const member = await buyAndSignIn(at, email);
	const largeForm = formOf(fileBytes);
	const until = performance.now() + seconds * 1000;
	const taken: Omit<StoredBytes, 'purchases'> = { texts: 0, files: 0, bytes: 0, refused: 0, others: [] };
	const note = (status: number, kind: 'texts' | 'files', bytes: number) => {
		if (status === 200) {
			taken[kind] += 1;
			taken.bytes += bytes;
		} else if (status === 429 || status === tooManyFormsAtOnce) taken.refused += 1;
		else taken.others.push(status);
	};
	const sendTexts = async () => {
		while (performance.now() < until) {
			const message = `What about my order? ${randomUUID()}`;
			note(await sendText(member, message), 'texts', message.length);
		}
	};
	const sendFiles = async () => {
		while (performance.now() < until) note(await sendFile(member, largeForm), 'files', fileBytes);
	};
	const senders = Array.from({ length: 10 }, (_, number) => (number % 2 === 0 ? sendTexts() : sendFiles()));
	const purchases = await buyUntil(at, until);
	await Promise.all(senders);
	note(await sendFile(member, largeForm), 'files', fileBytes);
	printLine(
		`${name}, ten connections for ${seconds} s: ${taken.texts} texts and ${taken.files} files taken, ` +
			`${(taken.bytes / mebibyte).toFixed(1)} MB; ${taken.refused} refused; ${describe(purchases)}`,
	);
	return { ...taken, purchases };
}

function checkStoredBytes({ texts, files, bytes, others, purchases }: StoredBytes, seconds: number): string[] {
	const faults = checkPurchases(purchases);
	const minutes = Math.ceil(seconds / 60) + 1;
	if (texts + files > minutes * chatMessagesPerMinute) faults.push(`${texts + files} messages were taken`);
	if (files > defaultFilesSettings.chatFilesPerDayUnpaid) faults.push(`${files} files were taken`);
	if (bytes > defaultFilesSettings.chatBytesPerDayUnpaid) faults.push(`${Math.round(bytes / mebibyte)} MB were taken`);
	if (texts + files === 0) faults.push('nothing was taken at all');
	if (others.length > 0) faults.push(`answers that nobody should get: ${[...new Set(others)].join(', ')}`);
	return faults;
}

/** Sends up to a thousand texts and files a second from a thousand accounts, while others buy. */
async function floodFromMany(at: BuiltServer): Promise<string[]> {
	const members = await seedAccounts(at);
	const owner = await signInOwner(at.url);
	const before = await owner.get<{ totals: { usedBytes: number } }>('/api/chat-storage?limit=1');
	const until = performance.now() + manyAccountsSeconds * 1000;
	const form = formOf(256 * 1024);
	const counts = { taken: 0, refused: 0, others: [] as number[] };
	let turn = 0;
	const send = async () => {
		while (performance.now() < until) {
			turn += 1;
			const member = members[turn % accounts];
			if (member === undefined) continue;
			const isFile = turn % 12 === 0;
			const status = isFile ? await sendFile(member, form) : await sendText(member, `I am number ${turn}.`);
			if (status === 200) counts.taken += 1;
			else if (status === 429) counts.refused += 1;
			else counts.others.push(status);
			// At most a thousand messages are sent a second, which are 60 a minute for each account.
			const aheadMs = turn - (manyAccountsSeconds * 1000 - (until - performance.now()));
			if (aheadMs > 0) await sleep(aheadMs);
		}
	};
	const senders = Array.from({ length: 50 }, send);
	const purchases = await buyUntil(at, until);
	await Promise.all(senders);
	const { totals } = await owner.get<{ totals: { usedBytes: number } }>('/api/chat-storage?limit=1');
	const grownBytes = totals.usedBytes - before.totals.usedBytes;
	printLine(
		`${accounts} accounts for ${manyAccountsSeconds} s: ${counts.taken} messages taken, ${counts.refused} refused, ` +
			`${(grownBytes / mebibyte).toFixed(1)} MB; ${describe(purchases)}`,
	);
	const faults = checkPurchases(purchases);
	if (counts.taken < accounts) faults.push(`only ${counts.taken} messages were taken`);
	if (counts.others.length > 0)
		faults.push(`answers that nobody should get: ${[...new Set(counts.others)].join(', ')}`);
	return faults;
}

function checkPurchases({ ms, failed }: Purchases): string[] {
	const faults = failed.map((answer) => `a purchase failed: ${answer}`);
	const [middle, slowest] = [medianOf(ms), Math.max(0, ...ms)];
	if (ms.length < 3) faults.push(`only ${ms.length} purchases were made`);
	if (middle > usualPurchaseMs) faults.push(`half of the purchases took more than ${Math.round(middle)} ms`);
	if (slowest > slowestPurchaseMs) faults.push(`a purchase took ${Math.round(slowest)} ms`);
	return faults;
}

function describe({ ms, failed }: Purchases): string {
	const [middle, slowest] = [medianOf(ms), Math.max(0, ...ms)].map(Math.round);
	return `${ms.length} purchases meanwhile, half within ${middle} ms, all within ${slowest} ms, ${failed.length} failed`;
}

/** Buys one order after another, each from a new address, with a pause of half a second. */
async function buyUntil(at: BuiltServer, until: number): Promise<Purchases> {
	const purchases: Purchases = { ms: [], failed: [] };
	while (performance.now() < until) {
		const startedAt = performance.now();
		const answer = await buy(at, `honest-${randomUUID()}@example.com`);
		if (answer === null) purchases.ms.push(performance.now() - startedAt);
		else purchases.failed.push(answer);
		await sleep(500);
	}
	return purchases;
}

/** @returns null when the order is accepted, or else the answer */
async function buy(at: BuiltServer, email: string): Promise<string | null> {
	buyers += 1;
	const form = checkoutForm(email, 'Asha Rao', screenshot);
	const answer = await fetch(`${at.url}${checkoutPath}`, {
		method: 'POST',
		headers: { ...form.headers, 'x-forwarded-for': `203.0.${buyers >> 8}.${buyers & 255}` },
		body: new Uint8Array(form.body),
	});
	const body = await answer.text();
	return answer.ok ? null : `${answer.status} ${body}`;
}

/** Makes an account as any visitor can: by the checkout form, with the password from the mail. */
async function buyAndSignIn(at: BuiltServer, email: string): Promise<Member> {
	const answer = await buy(at, email);
	if (answer !== null) throw new Error(`The purchase failed: ${answer}`);
	let password = '';
	const isMailed = async () => {
		password = (await readStoredMails(at.dataDir)).find(({ to }) => to === email)?.password ?? '';
		return password !== '';
	};
	await waitUntil(isMailed, 'No mail with a password came.', 15_000);
	const client = createClient(at.url);
	if ((await client.signIn(email, password)) !== 200) throw new Error('The mailed password does not sign in.');
	const { id } = await client.get<{ id: string }>('/api/me');
	return { id, url: at.url, cookie: client.cookie() };
}

interface Member {
	id: string;
	url: string;
	cookie: string;
}

/** Creates accounts without an order, each with a session, to save a thousand checkouts and sign-ins. */
async function seedAccounts(at: BuiltServer): Promise<Member[]> {
	const members: Member[] = [];
	await withData(at, (deps) =>
		inTransaction(deps.db, async (tx) => {
			for (let number = 1; number <= accounts; number += 1) {
				const person = { email: `unpaid-${number}@example.com`, name: null, role: 'user' as const };
				const id = await createUser(deps, tx, { ...person, passwordHash: '', isInitialPassword: false });
				if (id === null) throw new Error('An account was there already.');
				const { token } = await createSession(deps, tx, id, systemCaller);
				members.push({ id, url: at.url, cookie: `${sessionCookie}=${token}` });
			}
		}),
	);
	return members;
}

async function sendText({ id, url, cookie }: Member, message: string): Promise<number> {
	const answer = await fetch(`${url}/api/chats/${id}/messages`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', cookie },
		body: JSON.stringify({ clientId: randomUUID(), message }),
	});
	await answer.arrayBuffer();
	return answer.status;
}

/** Builds a form with one file once, so that building it takes no CPU time from the measured checkouts. */
function formOf(sizeBytes: number) {
	const bytes = Buffer.alloc(sizeBytes, randomUUID());
	return multipart({}, { field: 'file', name: 'photo.bin', type: 'application/octet-stream', bytes });
}

/** Does not use `fetch`, which copies the body and would take CPU time from the measured checkouts. */
function sendFile({ id, url, cookie }: Member, { headers, body }: ReturnType<typeof formOf>): Promise<number> {
	return new Promise((resolve) => {
		const sent = request(`${url}${attachmentsPath(id)}?clientId=${randomUUID()}`, {
			method: 'POST',
			headers: { ...headers, 'content-length': body.length, cookie },
		});
		let isAnswered = false;
		sent.once('error', () => resolve(tooManyFormsAtOnce));
		sent.once('response', async (answer) => {
			isAnswered = true;
			const { code } = (await json(answer)) as { code?: string };
			const isBusy = code === 'BUSY' && answer.headers['retry-after'] !== undefined;
			resolve(isBusy ? tooManyFormsAtOnce : (answer.statusCode ?? 0));
			sent.destroy();
		});
		void sendOverNetwork();

		async function sendOverNetwork(): Promise<void> {
			for (let from = 0; from < body.length && !isAnswered && !sent.destroyed; from += pieceBytes) {
				const piece = body.subarray(from, from + pieceBytes);
				networkFreeAt = Math.max(networkFreeAt, performance.now()) + piece.length / networkBytesPerMs;
				await sleep(Math.max(0, networkFreeAt - performance.now()));
				sent.write(piece);
			}
			if (!isAnswered) sent.end();
		}
	});
}
