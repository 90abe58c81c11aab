import { member, owner, press } from './common.mjs';

/**
 * Screens of sharing.
 * @type {import('./screens.mjs').Screen[]}
 */
export const sharingScreens = [
	{
		name: 'share-folders',
		who: owner,
		path: `/share-folders?email=ritu.a@example.com&space=${owner}`,
		act: openCourse,
	},
	{ name: 'share-folders-choose', who: owner, path: '/share-folders' },
	{ name: 'share-folders-spaces', who: owner, path: `/share-folders?email=${member}` },
	{
		name: 'share-folders-selected',
		who: owner,
		path: `/share-folders?email=meera.nair@example.com&space=${owner}`,
		act: selectRows,
	},
	{
		name: 'share-folders-question',
		who: owner,
		path: `/share-folders?email=${member}&space=${owner}`,
		act: press('sharing_unshare_of', { name: 'Build Your Empire, the course' }),
	},
	{ name: 'share-folders-unknown', who: owner, path: '/share-folders?email=nobody@example.com', fails: [404] },
	{ name: 'shared', who: owner, path: `/shared?email=${member}` },
	{ name: 'shared-choose', who: owner, path: '/shared' },
	{ name: 'shared-none', who: owner, path: '/shared?email=press@newspaper.example' },
	{ name: 'shared-unknown', who: owner, path: '/shared?email=nobody@example.com', fails: [404] },
	{ name: 'user-share-btn', who: owner, path: '/user-share-btn' },
];

/** Opens a shared folder that has an excluded subfolder. */
async function openCourse(page) {
	await page.getByRole('link', { name: 'Build Your Empire, the course' }).click();
	await page.getByRole('row').filter({ hasText: '3 Money you can see' }).getByRole('button').waitFor();
}

async function selectRows(page, say) {
	for (const box of (await page.getByRole('checkbox').all()).slice(0, 2)) await box.check();
	await page.getByRole('region', { name: say('files_selection') }).waitFor();
}
