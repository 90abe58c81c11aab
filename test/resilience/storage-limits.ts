/**
 * Checks how much members without a paid order can store. One account, created by the checkout form, sends texts and
 * files of 24 MB over ten connections. No more than its limits is stored, and checkouts of others succeed meanwhile.
 * Then a thousand accounts without an order send as much as their limits allow, and checkouts take no longer.
 * Control: with limits a thousand times as high, the checks must find that the account stores too much.
 *
 * `node scripts/resilience.mjs storage-limits [--short]`: one account sends for a minute and the thousand accounts for
 * 30 s, with `--short` for 12 s and 8 s.
 */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { attachmentsPath, chatMessagesPerMinute } from '#contract/chat/chat.ts';
import { defaultFilesSettings } from '#contract/files/spaces.ts';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { createSession, sessionCookie } from '#server/platform/auth/sessions/sessions.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { multipart } from '../support/app/http-client.ts';
import { paintPicture } from '../support/documents/sample-files.ts';
import type { BuiltServer } from '../support/services/built-server.ts';
import { readStoredMails } from '../support/services/received-mails.ts';
import { createClient, signInOwner } from '../support/services/server-client.ts';
import { withData } from './support/deletion-data.ts';
import { sendCheckout } from './support/purchases.ts';
import { finishTest, isShort, medianOf, printLine, waitUntil } from './support/report.ts';
import { openServer } from './support/server.ts';

const oneAccountSeconds = isShort ? 12 : 60;
const manyAccountsSeconds = isShort ? 8 : 30;
const controlSeconds = isShort ? 8 : 15;
const accounts = 1000;
const mebibyte = 1024 * 1024;
const fileBytes = 24 * mebibyte;
/** One gigabit a second, as on a rented server. Faster senders on the loopback would take the server's CPU time. */
const networkBytesPerMs = 125_000;
const writeBytes = mebibyte;
/** The target is one second. The rest is an allowance, because the senders run on the same machine. */
const maxPurchaseMs = 2000;
const maxMedianPurchaseMs = 1000;
/** Pseudo-status for one large form too many: the connection was closed, or Retry-After was sent. */
const tooManyFormsAtOnce = 0;
const env = { TRUST_PROXY: '1', LOG_LEVEL: 'error' };

const screenshot = await paintPicture();
const failures: string[] = [];
let buyers = 0;
let networkFreeAt = 0;

{
	await using server = await openServer(undefined, { ...env, RATE_LIMIT_FACTOR: '1' });
	const stored = await attackFromOneAccount(server, oneAccountSeconds, 'one account');
	failures.push(...checkStoredBytes(stored, oneAccountSeconds).map((fault) => `one account: ${fault}`));
	failures.push(...(await floodFromMany(server)).map((fault) => `a thousand accounts: ${fault}`));
}
{
	await using server = await openServer(undefined, { ...env, RATE_LIMIT_FACTOR: '1000' });
	const stored = await attackFromOneAccount(server, controlSeconds, 'control, limits a thousand times as high');
	// Counts only faults about stored bytes, because slow or failed checkouts do not show that the limits are missing.
	const faults = checkStoredBytes(stored, controlSeconds).filter((fault) => fault.endsWith(' were stored'));
	if (faults.length < 2) failures.push(`the control did not store more: ${faults.join('; ')}`);
}
finishTest(failures);

type StoredBytes = Awaited<ReturnType<typeof attackFromOneAccount>>;
type Purchases = Awaited<ReturnType<typeof buyUntil>>;

/** Sends over ten connections of one account, half with texts and half with files, while others buy. */
async function attackFromOneAccount(at: BuiltServer, seconds: number, name: string) {
	const email = `${randomUUID()}@example.com`;
	const member = await buyAndSignIn(at, email);
	const largeForm = formOf(fileBytes);
	const until = performance.now() + seconds * 1000;
	const stored = { texts: 0, files: 0, bytes: 0, refused: 0, otherStatuses: [] as number[] };
	const recordAnswer = (status: number, kind: 'texts' | 'files', bytes: number) => {
		if (status === 200) {
			stored[kind] += 1;
			stored.bytes += bytes;
		} else if (status === 429 || status === tooManyFormsAtOnce) stored.refused += 1;
		else stored.otherStatuses.push(status);
	};
	const sendTexts = async () => {
		while (performance.now() < until) {
			const message = `What about my order? ${randomUUID()}`;
			recordAnswer(await sendText(member, message), 'texts', message.length);
		}
	};
	const sendFiles = async () => {
		while (performance.now() < until) recordAnswer(await sendFile(member, largeForm), 'files', fileBytes);
	};
	const senders = Array.from({ length: 10 }, (_, number) => (number % 2 === 0 ? sendTexts() : sendFiles()));
	const purchases = await buyUntil(at, until);
	await Promise.all(senders);
	recordAnswer(await sendFile(member, largeForm), 'files', fileBytes);
	printLine(
		`${name}, ten connections for ${seconds} s: ${stored.texts} texts and ${stored.files} files stored, ` +
			`${(stored.bytes / mebibyte).toFixed(1)} MB; ${stored.refused} refused; ${describe(purchases)}`,
	);
	return { ...stored, purchases };
}

function checkStoredBytes({ texts, files, bytes, otherStatuses, purchases }: StoredBytes, seconds: number): string[] {
	const faults = checkPurchases(purchases);
	const minutes = Math.ceil(seconds / 60) + 1;
	if (texts + files > minutes * chatMessagesPerMinute) faults.push(`${texts + files} messages were stored`);
	if (files > defaultFilesSettings.chatFilesPerDayUnpaid) faults.push(`${files} files were stored`);
	if (bytes > defaultFilesSettings.chatBytesPerDayUnpaid) faults.push(`${Math.round(bytes / mebibyte)} MB were stored`);
	if (texts + files === 0) faults.push('nothing was stored at all');
	if (otherStatuses.length > 0) faults.push(`unexpected answers: ${[...new Set(otherStatuses)].join(', ')}`);
	return faults;
}

/** Sends up to a thousand texts and files a second from a thousand accounts, while others buy. */
async function floodFromMany(at: BuiltServer): Promise<string[]> {
	const members = await seedAccounts(at);
	const owner = await signInOwner(at.url);
	const before = await owner.get<{ totals: { usedBytes: number } }>('/api/chat-storage?limit=1');
	const until = performance.now() + manyAccountsSeconds * 1000;
	const form = formOf(256 * 1024);
	const counts = { stored: 0, refused: 0, otherStatuses: [] as number[] };
	let turn = 0;
	const send = async () => {
		while (performance.now() < until) {
			turn += 1;
			const member = members[turn % accounts];
			if (member === undefined) continue;
			const isFile = turn % 12 === 0;
			const status = isFile ? await sendFile(member, form) : await sendText(member, `I am number ${turn}.`);
			if (status === 200) counts.stored += 1;
			else if (status === 429) counts.refused += 1;
			else counts.otherStatuses.push(status);
			// All accounts together send at most a thousand messages a second: 60 a minute for each account.
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
		`${accounts} accounts for ${manyAccountsSeconds} s: ${counts.stored} messages stored, ${counts.refused} refused, ` +
			`${(grownBytes / mebibyte).toFixed(1)} MB; ${describe(purchases)}`,
	);
	const faults = checkPurchases(purchases);
	if (counts.stored < accounts) faults.push(`only ${counts.stored} messages were stored`);
	if (counts.otherStatuses.length > 0)
		faults.push(`unexpected answers: ${[...new Set(counts.otherStatuses)].join(', ')}`);
	return faults;
}

function checkPurchases({ ms, failed }: Purchases): string[] {
	const faults = failed.map((answer) => `a purchase failed: ${answer}`);
	const [medianMs, slowestMs] = [medianOf(ms), Math.max(0, ...ms)];
	if (ms.length < 3) faults.push(`only ${ms.length} purchases were made`);
	if (medianMs > maxMedianPurchaseMs) faults.push(`half of the purchases took more than ${Math.round(medianMs)} ms`);
	if (slowestMs > maxPurchaseMs) faults.push(`a purchase took ${Math.round(slowestMs)} ms`);
	return faults;
}

function describe({ ms, failed }: Purchases): string {
	const [medianMs, slowestMs] = [medianOf(ms), Math.max(0, ...ms)].map(Math.round);
	return `${ms.length} purchases meanwhile, half within ${medianMs} ms, all within ${slowestMs} ms, ${failed.length} failed`;
}

/** Buys one order after another, each from a new address, with a pause of half a second. */
async function buyUntil(at: BuiltServer, until: number) {
	const purchases = { ms: [] as number[], failed: [] as string[] };
	while (performance.now() < until) {
		const startedAt = performance.now();
		const answer = await buy(at, `honest-${randomUUID()}@example.com`);
		if (answer === null) purchases.ms.push(performance.now() - startedAt);
		else purchases.failed.push(answer);
		await sleep(500);
	}
	return purchases;
}

/** @returns null when the order is accepted, otherwise the answer */
async function buy(at: BuiltServer, email: string): Promise<string | null> {
	buyers += 1;
	const headers = { 'x-forwarded-for': `203.0.${buyers >> 8}.${buyers & 255}` };
	const { status, body } = await sendCheckout(at, email, { screenshot, headers });
	return status === 200 ? null : `${status} ${body}`;
}

/** Creates an account with the checkout form and signs in with the mailed password. */
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

type Member = Record<'id' | 'url' | 'cookie', string>;

/** Inserts accounts and sessions into the database, because a thousand checkouts and sign-ins would take long. */
async function seedAccounts(at: BuiltServer): Promise<Member[]> {
	const members: Member[] = [];
	await withData(at, (deps) =>
		inTransaction(deps.db, async (tx) => {
			for (let number = 1; number <= accounts; number += 1) {
				const person = { email: `unpaid-${number}@example.com`, name: null, role: 'user' as const };
				const id = await createUser(deps, tx, { ...person, passwordHash: '', isInitialPassword: false });
				if (id === null) throw new Error('An account existed already.');
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

/** Builds a form with one file. Building it for each call would take CPU time from the measured checkouts. */
function formOf(sizeBytes: number) {
	const bytes = Buffer.alloc(sizeBytes, randomUUID());
	return multipart({}, { field: 'file', name: 'photo.bin', type: 'application/octet-stream', bytes });
}

/** Sends one file. Does not use `fetch`, which copies the body and so would take CPU time from the measured checkouts. */
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
			for (let from = 0; from < body.length && !isAnswered && !sent.destroyed; from += writeBytes) {
				const part = body.subarray(from, from + writeBytes);
				networkFreeAt = Math.max(networkFreeAt, performance.now()) + part.length / networkBytesPerMs;
				await sleep(Math.max(0, networkFreeAt - performance.now()));
				sent.write(part);
			}
			if (!isAnswered) sent.end();
		}
	});
}
