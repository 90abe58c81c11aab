import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { checkPurchases } from './purchase-checks.ts';
import { buy, describePurchases, newPurchase, type Purchase } from './purchases.ts';
import { waitUntil } from './report.ts';

const retryForMs = 30_000;
/** Delay before a client retries a refused checkout. */
const retryDelayMs = 200;

/** A period without the database during which clients continue to buy. */
interface Outage {
	/** Numbers of orders to acknowledge before and after the outage. */
	before: number;
	after: number;
	clients: number;
	/** Stops the database while clients buy; `countAcknowledged` counts the orders acknowledged so far. */
	stop(countAcknowledged: () => number): Promise<void>;
	waitUntilBack(): Promise<void>;
}

/** Buys before, during and after an outage of the database, during which an order may be refused with 503. */
export async function buyThroughOutage(
	server: BuiltServer,
	{ before, after, clients, stop, waitUntilBack }: Outage,
): Promise<{ purchases: Purchase[]; outageForMs: number; faults: string[] }> {
	const all: Purchase[] = [];
	let backAt = Number.POSITIVE_INFINITY;
	const acknowledgedAfter = (at: number) =>
		all.filter(({ outcome, endedAt }) => outcome === 'acknowledged' && endedAt > at);
	const countAcknowledged = () => acknowledgedAfter(0).length;
	const giveUpAt = performance.now() + 3 * retryForMs;
	const client = async () => {
		while (acknowledgedAfter(backAt).length < after && performance.now() < giveUpAt) {
			const purchase = newPurchase(all.length + 1);
			all.push(purchase);
			await buy(server, purchase, () => {});
			if (purchase.outcome === 'refused') await sleep(retryDelayMs);
		}
	};
	const buying = Promise.all(Array.from({ length: clients }, client));
	await waitForAcknowledged(countAcknowledged, before);
	await stop(countAcknowledged);
	const stoppedAt = performance.now();
	await waitUntilBack();
	backAt = performance.now();
	await buying;
	const faults =
		acknowledgedAfter(backAt).length < after ? ['clients did not continue after the database was back'] : [];
	const first = Math.min(...acknowledgedAfter(stoppedAt).map(({ endedAt }) => endedAt));
	const verdict = await checkPurchases(server, all, [], [503]);
	return { purchases: all, outageForMs: first - stoppedAt, faults: [...faults, ...verdict.faults] };
}

export function describeOutage({ purchases, outageForMs }: { purchases: Purchase[]; outageForMs: number }): string {
	return `${describePurchases(purchases)}; the first purchase after the outage was acknowledged ${Math.round(outageForMs)} ms after it began`;
}

export function waitForAcknowledged(countAcknowledged: () => number, more: number): Promise<void> {
	const known = countAcknowledged();
	const hasEnough = () => countAcknowledged() >= known + more;
	return waitUntil(hasEnough, 'orders were no longer acknowledged', retryForMs);
}
