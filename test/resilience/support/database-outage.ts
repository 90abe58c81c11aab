import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { checkPurchases } from './purchase-checks.ts';
import { buy, type Purchase } from './purchases.ts';

const retryForMs = 30_000;
/** Who was refused tries again: as a person would, not at once. */
const retryDelayMs = 200;

/** People buy, the database goes away, comes back, and they buy on. */
export interface Outage {
	/** Purchases told before it goes, and after it is back. */
	before: number;
	after: number;
	clients: number;
	/** Takes it away while people buy; `countTold` counts those told so far. */
	stop(countTold: () => number): Promise<void>;
	/** Resolves when it is there again. */
	waitUntilBack(): Promise<void>;
}

/**
 * @returns what the clients were told; how long no purchase succeeded; and the faults. A purchase may be refused with
 * 503 while the database is away.
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

/** @throws Error when it takes too long */
export async function waitForAcknowledged(isSo: () => boolean): Promise<void> {
	const giveUpAt = performance.now() + retryForMs;
	while (!isSo()) {
		if (performance.now() > giveUpAt) throw new Error('nobody could buy');
		await sleep(10);
	}
}

/** In a line: how many were told, and how many not. */
export function describeOutage(all: Purchase[]): string {
	const count = (outcome: string) => all.filter((purchase) => purchase.outcome === outcome).length;
	return `${all.length} purchases: told ${count('told')}, not told ${count('not told')}, refused ${count('refused')}`;
}

function newPurchase(email: string, name: string): Purchase {
	return { email, name, outcome: 'under way', isPending: false, ms: 0, endedAt: 0, status: 0 };
}
