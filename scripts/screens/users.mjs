import { member, owner, screensOf } from './common.mjs';
import * as ui from './steps.mjs';

const openMenu = (email) => ui.pressPart('users_more_of', { email });
const openUserMenu = ui.steps(openMenu('neha@folio.example'), ui.see(ui.rolePart('menuitem', 'users_login_history')));
const askForRole = ui.steps(
	openUserMenu,
	ui.click(ui.rolePart('menuitem', 'users_make_user')),
	ui.see(ui.role('dialog')),
);
const askForAdmin = ui.steps(
	openMenu(member),
	ui.click(ui.rolePart('menuitem', 'users_make_admin')),
	ui.see(ui.role('dialog')),
);
const showDevices = ui.steps(
	openMenu(member),
	ui.click(ui.role('menuitem', 'sessions_open')),
	ui.see(ui.inDialog(ui.role('listitem'))),
);
const importUsers = ui.steps(
	ui.press('users_add'),
	ui.press('users_import'),
	ui.fill(
		ui.rolePart('textbox', 'credentials_import_text'),
		`email,name,role\nhalf@address,Half,user\n${member},Asha Verma,user\nnew@example.com,New,guest`,
	),
	ui.press('credentials_import_submit'),
	ui.see((page, t) => page.getByText(`(half@address): ${t('users_import_email')}`)),
);

/** Starts 'View as' for the member and runs more steps. The undo function ends it for later screens of this account. */
function viewAs(...more) {
	return ui.steps(
		openMenu(member),
		ui.click(ui.rolePart('menuitem', 'users_impersonate')),
		(page) => page.waitForURL('**/dashboard'),
		ui.see(ui.rolePart('button', 'impersonation_back')),
		...more,
		(page, t) => async () => {
			await ui.pressPart('impersonation_back')(page, t);
			await page.waitForURL('**/admin');
		},
	);
}
const viewing = { isAlone: true, fails: [403] };
const searchForMember = `/admin?search=${member}`;
const scrollToFoot = (page) => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

/** Selects all users of the page; on a phone, after the checkboxes are shown. */
const selectUsers = ui.steps(
	ui.see(ui.role('article')),
	async (page, t) => {
		const show = page.getByRole('button', { name: t('users_select'), exact: true });
		if (await show.isVisible()) await show.click();
	},
	(page, t) => page.getByRole('checkbox', { name: t('users_select_page') }).check(),
	ui.see(ui.role('region', 'users_selection')),
);
const pressInBar = (key) => ui.click(ui.inside(ui.role('region', 'users_selection'), ui.role('button', key)));
const askToDeactivate = ui.steps(selectUsers, pressInBar('bulk_deactivate'), ui.see(ui.role('dialog')));
const resendLogins = ui.steps(
	selectUsers,
	pressInBar('bulk_send_login'),
	ui.click(ui.inDialog(ui.rolePart('button', 'bulk_send_login'))),
	ui.see(ui.inDialog(ui.message('bulk_skip_inactive'))),
);
const waitUntilClosed = (page) => page.getByRole('dialog').waitFor({ state: 'hidden' });
const filters = 'Waiting for payment';
const deleteFilters = ui.steps(
	ui.click(ui.rolePart('menuitem', 'filters_delete', { name: filters })),
	ui.pressInDialog('filters_delete_confirm'),
	waitUntilClosed,
);
const openSavedFilters = ui.steps(
	ui.press('filters_saved'),
	ui.click(ui.role('menuitem', 'filters_save_as')),
	ui.fill(ui.inDialog(ui.rolePart('textbox', 'filters_name')), filters),
	ui.press('filters_save'),
	waitUntilClosed,
	ui.click((page) => page.getByRole('button', { name: filters })),
	ui.see(ui.role('menuitem', 'filters_save_as')),
	(page, t) => () => deleteFilters(page, t),
);
const firstStepCalls = /\/api\/first-steps/u;
const step = (key, reason, value = null) => {
	const state = reason === null ? 'done' : key === 'backup' ? 'optional' : 'missing';
	return { key, state, reason, value };
};
const showSteps = (...all) =>
	ui.answerWith(firstStepCalls, 'setup_try', {
		json: { steps: all, folder: '/home/asha/folio', isDismissed: false },
	});
const showNewShop = showSteps(
	step('login', 'first-login', 'owner@folio.local'),
	step('mail', 'no-server'),
	step('book', 'not-saved'),
	step('payment', 'no-payment'),
	step('edition', 'no-file'),
	step('storefront', 'default-content'),
	step('address', 'not-https', 'http://127.0.0.1:3000'),
	step('backup', 'no-backup'),
);
const showOpenShop = ui.steps(
	ui.answerWith(/\/api\/outbox\/status/u, 'users_add', {
		json: { transport: 'smtp', sender: 'Asha <asha@example.in>', waiting: 0, notSent: 0, lastError: null },
	}),
	showSteps(
		step('login', null, 'asha@example.in'),
		step('mail', 'refused', "Can't send mail - all recipients were rejected: 550 5.7.1 Relaying denied"),
		step('book', null),
		step('payment', 'half-bank'),
		step('edition', 'not-assigned'),
		step('storefront', null),
		step('address', null, 'https://books.example.in'),
		step('backup', null, '2026-11-22T05:12:00.000Z'),
	),
);
const failSteps = ui.answerWith(firstStepCalls, 'setup_failed');
const testPurchase = { orderId: 'x', version: 1, code: 'BYE-7K4M-2Q', email: 'try@example.com', userId: 'y' };
const showTest = (status, state, reading, error = null) =>
	ui.answerWith(/\/api\/test-purchase/u, 'test_purchase_remove', {
		json: { purchase: { ...testPurchase, status, mails: [{ id: 'z', kind: 'credentials', state, error }], reading } },
	});
const markFirstOrder = ui.steps(
	async (page) => {
		await page.route(/\/api\/orders\?/u, async (route) => {
			const response = await route.fetch();
			const json = await response.json();
			await route.fulfill({
				response,
				json: { ...json, items: [{ ...json.items[0], isTest: true }, ...json.items.slice(1)] },
			});
		});
		await page.reload();
	},
	ui.see((page, t) => page.getByText(t('test_purchase_badge'), { exact: true })),
);
const orderToTest = '/Bookdashboard?dialog=test';
const refuseTest = ui.steps(
	ui.fill(ui.label('test_purchase_email'), member),
	ui.pressInDialog('test_purchase_start'),
	ui.see(ui.message('error_test_buyer_known')),
);

export const userScreens = screensOf(owner, [
	['admin-selection', '/admin', selectUsers],
	['admin-bulk-question', '/admin', askToDeactivate],
	['admin-bulk-result', '/admin?status=deactivated', resendLogins],
	['admin-saved-filters', '/admin?book=pending&sort=email', openSavedFilters],
	['orders-saved-filters', '/Bookdashboard?status=Pending&sort=oldest', openSavedFilters],
	['admin', '/admin'],
	['first-steps', '/admin', showNewShop, { isTall: true }],
	['first-steps-later', '/admin', showOpenShop, { isTall: true }],
	['first-steps-failed', '/admin', failSteps, { fails: [503] }],
	['test-purchase', orderToTest, ui.see(ui.role('dialog'))],
	['test-purchase-order', '/Bookdashboard', markFirstOrder, { isTall: true }],
	['test-purchase-refused', orderToTest, refuseTest, { fails: [422] }],
	['test-purchase-file', orderToTest, showTest('Pending', 'file', 'locked')],
	['test-purchase-failed', orderToTest, showTest('Complete', 'failed', 'making', '550 5.7.1 Relaying denied')],
	['test-purchase-ready', orderToTest, showTest('Complete', 'sent', 'ready')],
	['admin-add-user', '/admin', ui.press('users_add')],
	['admin-devices', '/admin?search=asha.verma', showDevices],
	['admin-people-menu', '/admin?role=admin', openUserMenu],
	['admin-people-role', '/admin?role=admin', askForRole],
	['admin-people-role-up', searchForMember, askForAdmin],
	['admin-people-import', '/admin', importUsers],
	['view-as', searchForMember, viewAs(), viewing],
	['view-as-foot', searchForMember, viewAs(ui.see(ui.role('grid')), scrollToFoot), viewing],
	[
		'view-as-reader',
		searchForMember,
		viewAs((page) => page.goto('/read/part-1-en'), ui.see(ui.css('canvas'))),
		viewing,
	],
	['admin-none-searchForMember', '/admin?search=nobody'],
	['delete-user', '/delete-user'],
	['delete-user-question', '/delete-user?search=asha', ui.press('account_deletion_delete')],
	['login-history', `/login-history?email=${member}`],
	['login-history-choose', '/login-history'],
	['login-history-empty', '/login-history?email=press@newspaper.example'],
	['audit', '/admin/audit'],
	['audit-details', '/admin/audit?kind=orders', ui.pressPart('audit_details')],
	['audit-none-searchForMember', '/admin/audit?person=nobody@example.com'],
]);
