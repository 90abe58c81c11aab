import { asked, owner, press } from './common.mjs';

/**
 * Insta Credentials, as visitors and as the owner see them.
 * @type {import('./screens.mjs').Screen[]}
 */
export const credentialScreens = [
	{ name: 'credentials', path: '/insta-credentials', act: lookUp('asha.verma', 'Maharashtra'), fails: [asked] },
	{ name: 'credentials-not-matched', path: '/insta-credentials', act: lookUp('asha.verma', 'Goa'), fails: [asked] },
	{ name: 'credentials-add', who: owner, path: '/insta-credentials', isWhole: true },
	{
		name: 'admin-credentials',
		who: owner,
		path: '/admin/credentials',
		act: press('credentials_show', { username: 'asha.verma' }),
	},
	{ name: 'admin-credentials-add', who: owner, path: '/admin/credentials', act: press('credentials_add') },
	{ name: 'admin-credentials-none', who: owner, path: '/admin/credentials?username=nobody&state=goa' },
	{
		name: 'admin-credentials-edit',
		who: owner,
		path: '/admin/credentials',
		act: press('credentials_edit_of', { username: 'asha.verma', state: 'maharashtra' }),
	},
	{ name: 'admin-credentials-import', who: owner, path: '/admin/credentials', act: importRows },
	{ name: 'admin-credentials-lookups', who: owner, path: '/admin/credentials?view=lookups' },
];

function lookUp(username, state) {
	return async (page, say) => {
		await page.getByLabel(say('credentials_username')).first().fill(username);
		await page.getByLabel(say('credentials_state')).first().fill(state);
		await page.getByRole('button', { name: say('credentials_search'), exact: true }).click();
		await page
			.locator('dl')
			.or(page.getByText(say('credentials_not_matched')))
			.first()
			.waitFor();
	};
}

async function importRows(page, say) {
	await press('credentials_import')(page, say);
	const rows = ['username,state,id,password', 'asha.verma,Maharashtra,1,x', 'no.password,Goa,GA-7', ',Goa,GA-8,y'];
	await page.getByLabel(say('credentials_import_text')).fill(rows.join('\n'));
	await page.getByRole('button', { name: say('credentials_import_submit'), exact: true }).click();
	await page.getByRole('alert').first().waitFor();
}
