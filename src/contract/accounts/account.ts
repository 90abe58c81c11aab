import * as z from 'zod';
import { timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { typedCode } from './two-factor.ts';

export const role = z.enum(['user', 'admin']);
export type Role = z.infer<typeof role>;

/** The signed-in person, as screens may know them. */
export const me = z.object({
	id: z.string(),
	email: z.string(),
	name: z.string().nullable(),
	role,
	/** The mailed first password is still in use: a dismissible reminder offers to change it. */
	hasInitialPassword: z.boolean(),
	/** An admin without two-factor sign-in where admins must have it: nothing is open but setting it up. */
	mustSetUpTwoFactor: z.boolean(),
	/** While an admin sees the product as this member does, read only: when that ends by itself. */
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

const typedEmail = z.string().max(limits.textMaxLength, 'error_field_too_long');
const typedPassword = z.string().max(limits.passwordMaxLength, 'error_field_too_long');

export const account = {
	/** 401 without a session, 403 ACCOUNT_INACTIVE for one ended by deactivation. */
	me: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'GET', path: '/api/me', summary: 'The signed-in person' })
		.output(me),
	/**
	 * Sets the session cookie and writes the login history. LOGIN_FAILED, TOO_MANY_SIGN_INS, and only after the right
	 * password: ACCOUNT_DEACTIVATED, TWO_FACTOR_CODE_WANTED (call again with the code), TWO_FACTOR_CODE_WRONG.
	 */
	signIn: endpoint
		.meta({ access: 'public' })
		.route({ method: 'POST', path: '/api/sign-in', summary: 'Sign in with email and password' })
		.input(z.object({ email: typedEmail, password: typedPassword, code: typedCode.optional() }))
		.output(me),
	/** Ends this session everywhere and clears the cookie; harmless without one. */
	signOut: endpoint
		.meta({ access: 'public', isOpenInView: true })
		.route({ method: 'POST', path: '/api/sign-out', summary: 'Log out' })
		.input(z.object({}))
		.output(z.object({})),
	/** Same answer whether or not the address has an account. TOO_MANY_RESETS. */
	requestReset: endpoint
		.meta({ access: 'public' })
		.route({ method: 'POST', path: '/api/password/request-reset', summary: 'Mail a link to set a new password' })
		.input(z.object({ email: typedEmail }))
		.output(z.object({})),
	/** Whether a mailed link can still be used; does not consume it. */
	checkLink: endpoint
		.meta({ access: 'public' })
		.route({ method: 'POST', path: '/api/password/check-link', summary: 'Whether a mailed link is still good' })
		.input(z.object({ token: z.string().max(200) }))
		.output(z.object({ isUsable: z.boolean() })),
	/** Uses a mailed link, once: sets the password and ends all sessions of that person. LINK_INVALID, WEAK_PASSWORD. */
	setPassword: endpoint
		.meta({ access: 'public' })
		.route({ method: 'POST', path: '/api/password/set', summary: 'Set a password by a mailed link' })
		.input(z.object({ token: z.string().max(200), password: typedPassword }))
		.output(z.object({})),
	/**
	 * Sets another password: this session goes on with a fresh cookie, all others end at once.
	 * CURRENT_PASSWORD_WRONG (counts as a failed sign-in), WEAK_PASSWORD, TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES.
	 */
	changePassword: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'POST', path: '/api/password/change', summary: "Change one's own password" })
		.input(z.object({ currentPassword: typedPassword, password: typedPassword }))
		.output(z.object({})),
};
