import { createRequire } from 'node:module';

/** The real package. Loaded by `require`, because vitest.config.ts redirects imports of the package to this file. */
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2');

/** The cost that the product must use; passwords.test.ts checks the cost of real hashes. */
const productCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const quickCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

let verified = 0;

/** Returns the number of passwords verified so far. Tests use it to compare the work of sign-ins. */
export function countVerified(): number {
	return verified;
}

/** Hashes at the lowest cost, because the HTTP tests hash many passwords. @throws Error unless `cost` is the product's */
export function hash(password: string, cost: typeof productCost): Promise<string> {
	if (JSON.stringify(cost) !== JSON.stringify(productCost))
		throw new Error(`A password was hashed with another cost than productCost: ${JSON.stringify(cost)}`);
	return argon2.hash(password, quickCost);
}

export function verify(hashed: string, password: string): Promise<boolean> {
	verified += 1;
	return argon2.verify(hashed, password);
}
