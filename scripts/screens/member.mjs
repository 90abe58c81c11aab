import { member, screensOf } from './common.mjs';
import * as ui from './steps.mjs';

/** Goes to page 1 and turns pages up to `number`, because the document opens at the previous screen's last page. */
const goToPage = (number) =>
	ui.steps(
		ui.see(ui.css('[data-drawn]')),
		ui.keys('Home'),
		ui.see(ui.css('[data-drawn="1"]')),
		...Array(number - 1).fill(ui.click(ui.rolePart('button', 'reader_next_page'))),
		ui.see(ui.css(`[data-drawn="${number}"]`)),
	);

const openSettings = ui.click(ui.rolePart('button', 'reader_view_settings'));
/** Returns a step that chooses the view setting `name`. Its undo function chooses `before` again for the next picture. */
function choose(name, before) {
	const chooseSetting = (key) => ui.steps(openSettings, ui.press(key), ui.keys('Escape'));
	return ui.steps(chooseSetting(name), (page, t) => () => chooseSetting(before)(page, t));
}

const readAtNight = ui.steps(goToPage(3), choose('reader_tone_night', 'reader_tone_day'));
/** Like {@link choose}, but leaves the panel open. */
const readOnSepia = ui.steps(goToPage(2), openSettings, ui.press('reader_tone_sepia'), (page, t) => async () => {
	await ui.press('reader_tone_day')(page, t);
	await page.keyboard.press('Escape');
});
const readOn = ui.steps(
	goToPage(2),
	choose('reader_flow_continuous', 'reader_flow_single'),
	ui.see(ui.css('[data-drawn="2"]')),
	(page) => page.locator('[data-pages]').evaluate((box) => box.scrollBy(0, 400)),
	ui.see(ui.css('[data-drawn="3"]')),
);

const searchBook = ui.steps(goToPage(2), ui.keys('/'), async (page, t) => {
	await page.getByRole('searchbox').fill('दुकान');
	const marks = page.locator('aside mark');
	await marks.nth(3).waitFor();
	await page.getByText(t('reader_search_progress').split('{')[0]).waitFor({ state: 'detached' });
	await marks.nth(1).click();
	await page.locator('[data-drawn] [data-current]').first().waitFor();
	if (page.viewportSize().width < 768) await page.keyboard.press('/');
});

const line = (words) => (page) => page.locator('[data-drawn] span', { hasText: words });
const selectLine = ui.steps(
	goToPage(7),
	(page) => line('decide that the thing')(page).last().click({ clickCount: 3 }),
	ui.see(ui.role('toolbar')),
);
const highlightLine = ui.steps(
	selectLine,
	(page) => page.getByRole('toolbar').getByRole('button').nth(1).click(),
	(page) => line('Before anyone else')(page).first().click({ clickCount: 3 }),
	(page, t) => ui.rolePart('button', 'reader_note')(page.getByRole('toolbar'), t).click(),
	ui.fill(ui.rolePart('textbox', 'reader_note'), 'The drawing under the kettle'),
	// Deletes the highlight: on the next screen, a click on the same text must not open the highlight.
	(page) => () =>
		page.evaluate(async () => {
			const document = '/api/reading/part-1-en';
			const { marks } = await (await fetch(document)).json();
			await Promise.all(marks.map(({ id }) => fetch(`${document}/marks/${id}`, { method: 'DELETE' })));
		}),
);

const seeChat = ui.see((page) => page.getByText('Module 1'));
const writeMessage = (words) => ui.fill(ui.rolePart('textbox', 'chat_field'), words);
/** Shows a refused file and an unsent message, which is lost when the page is closed. */
const leaveMessageUnsent = ui.steps(
	seeChat,
	ui.chooseFile('notes.txt', 'text/plain', Buffer.alloc(0)),
	ui.see(ui.message('error_file_empty')),
	writeMessage('Half a sentence, and'),
);

const dayLimits = { files: 20, size: '25.00 MB', time: '21 Nov 2026, 9:12 am' };
/** Shows a file refused by the daily limit and a text refused by the limit per minute; neither reaches the server. */
const sendTooMuch = ui.steps(
	seeChat,
	async (page, t) => {
		const refuse = (code, text) => (route) =>
			route.fulfill({ status: 429, json: { defined: false, status: 429, code, message: text, data: {} } });
		const refuseText = refuse('CHAT_MINUTE_LIMIT', t('error_chat_minute_limit', { count: 60 }));
		await page.route('**/api/chats/*/attachments?*', refuse('CHAT_DAY_LIMIT', t('error_chat_day_limit', dayLimits)));
		await page.route('**/api/chats/*/messages', (route) =>
			route.request().method() === 'POST' ? refuseText(route) : route.continue(),
		);
	},
	ui.chooseFile('my-shop.txt', 'text/plain', Buffer.from('November')),
	ui.see(ui.message('error_chat_day_limit', dayLimits)),
	writeMessage('And one more question'),
	ui.press('chat_send'),
	ui.see(ui.message('error_chat_minute_limit', { count: 60 })),
);

const courseLink = ui.link('Build Your Empire, the course');
const enterCourse = ui.steps(ui.click(courseLink), ui.see(ui.css('[data-entry]')));
const openCourseModule = ui.steps(ui.click(courseLink), (page) => page.locator('a[href*="lesson="]').nth(1).waitFor());
/** Opens the first lesson whose name contains `ending`, in its reader or player. */
const openLesson = (ending) =>
	ui.steps(
		openCourseModule,
		ui.click((page) => page.locator('li a[href*="lesson="]').filter({ hasText: ending })),
		ui.see(ui.inDialog(ui.css('canvas, video'))),
	);
const openLessonInReader = ui.steps(openLesson('.pdf'), ui.click(ui.rolePart('link', 'reader_open')), goToPage(1));

const sharedFolders = '/dashboard/book';
const course = '/dashboard/preview/book';
const english = '/read/part-1-en';
const hindi = '/read/part-1-hi';

export const memberScreens = [
	...screensOf(member, [
		['dashboard', '/dashboard', undefined, { isTall: true }],
		['dashboard-selected', '/dashboard', ui.selectAllRows],
		['dashboard-welcome', '/dashboard?welcome', ui.see(ui.role('dialog'))],
		['shared-folders', sharedFolders, undefined, { isTall: true }],
		['shared-folders-inside', sharedFolders, enterCourse],
		['shared-folders-gone', `${sharedFolders}?folder=gone`, undefined, { fails: [404] }],
		['course', course, undefined, { isTall: true }],
		['course-module', course, openCourseModule],
		['course-film', course, openLesson('.mp4')],
		['course-pdf', course, openLesson('.pdf')],
		['chat', '/contact', seeChat],
		['chat-failed', '/contact', leaveMessageUnsent, { isAlone: true }],
		['chat-refused', '/contact', sendTooMuch, { isAlone: true, fails: [429] }],
		['reader-en', english, goToPage(3)],
		['reader-hi', hindi, goToPage(3)],
		['reader-night', hindi, readAtNight],
		['reader-sepia', english, readOnSepia],
		['reader-search', hindi, searchBook],
		['reader-continuous', english, readOn],
		['reader-selection', english, selectLine, { isAlone: true }],
		['reader-file', course, openLessonInReader],
		['reader-file-gone', '/read/file/gone', undefined, { fails: [404] }],
		['reader-marks', english, highlightLine, { isAlone: true }],
	]),
	...screensOf('meera.nair@example.com', [
		['shared-folders-pending', sharedFolders],
		['dashboard-pending', '/dashboard'],
	]),
	...screensOf('dev.anand@example.com', [
		['chat-empty', '/contact'],
		['dashboard-no-order', '/dashboard'],
	]),
];
