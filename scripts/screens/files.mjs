import { member, notSignedIn, owner, screensOf } from './common.mjs';
import * as ui from './steps.mjs';
import { expireSession, showUploads, unfoldUploads } from './uploads.mjs';

const space = `/user/${member}`;
const emptySpace = '/user/press@newspaper.example';
const listings = /\/nodes\?/u;

const openModule = ui.steps(
	ui.click(ui.text('Course material')),
	ui.click(ui.text('Module 1')),
	ui.see(ui.text('01 Belief workbook.pdf')),
);
/** On a phone, the button is in a menu. */
const openNewFolder = (page, ...rest) =>
	page.viewportSize().width < 700
		? ui.steps(ui.press('files_more'), ui.click(ui.role('menuitem', 'files_new_folder')))(page, ...rest)
		: ui.press('files_new_folder')(page, ...rest);
const selectAll = ui.steps(openModule, ui.selectAllRows);
const openNodeMenu = ui.steps(
	openModule,
	ui.pressPart('files_more_of', { name: '02 Mindset workbook.pdf' }),
	ui.see(ui.role('menuitem')),
);
const askToDelete = ui.steps(
	openModule,
	(page) => page.locator('[data-row]').last().focus(),
	ui.keys('Delete'),
	ui.see(ui.role('dialog')),
);
const chooseFolder = ui.steps(
	selectAll,
	ui.click(ui.inside(ui.role('region', 'files_selection'), ui.role('button', 'files_move'))),
	ui.see(ui.inDialog(ui.text('Course material'))),
);
const openShare = ui.steps(
	(page) => page.locator('[aria-haspopup=menu][data-size=small]').last().click(),
	ui.click(ui.role('menuitem', 'sharing_share')),
	ui.see(ui.inside(ui.role('region', 'sharing_readers'), ui.role('listitem'))),
);
const heading = (name) => ui.inDialog((dialog) => dialog.getByRole('heading', { name }));
const preview = (name) =>
	ui.steps(
		openModule,
		(page) => page.getByTitle(name, { exact: true }).click(),
		ui.see(heading(name)),
		(page) => page.waitForTimeout(500),
	);
/** The preview of a file that can only be downloaded, reached by paging from another file. */
const previewNone = ui.steps(
	preview('Cover sketch.jpg'),
	ui.click(ui.inDialog(ui.rolePart('button', 'files_next_file'))),
	ui.see(heading('Goals for the quarter.docx')),
);
/** Opens the first file's preview by its name, which works at every width. */
const previewFirst = ui.click(ui.css('[role=row][data-row] button[title]'));
const findBusy = ui.css('main [aria-busy="true"], main [role="status"]');

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
		['admin-storage-quota', '/admin/storage', ui.openDialog('files_quota_set_of', { name: member })],
		['files-grid-selected', `${space}?view=grid`, selectAll],
		['files-menu', space, openNodeMenu],
		['files-delete', space, askToDelete],
		['files-none-found', `${space}?q=nowhere`],
		['files-denied', '/user/nobody@example.com', undefined, { fails: [404] }],
		['files-failed', space, failListing],
		['files-loading', space, ui.holdCalls(listings, findBusy), { holds: listings }],
		['files-new-folder', space, openNewFolder],
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
	]),
	...screensOf('neha@folio.example', [['files-uploads-left', '/user/guest', unfoldUploads, { isAlone: true }]]),
];
