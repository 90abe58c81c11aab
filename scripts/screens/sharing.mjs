import { fill, inDialog, member, openDialog, owner, press, role, screensOf, see, steps } from './common.mjs';

const openCourse = steps(
	(page) => page.getByRole('link', { name: 'Build Your Empire, the course' }).click(),
	see((page) => page.getByRole('row').filter({ hasText: '3 Money you can see' }).getByRole('button')),
);
const selectRows = steps(
	async (page) => {
		for (const box of (await page.getByRole('checkbox').all()).slice(0, 2)) await box.check();
	},
	see(role('region', 'files_selection')),
);
const unshare = press('sharing_unshare_of', { name: 'Build Your Empire, the course' });

const openGroup = steps(
	(page) => page.getByRole('link', { name: 'Ledger workshop' }).click(),
	see((page) => page.getByRole('listitem').filter({ hasText: 'lata.m@example.com' })),
);
const chooseInDialog = (name) => (page, t) =>
	page
		.getByRole('dialog')
		.getByRole('button', { name: t('common_choose_name', { name }), exact: true })
		.click();
const addMembers = steps(
	openGroup,
	openDialog('groups_add_members'),
	fill(inDialog(role('searchbox', 'users_search')), 'example.com'),
	chooseInDialog('meera.nair@example.com'),
	chooseInDialog('ritu.a@example.com'),
);

export const sharingScreens = screensOf(owner, [
	['share-folders', `/share-folders?email=ritu.a@example.com&space=${owner}`, openCourse],
	['share-folders-choose', '/share-folders'],
	['share-folders-spaces', `/share-folders?email=${member}`],
	['share-folders-selected', `/share-folders?email=meera.nair@example.com&space=${owner}`, selectRows],
	['share-folders-question', `/share-folders?email=${member}&space=${owner}`, unshare],
	['share-folders-unknown', '/share-folders?email=nobody@example.com', undefined, { fails: [404] }],
	['shared', `/shared?email=${member}`],
	['shared-choose', '/shared'],
	['shared-none', '/shared?email=press@newspaper.example'],
	['shared-unknown', '/shared?email=nobody@example.com', undefined, { fails: [404] }],
	['groups', '/admin/groups'],
	['groups-create', '/admin/groups', openDialog('groups_create')],
	['groups-none-found', '/admin/groups?q=nothing'],
	['groups-members', '/admin/groups', openGroup],
	['groups-add', '/admin/groups', addMembers],
	['groups-delete', '/admin/groups', steps(openGroup, openDialog('groups_delete'))],
	['groups-computed', '/admin/groups?group=all-members'],
	['groups-gone', '/admin/groups?group=gone', undefined, { fails: [404] }],
	['user-share-btn', '/user-share-btn'],
]);
