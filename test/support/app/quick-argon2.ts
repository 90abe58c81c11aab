import { createRequire } from 'node:module';

/** The package itself: its name leads here while the HTTP tests run (vitest.config.ts). */
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2');

/** What the product must ask for; passwords.test.ts holds the hashes themselves to it. */
const askedCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const quickCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

let verified = 0;

/** How many passwords have been verified: the work of a sign-in, whatever else the machine does. */
export function countVerified(): number {
	return verified;
}

/**
 * argon2id as the product calls it, at the lowest cost there is: the HTTP tests hash a thousand times.
 * @throws for any other cost than the product's
 */
export function hash(password: string, cost: typeof askedCost): Promise<string> {
	if (JSON.stringify(cost) !== JSON.stringify(askedCost))
		throw new Error(`A password is hashed at another cost: ${JSON.stringify(cost)}`);
	return argon2.hash(password, quickCost);
}

/** The cost stands in the hash. */
export function verify(hashed: string, password: string): Promise<boolean> {
	verified += 1;
	return argon2.verify(hashed, password);
}
