import { owner, screensOf } from './common.mjs';
import { chooseColumns, chooseInvalidStatement, readStatement } from './statement.mjs';
import * as ui from './steps.mjs';

const unsentMails = /\/api\/outbox\/unsent/u;
const readingStats = /\/api\/reading-stats/u;
const visitCalls = /\/api\/visit/u;
const outlinePairs = /\/api\/settings\/outline-pairs/u;
const noUnsentMails = { json: { items: [], nextCursor: null, total: 0 } };
const noEditions = { json: { readers: 0, editions: [] } };
const noChats = { json: { items: [], nextCursor: null, unread: 0 } };

/** Answers a call with the server's answer and these changes. */
const answerAsChanged = (changes) => async (route) => {
	const response = await route.fetch();
	return route.fulfill({ response, json: { ...(await response.json()), ...changes } });
};

/** Opens the member's details: beside the conversation in a wide window, otherwise over the conversation. */
async function seeMember(page, t) {
	const details = ui.role('button', 'chat_user_details')(page, t);
	await details.waitFor();
	if ((await details.getAttribute('aria-expanded')) === 'false') await details.click();
	await ui.see(ui.rolePart('button', 'chat_user_send_login'))(page, t);
}

async function openDetails(page, t) {
	const { width, height } = page.viewportSize();
	await page.setViewportSize({ width: Math.min(width, 900), height });
	await seeMember(page, t);
}

const askToCompleteHere = ui.steps(
	seeMember,
	ui.click((page, t) => page.getByText(t('chat_user_complete'), { exact: true })),
	ui.see(ui.message('orders_bulk_hint_one')),
);
const askToSendLogin = ui.steps(
	seeMember,
	ui.press('chat_user_send_login'),
	ui.see(ui.message('chat_user_send_login_question')),
);
const openReplies = ui.steps(ui.press('chat_replies'), ui.see(ui.role('option')));
const chooseReply = ui.steps(openReplies, ui.keys('Enter'), ui.see(ui.rolePart('list', 'chat_attached')));
const editReplies = ui.steps(
	openReplies,
	ui.press('chat_replies_manage'),
	ui.see(ui.inDialog(ui.text('Payment seen'))),
);
const editReply = ui.steps(
	editReplies,
	ui.press('chat_replies_edit_of', { name: 'How to pay' }),
	ui.see(ui.label('chat_replies_text')),
);
const seeChat = (page) => page.getByText('folder “Module 1”').last().waitFor();
const openNote = ui.steps(
	ui.click((page, t) => page.getByRole('button', { name: new RegExp(`^${t('orders_note')}`, 'u') })),
	ui.see(ui.role('dialog')),
);
const sendTestMail = ui.steps(
	ui.press('mail_page_test'),
	ui.see((page) => page.getByRole('status').filter({ hasText: '@' })),
);
const seeUnsentMails = ui.steps(
	(page) => page.route(/\/api\/outbox\/status/u, answerAsChanged({ transport: 'smtp' })),
	async (page, t) => {
		const mail = { kind: 'credentials', at: '2026-11-20T09:30:00.000Z', state: 'failed', canSendAgain: true };
		const items = [
			{ ...mail, id: '1', to: 'meera.nair@example.com', hasLoginLink: true, error: '550 5.1.1 No such user here' },
			{
				...mail,
				id: '2',
				to: `${'long.address.'.repeat(6)}@example.com`,
				hasLoginLink: true,
				error: null,
				state: 'file',
			},
			{
				...mail,
				id: '3',
				kind: 'receipt',
				to: 'arjun@example.com',
				hasLoginLink: false,
				error: null,
				canSendAgain: false,
			},
		];
		await ui.answerWith(unsentMails, 'mail_unsent_gone', { json: { ...noUnsentMails.json, items, total: 3 } })(page, t);
	},
);
const seeFormerEditions = ui.steps(
	(page) => {
		const formerEditions = [
			{
				id: '1',
				name: 'Build Your Empire, part 1 (first printing, with corrections).pdf',
				usedAt: '2026-10-02T09:30:00.000Z',
			},
			{ id: '2', name: '', usedAt: '2026-11-03T09:30:00.000Z' },
		];
		return page.route(/\/api\/settings\/book$/u, answerAsChanged({ formerEditions })).then(() => page.reload());
	},
	ui.see(ui.message('book_former_editions_intro')),
	(page, t) =>
		page.getByText(t('book_former_editions_intro')).evaluate((element) => element.scrollIntoView({ block: 'center' })),
);
const chooseNoVideo = ui.steps(
	ui.chooseFile('film.mp4', 'video/mp4', Buffer.from('no film')),
	ui.see(ui.message('error_video_not_video')),
);

const section = (name) => `${shop}?section=${name}`;
/** In a narrow window, the preview has a tab of its own. */
const seePreview = (page) => page.locator('iframe, [aria-expanded]').last().waitFor();
const typeHeadline = ui.steps(
	ui.fill(ui.role('textbox', 'editor_field_headline'), 'Plain words for big plans'),
	ui.see(ui.message('editor_status_saved')),
);
const openFirstItem = ui.click((page) => page.locator('li button[aria-expanded]'));
/** The browser would restore the values on the next screen. */
const forgetUnsaved = (page) =>
	page.evaluate(() => {
		for (const key of Object.keys(localStorage))
			if (key.startsWith('storefront-unsaved:')) localStorage.removeItem(key);
	});
const addInvalidLink = ui.steps(
	ui.press('editor_link_add'),
	ui.fill(ui.role('textbox', 'editor_field_chat'), 'contact'),
	ui.fill((page, t) => page.getByLabel(t('editor_link_address', { number: 1 })), 'javascript:alert(1)'),
	ui.click(ui.role('textbox', 'editor_field_footer_text')),
	ui.see(ui.message('error_address')),
	(page) => () => forgetUnsaved(page),
);
const chooseCover = ui.steps(
	(page) => page.locator('input[type=file]').first().setInputFiles('demo/pictures/receipt-02-arjun-patil.jpg'),
	ui.see(ui.role('slider', 'editor_crop_zoom')),
);
async function openVersions(page, t) {
	const more = page.getByRole('main').getByRole('button', { name: t('common_more'), exact: true });
	await page.locator('iframe, [aria-expanded]').first().waitFor();
	if (await more.isVisible()) await more.click();
	await ui.click(() => page.locator('button', { hasText: t('editor_versions') }))(page);
	await ui.see(ui.message('editor_version_current'))(page, t);
}
async function failSave(page, t) {
	const isSave = /\/api\/storefront\/draft\/hero/u;
	await page.route(isSave, (route) => route.fulfill({ status: 503, json: {} }));
	await ui.fill(ui.role('textbox', 'editor_field_tagline'), 'Typed while the server cannot be reached')(page, t);
	await ui.see(ui.rolePart('button', 'common_retry'))(page, t);
	return () => Promise.all([page.unroute(isSave), forgetUnsaved(page)]);
}

const matchingCard = ui.rolePart('region', 'chapter_matching_title');
/** Scrolls the chapter card to below the page's top bar, which would otherwise cover its heading. */
const showHeading = (page, t) =>
	matchingCard(page, t).evaluate((element) => {
		element.style.scrollMarginTop = '72px';
		element.scrollIntoView();
	});
const seePairs = ui.steps(ui.see(ui.inside(matchingCard, ui.role('combobox'))), showHeading);
const pairByHand = ui.steps(seePairs, async (page, t) => {
	const choices = matchingCard(page, t).getByRole('combobox');
	await choices.nth(1).selectOption({ index: 1 });
	await choices.nth(3).selectOption({ index: 3 });
});
const failPairs = ui.steps(ui.answerWith(outlinePairs, 'chapter_matching_load_failed'), showHeading);
const seeMatchStates = ui.steps(
	async (page, t) => {
		const outline = { state: 'failed', problem: t('error_edition_locked') };
		const parts = [
			{ part: 1, en: { state: 'reading' }, hi: outline, byHand: [] },
			{ part: 2, en: { state: 'reading' }, hi: null, byHand: [] },
		];
		await page.route(outlinePairs, (route) => route.fulfill({ json: { parts, version: 0 } }));
		await page.reload();
	},
	ui.see(ui.inside(matchingCard, ui.role('alert'))),
	showHeading,
);
const showNames = ui.steps(
	ui.openDialog('reading_stats_show_names'),
	ui.click(ui.inDialog(ui.rolePart('button', 'reading_stats_show_names'))),
	ui.see(ui.inside(ui.rolePart('region', 'reading_stats_names'), ui.role('table'))),
);

/** Answers the calls with 503, because `fails` can expect a status but not Chromium's error for a lost connection. */
const failVisits = ui.steps(ui.answerWith(visitCalls, 'visits_failed'), (page, t) =>
	page.getByText(t('visits_addresses_failed')).waitFor({ timeout: 20_000 }),
);
async function showNoVisits(page, t) {
	const days = Array.from({ length: 30 }, (_day, index) => ({
		day: new Date(Date.UTC(2026, 9, 22 + index)).toISOString().slice(0, 10),
		visits: 0,
	}));
	const funnel = { visits: 0, formsBegun: 0, proofsSent: 0, verified: 0 };
	const summary = { totalVisits: 0, uniqueVisitors: 0, days, pages: [], referrers: [], funnel };
	const none = { items: [], nextCursor: null, total: 0 };
	await page.route(/\/api\/visit-addresses/u, (route) => route.fulfill({ json: none }));
	await ui.answerWith(/\/api\/visits-summary/u, 'visits_empty', { json: summary })(page, t);
}
const mistypeDays = ui.steps(
	ui.fill(ui.label('visits_settings_days'), 'soon'),
	ui.press('visits_settings_save'),
	ui.see(ui.message('error_visit_days')),
);

const editOrder = ui.steps(
	ui.fill((page, t) => page.getByRole('textbox', { name: new RegExp(t('orders_phone'), 'u') }), '90110 45687'),
	// The form then shows that mails still go to the old address.
	ui.fill(ui.role('textbox', 'orders_email'), 'arjun@elsewhere.example'),
	ui.see(ui.message('orders_mail_to', { email: 'arjun.patil@example.com' })),
);
const selectOrders = (count) => async (page, t) => {
	const name = new RegExp(`^${t('orders_select_of', { name: '.+' })}$`, 'u');
	const boxes = page.getByRole('checkbox', { name });
	await boxes.first().waitFor();
	for (let at = 0; at < count; at += 1) await boxes.nth(at).check();
};
const askToComplete = ui.steps(selectOrders(5), ui.press('orders_set_complete'), ui.see(ui.role('dialog')));

const usedBy = 'BYE-7QK2-M4 (Meera Nair)';
/** A payment that has completed another order: the server's answers. */
const refuseUsedPayment = ui.steps(
	(page, t) =>
		page.route(/\/api\/orders\/[^/]+$/u, (route) => {
			const message = t('error_payment_used', { order: usedBy });
			const json = { defined: true, code: 'PAYMENT_USED', status: 409, message, data: { fields: { usedBy } } };
			return route.request().method() === 'PUT' ? route.fulfill({ status: 409, json }) : route.continue();
		}),
	ui.see(ui.rolePart('button', 'orders_update')),
	(page, t) =>
		page
			.getByRole('combobox', { name: new RegExp(t('orders_status'), 'u') })
			.last()
			.selectOption('Complete'),
	ui.click((page, t) => page.getByRole('button', { name: t('orders_update') }).last()),
	ui.see(ui.role('dialog')),
);
const findUsedPayments = ui.steps(
	askToComplete,
	(page) =>
		page.route(/\/api\/orders-complete/u, async (route) => {
			const { orders: sent } = route.request().postDataJSON();
			const used = { outcome: 'used', usedBy: 'BYE-7QK2-M4', usedByName: 'Meera Nair' };
			const items = sent.map(({ id }, at) => ({ id, ...(at % 2 === 0 ? used : { outcome: 'done' }) }));
			return route.fulfill({ json: { items } });
		}),
	ui.pressInDialog('orders_set_complete'),
	ui.see(ui.inDialog(ui.role('button', 'orders_used_confirm'))),
);

const shop = '/admin/storefront';
const book = '/admin/book';
const inbox = '/admin/contact';
const asha = 'person=asha.verma@example.com';
const kavita = `${inbox}?person=kavita.rao@example.com`;
const visits = '/admin/visitor';
const orders = '/Bookdashboard';

async function openPaymentSettings(page, t) {
	await ui.press('orders_book_dashboard')(page, t);
	await page.getByLabel(t('orders_utr_request_field'), { exact: true }).scrollIntoViewIfNeeded();
}

/** The owner's screens: orders, mail, the storefront's settings, visits. `statement`: path of the demo's statement. */
export const ownerScreens = ({ statement }) =>
	screensOf(owner, [
		['admin-mail', '/admin/mail', sendTestMail, { isTall: true }],
		['admin-mail-unsent', '/admin/mail', seeUnsentMails, { isTall: true }],
		['admin-mail-none', '/admin/mail', ui.answerWith(unsentMails, 'mail_unsent_none', noUnsentMails)],
		['admin-mail-failed', '/admin/mail', ui.answerWith(unsentMails, 'mail_unsent_failed'), { fails: [503] }],
		[
			'admin-mail-loading',
			'/admin/mail',
			ui.holdCalls(unsentMails, ui.rolePart('status', 'mail_unsent_loading')),
			{ holds: unsentMails, isTall: true },
		],
		['admin-storefront', shop, seePreview],
		['admin-storefront-hero', section('hero'), typeHeadline],
		['admin-storefront-colors', section('brand'), seePreview, { isTall: true }],
		['admin-storefront-benefit', section('benefits'), openFirstItem, { isTall: true }],
		['admin-storefront-excerpt', section('excerpts'), openFirstItem, { isTall: true }],
		['admin-storefront-crop', section('covers'), chooseCover],
		['admin-storefront-film', section('videos'), chooseNoVideo, { fails: [422] }],
		['admin-storefront-links', section('footer'), addInvalidLink],
		['admin-storefront-legal', section('legal'), ui.see(ui.role('textbox', 'legal_refund')), { isTall: true }],
		['admin-storefront-preview', `${shop}?section=hero&view=preview`, seePreview],
		['admin-storefront-publish', section('hero'), ui.steps(typeHeadline, ui.openDialog('editor_publish'))],
		['admin-storefront-versions', shop, openVersions],
		['admin-storefront-unsaved', section('hero'), failSave, { fails: [503] }],
		[
			'admin-storefront-failed',
			shop,
			ui.answerWith(/\/api\/storefront\/draft$/u, 'editor_load_failed'),
			{ fails: [503] },
		],
		['admin-settings', '/admin/settings'],
		['admin-book', book, undefined, { isTall: true }],
		['editions-former', book, seeFormerEditions],
		['editions-release', book, ui.steps(seeFormerEditions, ui.openDialog('book_former_edition_release'))],
		['pairs', book, seePairs],
		['pairs-by-hand', book, pairByHand],
		['pairs-states', book, seeMatchStates],
		['pairs-failed', book, failPairs, { fails: [503] }],
		['readers-unnamed', book, ui.openDialog('reading_stats_show_names')],
		['readers-named', book, showNames, { isTall: true }],
		['readers-failed', book, ui.answerWith(readingStats, 'reading_stats_failed'), { fails: [503] }],
		[
			'readers-loading',
			book,
			ui.holdCalls(readingStats, ui.rolePart('status', 'reading_stats_loading')),
			{ holds: readingStats },
		],
		['readers-none', book, ui.answerWith(readingStats, 'reading_stats_no_editions', noEditions)],
		['chat-inbox', inbox],
		['chat-inbox-open', `${inbox}?${asha}`, seeChat],
		['chat-inbox-none', `${inbox}?q=nobody+says+this`],
		['chat-inbox-unread', `${inbox}?show=unread`],
		[
			'chat-inbox-none-unread',
			`${inbox}?show=unread`,
			ui.answerWith(/\/api\/chats\?/u, 'chat_list_no_unread', noChats),
		],
		['chat-inbox-buyers', `${inbox}?show=buyers`],
		['chat-inbox-found', `${inbox}?q=part`],
		['chat-inbox-found-open', `${inbox}?q=month&${asha}&message=4`, ui.see(ui.css('[data-marked]'))],
		['chat-inbox-delete', `${inbox}?person=lata.m@example.com`, ui.press('chat_clear')],
		['chat-person-pending', kavita, seeMember],
		['chat-person-sheet', kavita, openDetails],
		['chat-person-login', kavita, askToSendLogin],
		['chat-person-complete', kavita, askToCompleteHere],
		['chat-replies', kavita, openReplies],
		['chat-replies-chosen', kavita, chooseReply],
		['chat-replies-edit', kavita, editReplies],
		['chat-replies-form', kavita, editReply],
		['chat-contact-info', inbox, ui.press('chat_contact')],
		['visits', visits, undefined, { isTall: true }],
		['visits-year', `${visits}?days=365&sort=ip`],
		['visits-failed', visits, failVisits, { fails: [503] }],
		['visits-loading', visits, ui.holdCalls(visitCalls, ui.css('main [role="status"]')), { holds: /visit/u }],
		['visits-empty', visits, showNoVisits],
		['visits-refused', visits, mistypeDays, { isTall: true }],
		['orders', orders],
		['orders-editing', `${orders}?search=arjun`, editOrder],
		['orders-selected', orders, selectOrders(4)],
		['orders-bulk', orders, askToComplete],
		['orders-used', `${orders}?search=kavita`, refuseUsedPayment, { fails: [409] }],
		['orders-bulk-used', orders, findUsedPayments],
		['orders-statement', orders, readStatement(statement)],
		['orders-statement-columns', orders, chooseColumns],
		['orders-statement-refused', orders, chooseInvalidStatement, { fails: [422] }],
		['orders-by-day', `${orders}?days=90`, ui.press('chart_as_table')],
		['orders-proof', orders, ui.pressPart('orders_screenshot_of', { name: 'Meera Nair' })],
		['orders-note', `${orders}?search=kavita`, openNote],
		['orders-settings', orders, ui.press('orders_book_dashboard')],
		['orders-settings-payment', orders, openPaymentSettings],
	]);
