import {
	click,
	css,
	holdCalls,
	inDialog,
	keys,
	member,
	notSignedIn,
	openDialog,
	owner,
	press,
	pressPart,
	role,
	screensOf,
	see,
	selectAllRows,
	steps,
	text,
} from './common.mjs';
import { expireSession, showUploads, unfoldUploads } from './uploads.mjs';

const space = `/user/${member}`;
const emptySpace = '/user/press@newspaper.example';
const listings = /\/nodes\?/u;

const openModule = steps(
	click(text('Course material')),
	click(text('Module 1')),
	see((page) => page.getByText('01 Belief workbook.pdf')),
);
const selectAll = steps(openModule, selectAllRows);
const openNodeMenu = steps(
	openModule,
	pressPart('files_more_of', { name: '02 Mindset workbook.pdf' }),
	see(role('menuitem')),
);
const askToDelete = steps(
	openModule,
	(page) => page.locator('[data-row]').last().focus(),
	keys('Delete'),
	see(role('dialog')),
);
const chooseFolder = steps(
	selectAll,
	click((page, t) => role('button', 'files_move')(role('region', 'files_selection')(page, t), t)),
	see(inDialog((dialog) => dialog.getByText('Course material'))),
);
/** The dialog that shows who can read a file or folder, and why. */
const openShare = steps(
	(page) => page.locator('[aria-haspopup=menu][data-size=small]').last().click(),
	click(role('menuitem', 'sharing_share')),
	see((page, t) => role('region', 'sharing_readers')(page, t).getByRole('listitem')),
);
const heading = (name) => inDialog((dialog) => dialog.getByRole('heading', { name }));
/** The full-screen preview of a file of the module. */
const preview = (name) =>
	steps(
		openModule,
		(page) => page.getByTitle(name, { exact: true }).click(),
		see(heading(name)),
		(page) => page.waitForTimeout(500),
	);
/** The preview of a file that can only be downloaded, reached by paging from another file. */
const previewNone = steps(
	preview('Cover sketch.jpg'),
	(page, t) =>
		page
			.getByRole('dialog')
			.getByRole('button', { name: t('files_next_file') })
			.click(),
	see(heading('Goals for the quarter.docx')),
);
/** Opens the first file's preview by its name, which works at every width. */
const previewFirst = click(css('[role=row][data-row] button[title]'));
const findBusy = css('main [aria-busy="true"], main [role="status"]');

async function failListing(page, t) {
	await page.route(listings, (route) => route.abort('connectionrefused'));
	await page.reload();
	await page.getByText(t('files_load_failed')).waitFor();
}

export const fileScreens = [
	...screensOf(owner, [
		['files', space],
		['files-module', space, openModule],
		['files-grid', `${space}?view=grid`, openModule],
		['files-found', `${space}?q=1`],
		['files-selected', space, selectAll],
		['files-move', space, chooseFolder],
		['files-trash', '/user/guest?trash'],
		['files-trash-empty', '/user/neha@folio.example?trash'],
		['admin-storage', '/admin/storage', undefined, { isTall: true }],
		['admin-storage-quota', '/admin/storage', openDialog('files_quota_set_of', { name: member })],
		['files-grid-selected', `${space}?view=grid`, selectAll],
		['files-menu', space, openNodeMenu],
		['files-delete', space, askToDelete],
		['files-none-found', `${space}?q=nowhere`],
		['files-denied', '/user/nobody@example.com', undefined, { fails: [404] }],
		['files-failed', space, failListing],
		['files-loading', space, holdCalls(listings, findBusy), { holds: listings }],
		['files-new-folder', space, press('files_new_folder')],
		['files-preview-image', `${space}?type=images`, previewFirst],
		['files-preview-pdf', `${space}?type=pdf`, previewFirst],
		['files-preview-video', space, preview('03 Morning routine.mp4')],
		['files-preview-audio', space, preview('04 Walk and think.wav')],
		['files-preview-none', space, previewNone],
		['files-uploads', emptySpace, showUploads, { fails: [507], isAlone: true }],
		['files-uploads-sign-in', emptySpace, expireSession, { fails: [notSignedIn], isAlone: true }],
		['files-book', '/user/book'],
		['files-empty', '/user/neha@folio.example'],
		['files-marked', `/user/${owner}`],
		['files-marked-grid', `/user/${owner}?view=grid`],
		['files-share', `/user/${owner}`, openShare],
		['files-share-guest', '/user/guest', openShare],
	]),
	...screensOf('neha@folio.example', [['files-uploads-left', '/user/guest', unfoldUploads, { isAlone: true }]]),
];
