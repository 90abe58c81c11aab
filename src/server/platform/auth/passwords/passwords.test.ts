import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

test('hashPassword uses argon2id with the cost that OWASP recommends', async () => {
	const hashed = await hashPassword('right horse battery');
	expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/u);
	expect(await hashPassword('right horse battery')).not.toBe(hashed);
	expect(await verifyPassword(hashed, 'right horse battery')).toBe(true);
	expect(await verifyPassword(hashed, 'wrong horse battery')).toBe(false);
});

test('verifyPassword accepts a password in another Unicode normalization form', async () => {
	expect(await verifyPassword(await hashPassword('caf\u00e9 at noon'), 'cafe\u0301 at noon')).toBe(true);
});

test('verifyPassword returns false when there is no stored hash', async () => {
	expect(await verifyPassword(null, 'a password nobody has')).toBe(false);
});
