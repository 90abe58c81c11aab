import { askForCode, readRecoveryCodes, scanSecret, seeAs } from './states.mjs';
import { endSession, showUploads, unfoldUploads } from './uploads.mjs';

/**
 * One picture. `who`: a sign-in of the demo, or nobody. `act` brings the page into the state to be seen and may give
 * back how to undo what it left behind. `isWhole`: the page beyond the window;
 * `isTall`: in a window as high as the page; `isAlone`: in a browser context of its own. `fails`: answers that this screen is about, which Chromium reports as errors. `holds`: addresses of calls that the screen waits for.
 * @typedef {{ name: string, who?: string, path: string, isWhole?: boolean, isTall?: boolean, isAlwaysLight?: boolean, isAlone?: boolean, fails?: number[], holds?: RegExp,
 *   act?: (page: import('@playwright/test').Page, say: (key: string, values?: object) => string, shot: object) => Promise<void | (() => Promise<void>)> }} Screen
 */

/** Who one is, asked by a visitor: refused, and Chromium reports every refused call as an error. */
const asked = 401;
const owner = 'rohan@folio.example';
const member = 'asha.verma@example.com';
const space = `/user/${member}`;

/** @returns {Screen[]} every built screen, with the demo's data; `links` are addresses that only this run knows */
export function listScreens(links) {
	const storefront = { path: '/', isAlwaysLight: true };
	return [
		{ ...storefront, name: 'storefront', isWhole: true },
		{ ...storefront, name: 'storefront-top' },
		{ ...storefront, name: 'storefront-errors', act: sendEmptyForm },
		{ ...storefront, name: 'storefront-excerpt', act: (page) => page.locator('[data-excerpt]').first().click() },
		{ ...storefront, name: 'storefront-film', act: playFilm },
		{ ...storefront, name: 'storefront-film-failed', act: loseFilm },
		{ ...storefront, name: 'storefront-film-page', path: '/film/benefits', isWhole: true },
		{ name: 'order-page', path: links.orderPending, isWhole: true, isAlwaysLight: true },
		{
			name: 'order-page-sent',
			path: '/#submit-details',
			isWhole: true,
			isAlwaysLight: true,
			act: buyAndLook,
		},
		{
			name: 'order-page-complete',
			path: links.orderReceipt.replace('/receipt', ''),
			isWhole: true,
			isAlwaysLight: true,
		},
		{ name: 'order-page-receipt', path: links.orderReceipt, isWhole: true, isAlwaysLight: true },
		{ name: 'order-page-gone', path: '/order/gone', isAlwaysLight: true, fails: [404] },
		{ ...storefront, name: 'storefront-privacy', path: '/privacy', isWhole: true },
		{ name: 'login', path: '/login', fails: [asked] },
		{ name: 'login-failed', path: '/login', act: failToSignIn, fails: [asked] },
		{ name: 'login-code', path: '/login', act: askForCode(member), fails: [asked] },
		{ name: 'forget', path: '/forget' },
		{ name: 'set-password', path: links.setPassword },
		{ name: 'set-password-used', path: '/set-password#token=gone' },
		{ name: 'credentials', path: '/insta-credentials', act: lookUp('asha.verma', 'Maharashtra'), fails: [asked] },
		{ name: 'credentials-not-matched', path: '/insta-credentials', act: lookUp('asha.verma', 'Goa'), fails: [asked] },
		{ name: 'credentials-add', who: owner, path: '/insta-credentials', isWhole: true },
		{ name: 'dashboard', who: member, path: '/dashboard', isTall: true },
		{ name: 'dashboard-selected', who: member, path: '/dashboard', act: selectOwn },
		{
			name: 'dashboard-welcome',
			who: member,
			path: '/dashboard?welcome',
			act: (page) => page.getByRole('dialog').waitFor(),
		},
		{ name: 'shared-folders', who: member, path: '/dashboard/book', isTall: true },
		{ name: 'shared-folders-inside', who: member, path: '/dashboard/book', act: enterCourse },
		{ name: 'shared-folders-pending', who: 'meera.nair@example.com', path: '/dashboard/book' },
		{ name: 'shared-folders-gone', who: member, path: '/dashboard/book?folder=gone', fails: [404] },
		{ name: 'course', who: member, path: '/dashboard/preview/book', isTall: true },
		{ name: 'course-module', who: member, path: '/dashboard/preview/book', act: openCourseModule },
		{ name: 'course-film', who: member, path: '/dashboard/preview/book', act: openLesson('.mp4') },
		{ name: 'course-pdf', who: member, path: '/dashboard/preview/book', act: openLesson('.pdf') },
		{ name: 'dashboard-pending', who: 'meera.nair@example.com', path: '/dashboard' },
		{ name: 'dashboard-no-order', who: 'dev.anand@example.com', path: '/dashboard' },
		{ name: 'reader-en', who: member, path: '/read/part-1-en', act: turnTo(3) },
		{ name: 'reader-hi', who: member, path: '/read/part-1-hi', act: turnTo(3) },
		{ name: 'reader-night', who: member, path: '/read/part-1-hi', act: readAtNight },
		{ name: 'account', who: member, path: '/account', isTall: true },
		{ name: 'account-admin', who: owner, path: '/account', isTall: true },
		{ name: 'account-two-factor', who: member, path: '/account', act: scanSecret },
		{ name: 'account-recovery-codes', who: member, path: '/account', act: readRecoveryCodes },
		{ name: 'account-wrong-password', who: owner, path: '/account', act: mistypePassword, fails: [422] },
		{ name: 'login-device-ended', path: '/login?reason=device', fails: [asked] },
		{ name: 'unauthorized', who: member, path: '/unauthorized' },
		{ name: 'not-built-member', who: member, path: '/contact' },
		{ name: 'admin', who: owner, path: '/admin' },
		{ name: 'admin-add-user', who: owner, path: '/admin', act: press('people_add') },
		{ name: 'admin-devices', who: owner, path: '/admin?search=asha.verma', act: showDevices },
		{ name: 'admin-people-menu', who: owner, path: '/admin?filter=admins', act: openPersonMenu },
		{ name: 'admin-people-role', who: owner, path: '/admin?filter=admins', act: askForRole },
		{ name: 'admin-people-role-up', who: owner, path: `/admin?search=${member}`, act: askForAdmin },
		{ name: 'admin-people-import', who: owner, path: '/admin', act: importPeople },
		{ name: 'view-as', who: owner, path: `/admin?search=${member}`, act: seeAs(member), isAlone: true, fails: [403] },
		{
			name: 'view-as-foot',
			who: owner,
			path: `/admin?search=${member}`,
			act: seeAs(member, 'foot'),
			isAlone: true,
			fails: [403],
		},
		{
			name: 'view-as-reader',
			who: owner,
			path: `/admin?search=${member}`,
			act: seeAs(member, '/read/part-1-en'),
			isAlone: true,
			fails: [403],
		},
		{ name: 'admin-none-found', who: owner, path: '/admin?search=nobody' },
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
		{ name: 'delete-user', who: owner, path: '/delete-user' },
		{ name: 'delete-user-question', who: owner, path: '/delete-user?search=asha', act: press('removal_delete') },
		{ name: 'files', who: owner, path: space },
		{ name: 'files-module', who: owner, path: space, act: openModule },
		{ name: 'files-grid', who: owner, path: `${space}?view=grid`, act: openModule },
		{ name: 'files-found', who: owner, path: `${space}?q=1` },
		{ name: 'files-selected', who: owner, path: space, act: selectAll },
		{ name: 'files-move', who: owner, path: space, act: chooseFolder },
		{ name: 'files-trash', who: owner, path: `/user/guest?trash` },
		{ name: 'files-trash-empty', who: owner, path: `/user/neha@folio.example?trash` },
		{ name: 'admin-mail', who: owner, path: '/admin/mail', isTall: true, act: sendTestMail },
		{ name: 'admin-storefront', who: owner, path: '/admin/storefront', isTall: true },
		{ name: 'admin-storefront-film', who: owner, path: '/admin/storefront', act: giveNoFilm, fails: [422] },
		{ name: 'visits', who: owner, path: '/admin/visitor', isTall: true },
		{ name: 'visits-year', who: owner, path: '/admin/visitor?days=365&sort=ip' },
		{ name: 'visits-failed', who: owner, path: '/admin/visitor', act: loseVisits, fails: [503] },
		{ name: 'visits-loading', who: owner, path: '/admin/visitor', act: holdVisits, holds: /visit/u },
		{ name: 'visits-empty', who: owner, path: '/admin/visitor', act: showNoVisits },
		{ name: 'visits-refused', who: owner, path: '/admin/visitor', isTall: true, act: mistypeDays },
		{ name: 'admin-storage', who: owner, path: '/admin/storage', isTall: true },
		{ name: 'admin-storage-quota', who: owner, path: '/admin/storage', act: openQuota },
		{ name: 'files-grid-selected', who: owner, path: `${space}?view=grid`, act: selectAll },
		{ name: 'files-menu', who: owner, path: space, act: openNodeMenu },
		{ name: 'files-delete', who: owner, path: space, act: askToDelete },
		{ name: 'files-none-found', who: owner, path: `${space}?q=nowhere` },
		{ name: 'files-denied', who: owner, path: '/user/nobody@example.com', fails: [404] },
		{ name: 'files-failed', who: owner, path: space, act: loseListing },
		{ name: 'files-loading', who: owner, path: space, act: holdListing, holds: /\/nodes\?/u },
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
			act: endSession,
			fails: [asked],
			isAlone: true,
		},
		{ name: 'files-book', who: owner, path: '/user/book' },
		{ name: 'files-empty', who: owner, path: '/user/neha@folio.example' },
		{ name: 'orders', who: owner, path: '/Bookdashboard' },
		{ name: 'orders-editing', who: owner, path: '/Bookdashboard', act: editOrder },
		{ name: 'orders-selected', who: owner, path: '/Bookdashboard', act: selectOrders(4) },
		{ name: 'orders-bulk', who: owner, path: '/Bookdashboard', act: askToComplete },
		{ name: 'orders-by-day', who: owner, path: '/Bookdashboard?days=90', act: press('chart_as_table') },
		{ name: 'orders-proof', who: owner, path: '/Bookdashboard', act: openProof },
		{ name: 'orders-note', who: owner, path: '/Bookdashboard?search=kavita', act: openNote },
		{ name: 'orders-settings', who: owner, path: '/Bookdashboard', act: press('orders_book_dashboard') },
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
		{ name: 'files-marked', who: owner, path: `/user/${owner}` },
		{ name: 'files-marked-grid', who: owner, path: `/user/${owner}?view=grid` },
		{ name: 'files-share', who: owner, path: `/user/${owner}`, act: openShare },
		{ name: 'files-share-guest', who: owner, path: '/user/guest', act: openShare },
		{ name: 'user-share-btn', who: owner, path: '/user-share-btn' },
		{ name: 'login-history', who: owner, path: `/login-history?email=${member}` },
		{ name: 'login-history-choose', who: owner, path: '/login-history' },
		{ name: 'login-history-empty', who: owner, path: '/login-history?email=press@newspaper.example' },
		{ name: 'audit', who: owner, path: '/admin/audit' },
		{ name: 'audit-details', who: owner, path: '/admin/audit?kind=orders', act: unfoldFirst },
		{ name: 'audit-none-found', who: owner, path: '/admin/audit?person=nobody@example.com' },
		{ name: 'not-built', who: owner, path: '/admin/visitor' },
		{ name: 'not-found', who: owner, path: '/nothing/here', fails: [404] },
		{ name: 'not-found-visitor', path: '/nothing/here', fails: [404, asked] },
	];
}

/** A purchase from the form to its own page, and a refused correction there. */
async function buyAndLook(page, say) {
	for (const [field, value] of Object.entries({
		name: 'Leela Kulkarni',
		phone: '98230 55500',
		email: `leela-${Date.now()}@example.com`,
		upiId: 'leela@examplebank',
	}))
		await page.locator(`#purchase-${field}`).fill(value);
	await page.locator('#purchase-screenshot').setInputFiles('demo/pictures/receipt-02-arjun-patil.jpg');
	await page.locator('#purchase-submit').click();
	await page.getByRole('link', { name: say('landing_done_status') }).click();
	await page.locator('#order-email').waitFor();
}

async function openNote(page, say) {
	await page
		.getByRole('button', { name: new RegExp(`^${say('orders_note')}`, 'u') })
		.first()
		.click();
	await page.getByRole('dialog').waitFor();
}

async function sendTestMail(page, say) {
	await press('mail_page_test')(page, say);
	await page.getByRole('status').filter({ hasText: '@' }).waitFor();
}

function press(key, values) {
	return async (page, say) => {
		await page
			.getByRole('button', { name: say(key, values), exact: true })
			.first()
			.click();
	};
}

async function sendEmptyForm(page) {
	await page.locator('form button[type=submit]').last().click();
}

/** Stands still at the third benefit, captions and all. */
async function playFilm(page) {
	await page.locator('.film-play').first().click();
	const film = page.locator('video');
	await film.evaluate(
		(video) =>
			new Promise((resolve) => {
				video.addEventListener('seeked', resolve, { once: true });
				const rest = () => {
					video.pause();
					video.currentTime = 17;
				};
				if (video.currentTime > 0) rest();
				else video.addEventListener('timeupdate', rest, { once: true });
			}),
	);
	await film.scrollIntoViewIfNeeded();
}

async function loseFilm(page) {
	await page.route(/\/films\/.*mp4$/u, (route) => route.abort('connectionrefused'));
	await page.locator('.film-play').first().click();
	await page.locator('.film-failed').waitFor();
}

async function giveNoFilm(page, say) {
	const file = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film') };
	await page.locator('input[type=file]').first().setInputFiles(file);
	await page.getByText(say('error_film_not_film')).waitFor();
}

async function failToSignIn(page, say) {
	await page.locator('input[type=email]').fill('nobody@example.com');
	await page.locator('input[type=password]').fill('not this one');
	await page
		.getByRole('button', { name: say('screen_login'), exact: true })
		.last()
		.click();
	await page.getByText(say('error_login_failed')).waitFor();
}

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

async function showDevices(page, say) {
	await page
		.getByRole('button', { name: say('people_more_of', { email: member }) })
		.first()
		.click();
	await page.getByRole('menuitem', { name: say('sessions_open'), exact: true }).click();
	await page.getByRole('dialog').getByRole('listitem').first().waitFor();
}

async function mistypePassword(page, say) {
	await page.locator('input[name=current-password]').fill('not this one');
	await page.locator('input[name=new-password]').fill('a new one');
	await page.getByRole('button', { name: say('account_change_save') }).click();
	await page.getByText(say('error_current_password_wrong')).waitFor();
}

async function openPersonMenu(page, say) {
	const label = say('people_more_of', { email: 'neha@folio.example' });
	await page.getByRole('button', { name: label }).click();
	await page.getByRole('menuitem', { name: say('people_login_history') }).waitFor();
}

async function askForRole(page, say) {
	await openPersonMenu(page, say);
	await page.getByRole('menuitem', { name: say('people_make_user') }).click();
	await page.getByRole('dialog').waitFor();
}

async function askForAdmin(page, say) {
	await page.getByRole('button', { name: say('people_more_of', { email: member }) }).click();
	await page.getByRole('menuitem', { name: say('people_make_admin') }).click();
	await page.getByRole('dialog').waitFor();
}

/** The report beside what was pasted. */
async function importPeople(page, say) {
	await press('people_add')(page, say);
	await press('people_import')(page, say);
	await page
		.getByRole('textbox', { name: say('credentials_import_text') })
		.fill(`email,name,role\nhalf@address,Half,user\n${member},Asha Verma,user\nnew@example.com,New,guest`);
	await page.getByRole('button', { name: say('credentials_import_submit'), exact: true }).click();
	await page.getByText(`(half@address): ${say('people_import_email')}`).waitFor();
}

function turnTo(page_) {
	return async (page, say) => {
		await page.locator('canvas').first().waitFor();
		for (let turned = 1; turned < page_; turned += 1) {
			await page
				.getByRole('button', { name: say('reader_next_page') })
				.first()
				.click();
		}
	};
}

async function readAtNight(page, say) {
	await turnTo(2)(page, say);
	await page.getByRole('button', { name: say('reader_night') }).click();
	return async () => {
		await page.getByRole('button', { name: say('reader_day') }).click();
	};
}

async function openModule(page) {
	await page.getByText('Course material', { exact: true }).first().click();
	await page.getByText('Module 1', { exact: true }).first().click();
	await page.getByText('01 Belief workbook.pdf').first().waitFor();
}

async function enterCourse(page) {
	await page.getByRole('link', { name: 'Build Your Empire, the course' }).click();
	await page.locator('[data-entry]').first().waitFor();
}

async function openCourseModule(page) {
	await page
		.getByRole('link', { name: /Build Your Empire, the course/u })
		.first()
		.click();
	await page.locator('a[href*="lesson="]').nth(1).waitFor();
}

/** The first lesson of its kind, and its reader or player. */
function openLesson(ending) {
	return async (page) => {
		await openCourseModule(page);
		await page.locator('li a[href*="lesson="]').filter({ hasText: ending }).first().click();
		await page.getByRole('dialog').locator('canvas, video').first().waitFor();
	};
}

/** A shared folder from inside, one of its folders left out. */
async function openCourse(page) {
	await page.getByRole('link', { name: 'Build Your Empire, the course' }).click();
	await page.getByRole('row').filter({ hasText: '3 Money you can see' }).getByRole('button').waitFor();
}

async function selectRows(page, say) {
	for (const box of (await page.getByRole('checkbox').all()).slice(0, 2)) await box.check();
	await page.getByRole('region', { name: say('files_selection') }).waitFor();
}

/** Who can read the first file or folder, and why. */
async function openShare(page, say) {
	await page.locator('[aria-haspopup=menu][data-size=small]').last().click();
	await page.getByRole('menuitem', { name: say('sharing_share'), exact: true }).click();
	await page
		.getByRole('region', { name: say('sharing_readers') })
		.getByRole('listitem')
		.first()
		.waitFor();
}

async function selectAll(page, say) {
	await openModule(page);
	await page.locator('[data-row]').last().focus();
	await page.keyboard.press('Control+a');
	await page.getByRole('region', { name: say('files_selection') }).waitFor();
}

/** What somebody who may only read has selected. */
async function selectOwn(page, say) {
	await page.locator('[data-row]').last().focus();
	await page.keyboard.press('Control+a');
	await page.getByRole('region', { name: say('files_selection') }).waitFor();
}

async function openQuota(page, say) {
	await page
		.getByRole('button', { name: say('files_quota_set_of', { name: member }) })
		.first()
		.click();
	await page.getByRole('dialog').waitFor();
}

async function openNodeMenu(page, say) {
	await openModule(page);
	await page
		.getByRole('button', { name: say('files_more_of', { name: '02 Mindset workbook.pdf' }) })
		.first()
		.click();
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

async function holdListing(page) {
	await page.route(/\/nodes\?/u, () => {});
	await page.reload();
	await page.locator('main [aria-busy="true"], main [role="status"]').first().waitFor();
}

/** Chromium reports what the server answers, and not a line that is lost. */
async function loseVisits(page, say) {
	await page.route(/\/api\/visit/u, (route) => route.fulfill({ status: 503, json: { code: 'BUSY', message: '' } }));
	await page.reload();
	await page.getByText(say('visits_failed')).waitFor({ timeout: 20_000 });
	await page.getByText(say('visits_addresses_failed')).waitFor({ timeout: 20_000 });
}

async function holdVisits(page) {
	await page.route(/\/api\/visit/u, () => {});
	await page.reload();
	await page.locator('main [role="status"]').first().waitFor();
}

async function showNoVisits(page, say) {
	const days = Array.from({ length: 30 }, (_day, index) => ({
		day: new Date(Date.UTC(2026, 9, 22 + index)).toISOString().slice(0, 10),
		visits: 0,
	}));
	const funnel = { visits: 0, formsBegun: 0, proofsSent: 0, verified: 0 };
	const summary = { totalVisits: 0, uniqueVisitors: 0, days, pages: [], referrers: [], funnel };
	await page.route(/\/api\/visits-summary/u, (route) => route.fulfill({ json: summary }));
	await page.route(/\/api\/visit-addresses/u, (route) =>
		route.fulfill({ json: { items: [], nextCursor: null, total: 0 } }),
	);
	await page.reload();
	await page.getByText(say('visits_empty')).waitFor();
}

async function mistypeDays(page, say) {
	await page.getByLabel(say('visits_settings_days')).fill('soon');
	await page.getByRole('button', { name: say('visits_settings_save'), exact: true }).click();
	await page.getByText(say('error_visit_days')).waitFor();
}

/** A file of the module over the whole screen. */
function preview(name) {
	return async (page) => {
		await openModule(page);
		await page.getByTitle(name, { exact: true }).click();
		await page.getByRole('dialog').getByRole('heading', { name }).waitFor();
		await page.waitForTimeout(500);
	};
}

/** A file that can only be downloaded, among those that one goes through. */
async function previewNone(page, say) {
	await preview('Cover sketch.jpg')(page);
	await page
		.getByRole('dialog')
		.getByRole('button', { name: say('files_next_file') })
		.click();
	await page.getByRole('dialog').getByRole('heading', { name: 'Goals for the quarter.docx' }).waitFor();
}

/** Where a selection may go: any folder of the space. */
async function chooseFolder(page, say) {
	await selectAll(page, say);
	await page
		.getByRole('region', { name: say('files_selection') })
		.getByRole('button', { name: say('files_move'), exact: true })
		.click();
	await page.getByRole('dialog').getByText('Course material').first().waitFor();
}

/** A file's name opens its preview, at every width. */
async function previewFirst(page) {
	await page.locator('[role=row][data-row] button[title]').first().click();
}

async function editOrder(page, say) {
	const phone = page.getByRole('textbox', { name: new RegExp(say('orders_phone'), 'u') }).nth(1);
	await phone.fill('90110 45687');
}

function selectOrders(count) {
	return async (page, say) => {
		const name = new RegExp(`^${say('orders_select_of', { name: '.+' })}$`, 'u');
		const boxes = page.getByRole('checkbox', { name });
		await boxes.first().waitFor();
		for (let at = 0; at < count; at += 1) await boxes.nth(at).check();
	};
}

async function askToComplete(page, say) {
	await selectOrders(5)(page, say);
	await press('orders_set_complete')(page, say);
	await page.getByRole('dialog').waitFor();
}

async function unfoldFirst(page, say) {
	await page
		.getByRole('button', { name: say('audit_details') })
		.first()
		.click();
}

async function openProof(page, say) {
	await page
		.getByRole('button', { name: say('orders_screenshot_of', { name: 'Meera Nair' }) })
		.first()
		.click();
}
