import { member, owner, screensOf } from './common.mjs';
import * as ui from './steps.mjs';

const course = 'Build Your Empire, the course';
const openCourse = ui.steps(
	ui.click(ui.link(course)),
	ui.see((page) => page.getByRole('row').filter({ hasText: '3 Money you can see' }).getByRole('button')),
);
const selectRows = ui.steps(
	ui.see(ui.role('checkbox')),
	async (page) => {
		for (const box of (await page.getByRole('checkbox').all()).slice(0, 2)) await box.check();
	},
	ui.see(ui.role('region', 'files_selection')),
);
const openGroup = ui.steps(
	ui.click(ui.link('Ledger workshop')),
	ui.see((page) => page.getByRole('listitem').filter({ hasText: 'lata.m@example.com' })),
);
const addMembers = ui.steps(
	openGroup,
	ui.openDialog('groups_add_members'),
	ui.fill(ui.inDialog(ui.role('searchbox', 'users_search')), 'example.com'),
	ui.pressInDialog('common_choose_name', { name: 'meera.nair@example.com' }),
	ui.pressInDialog('common_choose_name', { name: 'ritu.a@example.com' }),
);

export const sharingScreens = screensOf(owner, [
	['share-folders', `/share-folders?email=ritu.a@example.com&space=${owner}`, openCourse],
	['share-folders-choose', '/share-folders'],
	['share-folders-spaces', `/share-folders?email=${member}`],
	['share-folders-selected', `/share-folders?email=meera.nair@example.com&space=${owner}`, selectRows],
	[
		'share-folders-question',
		`/share-folders?email=${member}&space=${owner}`,
		ui.press('sharing_unshare_of', { name: course }),
	],
	['share-folders-unknown', '/share-folders?email=nobody@example.com', undefined, { fails: [404] }],
	['shared', `/shared?email=${member}`],
	['shared-choose', '/shared'],
	['shared-none', '/shared?email=press@newspaper.example'],
	['shared-unknown', '/shared?email=nobody@example.com', undefined, { fails: [404] }],
	['groups', '/admin/groups'],
	['groups-create', '/admin/groups', ui.openDialog('groups_create')],
	['groups-none-found', '/admin/groups?q=nothing'],
	['groups-members', '/admin/groups', openGroup],
	['groups-add', '/admin/groups', addMembers],
	['groups-delete', '/admin/groups', ui.steps(openGroup, ui.openDialog('groups_delete'))],
	['groups-computed', '/admin/groups?group=all-members'],
	['groups-gone', '/admin/groups?group=gone', undefined, { fails: [404] }],
	['user-share-btn', '/user-share-btn'],
]);
