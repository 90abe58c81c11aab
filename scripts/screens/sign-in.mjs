import { demoPassword, member, notSignedIn, owner, screensOf } from './common.mjs';
import * as ui from './steps.mjs';

const signIn = (email, password) =>
	ui.steps(ui.fill(ui.css('input[type=email]'), email), ui.fill(ui.css('input[type=password]'), password), (page, t) =>
		ui.role('button', 'screen_login')(page, t).last().click(),
	);
const failToSignIn = ui.steps(signIn('nobody@example.com', 'not this one'), ui.see(ui.message('error_login_failed')));
const mistypePassword = ui.steps(
	ui.fill(ui.css('input[name=current-password]'), 'not this one'),
	ui.fill(ui.css('input[name=new-password]'), 'a new one'),
	ui.pressPart('account_change_save'),
	ui.see(ui.message('error_current_password_wrong')),
);

/** Shows the code field of the sign-in, with a faked answer to the sign-in. */
const askForCode = ui.steps(
	(page, t) => {
		const text = t('error_two_factor_code_wanted');
		const json = { defined: false, status: 401, code: 'TWO_FACTOR_CODE_WANTED', message: text, data: {} };
		return page.route('**/api/sign-in', (route) => route.fulfill({ status: 401, json }));
	},
	signIn(member, demoPassword),
	ui.see(ui.css('input[name=code]')),
);

/** Opens the two-factor set-up at its QR code. Two-factor sign-in stays off until a code is confirmed. */
const openTwoFactorSetup = ui.steps(
	ui.press('two_factor_set_up'),
	ui.fill(ui.inDialog(ui.css('input[type=password]')), demoPassword),
	ui.press('two_factor_continue'),
	ui.see(ui.rolePart('img', 'two_factor_qr')),
);

/** Invented recovery codes, for a faked answer to the confirmation. Two-factor sign-in stays off. */
const recoveryCodes = Array.from({ length: 10 }, (_, row) => `${String(row).repeat(5)}-ABCDE`);
const readRecoveryCodes = ui.steps(
	(page) => page.route('**/api/two-factor/confirm', (route) => route.fulfill({ json: { recoveryCodes } })),
	openTwoFactorSetup,
	ui.fill(ui.inDialog(ui.css('input[name=code]')), '123456'),
	ui.pressInDialog('two_factor_turn_on'),
	ui.see(ui.inDialog(ui.role('listitem'))),
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
		['login-page', '/login?reason=page', undefined, { fails: [notSignedIn] }],
		['login-chat', '/login?reason=chat', undefined, { fails: [notSignedIn] }],
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
