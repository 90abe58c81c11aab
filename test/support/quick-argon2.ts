import { createRequire } from 'node:module';

/** The package itself: its name leads here while the HTTP tests run (vitest.config.ts). */
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2');

/** What the product must ask for; passwords.test.ts holds the hashes themselves to it. */
const askedCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const quickCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

let isQuick = true;

/** Lets whatever a test file hashes or verifies cost what it costs in the product, until the returned function is called. */
export function payFullCost(): () => void {
	isQuick = false;
	return () => {
		isQuick = true;
	};
}

/**
 * argon2id as the product calls it, at the lowest cost there is: the HTTP tests hash a thousand times.
 * @throws for any other cost than the product's
 */
export function hash(password: string, cost: typeof askedCost): Promise<string> {
	if (JSON.stringify(cost) !== JSON.stringify(askedCost))
		throw new Error(`A password is hashed at another cost: ${JSON.stringify(cost)}`);
	return argon2.hash(password, isQuick ? quickCost : askedCost);
}

/** The cost stands in the hash; one that was made quickly is verified at the full cost by hashing once more. */
export async function verify(hashed: string, password: string): Promise<boolean> {
	if (!isQuick && !hashed.includes(`m=${askedCost.memoryCost},`)) await argon2.hash(password, askedCost);
	return argon2.verify(hashed, password);
}
