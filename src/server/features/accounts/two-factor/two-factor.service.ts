import type { twoFactor } from '#contract/accounts/two-factor.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { Caller, MemberCaller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { verifyPassword } from '../../../platform/auth/passwords/passwords.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { createQrPath } from '../../../platform/images/qr-code.ts';
import { siteIdentity } from '../../../platform/site-identity.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueMail } from '../../mail/index.ts';
import { consumeAccountChangeLimit, tryWithinLimits } from '../passwords/attempt-limits.ts';
import { findUserByEmailKey } from '../users/users.queries.ts';
import {
	consumeCode,
	createWrongCodeError,
	findValidCode,
	generateRecoveryCodes,
	hashRecoveryCode,
	totpSecretContext,
} from './code-verification.ts';
import * as queries from './two-factor.queries.ts';

export interface AccountCaller extends MemberCaller {
	knownDevices: string | undefined;
}

export async function getTwoFactorStatus(deps: Deps, { actor }: MemberCaller) {
	const { since } = await getTwoFactor(deps.db, actor.userId);
	const recoveryCodesLeft = since === null ? 0 : await queries.countUnusedRecoveryCodes(deps.db, actor.userId);
	return { isOn: since !== null, since, recoveryCodesLeft };
}

/**
 * Creates a secret that takes effect after {@link confirmTwoFactorSetup}. Replaces an unconfirmed secret.
 * @throws AppError PASSWORD_WRONG, TWO_FACTOR_IS_ON, TOO_MANY_SIGN_INS
 */
export async function beginTwoFactorSetup(deps: Deps, caller: AccountCaller, input: { password: string }) {
	const user = await getTwoFactor(deps.db, caller.actor.userId);
	await requirePassword(deps, caller, user, input.password);
	const { generateSecret, generateURI } = await import('otplib');
	const secret = generateSecret();
	const isStored = await queries.setPendingSecret(deps.db, user.id, deps.secrets.seal(totpSecretContext, secret));
	if (!isStored) throw new AppError('TWO_FACTOR_IS_ON');
	// Authenticator apps list the account under the name of the site.
	const { wordmark: issuer } = (await siteIdentity()(deps)).texts[caller.locale];
	const uri = generateURI({ issuer, label: user.email, secret });
	return { secret, uri, qr: createQrPath(uri) };
}

/**
 * Turns two-factor sign-in on with a first code of the app.
 * @returns the recovery codes, which are not shown again
 * @throws AppError TWO_FACTOR_CODE_WRONG, TWO_FACTOR_IS_ON, TWO_FACTOR_IS_OFF (the set-up was not started),
 * TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES
 */
export async function confirmTwoFactorSetup(deps: Deps, caller: AccountCaller, input: { code: string }) {
	const user = await getTwoFactor(deps.db, caller.actor.userId);
	if (user.since !== null) throw new AppError('TWO_FACTOR_IS_ON');
	const { secretSealed } = user;
	if (secretSealed === null) throw new AppError('TWO_FACTOR_IS_OFF');
	const code = await requireCode(deps, caller, user, input.code);
	if (code.kind !== 'step') throw createWrongCodeError();
	await consumeAccountChangeLimit(deps, user.email_key);
	return inTransaction(deps.db, async (tx) => {
		const now = isoAt(deps.clock);
		const isOn = await queries.confirmSecret(tx, user.id, { secretSealed, step: code.step, now });
		if (!isOn) throw new AppError('TWO_FACTOR_IS_ON');
		await recordTwoFactorChange(deps, tx, caller, user, 'two-factor-on');
		return { recoveryCodes: await writeRecoveryCodes(deps, tx, user.id) };
	}).finally(deps.wakeWorkers);
}

/**
 * Replaces the recovery codes.
 * @throws AppError PASSWORD_WRONG, TWO_FACTOR_CODE_WRONG, TWO_FACTOR_IS_OFF, TOO_MANY_SIGN_INS,
 * TOO_MANY_ACCOUNT_CHANGES
 */
export function renewRecoveryCodes(deps: Deps, caller: AccountCaller, input: { password: string; code: string }) {
	return withPasswordAndCode(deps, caller, input, async (tx, user) => {
		await recordAudit(deps, tx, caller, 'recovery-codes-renewed', ['user', user.id], { email: user.email });
		return { recoveryCodes: await writeRecoveryCodes(deps, tx, user.id) };
	});
}

/** @throws AppError as {@link renewRecoveryCodes} */
export async function turnOffTwoFactor(deps: Deps, caller: AccountCaller, input: InputOf<typeof twoFactor.turnOff>) {
	await withPasswordAndCode(deps, caller, input, async (tx, user) => {
		await queries.clearTwoFactor(tx, user.id);
		await recordTwoFactorChange(deps, tx, caller, user, 'two-factor-off');
	});
	publishTwoFactorChange(deps);
}

/**
 * Turns off the two-factor sign-in of another user who has lost the phone. If admins must use two-factor sign-in, an
 * admin whose sign-in was reset can do nothing but set it up again.
 * @throws AppError NOT_FOUND, TWO_FACTOR_IS_OFF, TWO_FACTOR_OWN_RESET
 */
export async function resetTwoFactor(deps: Deps, caller: Caller, userId: string): Promise<void> {
	if (caller.actor?.userId === userId) throw new AppError('TWO_FACTOR_OWN_RESET');
	await inTransaction(deps.db, async (tx) => {
		const user = required(await queries.findTwoFactorForUpdate(tx, userId), 'NOT_FOUND');
		if (user.since === null) throw new AppError('TWO_FACTOR_IS_OFF');
		await queries.clearTwoFactor(tx, user.id);
		await recordTwoFactorChange(deps, tx, caller, user, 'two-factor-reset');
	});
	publishTwoFactorChange(deps);
}

/**
 * Resets a user's two-factor sign-in from the command line.
 * @returns `nobody` if no user has this email, `was-off` if the user does not use two-factor sign-in
 */
export async function resetTwoFactorByEmailKey(deps: Deps, caller: Caller, emailKey: string) {
	const user = await findUserByEmailKey(deps.db, emailKey);
	if (user === undefined) return 'nobody';
	try {
		await resetTwoFactor(deps, caller, user.id);
		return 'reset';
	} catch (error) {
		if (error instanceof AppError && error.code === 'TWO_FACTOR_IS_OFF') return 'was-off';
		throw error;
	}
}

async function withPasswordAndCode<T>(
	deps: Deps,
	caller: AccountCaller,
	input: { password: string; code: string },
	work: (tx: Db, user: queries.TwoFactorRow) => Promise<T>,
): Promise<T> {
	const user = await getTwoFactor(deps.db, caller.actor.userId);
	if (user.since === null) throw new AppError('TWO_FACTOR_IS_OFF');
	await requirePassword(deps, caller, user, input.password);
	const code = await requireCode(deps, caller, user, input.code);
	await consumeAccountChangeLimit(deps, user.email_key);
	try {
		return await inTransaction(deps.db, async (tx) => {
			const current = await queries.findTwoFactorForUpdate(tx, user.id);
			if (current?.secretSealed !== user.secretSealed || current.since !== user.since)
				throw new AppError('TWO_FACTOR_IS_OFF');
			await consumeCode(deps, tx, caller, user.id, code);
			return await work(tx, current);
		});
	} finally {
		deps.wakeWorkers();
	}
}

async function getTwoFactor(db: Db, userId: string): Promise<queries.TwoFactorRow> {
	return required(await queries.findTwoFactor(db, userId), 'UNAUTHORIZED');
}

/** Checks the password within the rate limits of sign-ins. */
async function requirePassword(deps: Deps, caller: AccountCaller, user: queries.TwoFactorRow, password: string) {
	const check = async () => (await verifyPassword(user.password_hash, password)) || null;
	if ((await tryWithinLimits(deps, attemptOf(caller, user), check)) === null)
		throw new AppError('PASSWORD_WRONG', { fields: { password: 'error_password_wrong' } });
}

async function requireCode(deps: Deps, caller: AccountCaller, user: queries.TwoFactorRow, typed: string) {
	const code = await tryWithinLimits(deps, attemptOf(caller, user), () => findValidCode(deps, user, typed));
	if (code === null) throw createWrongCodeError();
	return code;
}

function attemptOf({ ip, knownDevices }: AccountCaller, { email_key: emailKey }: queries.TwoFactorRow) {
	return { emailKey, ip, knownDevices };
}

async function writeRecoveryCodes(deps: Deps, tx: Db, userId: string): Promise<string[]> {
	const codes = generateRecoveryCodes();
	const rows = codes.map((code) => ({ id: newId(), codeHash: hashRecoveryCode(deps, userId, code) }));
	await queries.replaceRecoveryCodes(tx, userId, rows, isoAt(deps.clock));
	return codes;
}

async function recordTwoFactorChange(
	deps: Deps,
	tx: Db,
	caller: Caller,
	user: queries.TwoFactorRow,
	action: 'two-factor-on' | 'two-factor-off' | 'two-factor-reset',
): Promise<void> {
	await recordAudit(deps, tx, caller, action, ['user', user.id], { email: user.email });
	await enqueueMail(deps, tx, { kind: action, to: user.email, locale: caller.locale });
}

function publishTwoFactorChange(deps: Deps): void {
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
}
