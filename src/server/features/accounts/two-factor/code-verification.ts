import { recoveryCodeCount } from '#contract/accounts/two-factor.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { randomCode } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import * as queries from './two-factor.queries.ts';

export const totpSecretContext = 'users.totp';
const recoveryCodeContext = 'recovery_codes.code_hash';
const stepSeconds = 30;

/** Generates ten codes of 49 bits such as `7K4MQ-2XWRB`. */
export function generateRecoveryCodes(): string[] {
	return Array.from({ length: recoveryCodeCount }, () => `${randomCode(5)}-${randomCode(5)}`);
}

function normalizeCode(typed: string): string {
	return typed.normalize('NFKC').replace(/[\s-]/gu, '').toUpperCase();
}

/** Hashes a recovery code with a key, so that a copy of the database alone does not reveal the codes. */
export function hashRecoveryCode(deps: Deps, userId: string, code: string): string {
	return deps.secrets.lookupKey(recoveryCodeContext, `${userId} ${normalizeCode(code)}`);
}

/** A correct code. The transaction that depends on the code must use it up by {@link consumeCode}. */
export type ValidCode = { kind: 'step'; step: number } | { kind: 'recovery'; hash: string };

/** Checks six digits as a code of the app, other text as a recovery code. @returns null for a wrong or used code */
export async function findValidCode(
	deps: Deps,
	user: { id: string; secretSealed: string | null; lastStep: number | null },
	typed: string,
): Promise<ValidCode | null> {
	const code = normalizeCode(typed);
	if (user.secretSealed === null) return null;
	if (/^\d{6}$/u.test(code)) {
		const step = await findTotpStep(deps.secrets.unseal(totpSecretContext, user.secretSealed), code, deps.clock.now());
		return step === null || step <= (user.lastStep ?? -1) ? null : { kind: 'step', step };
	}
	const hash = hashRecoveryCode(deps, user.id, code);
	return (await queries.hasUnusedRecoveryCode(deps.db, user.id, hash)) ? { kind: 'recovery', hash } : null;
}

/** Finds the time step of a code: current, previous or next (RFC 6238, section 5.2). @returns null for a wrong code */
async function findTotpStep(secret: string, code: string, now: Date): Promise<number | null> {
	const { verifySync } = await import('otplib');
	const result = verifySync({
		secret,
		token: code,
		epoch: Math.floor(now.getTime() / 1000),
		period: stepSeconds,
		epochTolerance: stepSeconds,
	});
	return result.valid && 'timeStep' in result ? result.timeStep : null;
}

export function createWrongCodeError(): AppError {
	return new AppError('TWO_FACTOR_CODE_WRONG', { fields: { code: 'error_two_factor_code_wrong' } });
}

/**
 * Uses up a correct code; only one of two concurrent calls succeeds.
 * @throws AppError TWO_FACTOR_CODE_WRONG when this code or the code of a later step was used already
 */
export async function consumeCode(deps: Deps, tx: Db, caller: Caller, userId: string, code: ValidCode): Promise<void> {
	const isUsed =
		code.kind === 'step'
			? await queries.consumeStep(tx, userId, code.step)
			: await queries.consumeRecoveryCode(tx, userId, code.hash, isoAt(deps.clock));
	if (!isUsed) throw createWrongCodeError();
	if (code.kind === 'recovery') {
		const left = await queries.countUnusedRecoveryCodes(tx, userId);
		await recordAudit(deps, tx, caller, 'recovery-code-used', ['user', userId], { left });
	}
}
