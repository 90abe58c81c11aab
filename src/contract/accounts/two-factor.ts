import * as z from 'zod';
import { timestamp, typedPassword } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';

export const recoveryCodeCount = 10;

export const twoFactorErrors = defineErrors({
	/** The password is correct, and a code is also required. */
	TWO_FACTOR_CODE_WANTED: { status: 401, messageKey: 'error_two_factor_code_wanted' },
	/** The code is wrong, was used before, or is older than a code that was used. */
	TWO_FACTOR_CODE_WRONG: { status: 401, messageKey: 'error_two_factor_code_wrong' },
	/** Admins must have two-factor sign-in, and this admin must set it up before anything else. */
	TWO_FACTOR_REQUIRED: { status: 403, messageKey: 'error_two_factor_required' },
	TWO_FACTOR_IS_ON: { status: 409, messageKey: 'error_two_factor_is_on' },
	TWO_FACTOR_IS_OFF: { status: 409, messageKey: 'error_two_factor_is_off' },
	/** Only an admin who has two-factor sign-in may require it of admins. */
	TWO_FACTOR_OWN_FIRST: { status: 409, messageKey: 'error_two_factor_own_first' },
	TWO_FACTOR_OWN_RESET: { status: 409, messageKey: 'error_two_factor_own_reset' },
	PASSWORD_WRONG: { status: 422, messageKey: 'error_password_wrong' },
});

/** Six digits from the authenticator app, or a recovery code; spaces and dashes are ignored. */
export const typedCode = z.string().max(100, 'error_field_too_long');
const passwordAndCode = z.object({ password: typedPassword, code: typedCode });
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
const requirement = z.object({ isRequiredOfAdmins: z.boolean() });

export const twoFactor = {
	status: endpoint('member', 'GET /api/two-factor', 'Get whether your own two-factor sign-in is on', {
		isForSetUp: true,
	}).output(z.object({ isOn: z.boolean(), since: timestamp.nullable(), recoveryCodesLeft: z.number() })),
	/** Creates a secret, which takes effect with `confirm`. PASSWORD_WRONG, TWO_FACTOR_IS_ON, TOO_MANY_SIGN_INS. */
	begin: endpoint('member', 'POST /api/two-factor/begin', 'Begin to set up two-factor sign-in', { isForSetUp: true })
		.input(z.object({ password: typedPassword }))
		.output(
			z.object({
				/** Secret in Base32, to type into the authenticator app. */
				secret: z.string(),
				/** Secret as an `otpauth:` URI, which an app on this device opens. */
				uri: z.string(),
				/** The URI as a QR code: modules per side, and the dark modules as an SVG path. */
				qr: z.object({ size: z.number(), path: z.string() }),
			}),
		),
	/** TWO_FACTOR_CODE_WRONG, _IS_ON, _IS_OFF (not begun), TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES. */
	confirm: endpoint('member', 'POST /api/two-factor/confirm', 'Turn on two-factor sign-in with a first code', {
		isForSetUp: true,
	})
		.input(z.object({ code: typedCode }))
		.output(recoveryCodes),
	/** Replaces all recovery codes. PASSWORD_WRONG, TWO_FACTOR_CODE_WRONG, _IS_OFF, TOO_MANY_*. */
	renewRecoveryCodes: endpoint('member', 'POST /api/two-factor/recovery-codes', 'Replace the recovery codes')
		.input(passwordAndCode)
		.output(recoveryCodes),
	/** PASSWORD_WRONG, TWO_FACTOR_CODE_WRONG, TWO_FACTOR_IS_OFF, TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES. */
	turnOff: command('member', 'POST /api/two-factor/turn-off', 'Turn off two-factor sign-in').input(passwordAndCode),
	/** For a lost phone: afterwards the user signs in with only the password. NOT_FOUND, TWO_FACTOR_*. */
	reset: command('admin', 'POST /api/users/{id}/two-factor/reset', 'Reset the two-factor sign-in of a user').input(
		z.object({ id: z.string() }),
	),
	requirement: endpoint(
		'admin',
		'GET /api/settings/security',
		'Get whether admins must have two-factor sign-in',
	).output(requirement),
	/** TWO_FACTOR_OWN_FIRST. */
	saveRequirement: endpoint('admin', 'PUT /api/settings/security', 'Set whether admins must have two-factor sign-in')
		.input(requirement)
		.output(requirement),
};
