import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { createKeyedLimiter } from '../../locking/concurrency-limiter.ts';

// 19 MiB, two passes, one lane: OWASP's password storage cheat sheet, argon2id.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Limits parallel hashes: each needs 19 MiB, and more than there are processors are no faster. */
const hashLimiter = createKeyedLimiter(Math.min(availableParallelism(), 4));
const limiterKey = 'password';

let dummyHash: Promise<string> | undefined;

/** Hashes a password (argon2id, PHC string). Unicode forms of the same text hash alike. */
export function hashPassword(password: string): Promise<string> {
	return hashLimiter.run(limiterKey, () => hash(password.normalize('NFC'), cost));
}

/** Whether a password is right. Without a hash it takes as long and returns false, so that timing reveals nothing. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
	dummyHash ??= hash('a password nobody has', cost);
	const known = passwordHash ?? (await dummyHash);
	const isRight = await hashLimiter.run(limiterKey, () => verify(known, password.normalize('NFC')));
	return isRight && passwordHash !== null;
}

/** Returns a first password that is easy to type, as `kite-94-harbour-quiet-lamp`: about 50 bits. */
export function newInitialPassword(): string {
	const word = () => wordlist[randomInt(wordlist.length)];
	return [word(), randomInt(10, 100), word(), word(), word()].join('-');
}
