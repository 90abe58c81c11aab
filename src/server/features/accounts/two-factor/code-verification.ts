import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit } from '../../audit/index.ts';
import { findTotpStep, normalizeCode } from './one-time-codes.ts';
import * as queries from './two-factor.queries.ts';

export const totpSecretContext = 'users.totp';
const recoveryCodeContext = 'recovery_codes.code_hash';

/** Hashes a recovery code with a key, so that a copy of the database alone does not reveal the codes. */
export function hashRecoveryCode(deps: Deps, userId: string, code: string): string {
	return deps.secrets.lookupKey(recoveryCodeContext, `${userId} ${normalizeCode(code)}`);
}

/** A correct code, to be used up by {@link consumeCode} in the transaction that depends on it. */
export type ValidCode = { kind: 'step'; step: number } | { kind: 'recovery'; hash: string };

/** Returns a typed code if it is valid and unused, else null: six digits are an app's code, else a recovery code. */
export async function findValidCode(
	deps: Deps,
	user: { id: string; secretSealed: string | null; lastStep: number | null },
	typed: string,
): Promise<ValidCode | null> {
	const code = normalizeCode(typed);
	if (user.secretSealed === null) return null;
	if (/^\d{6}$/u.test(code)) {
		const step = findTotpStep(deps.secrets.unseal(totpSecretContext, user.secretSealed), code, deps.clock.now());
		return step === null || step <= (user.lastStep ?? -1) ? null : { kind: 'step', step };
	}
	const hash = hashRecoveryCode(deps, user.id, code);
	return (await queries.hasUnusedRecoveryCode(deps.db, user.id, hash)) ? { kind: 'recovery', hash } : null;
}

export function createWrongCodeError(): AppError {
	return new AppError('TWO_FACTOR_CODE_WRONG', { fields: { code: 'error_two_factor_code_wrong' } });
}

/**
 * Uses up a correct code; of two concurrent uses, one succeeds.
 * @throws AppError TWO_FACTOR_CODE_WRONG when this code, or the code of a later step, was used already
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
