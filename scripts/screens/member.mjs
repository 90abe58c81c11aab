import { member } from './common.mjs';

/**
 * A member's home, course and reader.
 * @type {import('./screens.mjs').Screen[]}
 */
export const memberScreens = [
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
	{ name: 'chat', who: member, path: '/contact', act: seeChat },
	{ name: 'chat-failed', who: member, path: '/contact', act: loseMessage, isAlone: true },
	{ name: 'chat-refused', who: member, path: '/contact', act: sendTooMuch, isAlone: true, fails: [429] },
	{ name: 'chat-empty', who: 'dev.anand@example.com', path: '/contact' },
	{ name: 'dashboard-pending', who: 'meera.nair@example.com', path: '/dashboard' },
	{ name: 'dashboard-no-order', who: 'dev.anand@example.com', path: '/dashboard' },
	{ name: 'reader-en', who: member, path: '/read/part-1-en', act: goToPage(3) },
	{ name: 'reader-hi', who: member, path: '/read/part-1-hi', act: goToPage(3) },
	{ name: 'reader-night', who: member, path: '/read/part-1-hi', act: readAtNight },
	{ name: 'reader-sepia', who: member, path: '/read/part-1-en', act: readOnSepia },
	{ name: 'reader-search', who: member, path: '/read/part-1-hi', act: searchBook },
	{ name: 'reader-continuous', who: member, path: '/read/part-1-en', act: readOn },
	{ name: 'reader-selection', who: member, path: '/read/part-1-en', act: selectLine, isAlone: true },
	{ name: 'reader-file', who: member, path: '/dashboard/preview/book', act: openLessonInReader },
	{ name: 'reader-file-gone', who: member, path: '/read/file/gone', fails: [404] },
	{ name: 'reader-marks', who: member, path: '/read/part-1-en', act: highlightLine, isAlone: true },
];

function goToPage(page_) {
	return async (page, say) => {
		await page.locator('[data-drawn]').first().waitFor();
		// The document opens where the previous screen left it.
		await page.keyboard.press('Home');
		await page.locator('[data-drawn="1"]').waitFor();
		for (let turned = 1; turned < page_; turned += 1) {
			await page
				.getByRole('button', { name: say('reader_next_page') })
				.first()
				.click();
		}
		await page.locator(`[data-drawn="${page_}"]`).waitFor();
	};
}

/** Chooses view settings in the panel. The returned function resets them for the next screen. */
async function choose(page, say, choices, back) {
	const press = async (names) => {
		await page.getByRole('button', { name: say('reader_view_settings') }).click();
		for (const name of names) await page.getByRole('button', { name: say(name), exact: true }).click();
		await page.keyboard.press('Escape');
	};
	await press(choices);
	return () => press(back);
}

async function readOnSepia(page, say) {
	await goToPage(2)(page, say);
	const restore = await choose(page, say, ['reader_tone_sepia'], ['reader_tone_day']);
	await page.getByRole('button', { name: say('reader_view_settings') }).click();
	return async () => {
		await page.keyboard.press('Escape');
		await restore();
	};
}

async function readOn(page, say) {
	await goToPage(2)(page, say);
	const restore = await choose(page, say, ['reader_flow_continuous'], ['reader_flow_single']);
	await page.locator('[data-drawn="2"]').waitFor();
	await page.locator('[data-pages]').evaluate((box) => box.scrollBy(0, 400));
	await page.locator('[data-drawn="3"]').waitFor();
	return restore;
}

async function searchBook(page, say) {
	await goToPage(2)(page, say);
	await page.keyboard.press('/');
	await page.getByRole('searchbox').fill('दुकान');
	await page.locator('aside mark').nth(3).waitFor();
	await page.getByText(say('reader_search_progress').split('{')[0]).waitFor({ state: 'detached' });
	const isPhone = page.viewportSize().width < 768;
	await page.locator('aside mark').nth(1).click();
	await page.locator('[data-drawn] [data-current]').first().waitFor();
	if (isPhone) await page.keyboard.press('/');
}

async function selectLine(page, say) {
	await goToPage(7)(page, say);
	await page.locator('[data-drawn] span', { hasText: 'decide that the thing' }).last().click({ clickCount: 3 });
	await page.getByRole('toolbar').waitFor();
}

async function highlightLine(page, say) {
	await selectLine(page, say);
	await page.getByRole('toolbar').getByRole('button').nth(1).click();
	await page.locator('[data-drawn] span', { hasText: 'Before anyone else' }).first().click({ clickCount: 3 });
	await page
		.getByRole('toolbar')
		.getByRole('button', { name: say('reader_note') })
		.click();
	await page.getByRole('textbox', { name: say('reader_note') }).fill('The drawing under the kettle');
	// The next screen selects the same text; with the highlight still there, a click would open the highlight.
	return () =>
		page.evaluate(async () => {
			const document = '/api/reading/part-1-en';
			const { marks } = await (await fetch(document)).json();
			await Promise.all(marks.map(({ id }) => fetch(`${document}/marks/${id}`, { method: 'DELETE' })));
		});
}

async function seeChat(page) {
	await page.getByText('Module 1').waitFor();
}

/** Shows a refused file and a message that is written but not sent; the unsent text is dropped with the tab. */
async function loseMessage(page, say) {
	await seeChat(page);
	await page
		.locator('input[type=file]')
		.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) });
	await page.getByText(say('error_file_empty')).waitFor();
	await page.getByRole('textbox', { name: say('chat_field') }).fill('Half a sentence, and');
}

/** Shows a file refused by the daily limit and a text refused by the limit per minute; neither reaches the server. */
async function sendTooMuch(page, say) {
	await seeChat(page);
	const refuse = (code, message) => (route) =>
		route.fulfill({ status: 429, json: { defined: false, status: 429, code, message, data: {} } });
	const inADay = say('error_chat_day_limit', { files: 20, size: '25.00 MB', time: '21 Nov 2026, 9:12 am' });
	const inAMinute = say('error_chat_minute_limit', { count: 60 });
	await page.route('**/api/chats/*/attachments?*', refuse('CHAT_DAY_LIMIT', inADay));
	await page.route('**/api/chats/*/messages', (route) =>
		route.request().method() === 'POST' ? refuse('CHAT_MINUTE_LIMIT', inAMinute)(route) : route.continue(),
	);
	await page
		.locator('input[type=file]')
		.setInputFiles({ name: 'my-shop.txt', mimeType: 'text/plain', buffer: Buffer.from('November') });
	await page.getByText(inADay).waitFor();
	await page.getByRole('textbox', { name: say('chat_field') }).fill('And one more question');
	await page.getByRole('button', { name: say('chat_send'), exact: true }).click();
	await page.getByText(inAMinute).waitFor();
}

async function readAtNight(page, say) {
	await goToPage(3)(page, say);
	return choose(page, say, ['reader_tone_night'], ['reader_tone_day']);
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

/** Opens the first lesson whose name contains `ending`, in its reader or player. */
function openLesson(ending) {
	return async (page) => {
		await openCourseModule(page);
		await page.locator('li a[href*="lesson="]').filter({ hasText: ending }).first().click();
		await page.getByRole('dialog').locator('canvas, video').first().waitFor();
	};
}

/** Opens a lesson in the full reader. */
async function openLessonInReader(page, say) {
	await openLesson('.pdf')(page);
	await page.getByRole('link', { name: say('reader_open') }).click();
	await goToPage(1)(page, say);
}

/** Selects the files of a member who has read access only. */
async function selectOwn(page, say) {
	await page.locator('[data-row]').last().focus();
	await page.keyboard.press('Control+a');
	await page.getByRole('region', { name: say('files_selection') }).waitFor();
}
