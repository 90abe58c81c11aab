import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { createKeyedLimiter } from '../../locking/concurrency-limiter.ts';

// Source: OWASP, 'Password Storage Cheat Sheet', argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Limits parallel hashing, because each hash needs 19 MiB. More hashes than processors are no faster. */
const hashLimiter = createKeyedLimiter(Math.min(availableParallelism(), 4));
const limiterKey = 'password';

/** Loaded at the first use, like sharp (images/load-sharp.ts). */
const loadArgon2 = () => import('@node-rs/argon2');

let dummyHash: Promise<string> | undefined;

/** Normalises a password and hashes it (argon2id, PHC string). */
export function hashPassword(password: string): Promise<string> {
	return hashLimiter.run(limiterKey, async () => (await loadArgon2()).hash(password.normalize('NFC'), cost));
}

/** Whether a password is right. Takes as long without a hash, so that the time does not reveal which accounts exist. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
	const { hash, verify } = await loadArgon2();
	dummyHash ??= hash('a password nobody has', cost);
	const comparedHash = passwordHash ?? (await dummyHash);
	const isRight = await hashLimiter.run(limiterKey, () => verify(comparedHash, password.normalize('NFC')));
	return isRight && passwordHash !== null;
}

/** Returns a random password of about 50 bits that is easy to type, such as `kite-94-harbour-quiet-lamp`. */
export function newInitialPassword(): string {
	const word = () => wordlist[randomInt(wordlist.length)];
	return [word(), randomInt(10, 100), word(), word(), word()].join('-');
}
