import {
	answerWith,
	click,
	css,
	fill,
	inDialog,
	label,
	member,
	message,
	owner,
	press,
	pressPart,
	role,
	rolePart,
	screensOf,
	see,
	steps,
} from './common.mjs';

const openMenu = (email) => pressPart('users_more_of', { email });
const openUserMenu = steps(openMenu('neha@folio.example'), see(rolePart('menuitem', 'users_login_history')));
const askForRole = steps(openUserMenu, click(rolePart('menuitem', 'users_make_user')), see(role('dialog')));
const askForAdmin = steps(openMenu(member), click(rolePart('menuitem', 'users_make_admin')), see(role('dialog')));
const showDevices = steps(
	openMenu(member),
	click(role('menuitem', 'sessions_open')),
	see((page) => page.getByRole('dialog').getByRole('listitem')),
);
const importUsers = steps(
	press('users_add'),
	press('users_import'),
	fill(
		rolePart('textbox', 'credentials_import_text'),
		`email,name,role\nhalf@address,Half,user\n${member},Asha Verma,user\nnew@example.com,New,guest`,
	),
	press('credentials_import_submit'),
	see((page, t) => page.getByText(`(half@address): ${t('users_import_email')}`)),
);

/** Starts 'View as' for the member and runs more steps. The undo function ends it for later screens of this account. */
function viewAs(...more) {
	return steps(
		openMenu(member),
		click(rolePart('menuitem', 'users_impersonate')),
		(page) => page.waitForURL('**/dashboard'),
		see(rolePart('button', 'impersonation_back')),
		...more,
		(page, t) => async () => {
			await pressPart('impersonation_back')(page, t);
			await page.waitForURL('**/admin');
		},
	);
}
const viewing = { isAlone: true, fails: [403] };
const searchForMember = `/admin?search=${member}`;
const scrollToFoot = (page) => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

/** Selects all users of the page; on a phone, after the checkboxes are shown. */
const selectUsers = steps(
	see(role('article')),
	async (page, t) => {
		const show = page.getByRole('button', { name: t('users_select'), exact: true });
		if (await show.isVisible()) await show.click();
	},
	(page, t) => page.getByRole('checkbox', { name: t('users_select_page') }).check(),
	see(role('region', 'users_selection')),
);
const pressInBar = (key) => (page, t) =>
	page
		.getByRole('region', { name: t('users_selection') })
		.getByRole('button', { name: t(key), exact: true })
		.click();
const askToDeactivate = steps(selectUsers, pressInBar('bulk_deactivate'), see(role('dialog')));
const resendLogins = steps(
	selectUsers,
	pressInBar('bulk_send_login'),
	see(role('dialog')),
	(page, t) =>
		page
			.getByRole('dialog')
			.getByRole('button', { name: t('bulk_send_login') })
			.click(),
	see((page, t) => page.getByRole('dialog').getByText(t('bulk_skip_inactive'))),
);
const saveFilters = (name) =>
	steps(
		press('filters_saved'),
		click(role('menuitem', 'filters_save_as')),
		fill((page, t) => page.getByRole('dialog').getByRole('textbox', { name: t('filters_name') }), name),
		press('filters_save'),
		(page) => page.getByRole('dialog').waitFor({ state: 'hidden' }),
	);
const openSavedFilters = steps(
	saveFilters('Waiting for payment'),
	(page) => page.getByRole('button', { name: 'Waiting for payment' }).click(),
	see(role('menuitem', 'filters_save_as')),
	(page, t) => async () => {
		await page.getByRole('menuitem', { name: t('filters_delete', { name: 'Waiting for payment' }) }).click();
		await page
			.getByRole('dialog')
			.getByRole('button', { name: t('filters_delete_confirm'), exact: true })
			.click();
		await page.getByRole('dialog').waitFor({ state: 'hidden' });
	},
);
const firstStepCalls = /\/api\/first-steps/u;
const step = (key, reason, value = null) => {
	const state = reason === null ? 'done' : key === 'backup' ? 'optional' : 'missing';
	return { key, state, reason, value };
};
const showSteps = (...all) => answerWith(firstStepCalls, 'setup_title', { json: { steps: all, isDismissed: false } });
const showNewShop = showSteps(
	step('mail', 'no-server'),
	step('book', 'not-saved'),
	step('payment', 'no-payment'),
	step('edition', 'no-file'),
	step('storefront', 'default-content'),
	step('address', 'not-https', 'http://127.0.0.1:3000'),
	step('backup', 'no-backup'),
);
const showOpenShop = showSteps(
	step('mail', 'failed', "Can't send mail - all recipients were rejected: 550 5.7.1 Relaying denied"),
	step('book', null),
	step('payment', 'half-bank'),
	step('edition', 'not-assigned'),
	step('storefront', null),
	step('address', null, 'https://books.example.in'),
	step('backup', null, '2026-11-22T05:12:00.000Z'),
);
const failSteps = answerWith(firstStepCalls, 'setup_failed');
const testPurchase = { orderId: 'x', version: 1, code: 'BYE-7K4M-2Q', email: 'try@example.com', userId: 'y' };
const showTest = (status, state, reading, error = null) =>
	answerWith(/\/api\/test-purchase/u, 'test_purchase_remove', {
		json: { purchase: { ...testPurchase, status, mails: [{ id: 'z', kind: 'credentials', state, error }], reading } },
	});
const markFirstOrder = steps(
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
	see((page, t) => page.getByText(t('test_purchase_badge'), { exact: true })),
);
const orderToTest = '/Bookdashboard?dialog=test';
const refuseTest = steps(
	fill(label('test_purchase_email'), member),
	click(inDialog(role('button', 'test_purchase_start'))),
	see(message('error_test_buyer_known')),
);

export const userScreens = screensOf(owner, [
	['admin-selection', '/admin', selectUsers],
	['admin-bulk-question', '/admin', askToDeactivate],
	['admin-bulk-result', '/admin', resendLogins],
	['admin-saved-filters', '/admin?book=pending&sort=email', openSavedFilters],
	['orders-saved-filters', '/Bookdashboard?status=Pending&sort=oldest', openSavedFilters],
	['admin', '/admin'],
	['first-steps', '/admin', showNewShop, { isTall: true }],
	['first-steps-later', '/admin', showOpenShop, { isTall: true }],
	['first-steps-failed', '/admin', failSteps, { fails: [503] }],
	['test-purchase', orderToTest, see(role('dialog'))],
	['test-purchase-order', '/Bookdashboard', markFirstOrder, { isTall: true }],
	['test-purchase-refused', orderToTest, refuseTest, { fails: [422] }],
	['test-purchase-file', orderToTest, showTest('Pending', 'file', 'locked')],
	['test-purchase-failed', orderToTest, showTest('Complete', 'failed', 'making', '550 5.7.1 Relaying denied')],
	['test-purchase-ready', orderToTest, showTest('Complete', 'sent', 'ready')],
	['admin-add-user', '/admin', press('users_add')],
	['admin-devices', '/admin?search=asha.verma', showDevices],
	['admin-people-menu', '/admin?role=admin', openUserMenu],
	['admin-people-role', '/admin?role=admin', askForRole],
	['admin-people-role-up', searchForMember, askForAdmin],
	['admin-people-import', '/admin', importUsers],
	['view-as', searchForMember, viewAs(), viewing],
	['view-as-foot', searchForMember, viewAs(see(role('grid')), scrollToFoot), viewing],
	['view-as-reader', searchForMember, viewAs((page) => page.goto('/read/part-1-en'), see(css('canvas'))), viewing],
	['admin-none-searchForMember', '/admin?search=nobody'],
	['delete-user', '/delete-user'],
	['delete-user-question', '/delete-user?search=asha', press('account_deletion_delete')],
	['login-history', `/login-history?email=${member}`],
	['login-history-choose', '/login-history'],
	['login-history-empty', '/login-history?email=press@newspaper.example'],
	['audit', '/admin/audit'],
	['audit-details', '/admin/audit?kind=orders', pressPart('audit_details')],
	['audit-none-searchForMember', '/admin/audit?person=nobody@example.com'],
]);
