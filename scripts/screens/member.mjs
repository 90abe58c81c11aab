import { member } from './common.mjs';

/**
 * A member's home, course and reader.
 * @type {import('./list.mjs').Screen[]}
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
	{ name: 'chat-empty', who: 'dev.anand@example.com', path: '/contact' },
	{ name: 'dashboard-pending', who: 'meera.nair@example.com', path: '/dashboard' },
	{ name: 'dashboard-no-order', who: 'dev.anand@example.com', path: '/dashboard' },
	{ name: 'reader-en', who: member, path: '/read/part-1-en', act: turnTo(3) },
	{ name: 'reader-hi', who: member, path: '/read/part-1-hi', act: turnTo(3) },
	{ name: 'reader-night', who: member, path: '/read/part-1-hi', act: readAtNight },
];

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

async function seeChat(page) {
	await page.getByText('Module 1').waitFor();
}

/** A line that is lost for what is sent, and a file that is refused. What is not sent goes with the tab. */
async function loseMessage(page, say) {
	await seeChat(page);
	await page
		.locator('input[type=file]')
		.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) });
	await page.getByText(say('error_file_empty')).waitFor();
	await page.getByRole('textbox', { name: say('chat_field') }).fill('Half a sentence, and');
}

async function readAtNight(page, say) {
	await turnTo(3)(page, say);
	await page.getByRole('button', { name: say('reader_night') }).click();
	return async () => {
		await page.getByRole('button', { name: say('reader_day') }).click();
	};
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

/** What somebody who may only read has selected. */
async function selectOwn(page, say) {
	await page.locator('[data-row]').last().focus();
	await page.keyboard.press('Control+a');
	await page.getByRole('region', { name: say('files_selection') }).waitFor();
}
