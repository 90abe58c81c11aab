import { notSignedIn, owner, screensOf } from './common.mjs';
import * as ui from './steps.mjs';

const records = '/admin/credentials';

function lookUp(username, state) {
	return ui.steps(
		ui.fill(ui.label('credentials_username'), username),
		ui.fill(ui.label('credentials_state'), state),
		ui.press('credentials_search'),
		ui.see((page, t) => page.locator('dl').or(ui.message('credentials_not_matched')(page, t))),
	);
}

const importRows = ui.steps(
	ui.press('credentials_import'),
	ui.fill(
		ui.label('credentials_import_text'),
		'username,state,id,password\nasha.verma,Maharashtra,1,x\nno.password,Goa,GA-7\n,Goa,GA-8,y',
	),
	ui.press('credentials_import_submit'),
	ui.see(ui.role('alert')),
);

export const credentialScreens = [
	...screensOf(undefined, [
		['credentials', '/insta-credentials', lookUp('asha.verma', 'Maharashtra'), { fails: [notSignedIn] }],
		['credentials-not-matched', '/insta-credentials', lookUp('asha.verma', 'Goa'), { fails: [notSignedIn] }],
	]),
	...screensOf(owner, [
		['credentials-add', '/insta-credentials', undefined, { isFullPage: true }],
		['admin-credentials', records, ui.press('credentials_show', { username: 'asha.verma' })],
		['admin-credentials-add', records, ui.press('credentials_add')],
		['admin-credentials-none', `${records}?username=nobody&state=goa`],
		[
			'admin-credentials-edit',
			records,
			ui.press('credentials_edit_of', { username: 'asha.verma', state: 'maharashtra' }),
		],
		['admin-credentials-import', records, importRows],
		['admin-credentials-lookups', `${records}?view=lookups`],
	]),
];
