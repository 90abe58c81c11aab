import { press, pressPart } from './common.mjs';

/**
 * States of two-factor sign-in and of 'View as', shown without lasting changes: later screenshots use the same
 * accounts.
 */

const password = 'build-your-empire';

/** Opens the two-factor set-up at its QR code. Two-factor sign-in stays off until a code is confirmed. */
export async function openTwoFactorSetup(page, say) {
	await press('two_factor_set_up')(page, say);
	await page.getByRole('dialog').locator('input[type=password]').fill(password);
	await page.getByRole('button', { name: say('two_factor_continue'), exact: true }).click();
	await page.getByRole('img', { name: say('two_factor_qr') }).waitFor();
}

/** Shows invented recovery codes: the confirmation is answered here, so the server turns nothing on. */
export async function readRecoveryCodes(page, say) {
	const letters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
	const letter = (index) => letters[Math.floor(1000 * Math.abs(Math.sin(index + 1))) % letters.length];
	const codeOf = (row) => Array.from({ length: 10 }, (_, at) => letter(row * 13 + at)).join('');
	const recoveryCodes = Array.from({ length: 10 }, (_, row) => codeOf(row).replace(/^.{5}/u, '$&-'));
	await page.route('**/api/two-factor/confirm', (route) => route.fulfill({ json: { recoveryCodes } }));
	await openTwoFactorSetup(page, say);
	await page.getByRole('dialog').locator('input[name=code]').fill('123456');
	const turnOn = { name: say('two_factor_turn_on'), exact: true };
	await page.getByRole('dialog').getByRole('button', turnOn).click();
	await page.getByRole('dialog').getByRole('listitem').first().waitFor();
}

/** Shows the code field of the sign-in: the server's request for a code is invented. */
export function askForCode(email) {
	return async (page, say) => {
		const message = say('error_two_factor_code_wanted');
		const json = { defined: false, status: 401, code: 'TWO_FACTOR_CODE_WANTED', message, data: {} };
		await page.route('**/api/sign-in', (route) => route.fulfill({ status: 401, json }));
		await page.locator('input[type=email]').fill(email);
		await page.locator('input[type=password]').fill(password);
		await page
			.getByRole('button', { name: say('screen_login'), exact: true })
			.last()
			.click();
		await page.locator('input[name=code]').waitFor();
	};
}

/** Starts 'View as' for a member and shows the first screen, its bottom (`foot`), or another path. */
export function viewAs(email, place) {
	return async (page, say) => {
		await pressPart('users_more_of', { email })(page, say);
		await page.getByRole('menuitem', { name: say('users_impersonate') }).click();
		await page.waitForURL('**/dashboard');
		await page.getByRole('button', { name: say('impersonation_back') }).waitFor();
		if (place === 'foot') {
			await page.getByRole('grid').first().waitFor();
			await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
		} else if (place !== undefined) {
			await page.goto(place);
			await page.locator('canvas').first().waitFor();
		}
		return async () => {
			await page.getByRole('button', { name: say('impersonation_back') }).click();
			await page.waitForURL('**/admin');
		};
	};
}
