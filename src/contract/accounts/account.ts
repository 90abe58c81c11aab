import * as z from 'zod';
import { timestamp, typedEmail, typedPassword } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { typedCode } from './two-factor.ts';

export const role = z.enum(['user', 'admin']);
export type Role = z.infer<typeof role>;

export const me = z.object({
	id: z.string(),
	email: z.string(),
	name: z.string().nullable(),
	role,
	/** Whether the user still has the first password, which was mailed. */
	hasInitialPassword: z.boolean(),
	/** Whether an admin must set up two-factor sign-in before any other screen opens. */
	mustSetUpTwoFactor: z.boolean(),
	/** Set while an admin views the product as this member (read-only); the view ends automatically at `endsAt`. */
	view: z.object({ endsAt: timestamp }).nullable(),
});
export type Me = z.infer<typeof me>;

export const accountErrors = defineErrors({
	LOGIN_FAILED: { status: 401, messageKey: 'error_login_failed' },
	ACCOUNT_DEACTIVATED: { status: 403, messageKey: 'error_account_deactivated' },
	WEAK_PASSWORD: { status: 422, messageKey: 'error_weak_password' },
	CURRENT_PASSWORD_WRONG: { status: 422, messageKey: 'error_current_password_wrong' },
	LINK_INVALID: { status: 410, messageKey: 'error_link_invalid' },
	TOO_MANY_SIGN_INS: { status: 429, messageKey: 'error_too_many_sign_ins' },
	TOO_MANY_ACCOUNT_CHANGES: { status: 429, messageKey: 'error_too_many_account_changes' },
	TOO_MANY_RESETS: { status: 429, messageKey: 'error_too_many_resets' },
});

export const account = {
	/** Answers 401 without a session, and 403 ACCOUNT_INACTIVE for a session that was ended by deactivation. */
	me: endpoint('member', 'GET /api/me', 'Get the signed-in user', { isForSetUp: true }).output(me),
	/**
	 * Sets the session cookie and records the sign-in in the login history. LOGIN_FAILED, TOO_MANY_SIGN_INS. Only after
	 * the correct password: ACCOUNT_DEACTIVATED, TWO_FACTOR_CODE_WANTED (call again with the code),
	 * TWO_FACTOR_CODE_WRONG.
	 */
	signIn: endpoint('public', 'POST /api/sign-in', 'Sign in with email and password')
		.input(z.object({ email: typedEmail, password: typedPassword, code: typedCode.optional() }))
		.output(me),
	/** Ends this session in all tabs and clears the cookie; has no effect without a session. */
	signOut: command('public', 'POST /api/sign-out', 'Log out', { isOpenInView: true }).input(z.object({})),
	/** The response does not depend on whether the address has an account. TOO_MANY_RESETS. */
	requestReset: command(
		'public',
		'POST /api/password/request-reset',
		'Send a mail with a link to set a new password',
	).input(z.object({ email: typedEmail })),
	checkLink: endpoint('public', 'POST /api/password/check-link', 'Check whether a mailed link can still be used')
		.input(z.object({ token: z.string().max(200) }))
		.output(z.object({ isUsable: z.boolean() })),
	/** Sets the password with a mailed link, which works once, and ends the user's sessions. LINK_INVALID, WEAK_PASSWORD. */
	setPassword: command('public', 'POST /api/password/set', 'Set a password with a mailed link').input(
		z.object({ token: z.string().max(200), password: typedPassword }),
	),
	/**
	 * Changes the password: this session continues with a new cookie, and all others end at once. CURRENT_PASSWORD_WRONG
	 * (counts as a failed sign-in), WEAK_PASSWORD, TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES.
	 */
	changePassword: command('member', 'POST /api/password/change', 'Change your own password', {
		isForSetUp: true,
	}).input(z.object({ currentPassword: typedPassword, password: typedPassword })),
	/**
	 * Changes the address with which an admin signs in; links mailed to the old one become invalid. EMAIL_INVALID,
	 * EMAIL_IN_USE, CURRENT_PASSWORD_WRONG (counts as a failed sign-in), TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES.
	 */
	changeEmail: command('admin', 'POST /api/email/change', 'Change your own email').input(
		z.object({ currentPassword: typedPassword, email: typedEmail }),
	),
};
