import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Node } from '#contract/files/files.ts';
import { folderLink } from '../../support/browser/file-manager-page.ts';
import {
	expectNoHorizontalOverflow,
	expectText,
	failRequests,
	hostJourneys,
	liveUpdateTimeout,
	phone,
	test,
} from '../../support/browser/journey.ts';
import { addFile, addFolder, addUser, findNode, share } from '../../support/browser/seeding.ts';
import { slowDownVideo, writePdf } from '../../support/documents/sample-files.ts';

const product = hostJourneys();
const space = 'teacher@example.com';
const member = 'learner@example.com';
const secondMember = 'second@example.com';
const ids: Record<string, string> = {};
const paths: Record<string, string> = {};

async function makeFolder(name: string, path = ''): Promise<void> {
	const { id, realPath } = await addFolder(product.owner, space, name, path);
	ids[name] = id;
	paths[name] = [path, realPath].filter(Boolean).join('/');
}

const shareWith = (name: string, email: string) => share(product.owner, ids[name], email);
const unshare = (name: string, email: string) =>
	product.owner.send('POST', '/api/shares/remove', { nodeId: ids[name], email });

test.beforeAll(async () => {
	for (const email of [space, member, secondMember]) await addUser(product.owner, email);
	const film = slowDownVideo(await readFile('demo/media/morning-routine.mp4'));
	await makeFolder('Course');
	await makeFolder('Inner', paths.Course);
	await addFile(product.owner, space, '1 film.mp4', film, paths.Course);
	await addFile(product.owner, space, 'plan.txt', Buffer.from('plan'), paths.Inner);
	await addFile(product.owner, space, 'single.mp4', film);
	await makeFolder('Module');
	await addFile(product.owner, space, '1 long film.mp4', film, paths.Module);
	await addFile(product.owner, space, '2 nine pages.pdf', writePdf('abcdefghi'.split('')), paths.Module);
	await addFile(product.owner, space, '3 notes.txt', Buffer.from('notes'), paths.Module);
});

test('sharing, adding, excluding and unsharing nodes changes the open page of the recipient', async ({ enter }) => {
	const owner = await enter({ signedInAs: 'owner' });
	const desktop = await enter({ signedInAs: member });
	const restore = await failRequests(desktop, /\/api\/shared$/u);
	await desktop.goto('/dashboard/book');
	await expectText(desktop, 'Failed to load shared folders');
	await restore();
	await desktop.getByRole('button', { name: 'Try again' }).click();
	await expectText(desktop, 'No folders shared with you.');

	await owner.goto(`/share-folders?email=${member}&space=${space}`);
	await owner.getByRole('button', { name: 'Share Course' }).click();
	await owner.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click();
	await expectText(owner, `Shared with ${member}`);
	await folderLink(desktop, 'Course').click();
	const restoreFolder = await failRequests(desktop, /\/api\/shared\/.*\/nodes$/u);
	await folderLink(desktop, 'Inner').click();
	await expectText(desktop, 'Error loading folder content');
	await restoreFolder();
	await desktop.getByRole('button', { name: 'Try again' }).click();
	await expect(desktop.getByText('plan.txt')).toBeVisible();

	await addFile(product.owner, space, 'added.txt', Buffer.from('added'), paths.Inner);
	await expect(desktop.getByText('added.txt')).toBeVisible();
	await expect(desktop.getByRole('link', { name: 'Download added.txt' })).toHaveAttribute('href', /download=1/u);

	await unshare('Inner', member);
	await expectText(desktop, 'This folder is no longer shared with you');
	await desktop.getByRole('link', { name: 'Back to Shared Folders' }).click();
	await folderLink(desktop, 'Course').click();
	await expect(desktop.getByText('1 film.mp4')).toBeVisible();
	await expect(folderLink(desktop, 'Inner')).toBeHidden();

	await owner.reload();
	await owner.getByRole('button', { name: 'Unshare Course' }).click();
	await owner.getByRole('dialog').getByRole('button', { name: 'Unshare', exact: true }).click();
	await expectText(owner, 'Folder and all inner folders/files unshared');
	await expectText(desktop, 'This folder is no longer shared with you');
});

test('a course continues on another device at the saved positions, and counts finished lessons', async ({ enter }) => {
	const desktop = await enter({ signedInAs: member, at: '/dashboard' });
	const main = desktop.getByRole('main');
	await expect(main.getByRole('link', { name: 'Shared Folders' })).toBeVisible();
	await product.owner.send('PUT', '/api/settings/dashboard', { showSharedFolders: false });
	await shareWith('Module', member);
	await main.getByRole('link', { name: 'Course' }).click();
	await desktop.getByRole('link', { name: /Module.*0 of 3 lessons done/u }).click();
	await desktop.getByRole('link', { name: 'Begin with 1 long film.mp4' }).click();

	const lesson = desktop.getByRole('dialog');
	const video = lesson.locator('video');
	await expect.poll(() => video.evaluate((film: HTMLVideoElement) => film.readyState)).toBeGreaterThan(0);
	expect(await video.evaluate((film: HTMLVideoElement) => film.getAttribute('controlslist'))).toBe('nodownload');
	await video.evaluate((film: HTMLVideoElement) => {
		film.currentTime = 70;
	});
	await expect.poll(() => savedPosition(desktop, '1 long film.mp4')).toBe(70);
	await lesson.getByRole('link', { name: 'Next lesson' }).click();
	await expect(lesson.getByText('Page 1 of 9')).toBeVisible();
	for (let page = 2; page <= 7; page += 1) {
		await desktop.keyboard.press('ArrowRight');
		await expect(lesson.getByText(`Page ${page} of 9`)).toBeVisible();
	}
	await expect(desktop.locator('a[href*="download"], a[download]')).toHaveCount(0);
	await lesson.getByRole('button', { name: 'Close' }).click();

	const mobile = await enter({ signedInAs: member, ...phone, at: '/dashboard/preview/book' });
	await mobile.getByRole('link', { name: 'Go on with 2 nine pages.pdf' }).click();
	const lessonOnPhone = mobile.getByRole('dialog');
	await expect(lessonOnPhone.getByText('Page 7 of 9')).toBeVisible();
	await expectNoHorizontalOverflow(mobile);
	await lessonOnPhone.getByRole('link', { name: 'Previous lesson' }).click();
	await expect
		.poll(() => lessonOnPhone.locator('video').evaluate((film: HTMLVideoElement) => film.currentTime))
		.toBe(70);
	await lessonOnPhone.getByRole('link', { name: 'Next lesson' }).click();
	await lessonOnPhone.getByRole('button', { name: 'Next page' }).click();
	await lessonOnPhone.getByRole('button', { name: 'Next page' }).click();
	// The last page is open, which marks the lesson as done.
	await expect(lessonOnPhone.getByRole('button', { name: 'Done' })).toBeVisible(liveUpdateTimeout);
	await lessonOnPhone.getByRole('link', { name: 'Next lesson' }).click();
	await expect(lessonOnPhone.getByText('This kind of file cannot be shown here.', { exact: false })).toBeVisible();
	await lessonOnPhone.getByRole('button', { name: 'Mark as done' }).click();
	await expect(lessonOnPhone.getByRole('button', { name: 'Done' })).toBeVisible();
	await lessonOnPhone.getByRole('button', { name: 'Close' }).click();
	await mobile.getByRole('link', { name: /^Module/u }).click();
	await expect(mobile.getByText('2 of 3 lessons done')).toBeVisible();
	await expect(mobile.getByText('1:10 of 2:29')).toBeVisible();
	await mobile.getByRole('link', { name: 'Back to the course' }).click();
	await expect(mobile.getByText('2 of 3 lessons done').first()).toBeVisible();

	// An open lesson must notice that its share is removed.
	await mobile.getByRole('link', { name: 'Go on with 1 long film.mp4' }).click();
	await expect(lessonOnPhone.locator('video')).toBeVisible();
	await unshare('Module', member);
	await expect(lessonOnPhone.getByText('This lesson is no longer shared with you')).toBeVisible();
	await lessonOnPhone.getByRole('link', { name: 'Back to the course' }).click();
	await expectText(mobile, 'No folders shared with you.');
	await product.owner.send('PUT', '/api/settings/dashboard', { showSharedFolders: true });
});

test('opening a lesson focuses it, and closing it restores the focus', async ({ enter }) => {
	ids.single = (await findNode(product.owner, space, 'single.mp4')).id;
	for (const name of ['Course', 'Module', 'single']) await shareWith(name, member);
	const page = await enter({ signedInAs: member });
	const lesson = page.getByRole('dialog');
	const title = (name: string) => lesson.getByRole('heading', { name });
	const press = async (name: string | RegExp, where: Page | Locator = page) => {
		await where.getByRole('link', { name }).first().focus();
		await page.keyboard.press('Enter');
	};
	await page.goto('/dashboard');
	await page.goto('/dashboard/preview/book');
	const current = page.getByRole('navigation').locator('[aria-current="page"]');
	await expect(page.getByRole('heading', { name: 'Modules' })).toBeVisible();
	await expect(current).toHaveCount(0);
	await press(/^Module/u);
	await expect(page.getByRole('heading', { name: 'Module', exact: true })).toBeFocused();
	await press(/^2 nine pages\.pdf/u);
	await expect(title('2 nine pages.pdf')).toBeFocused();
	await press('Next lesson', lesson);
	await expect(title('3 notes.txt')).toBeFocused();
	await expect(lesson.getByText('Lesson 3 of 3 · Module')).toBeVisible();

	// The next module is a single file, so it opens as a lesson. Closing it returns to the previous module.
	await press('Next module: single.mp4', lesson);
	await expect(title('single.mp4')).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(lesson).toBeHidden();
	await expect(page.getByRole('heading', { name: 'Module', exact: true })).toBeVisible();
	await press(/^3 notes\.txt/u);
	await expect(title('3 notes.txt')).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(page.getByRole('link', { name: /^3 notes\.txt/u })).toBeFocused();
	await page.goBack();
	await expect(page.getByRole('heading', { name: 'Modules' })).toBeVisible();
	await page.goBack();
	await expect(page).toHaveURL(/\/dashboard$/u);

	// A lesson that was opened by its URL has no history entry after it is closed.
	const { lessons } = await (await page.request.get(`/api/course/modules/${ids.Module}`)).json();
	await page.goto(`/dashboard/preview/book?module=${ids.Module}&lesson=${lessons[2].node.id}`);
	await expect(title('3 notes.txt')).toBeFocused();
	await lesson.getByRole('button', { name: 'Close' }).click();
	await expect(page.getByRole('link', { name: /^3 notes\.txt/u })).toBeFocused();
	await page.goBack();
	await expect(page).toHaveURL(/\/dashboard$/u);

	// Opening a shared folder also focuses its heading.
	await page.goto('/dashboard/book');
	await folderLink(page, 'Module').focus();
	await page.keyboard.press('Enter');
	await expect(page.getByText('3 notes.txt')).toBeVisible();
	await expect(page.getByRole('heading', { name: 'Module', level: 1 })).toBeFocused();
});

async function savedPosition(page: Page, name: string): Promise<number | undefined> {
	const answer = await page.request.get(`/api/course/modules/${ids.Module}`);
	const { lessons }: { lessons: Array<{ node: Node; progress: { position: number } | null }> } = await answer.json();
	return lessons.find(({ node }) => node.name === name)?.progress?.position;
}

test('the welcome dialog opens at each visit until the user closes it with its checkbox checked', async ({ enter }) => {
	const page = await enter({ signedInAs: secondMember, isWelcomed: true });
	const welcome = page.getByRole('dialog', { name: /^Welcome to/u });
	const again = welcome.getByRole('checkbox', { name: "Don't show again" });
	await page.goto('/dashboard');
	await expect(again).toBeChecked();
	await again.uncheck();
	await page.keyboard.press('Escape');
	await expect(welcome).toBeHidden();
	await page.reload();
	await expect(welcome.getByRole('button', { name: "Let's begin" })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(welcome).toBeHidden();
	const { id } = await (await page.request.get('/api/me')).json();
	expect(await page.evaluate((key) => localStorage.getItem(key), `welcome_seen_${id}`)).not.toBeNull();
	await page.reload();
	await expect(page.getByRole('region', { name: 'Guest space' })).toBeVisible();
	await expect(welcome).toBeHidden();
});
