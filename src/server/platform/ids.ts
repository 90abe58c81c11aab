import { randomBytes, randomInt } from 'node:crypto';

/** A random id of 128 bits, base64url: no clock in it, so a clock set back makes no twins. */
export function newId(): string {
	return randomBytes(16).toString('base64url');
}

/** A secret for cookies and links: 256 bits, base64url. Only its hash is kept. */
export function newToken(): string {
	return randomBytes(32).toString('base64url');
}

// Without 0/O, 1/I/L and U: read aloud over a telephone, none is taken for another.
const codeLetters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A short code for people to quote, such as BYE-7K4M-2Q; made from the title's initials and 30 bits of chance. */
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
