import * as z from 'zod';
import { timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** How many recovery codes there are after the set-up, each good for one sign-in. */
export const recoveryCodeCount = 10;

export const twoFactorErrors = defineErrors({
	/** The password was right, and now a code is wanted. */
	TWO_FACTOR_CODE_WANTED: { status: 401, messageKey: 'error_two_factor_code_wanted' },
	/** Wrong, used already, or older than one that was used. */
	TWO_FACTOR_CODE_WRONG: { status: 401, messageKey: 'error_two_factor_code_wrong' },
	/** An admin without it, where admins must have it: nothing is open but setting it up. */
	TWO_FACTOR_REQUIRED: { status: 403, messageKey: 'error_two_factor_required' },
	TWO_FACTOR_IS_ON: { status: 409, messageKey: 'error_two_factor_is_on' },
	TWO_FACTOR_IS_OFF: { status: 409, messageKey: 'error_two_factor_is_off' },
	/** The requirement can be switched on only by an admin who has it on; one's own is turned off with a code, not reset. */
	TWO_FACTOR_OWN_FIRST: { status: 409, messageKey: 'error_two_factor_own_first' },
	TWO_FACTOR_OWN_RESET: { status: 409, messageKey: 'error_two_factor_own_reset' },
	PASSWORD_WRONG: { status: 422, messageKey: 'error_password_wrong' },
});

/** Six digits of the app or a recovery code; blanks and dashes do not count. */
export const typedCode = z.string().max(100, 'error_field_too_long');
const typedPassword = z.string().max(limits.passwordMaxLength, 'error_field_too_long');
const passwordAndCode = z.object({ password: typedPassword, code: typedCode });
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const twoFactor = {
	status: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'GET', path: '/api/two-factor', summary: 'Whether the own two-factor sign-in is on' })
		.output(z.object({ isOn: z.boolean(), since: timestamp.nullable(), recoveryCodesLeft: z.number() })),
	/** A new secret, which counts from `confirm` on. PASSWORD_WRONG, TWO_FACTOR_IS_ON, TOO_MANY_SIGN_INS. */
	begin: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'POST', path: '/api/two-factor/begin', summary: 'Begin to set two-factor sign-in up' })
		.input(z.object({ password: typedPassword }))
		.output(
			z.object({
				/** Base32, to be typed into the app. */
				secret: z.string(),
				/** The same as an address that an app on this device opens (otpauth:). */
				uri: z.string(),
				/** The same as a QR: modules per side, and the dark ones as the path of an SVG. */
				qr: z.object({ size: z.number(), path: z.string() }),
			}),
		),
	/** TWO_FACTOR_CODE_WRONG, TWO_FACTOR_IS_ON, TWO_FACTOR_IS_OFF (not begun), TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES. */
	confirm: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'POST', path: '/api/two-factor/confirm', summary: 'Turn two-factor sign-in on by a first code' })
		.input(z.object({ code: typedCode }))
		.output(recoveryCodes),
	/** The older codes are void. PASSWORD_WRONG, TWO_FACTOR_CODE_WRONG, TWO_FACTOR_IS_OFF, TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES. */
	renewRecoveryCodes: endpoint
		.meta({ access: 'member' })
		.route({ method: 'POST', path: '/api/two-factor/recovery-codes', summary: 'New recovery codes' })
		.input(passwordAndCode)
		.output(recoveryCodes),
	/** PASSWORD_WRONG, TWO_FACTOR_CODE_WRONG, TWO_FACTOR_IS_OFF, TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES. */
	turnOff: endpoint
		.meta({ access: 'member' })
		.route({ method: 'POST', path: '/api/two-factor/turn-off', summary: 'Turn two-factor sign-in off' })
		.input(passwordAndCode)
		.output(z.object({})),
	/** For a lost phone: the person signs in by password alone again. NOT_FOUND, TWO_FACTOR_IS_OFF, TWO_FACTOR_OWN_RESET. */
	reset: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/users/{id}/two-factor/reset', summary: "Reset a person's two-factor sign-in" })
		.input(z.object({ id: z.string() }))
		.output(z.object({})),
	requirement: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/settings/security', summary: 'Whether admins must have two-factor sign-in' })
		.output(z.object({ isRequiredOfAdmins: z.boolean() })),
	/** TWO_FACTOR_OWN_FIRST. */
	saveRequirement: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/settings/security', summary: 'Require two-factor sign-in of admins' })
		.input(z.object({ isRequiredOfAdmins: z.boolean() }))
		.output(z.object({ isRequiredOfAdmins: z.boolean() })),
};
