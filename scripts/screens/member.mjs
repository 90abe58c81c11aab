import {
	chooseFile,
	click,
	css,
	fill,
	inDialog,
	keys,
	member,
	message,
	press,
	role,
	rolePart,
	screensOf,
	see,
	selectAllRows,
	steps,
} from './common.mjs';

/** Goes to page 1 and turns pages up to `number`, because the document opens at the previous screen's last page. */
const goToPage = (number) =>
	steps(
		see(css('[data-drawn]')),
		keys('Home'),
		see(css('[data-drawn="1"]')),
		...Array(number - 1).fill(click(rolePart('button', 'reader_next_page'))),
		see(css(`[data-drawn="${number}"]`)),
	);

const openSettings = click(rolePart('button', 'reader_view_settings'));
/** Returns a step that chooses the view setting `name`. Its undo function chooses `before` again for the next picture. */
function choose(name, before) {
	const chooseSetting = (key) => steps(openSettings, press(key), keys('Escape'));
	return steps(chooseSetting(name), (page, t) => () => chooseSetting(before)(page, t));
}

const readAtNight = steps(goToPage(3), choose('reader_tone_night', 'reader_tone_day'));
/** Like {@link choose}, but leaves the panel open. */
const readOnSepia = steps(goToPage(2), openSettings, press('reader_tone_sepia'), (page, t) => async () => {
	await press('reader_tone_day')(page, t);
	await page.keyboard.press('Escape');
});
const readOn = steps(
	goToPage(2),
	choose('reader_flow_continuous', 'reader_flow_single'),
	see(css('[data-drawn="2"]')),
	(page) => page.locator('[data-pages]').evaluate((box) => box.scrollBy(0, 400)),
	see(css('[data-drawn="3"]')),
);

const searchBook = steps(goToPage(2), keys('/'), async (page, t) => {
	await page.getByRole('searchbox').fill('दुकान');
	const marks = page.locator('aside mark');
	await marks.nth(3).waitFor();
	await page.getByText(t('reader_search_progress').split('{')[0]).waitFor({ state: 'detached' });
	await marks.nth(1).click();
	await page.locator('[data-drawn] [data-current]').first().waitFor();
	if (page.viewportSize().width < 768) await page.keyboard.press('/');
});

const line = (words) => (page) => page.locator('[data-drawn] span', { hasText: words });
const selectLine = steps(
	goToPage(7),
	(page) => line('decide that the thing')(page).last().click({ clickCount: 3 }),
	see(role('toolbar')),
);
const highlightLine = steps(
	selectLine,
	(page) => page.getByRole('toolbar').getByRole('button').nth(1).click(),
	(page) => line('Before anyone else')(page).first().click({ clickCount: 3 }),
	(page, t) => rolePart('button', 'reader_note')(page.getByRole('toolbar'), t).click(),
	fill(rolePart('textbox', 'reader_note'), 'The drawing under the kettle'),
	// Deletes the highlight: on the next screen, a click on the same text must not open the highlight.
	(page) => () =>
		page.evaluate(async () => {
			const document = '/api/reading/part-1-en';
			const { marks } = await (await fetch(document)).json();
			await Promise.all(marks.map(({ id }) => fetch(`${document}/marks/${id}`, { method: 'DELETE' })));
		}),
);

const seeChat = see((page) => page.getByText('Module 1'));
const writeMessage = (words) => fill(rolePart('textbox', 'chat_field'), words);
/** Shows a refused file and an unsent message, which is lost when the page is closed. */
const leaveMessageUnsent = steps(
	seeChat,
	chooseFile('notes.txt', 'text/plain', Buffer.alloc(0)),
	see(message('error_file_empty')),
	writeMessage('Half a sentence, and'),
);

const dayLimits = { files: 20, size: '25.00 MB', time: '21 Nov 2026, 9:12 am' };
/** Shows a file refused by the daily limit and a text refused by the limit per minute; neither reaches the server. */
const sendTooMuch = steps(
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
	chooseFile('my-shop.txt', 'text/plain', Buffer.from('November')),
	see(message('error_chat_day_limit', dayLimits)),
	writeMessage('And one more question'),
	press('chat_send'),
	see(message('error_chat_minute_limit', { count: 60 })),
);

const courseLink = (page) => page.getByRole('link', { name: /Build Your Empire, the course/u });
const enterCourse = steps(click(courseLink), see(css('[data-entry]')));
const openCourseModule = steps(click(courseLink), (page) => page.locator('a[href*="lesson="]').nth(1).waitFor());
/** Opens the first lesson whose name contains `ending`, in its reader or player. */
const openLesson = (ending) =>
	steps(
		openCourseModule,
		click((page) => page.locator('li a[href*="lesson="]').filter({ hasText: ending })),
		see(inDialog(css('canvas, video'))),
	);
const openLessonInReader = steps(openLesson('.pdf'), click(rolePart('link', 'reader_open')), goToPage(1));

const sharedFolders = '/dashboard/book';
const course = '/dashboard/preview/book';
const english = '/read/part-1-en';
const hindi = '/read/part-1-hi';

export const memberScreens = [
	...screensOf(member, [
		['dashboard', '/dashboard', undefined, { isTall: true }],
		['dashboard-selected', '/dashboard', selectAllRows],
		['dashboard-welcome', '/dashboard?welcome', see(role('dialog'))],
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
