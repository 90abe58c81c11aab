import { asked, member, owner } from './common.mjs';
import { askForCode, openTwoFactorSetup, readRecoveryCodes } from './states.mjs';

/**
 * Sign-in, the account, and refused or unknown addresses. `links`: addresses that only this run knows.
 * @returns {import('./screens.mjs').Screen[]}
 */
export function signInScreens(links) {
	return [
		{ name: 'login', path: '/login', fails: [asked] },
		{ name: 'login-failed', path: '/login', act: failToSignIn, fails: [asked] },
		{ name: 'login-code', path: '/login', act: askForCode(member), fails: [asked] },
		{ name: 'forget', path: '/forget', fails: [asked] },
		{ name: 'set-password', path: links.setPassword, fails: [asked] },
		{ name: 'set-password-used', path: '/set-password#token=gone', fails: [asked] },
		{ name: 'account', who: member, path: '/account', isTall: true },
		{ name: 'account-admin', who: owner, path: '/account', isTall: true },
		{ name: 'account-two-factor', who: member, path: '/account', act: openTwoFactorSetup },
		{ name: 'account-recovery-codes', who: member, path: '/account', act: readRecoveryCodes },
		{ name: 'account-wrong-password', who: owner, path: '/account', act: mistypePassword, fails: [422] },
		{ name: 'login-device-ended', path: '/login?reason=device', fails: [asked] },
		{ name: 'unauthorized', who: member, path: '/unauthorized' },
		{ name: 'not-found', who: owner, path: '/nothing/here', fails: [404] },
		{ name: 'not-found-visitor', path: '/nothing/here', fails: [404, asked] },
	];
}

async function failToSignIn(page, say) {
	await page.locator('input[type=email]').fill('nobody@example.com');
	await page.locator('input[type=password]').fill('not this one');
	await page
		.getByRole('button', { name: say('screen_login'), exact: true })
		.last()
		.click();
	await page.getByText(say('error_login_failed')).waitFor();
}

async function mistypePassword(page, say) {
	await page.locator('input[name=current-password]').fill('not this one');
	await page.locator('input[name=new-password]').fill('a new one');
	await page.getByRole('button', { name: say('account_change_save') }).click();
	await page.getByText(say('error_current_password_wrong')).waitFor();
}
