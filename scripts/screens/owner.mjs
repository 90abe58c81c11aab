import { answerWith, holdCalls, openDialog, owner, press, pressPart } from './common.mjs';
import { chooseColumns, chooseInvalidStatement, readStatement } from './statement.mjs';

const readingStats = /\/api\/reading-stats/u;
const findLoading = (page, say) => page.getByRole('status', { name: say('reading_stats_loading') });
const findStatus = (page) => page.locator('main [role="status"]');
const noEditions = { json: { readers: 0, editions: [] } };
const noChats = { json: { items: [], nextCursor: null, unread: 0 } };
const kavita = '/admin/contact?person=kavita.rao@example.com';

/**
 * The owner's screens: orders, mail, the storefront's settings, visits.
 * `statement`: path of the demo's bank statement.
 * @returns {import('./screens.mjs').Screen[]}
 */
export const ownerScreens = ({ statement }) => [
	{ name: 'admin-mail', who: owner, path: '/admin/mail', isTall: true, act: sendTestMail },
	{ name: 'admin-storefront', who: owner, path: '/admin/storefront', isTall: true },
	{ name: 'admin-storefront-film', who: owner, path: '/admin/storefront', act: removeVideo, fails: [422] },
	{ name: 'pairs', who: owner, path: '/admin/storefront', act: seePairs },
	{ name: 'pairs-by-hand', who: owner, path: '/admin/storefront', act: pairByHand },
	{ name: 'pairs-faces', who: owner, path: '/admin/storefront', act: seeMatchStates },
	{ name: 'pairs-failed', who: owner, path: '/admin/storefront', act: losePairs, fails: [503] },
	{ name: 'readers-asked', who: owner, path: '/admin/storefront', act: openDialog('reading_stats_show_names') },
	{ name: 'readers-named', who: owner, path: '/admin/storefront', isTall: true, act: showNames },
	{
		name: 'readers-failed',
		who: owner,
		path: '/admin/storefront',
		act: answerWith(readingStats, 'reading_stats_failed'),
		fails: [503],
	},
	{
		name: 'readers-loading',
		who: owner,
		path: '/admin/storefront',
		act: holdCalls(readingStats, findLoading),
		holds: readingStats,
	},
	{
		name: 'readers-none',
		who: owner,
		path: '/admin/storefront',
		act: answerWith(readingStats, 'reading_stats_no_editions', noEditions),
	},
	{ name: 'chat-inbox', who: owner, path: '/admin/contact' },
	{ name: 'chat-inbox-open', who: owner, path: '/admin/contact?person=asha.verma@example.com', act: seeChat },
	{ name: 'chat-inbox-none', who: owner, path: '/admin/contact?q=nobody+says+this' },
	{ name: 'chat-inbox-unread', who: owner, path: '/admin/contact?show=unread' },
	{
		name: 'chat-inbox-none-unread',
		who: owner,
		path: '/admin/contact?show=unread',
		act: answerWith(/\/api\/chats\?/u, 'chat_list_no_unread', noChats),
	},
	{ name: 'chat-inbox-buyers', who: owner, path: '/admin/contact?show=buyers' },
	{ name: 'chat-inbox-found', who: owner, path: '/admin/contact?q=part' },
	{
		name: 'chat-inbox-found-open',
		who: owner,
		path: '/admin/contact?q=month&person=asha.verma@example.com&message=4',
		act: seeHit,
	},
	{ name: 'chat-inbox-delete', who: owner, path: '/admin/contact?person=lata.m@example.com', act: press('chat_clear') },
	{ name: 'chat-person-pending', who: owner, path: kavita, act: seeMember },
	{ name: 'chat-person-sheet', who: owner, path: kavita, act: openDetails },
	{ name: 'chat-person-login', who: owner, path: kavita, act: askToSendLogin },
	{ name: 'chat-person-complete', who: owner, path: kavita, act: askToCompleteHere },
	{ name: 'chat-replies', who: owner, path: kavita, act: openReplies },
	{ name: 'chat-replies-chosen', who: owner, path: kavita, act: chooseReply },
	{ name: 'chat-replies-edit', who: owner, path: kavita, act: editReplies },
	{ name: 'chat-replies-form', who: owner, path: kavita, act: editReply },
	{ name: 'chat-contact-info', who: owner, path: '/admin/contact', act: press('chat_contact') },
	{ name: 'visits', who: owner, path: '/admin/visitor', isTall: true },
	{ name: 'visits-year', who: owner, path: '/admin/visitor?days=365&sort=ip' },
	{ name: 'visits-failed', who: owner, path: '/admin/visitor', act: loseVisits, fails: [503] },
	{
		name: 'visits-loading',
		who: owner,
		path: '/admin/visitor',
		act: holdCalls(/\/api\/visit/u, findStatus),
		holds: /visit/u,
	},
	{ name: 'visits-empty', who: owner, path: '/admin/visitor', act: showNoVisits },
	{ name: 'visits-refused', who: owner, path: '/admin/visitor', isTall: true, act: mistypeDays },
	{ name: 'orders', who: owner, path: '/Bookdashboard' },
	{ name: 'orders-editing', who: owner, path: '/Bookdashboard?search=arjun', act: editOrder },
	{ name: 'orders-selected', who: owner, path: '/Bookdashboard', act: selectOrders(4) },
	{ name: 'orders-bulk', who: owner, path: '/Bookdashboard', act: askToComplete },
	{ name: 'orders-statement', who: owner, path: '/Bookdashboard', act: readStatement(statement) },
	{ name: 'orders-statement-columns', who: owner, path: '/Bookdashboard', act: chooseColumns },
	{ name: 'orders-statement-refused', who: owner, path: '/Bookdashboard', act: chooseInvalidStatement, fails: [422] },
	{ name: 'orders-by-day', who: owner, path: '/Bookdashboard?days=90', act: press('chart_as_table') },
	{
		name: 'orders-proof',
		who: owner,
		path: '/Bookdashboard',
		act: pressPart('orders_screenshot_of', { name: 'Meera Nair' }),
	},
	{ name: 'orders-note', who: owner, path: '/Bookdashboard?search=kavita', act: openNote },
	{ name: 'orders-settings', who: owner, path: '/Bookdashboard', act: press('orders_book_dashboard') },
];

/** Opens the member's details: beside the conversation where there is room, else over it. */
async function seeMember(page, say) {
	const details = page.getByRole('button', { name: say('chat_user_details'), exact: true });
	await details.waitFor();
	if ((await details.getAttribute('aria-expanded')) === 'false') await details.click();
	await page.getByRole('button', { name: new RegExp(say('chat_user_send_login'), 'u') }).waitFor();
}

/** Opens the member's details in a small window. */
async function openDetails(page, say) {
	const { width, height } = page.viewportSize();
	await page.setViewportSize({ width: Math.min(width, 900), height });
	await seeMember(page, say);
}

async function askToCompleteHere(page, say) {
	await seeMember(page, say);
	await page.getByText(say('chat_user_complete'), { exact: true }).first().click();
	await page.getByText(say('orders_bulk_hint_one')).waitFor();
}

async function askToSendLogin(page, say) {
	await seeMember(page, say);
	await press('chat_user_send_login')(page, say);
	await page.getByText(say('chat_user_send_login_question')).waitFor();
}

async function openReplies(page, say) {
	await press('chat_replies')(page, say);
	await page.getByRole('option').first().waitFor();
}

async function chooseReply(page, say) {
	await openReplies(page, say);
	await page.keyboard.press('Enter');
	await page.getByRole('list', { name: say('chat_attached') }).waitFor();
}

async function editReplies(page, say) {
	await openReplies(page, say);
	await press('chat_replies_manage')(page, say);
	await page.getByRole('dialog').getByText('Payment seen').first().waitFor();
}

async function editReply(page, say) {
	await editReplies(page, say);
	await press('chat_replies_edit_of', { name: 'How to pay' })(page, say);
	await page.getByLabel(say('chat_replies_text')).waitFor();
}

async function seeChat(page) {
	await page.getByText('folder “Module 1”').last().waitFor();
}

async function seeHit(page) {
	await page.locator('[data-marked]').waitFor();
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

async function removeVideo(page, say) {
	const file = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film') };
	await page.locator('input[type=file]').first().setInputFiles(file);
	await page.getByText(say('error_video_not_video')).waitFor();
}

async function seePairs(page, say) {
	const card = page.getByRole('region', { name: say('chapter_matching_title') });
	await card.getByRole('combobox').first().waitFor();
	await showHeading(card);
}

/** Scrolls a card to below the page's top bar, which would cover its heading. */
async function showHeading(card) {
	await card.evaluate((element) => {
		element.style.scrollMarginTop = '72px';
		element.scrollIntoView();
	});
}

async function pairByHand(page, say) {
	await seePairs(page, say);
	const choices = page.getByRole('region', { name: say('chapter_matching_title') }).getByRole('combobox');
	await choices.nth(1).selectOption({ index: 1 });
	await choices.nth(3).selectOption({ index: 3 });
}

/** Shows a part with an outline that failed, and a part with one language only. */
async function seeMatchStates(page, say) {
	const outline = { state: 'failed', problem: say('error_edition_locked') };
	const parts = [
		{ part: 1, en: { state: 'reading' }, hi: outline, byHand: [] },
		{ part: 2, en: { state: 'reading' }, hi: null, byHand: [] },
	];
	await page.route(/\/api\/settings\/outline-pairs/u, (route) => route.fulfill({ json: { parts, version: 0 } }));
	await page.reload();
	const card = page.getByRole('region', { name: say('chapter_matching_title') });
	await card.getByRole('alert').waitFor();
	await showHeading(card);
}

async function losePairs(page, say) {
	await answerWith(/\/api\/settings\/outline-pairs/u, 'chapter_matching_load_failed')(page, say);
	await showHeading(page.getByRole('region', { name: say('chapter_matching_title') }));
}

async function showNames(page, say) {
	await openDialog('reading_stats_show_names')(page, say);
	const confirm = { name: say('reading_stats_show_names') };
	await page.getByRole('dialog').getByRole('button', confirm).click();
	const names = page.getByRole('region', { name: say('reading_stats_names') });
	await names.getByRole('table').waitFor();
}

/** Fails the calls by a status: `fails` can expect it, unlike the error that Chromium reports for a lost connection. */
async function loseVisits(page, say) {
	await answerWith(/\/api\/visit/u, 'visits_failed')(page, say);
	await page.getByText(say('visits_addresses_failed')).waitFor({ timeout: 20_000 });
}

async function showNoVisits(page, say) {
	const days = Array.from({ length: 30 }, (_day, index) => ({
		day: new Date(Date.UTC(2026, 9, 22 + index)).toISOString().slice(0, 10),
		visits: 0,
	}));
	const funnel = { visits: 0, formsBegun: 0, proofsSent: 0, verified: 0 };
	const summary = { totalVisits: 0, uniqueVisitors: 0, days, pages: [], referrers: [], funnel };
	const none = { items: [], nextCursor: null, total: 0 };
	await page.route(/\/api\/visit-addresses/u, (route) => route.fulfill({ json: none }));
	await answerWith(/\/api\/visits-summary/u, 'visits_empty', { json: summary })(page, say);
}

async function mistypeDays(page, say) {
	await page.getByLabel(say('visits_settings_days')).fill('soon');
	await page.getByRole('button', { name: say('visits_settings_save'), exact: true }).click();
	await page.getByText(say('error_visit_days')).waitFor();
}

async function editOrder(page, say) {
	const phone = page.getByRole('textbox', { name: new RegExp(say('orders_phone'), 'u') }).first();
	await phone.fill('90110 45687');
	// The form then says which address the mails still go to.
	const email = page.getByRole('textbox', { name: say('orders_email'), exact: true }).first();
	await email.fill('arjun@elsewhere.example');
	await page.getByText(say('orders_mail_to', { email: 'arjun.patil@example.com' })).waitFor();
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
