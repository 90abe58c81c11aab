import { fill, label, message, notSignedIn, owner, press, role, screensOf, see, steps } from './common.mjs';

const records = '/admin/credentials';

function lookUp(username, state) {
	return steps(
		fill(label('credentials_username'), username),
		fill(label('credentials_state'), state),
		press('credentials_search'),
		see((page, t) => page.locator('dl').or(message('credentials_not_matched')(page, t))),
	);
}

const importRows = steps(
	press('credentials_import'),
	fill(
		label('credentials_import_text'),
		'username,state,id,password\nasha.verma,Maharashtra,1,x\nno.password,Goa,GA-7\n,Goa,GA-8,y',
	),
	press('credentials_import_submit'),
	see(role('alert')),
);

export const credentialScreens = [
	...screensOf(undefined, [
		['credentials', '/insta-credentials', lookUp('asha.verma', 'Maharashtra'), { fails: [notSignedIn] }],
		['credentials-not-matched', '/insta-credentials', lookUp('asha.verma', 'Goa'), { fails: [notSignedIn] }],
	]),
	...screensOf(owner, [
		['credentials-add', '/insta-credentials', undefined, { isFullPage: true }],
		['admin-credentials', records, press('credentials_show', { username: 'asha.verma' })],
		['admin-credentials-add', records, press('credentials_add')],
		['admin-credentials-none', `${records}?username=nobody&state=goa`],
		['admin-credentials-edit', records, press('credentials_edit_of', { username: 'asha.verma', state: 'maharashtra' })],
		['admin-credentials-import', records, importRows],
		['admin-credentials-lookups', `${records}?view=lookups`],
	]),
];
