import { randomBytes, randomInt } from 'node:crypto';

/** Returns a random id of 128 bits, base64url; without a timestamp, so that a clock set back causes no duplicates. */
export function newId(): string {
	return randomBytes(16).toString('base64url');
}

/** Returns a secret for cookies and links: 256 bits, base64url. Only its hash is stored. */
export function newToken(): string {
	return randomBytes(32).toString('base64url');
}

// Without 0, O, 1, I, L and U, so that none is mistaken for another when read aloud.
const codeLetters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a short code that is easy to quote, such as BYE-7K4M-2Q, from the title's initials and 30 random bits. */
export function newOrderCode(title: string): string {
	const initials = title
		.normalize('NFKD')
		.split(/\s+/u)
		.map((word) => word.match(/[a-z0-9]/iu)?.[0] ?? '')
		.join('')
		.toUpperCase()
		.slice(0, 3);
	const pick = (count: number) =>
		Array.from({ length: count }, () => codeLetters[randomInt(codeLetters.length)]).join('');
	return `${initials || 'FOL'}-${pick(4)}-${pick(2)}`;
}
