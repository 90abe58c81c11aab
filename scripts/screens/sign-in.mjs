import {
	click,
	css,
	demoPassword,
	fill,
	inDialog,
	member,
	message,
	notSignedIn,
	owner,
	press,
	pressPart,
	role,
	rolePart,
	screensOf,
	see,
	steps,
} from './common.mjs';

const signIn = (email, password) =>
	steps(fill(css('input[type=email]'), email), fill(css('input[type=password]'), password), (page, t) =>
		role('button', 'screen_login')(page, t).last().click(),
	);
const failToSignIn = steps(signIn('nobody@example.com', 'not this one'), see(message('error_login_failed')));
const mistypePassword = steps(
	fill(css('input[name=current-password]'), 'not this one'),
	fill(css('input[name=new-password]'), 'a new one'),
	pressPart('account_change_save'),
	see(message('error_current_password_wrong')),
);

/** Shows the code field of the sign-in, with a faked answer to the sign-in. */
const askForCode = steps(
	(page, t) => {
		const text = t('error_two_factor_code_wanted');
		const json = { defined: false, status: 401, code: 'TWO_FACTOR_CODE_WANTED', message: text, data: {} };
		return page.route('**/api/sign-in', (route) => route.fulfill({ status: 401, json }));
	},
	signIn(member, demoPassword),
	see(css('input[name=code]')),
);

/** Opens the two-factor set-up at its QR code. Two-factor sign-in stays off until a code is confirmed. */
const openTwoFactorSetup = steps(
	press('two_factor_set_up'),
	fill(inDialog(css('input[type=password]')), demoPassword),
	press('two_factor_continue'),
	see(rolePart('img', 'two_factor_qr')),
);

/** Invented recovery codes, for a faked answer to the confirmation. Two-factor sign-in stays off. */
const recoveryCodes = Array.from({ length: 10 }, (_, row) => `${String(row).repeat(5)}-ABCDE`);
const readRecoveryCodes = steps(
	(page) => page.route('**/api/two-factor/confirm', (route) => route.fulfill({ json: { recoveryCodes } })),
	openTwoFactorSetup,
	fill(inDialog(css('input[name=code]')), '123456'),
	click(inDialog(role('button', 'two_factor_turn_on'))),
	see(inDialog(role('listitem'))),
);

/** Sign-in, the account, and refused or unknown addresses. `setPassword`: an address that differs in each run. */
export const signInScreens = ({ setPassword }) => [
	...screensOf(undefined, [
		['login', '/login', undefined, { fails: [notSignedIn] }],
		['login-failed', '/login', failToSignIn, { fails: [notSignedIn] }],
		['login-code', '/login', askForCode, { fails: [notSignedIn] }],
		['forget', '/forget', undefined, { fails: [notSignedIn] }],
		['set-password', setPassword, undefined, { fails: [notSignedIn] }],
		['set-password-used', '/set-password#token=gone', undefined, { fails: [notSignedIn] }],
		['login-device-ended', '/login?reason=device', undefined, { fails: [notSignedIn] }],
		['not-found-visitor', '/nothing/here', undefined, { fails: [404, notSignedIn] }],
	]),
	...screensOf(member, [
		['account', '/account', undefined, { isTall: true }],
		['account-two-factor', '/account', openTwoFactorSetup],
		['account-recovery-codes', '/account', readRecoveryCodes],
		['unauthorized', '/unauthorized'],
	]),
	...screensOf(owner, [
		['account-admin', '/account', undefined, { isTall: true }],
		['account-wrong-password', '/account', mistypePassword, { fails: [422] }],
		['not-found', '/nothing/here', undefined, { fails: [404] }],
	]),
];
