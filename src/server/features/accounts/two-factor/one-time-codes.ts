import { randomInt } from 'node:crypto';
import { verifySync } from 'otplib';
import { recoveryCodeCount } from '#contract/accounts/two-factor.ts';

const stepSeconds = 30;

/** Finds a code's time step: current, previous or next (RFC 6238, section 5.2). @returns null for a wrong code */
export function findTotpStep(secret: string, code: string, now: Date): number | null {
	if (!/^\d{6}$/u.test(code)) return null;
	const result = verifySync({
		secret,
		token: code,
		epoch: Math.floor(now.getTime() / 1000),
		period: stepSeconds,
		epochTolerance: stepSeconds,
	});
	return result.valid && 'timeStep' in result ? result.timeStep : null;
}

export function normalizeCode(typed: string): string {
	return typed.normalize('NFKC').replace(/[\s-]/gu, '').toUpperCase();
}

// Omits 0/O, 1/I/L and U, which are easily confused when a code is written down and typed.
const recoveryCodeAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const groupLength = 5;

/** Generates ten codes of 49 bits such as `7K4MQ-2XWRB`. */
export function generateRecoveryCodes(): string[] {
	const group = () =>
		Array.from({ length: groupLength }, () => recoveryCodeAlphabet[randomInt(recoveryCodeAlphabet.length)]).join('');
	return Array.from({ length: recoveryCodeCount }, () => `${group()}-${group()}`);
}
