import { createCipheriv, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** A Firebase password hash with the parameters of its project; bytes are base64. */
export interface FirebaseScrypt {
	kind: 'firebase-scrypt';
	hash: string;
	salt: string;
	signerKey: string;
	saltSeparator: string;
	rounds: number;
	/** Exponent of the cost: 14 for 2^14. */
	memoryCost: number;
}

/** Whether the password is right. Source: github.com/firebase/scrypt, README and its test vector. */
export async function verifyFirebaseScrypt(verifier: FirebaseScrypt, password: string): Promise<boolean> {
	const { rounds, memoryCost } = verifier;
	const salt = Buffer.concat([bytesOf(verifier.salt), bytesOf(verifier.saltSeparator)]);
	const cost = { N: 2 ** memoryCost, r: rounds, p: 1, maxmem: 2 * 128 * rounds * 2 ** memoryCost };
	const key = await derive(password, salt, 32, cost);
	const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
	const computed = Buffer.concat([cipher.update(bytesOf(verifier.signerKey)), cipher.final()]);
	const expected = bytesOf(verifier.hash);
	return computed.length === expected.length && timingSafeEqual(computed, expected);
}

/** Decodes base64 or base64url: Firebase exports use both, and Node accepts both. */
function bytesOf(text: string): Buffer {
	return Buffer.from(text, 'base64');
}
