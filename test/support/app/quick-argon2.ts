import { createRequire } from 'node:module';

/** The real package: in the HTTP tests its name is an alias of this file (vitest.config.ts). */
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2');

/** The cost that the product must use; passwords.test.ts checks it in real hashes. */
const askedCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const quickCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

let verified = 0;

/** Returns how many passwords have been verified: a measure of a sign-in's work that does not depend on the machine. */
export function countVerified(): number {
	return verified;
}

/**
 * Hashes with argon2id as the product does, but at the lowest cost, because the HTTP tests hash a thousand times.
 * @throws Error when called with another cost than the product's
 */
export function hash(password: string, cost: typeof askedCost): Promise<string> {
	if (JSON.stringify(cost) !== JSON.stringify(askedCost))
		throw new Error(`A password is hashed at another cost: ${JSON.stringify(cost)}`);
	return argon2.hash(password, quickCost);
}

/** Verifies a password and counts the call; the cost is part of the hash. */
export function verify(hashed: string, password: string): Promise<boolean> {
	verified += 1;
	return argon2.verify(hashed, password);
}
