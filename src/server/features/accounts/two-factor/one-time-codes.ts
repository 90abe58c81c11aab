import { randomInt } from 'node:crypto';
import { verifySync } from 'otplib';
import { recoveryCodeCount } from '#contract/accounts/two-factor.ts';

const stepSeconds = 30;

/** What an app would show for the secret at this moment or one step beside it (RFC 6238, section 5.2). @returns the step whose code it is, or null */
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

/** A code as it counts: without the blanks and dashes that people put between, in capitals. */
export function normalizeCode(typed: string): string {
	return typed.normalize('NFKC').replace(/[\s-]/gu, '').toUpperCase();
}

// Without 0/O, 1/I/L and U: written down and typed again, none is taken for another.
const recoveryCodeAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const groupLength = 5;

/** Ten codes of 49 bits such as `7K4MQ-2XWRB`. */
export function generateRecoveryCodes(): string[] {
	const group = () =>
		Array.from({ length: groupLength }, () => recoveryCodeAlphabet[randomInt(recoveryCodeAlphabet.length)]).join('');
	return Array.from({ length: recoveryCodeCount }, () => `${group()}-${group()}`);
}
