import { EventEmitter, once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutPath } from '#contract/orders/checkout.ts';
import { checkoutForm } from '../../support/app/http-client.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { waitForPrinted } from './server.ts';
import type { Rewrite } from './server-variant.ts';

/** Bad Gateway and Gateway Timeout (RFC 9110, sections 15.6.3 and 15.6.5). */
const proxyFailures: ReadonlySet<number> = new Set([502, 504]);
const doneMessage = 'Purchase Complated Id Password sent on Email';

/** Printed by a variant of the product at the moment at which a kill would lose the mail. */
export const saleCommitted = 'a sale is committed, its mail is not';

/** Makes the variant in which the mail is written after the commit. */
export const mailAfterCommit: Rewrite = {
	file: 'features/orders/checkout/checkout.service.ts',
	find: /if \(isNew \|\| isMailAllowed\) \{\s*await mailLogin\(deps, tx, caller, (\{[^;]*?\})\);\s*\}\s*if \(placed\.isNew\)[^;]*;\s*return \{ userId: user\.id, token: link\.token \};\s*\}\)/u,
	replace: `return { userId: user.id, token: link.token, mail: $1 };
}).then(async ({ mail, ...done }) => {
	console.log('${saleCommitted}');
	await new Promise((resolve) => setTimeout(resolve, 300));
	await inTransaction(deps.db, (tx) => mailLogin(deps, tx, caller, mail));
	return done;
})`,
};

/**
 * One checkout as its client saw it. `unanswered`: the connection broke before the answer, or a proxy reports that its
 * did.
 */
export interface Purchase {
	email: string;
	name: string;
	outcome: 'under way' | 'acknowledged' | 'unanswered' | 'refused';
	/** Whether the request was begun and is not answered. */
	isPending: boolean;
	ms: number;
	/** In terms of performance.now(). */
	endedAt: number;
	status: number;
}

export function newPurchase(number: number): Purchase {
	const [email, name] = [`buyer-${number}@example.com`, `Buyer ${number}`];
	return { email, name, outcome: 'under way', isPending: false, ms: 0, endedAt: 0, status: 0 };
}

/** Describes in words how many orders were acknowledged, unanswered and refused. */
export function describePurchases(purchases: Purchase[]): string {
	const count = (outcome: Purchase['outcome']) => purchases.filter((each) => each.outcome === outcome).length;
	return `${purchases.length} purchases: acknowledged ${count('acknowledged')}, unanswered ${count('unanswered')}, refused ${count('refused')}`;
}

export interface Run {
	purchases: Purchase[];
	kills: number;
	/** Kills that fell between the first byte of a request and its answer. */
	killsDuringRequest: number;
}

export interface Plan {
	purchases: number;
	clients: number;
	kills: number;
	/** The least and the most milliseconds between the first byte of a client and the kill. */
	killAfterMs: [number, number];
	/** When set, kills when the server prints this, which only a variant of the server does. */
	killAtPrinted?: string;
}

export function describeRun({ purchases, kills, killsDuringRequest }: Run): string {
	return `${describePurchases(purchases)}; ${kills} kills, ${killsDuringRequest} of them between first byte and answer`;
}

/** Buys from several clients at once while the server is killed (-9) and restarted, until both are done as planned. */
export async function buyUnderKills(server: BuiltServer, plan: Plan): Promise<Run> {
	const run: Run = { purchases: [], kills: 0, killsDuringRequest: 0 };
	const beginnings = new EventEmitter();
	const killer = killNowAndThen(server, plan, run, beginnings);
	const clients = Array.from({ length: plan.clients }, async () => {
		while (run.purchases.length < plan.purchases || run.kills < plan.kills) {
			const purchase = newPurchase(run.purchases.length + 1);
			run.purchases.push(purchase);
			await buy(server, purchase, () => beginnings.emit('begun'));
		}
	});
	await Promise.all(clients);
	await killer;
	return run;
}

async function killNowAndThen(server: BuiltServer, plan: Plan, run: Run, beginnings: EventEmitter): Promise<void> {
	for (let number = 1; number <= plan.kills; number += 1) {
		const dueAt = Math.floor((plan.purchases * number) / (plan.kills + 1));
		do await once(beginnings, 'begun');
		while (run.purchases.length < dueAt);
		await waitForMoment(server, plan);
		const pendingCount = run.purchases.filter((purchase) => purchase.isPending).length;
		await server.kill();
		run.kills += 1;
		if (pendingCount > 0) run.killsDuringRequest += 1;
		await server.start();
	}
}

async function waitForMoment(server: BuiltServer, { killAfterMs, killAtPrinted }: Plan): Promise<void> {
	if (killAtPrinted === undefined) {
		const [least, most] = killAfterMs;
		return sleep(least + Math.random() * (most - least));
	}
	await waitForPrinted(server, killAtPrinted);
}

/** Makes one checkout, retried until there is a connection; nothing is repeated after the first byte. */
export async function buy(server: BuiltServer, purchase: Purchase, onBegun: () => void): Promise<void> {
	while (!(await buyOnce(server, purchase, onBegun))) await sleep(30);
}

/** @returns false when no connection was made at all */
function buyOnce(server: BuiltServer, purchase: Purchase, onBegun: () => void): Promise<boolean> {
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
				onBegun();
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
