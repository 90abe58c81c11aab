import { click, css, fill, member, owner, press, pressPart, role, rolePart, screensOf, see, steps } from './common.mjs';

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

export const userScreens = screensOf(owner, [
	['admin', '/admin'],
	['admin-add-user', '/admin', press('users_add')],
	['admin-devices', '/admin?search=asha.verma', showDevices],
	['admin-people-menu', '/admin?filter=admins', openUserMenu],
	['admin-people-role', '/admin?filter=admins', askForRole],
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
