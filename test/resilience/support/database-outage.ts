import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { checkPurchases } from './purchase-checks.ts';
import { buy, type Purchase } from './purchases.ts';

const retryForMs = 30_000;
/** The delay before a refused client tries again; a user would not retry at once either. */
const retryDelayMs = 200;

/** A period without the database during which clients continue to buy. */
export interface Outage {
	/** The number of orders to acknowledge before the outage, and after it. */
	before: number;
	after: number;
	clients: number;
	/** Stops the database while clients buy; `countTold` counts the orders acknowledged so far. */
	stop(countTold: () => number): Promise<void>;
	/** Resolves when the database is available again. */
	waitUntilBack(): Promise<void>;
}

/**
 * Buys before, during and after an outage of the database, in which an order may be refused with 503.
 * @returns the orders as their clients saw them, the ms until an order succeeded again, and the faults
 */
export async function buyThroughOutage(
	server: BuiltServer,
	{ before, after, clients, stop: takeAway, waitUntilBack: bringBack }: Outage,
): Promise<{ purchases: Purchase[]; awayForMs: number; faults: string[] }> {
	const all: Purchase[] = [];
	let backAt = Number.POSITIVE_INFINITY;
	const toldAfter = (at: number) => all.filter(({ outcome, endedAt }) => outcome === 'told' && endedAt > at);
	const countTold = () => toldAfter(0).length;
	const giveUpAt = performance.now() + 3 * retryForMs;
	const client = async () => {
		while (toldAfter(backAt).length < after && performance.now() < giveUpAt) {
			const number = all.length + 1;
			const purchase = newPurchase(`buyer-${number}@example.com`, `Buyer ${number}`);
			all.push(purchase);
			await buy(server, purchase, () => {});
			if (purchase.outcome === 'refused') await sleep(retryDelayMs);
		}
	};
	const buying = Promise.all(Array.from({ length: clients }, client));
	await waitForAcknowledged(() => countTold() >= before);
	await takeAway(countTold);
	const awayAt = performance.now();
	await bringBack();
	backAt = performance.now();
	await buying;
	const faults = toldAfter(backAt).length < after ? ['clients did not go on after it was back'] : [];
	const first = Math.min(...toldAfter(awayAt).map(({ endedAt }) => endedAt));
	const verdict = await checkPurchases(server, all, [], [503]);
	return { purchases: all, awayForMs: first - awayAt, faults: [...faults, ...verdict.faults] };
}

/** Waits until a condition is true. @throws Error when it takes too long */
export async function waitForAcknowledged(isSo: () => boolean): Promise<void> {
	const giveUpAt = performance.now() + retryForMs;
	while (!isSo()) {
		if (performance.now() > giveUpAt) throw new Error('nobody could buy');
		await sleep(10);
	}
}

/** Describes in one line how many orders were acknowledged, unacknowledged and refused. */
export function describeOutage(all: Purchase[]): string {
	const count = (outcome: string) => all.filter((purchase) => purchase.outcome === outcome).length;
	return `${all.length} purchases: told ${count('told')}, not told ${count('not told')}, refused ${count('refused')}`;
}

function newPurchase(email: string, name: string): Purchase {
	return { email, name, outcome: 'under way', isPending: false, ms: 0, endedAt: 0, status: 0 };
}
