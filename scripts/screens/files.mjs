import { asked, holdCalls, member, openDialog, owner, press, pressPart } from './common.mjs';
import { expireSession, showUploads, unfoldUploads } from './uploads.mjs';

const findBusy = (page) => page.locator('main [aria-busy="true"], main [role="status"]');
const space = `/user/${member}`;

/**
 * Spaces, the trash, previews and uploads.
 * @type {import('./screens.mjs').Screen[]}
 */
export const fileScreens = [
	{ name: 'files', who: owner, path: space },
	{ name: 'files-module', who: owner, path: space, act: openModule },
	{ name: 'files-grid', who: owner, path: `${space}?view=grid`, act: openModule },
	{ name: 'files-found', who: owner, path: `${space}?q=1` },
	{ name: 'files-selected', who: owner, path: space, act: selectAll },
	{ name: 'files-move', who: owner, path: space, act: chooseFolder },
	{ name: 'files-trash', who: owner, path: `/user/guest?trash` },
	{ name: 'files-trash-empty', who: owner, path: `/user/neha@folio.example?trash` },
	{ name: 'admin-storage', who: owner, path: '/admin/storage', isTall: true },
	{
		name: 'admin-storage-quota',
		who: owner,
		path: '/admin/storage',
		act: openDialog('files_quota_set_of', { name: member }),
	},
	{ name: 'files-grid-selected', who: owner, path: `${space}?view=grid`, act: selectAll },
	{ name: 'files-menu', who: owner, path: space, act: openNodeMenu },
	{ name: 'files-delete', who: owner, path: space, act: askToDelete },
	{ name: 'files-none-found', who: owner, path: `${space}?q=nowhere` },
	{ name: 'files-denied', who: owner, path: '/user/nobody@example.com', fails: [404] },
	{ name: 'files-failed', who: owner, path: space, act: loseListing },
	{ name: 'files-loading', who: owner, path: space, act: holdCalls(/\/nodes\?/u, findBusy), holds: /\/nodes\?/u },
	{ name: 'files-new-folder', who: owner, path: space, act: press('files_new_folder') },
	{ name: 'files-preview-image', who: owner, path: `${space}?type=images`, act: previewFirst },
	{ name: 'files-preview-pdf', who: owner, path: `${space}?type=pdf`, act: previewFirst },
	{ name: 'files-preview-video', who: owner, path: space, act: preview('03 Morning routine.mp4') },
	{ name: 'files-preview-audio', who: owner, path: space, act: preview('04 Walk and think.wav') },
	{ name: 'files-preview-none', who: owner, path: space, act: previewNone },
	{
		name: 'files-uploads',
		who: owner,
		path: '/user/press@newspaper.example',
		act: showUploads,
		fails: [507],
		isAlone: true,
	},
	{ name: 'files-uploads-left', who: 'neha@folio.example', path: '/user/guest', act: unfoldUploads, isAlone: true },
	{
		name: 'files-uploads-sign-in',
		who: owner,
		path: '/user/press@newspaper.example',
		act: expireSession,
		fails: [asked],
		isAlone: true,
	},
	{ name: 'files-book', who: owner, path: '/user/book' },
	{ name: 'files-empty', who: owner, path: '/user/neha@folio.example' },
	{ name: 'files-marked', who: owner, path: `/user/${owner}` },
	{ name: 'files-marked-grid', who: owner, path: `/user/${owner}?view=grid` },
	{ name: 'files-share', who: owner, path: `/user/${owner}`, act: openShare },
	{ name: 'files-share-guest', who: owner, path: '/user/guest', act: openShare },
];

async function openModule(page) {
	await page.getByText('Course material', { exact: true }).first().click();
	await page.getByText('Module 1', { exact: true }).first().click();
	await page.getByText('01 Belief workbook.pdf').first().waitFor();
}

/** Opens the dialog that shows who can read a file or folder, and why. */
async function openShare(page, say) {
	await page.locator('[aria-haspopup=menu][data-size=small]').last().click();
	await page.getByRole('menuitem', { name: say('sharing_share'), exact: true }).click();
	const readers = page.getByRole('region', { name: say('sharing_readers') });
	await readers.getByRole('listitem').first().waitFor();
}

async function selectAll(page, say) {
	await openModule(page);
	await page.locator('[data-row]').last().focus();
	await page.keyboard.press('Control+a');
	await page.getByRole('region', { name: say('files_selection') }).waitFor();
}

async function openNodeMenu(page, say) {
	await openModule(page);
	await pressPart('files_more_of', { name: '02 Mindset workbook.pdf' })(page, say);
	await page.getByRole('menuitem').first().waitFor();
}

async function askToDelete(page) {
	await openModule(page);
	await page.locator('[data-row]').last().focus();
	await page.keyboard.press('Delete');
	await page.getByRole('dialog').waitFor();
}

async function loseListing(page, say) {
	await page.route(/\/nodes\?/u, (route) => route.abort('connectionrefused'));
	await page.reload();
	await page.getByText(say('files_load_failed')).waitFor();
}

/** Opens the full-screen preview of a file of the module. */
function preview(name) {
	return async (page) => {
		await openModule(page);
		await page.getByTitle(name, { exact: true }).click();
		await page.getByRole('dialog').getByRole('heading', { name }).waitFor();
		await page.waitForTimeout(500);
	};
}

/** Opens the preview of a file that can only be downloaded, by paging from another file. */
async function previewNone(page, say) {
	await preview('Cover sketch.jpg')(page);
	const next = { name: say('files_next_file') };
	await page.getByRole('dialog').getByRole('button', next).click();
	await page.getByRole('dialog').getByRole('heading', { name: 'Goals for the quarter.docx' }).waitFor();
}

/** Opens the dialog in which the destination folder of a selection is chosen. */
async function chooseFolder(page, say) {
	await selectAll(page, say);
	const selection = page.getByRole('region', { name: say('files_selection') });
	await selection.getByRole('button', { name: say('files_move'), exact: true }).click();
	await page.getByRole('dialog').getByText('Course material').first().waitFor();
}

/** Opens the first file's preview by its name, which works at every width. */
async function previewFirst(page) {
	await page.locator('[role=row][data-row] button[title]').first().click();
}
