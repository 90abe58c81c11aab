import { member, owner, press, pressPart } from './common.mjs';
import { viewAs } from './states.mjs';

const viewing = { who: owner, path: `/admin?search=${member}`, isAlone: true, fails: [403] };

/**
 * Screens of users: roles, devices, 'View as', account deletion, login history, audit.
 * @type {import('./screens.mjs').Screen[]}
 */
export const userScreens = [
	{ name: 'admin', who: owner, path: '/admin' },
	{ name: 'admin-add-user', who: owner, path: '/admin', act: press('users_add') },
	{ name: 'admin-devices', who: owner, path: '/admin?search=asha.verma', act: showDevices },
	{ name: 'admin-people-menu', who: owner, path: '/admin?filter=admins', act: openUserMenu },
	{ name: 'admin-people-role', who: owner, path: '/admin?filter=admins', act: askForRole },
	{ name: 'admin-people-role-up', who: owner, path: `/admin?search=${member}`, act: askForAdmin },
	{ name: 'admin-people-import', who: owner, path: '/admin', act: importUsers },
	{ ...viewing, name: 'view-as', act: viewAs(member) },
	{ ...viewing, name: 'view-as-foot', act: viewAs(member, 'foot') },
	{ ...viewing, name: 'view-as-reader', act: viewAs(member, '/read/part-1-en') },
	{ name: 'admin-none-found', who: owner, path: '/admin?search=nobody' },
	{ name: 'delete-user', who: owner, path: '/delete-user' },
	{ name: 'delete-user-question', who: owner, path: '/delete-user?search=asha', act: press('account_deletion_delete') },
	{ name: 'login-history', who: owner, path: `/login-history?email=${member}` },
	{ name: 'login-history-choose', who: owner, path: '/login-history' },
	{ name: 'login-history-empty', who: owner, path: '/login-history?email=press@newspaper.example' },
	{ name: 'audit', who: owner, path: '/admin/audit' },
	{ name: 'audit-details', who: owner, path: '/admin/audit?kind=orders', act: pressPart('audit_details') },
	{ name: 'audit-none-found', who: owner, path: '/admin/audit?person=nobody@example.com' },
];

async function showDevices(page, say) {
	await pressPart('users_more_of', { email: member })(page, say);
	await page.getByRole('menuitem', { name: say('sessions_open'), exact: true }).click();
	await page.getByRole('dialog').getByRole('listitem').first().waitFor();
}

async function openUserMenu(page, say) {
	const label = say('users_more_of', { email: 'neha@folio.example' });
	await page.getByRole('button', { name: label }).click();
	await page.getByRole('menuitem', { name: say('users_login_history') }).waitFor();
}

async function askForRole(page, say) {
	await openUserMenu(page, say);
	await page.getByRole('menuitem', { name: say('users_make_user') }).click();
	await page.getByRole('dialog').waitFor();
}

async function askForAdmin(page, say) {
	await page.getByRole('button', { name: say('users_more_of', { email: member }) }).click();
	await page.getByRole('menuitem', { name: say('users_make_admin') }).click();
	await page.getByRole('dialog').waitFor();
}

/** Imports pasted users and waits for the report of a refused row. */
async function importUsers(page, say) {
	await press('users_add')(page, say);
	await press('users_import')(page, say);
	await page
		.getByRole('textbox', { name: say('credentials_import_text') })
		.fill(`email,name,role\nhalf@address,Half,user\n${member},Asha Verma,user\nnew@example.com,New,guest`);
	await page.getByRole('button', { name: say('credentials_import_submit'), exact: true }).click();
	await page.getByText(`(half@address): ${say('users_import_email')}`).waitFor();
}
