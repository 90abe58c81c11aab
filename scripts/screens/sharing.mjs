import { member, owner, press, role, screensOf, see, steps } from './common.mjs';

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
	['user-share-btn', '/user-share-btn'],
]);
