import { EventEmitter, once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutPath } from '#contract/orders/checkout-form.ts';
import { checkoutForm } from '../../support/app/http-client.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { exchange } from '../../support/services/server-client.ts';
import { waitForPrinted } from './server.ts';
import type { Rewrite } from './server-variant.ts';

/** Bad Gateway and Gateway Timeout (RFC 9110, sections 15.6.3 and 15.6.5). */
const proxyFailures: ReadonlySet<number> = new Set([502, 504]);
const doneMessage = 'Purchase Complated Id Password sent on Email';

/** A server with `mailAfterCommit` prints this between the commit and the mail. A kill at this moment loses the mail. */
export const saleCommitted = 'a sale is committed, its mail is not';

export const mailAfterCommit: Rewrite = {
	file: 'features/orders/checkout/checkout.service.ts',
	find: /if \(isNew \|\| isMailAllowed\) \{\s*await mailLogin\(deps, tx, caller, (\{[^;]*?\})\);\s*\}\s*if \(placed\.isNew && !isTest\)[^;]*;\s*return \{ userId: user\.id, token: placed\.link\.token \};\s*\}\)/u,
	replace: `return { userId: user.id, token: placed.link.token, mail: $1 };
}).then(async ({ mail, ...done }) => {
	console.log('${saleCommitted}');
	await new Promise((resolve) => setTimeout(resolve, 300));
	await inTransaction(deps.db, (tx) => mailLogin(deps, tx, caller, mail));
	return done;
})`,
};

/** `unanswered`: the connection was lost before the answer, or the proxy lost its connection to the server. */
export interface Purchase {
	email: string;
	name: string;
	outcome: 'under way' | 'acknowledged' | 'unanswered' | 'refused';
	isPending: boolean;
	ms: number;
	/** A value of performance.now(). */
	endedAt: number;
	status: number;
}

export function newPurchase(number: number): Purchase {
	const [email, name] = [`buyer-${number}@example.com`, `Buyer ${number}`];
	return { email, name, outcome: 'under way', isPending: false, ms: 0, endedAt: 0, status: 0 };
}

export function describePurchases(purchases: Purchase[]): string {
	const count = (outcome: Purchase['outcome']) => purchases.filter((purchase) => purchase.outcome === outcome).length;
	return `${purchases.length} purchases: acknowledged ${count('acknowledged')}, unanswered ${count('unanswered')}, refused ${count('refused')}`;
}

export interface Run {
	purchases: Purchase[];
	kills: number;
	/** Kills that happened between the first byte of a request and its answer. */
	killsDuringRequest: number;
}

export interface Plan {
	purchases: number;
	clients: number;
	kills: number;
	/** The shortest and the longest time between the first byte of a request and the kill. */
	killAfterMs: [number, number];
	/** Kills when the server prints this line, which only a variant of the server prints. */
	killAtPrinted?: string;
}

export function describeRun({ purchases, kills, killsDuringRequest }: Run): string {
	return `${describePurchases(purchases)}; ${kills} kills, ${killsDuringRequest} of them between first byte and answer`;
}

/** Buys from several clients at once while the server is killed (-9) and restarted, as many times as planned. */
export async function buyUnderKills(server: BuiltServer, plan: Plan): Promise<Run> {
	const run: Run = { purchases: [], kills: 0, killsDuringRequest: 0 };
	const starts = new EventEmitter();
	const killer = killAsPlanned(server, plan, run, starts);
	const clients = Array.from({ length: plan.clients }, async () => {
		while (run.purchases.length < plan.purchases || run.kills < plan.kills) {
			const purchase = newPurchase(run.purchases.length + 1);
			run.purchases.push(purchase);
			await buy(server, purchase, () => starts.emit('started'));
		}
	});
	await Promise.all(clients);
	await killer;
	return run;
}

async function killAsPlanned(server: BuiltServer, plan: Plan, run: Run, starts: EventEmitter): Promise<void> {
	for (let number = 1; number <= plan.kills; number += 1) {
		const dueAt = Math.floor((plan.purchases * number) / (plan.kills + 1));
		do await once(starts, 'started');
		while (run.purchases.length < dueAt);
		await waitToKill(server, plan);
		const pendingCount = run.purchases.filter((purchase) => purchase.isPending).length;
		await server.kill();
		run.kills += 1;
		if (pendingCount > 0) run.killsDuringRequest += 1;
		await server.start();
	}
}

async function waitToKill(server: BuiltServer, { killAfterMs, killAtPrinted }: Plan): Promise<void> {
	if (killAtPrinted === undefined) {
		const [shortest, longest] = killAfterMs;
		return sleep(shortest + Math.random() * (longest - shortest));
	}
	await waitForPrinted(server, killAtPrinted);
}

export async function sendCheckout(
	server: BuiltServer,
	email: string,
	{
		name = 'Asha Rao',
		screenshot,
		headers,
	}: { name?: string; screenshot?: Buffer; headers?: Record<string, string> } = {},
) {
	const form = checkoutForm(email, name, screenshot);
	const options = { method: 'POST', headers: { ...form.headers, ...headers } };
	const answer = await exchange(server.url + checkoutPath, options, form.body);
	const { status, ms } = answer;
	return { status, body: String(answer.bytes), retryAfter: answer.headers['retry-after'] ?? null, ms };
}

/** Makes one checkout. Retries without a connection, but never after the first byte was sent. */
export async function buy(server: BuiltServer, purchase: Purchase, onFirstByte: () => void): Promise<void> {
	while (!(await buyOnce(server, purchase, onFirstByte))) await sleep(30);
}

/** @returns false when nothing was sent, because there was no connection */
function buyOnce(server: BuiltServer, purchase: Purchase, onFirstByte: () => void): Promise<boolean> {
	const form = checkoutForm(purchase.email, purchase.name);
	return new Promise((resolve) => {
		const startedAt = performance.now();
		const headers = { ...form.headers, 'content-length': form.body.length };
		const sending = request(`${server.url}${checkoutPath}`, { method: 'POST', headers, agent: false });
		const end = (outcome: Purchase['outcome']) => {
			if (purchase.outcome !== 'under way') return;
			purchase.outcome = outcome;
			purchase.isPending = false;
			purchase.endedAt = performance.now();
			purchase.ms = purchase.endedAt - startedAt;
			resolve(true);
		};
		sending.once('socket', (socket) => {
			socket.once('connect', () => {
				sending.end(form.body);
				purchase.isPending = true;
				onFirstByte();
			});
		});
		sending.once('response', (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.once('error', () => end('unanswered'));
			response.once('end', () => {
				const body = Buffer.concat(chunks).toString('utf8');
				purchase.status = response.statusCode ?? 0;
				if (proxyFailures.has(purchase.status)) return end('unanswered');
				end(response.complete && purchase.status === 200 && body.includes(doneMessage) ? 'acknowledged' : 'refused');
			});
		});
		sending.once('error', () => {
			if (purchase.isPending) end('unanswered');
			else resolve(false);
		});
	});
}
