import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Order } from '#contract/orders/orders.ts';
import { chooseCommand } from '../../support/browser/file-manager-page.ts';
import { fillCheckoutForm, fillLogin } from '../../support/browser/forms.ts';
import { hostJourneys, test } from '../../support/browser/journey.ts';
import {
	addFile,
	addFolder,
	addUser,
	buy,
	changeBook,
	exampleBank,
	findNode,
	listNodes,
	memberPassword,
	orderOf,
	share,
	uploadQrCode,
} from '../../support/browser/seeding.ts';
import { paintPicture, writePdf } from '../../support/documents/sample-files.ts';
import { sampleStatement } from '../../support/fixtures/statements.ts';
import { codeAt } from '../../support/fixtures/two-factor.ts';

const product = hostJourneys();
const member = 'reader@example.com';
const learner = 'learner@example.com';

/** Adds users, files of every kind, both parts of the book with access for a member, and orders of both statuses. */
test.beforeAll(async () => {
	const { owner, url } = product;
	await addUser(owner, member);
	const pending = await addUser(owner, 'pending@example.com');
	const welcome = { clientId: 'seed-of-pending', message: 'Welcome' };
	await owner.send('POST', `/api/chats/${pending.id}/messages`, welcome);
	await addUser(owner, learner);
	const gone = await addUser(owner, 'gone@example.com');
	await owner.send('POST', `/api/users/${gone.id}/active`, { active: false });
	const film = await readFile('demo/media/morning-routine.mp4');
	for (const space of [member, 'guest']) {
		const { realPath } = await addFolder(owner, space, 'Workbooks');
		await addFile(owner, space, 'inner.txt', Buffer.from('inner'), realPath ?? '');
		await addFile(owner, space, 'photo.png', await paintPicture());
		await addFile(owner, space, 'two pages.pdf', writePdf(['one', 'two']));
		await addFile(owner, space, 'archive.zip', Buffer.from('zip'));
		await addFile(owner, space, 'film.mp4', film);
	}
	// Separate shares give the learner lessons of every kind.
	for (const { id } of await listNodes(owner, member)) await share(owner, id, learner);
	const parts = ['part-1-en', 'part-1-hi', 'part-2-en', 'part-2-hi'];
	for (const part of parts) {
		const isShort = part.startsWith('part-1');
		const bytes = isShort
			? writePdf(['one', 'two', 'three'])
			: await readFile(`demo/book/build-your-empire-${part}.pdf`);
		await addFile(owner, 'book', `${part}.pdf`, bytes);
	}
	const items = await listNodes(owner, 'book');
	await changeBook(owner, { bank: exampleBank, editions: parts.map((key, at) => ({ key, fileId: items[at]?.id })) });
	await uploadQrCode(owner);
	await buy(url, { name: 'Reader One', email: member });
	await buy(url, { name: 'Reader One', email: member, phone: '98230 55599' });
	await buy(url, { name: 'Pending Two', email: 'pending@example.com', phone: 'odd' });
	const order = await orderOf(owner, member);
	await owner.send<Order>('PUT', `/api/orders/${order.id}`, { ...order, status: 'Complete' });
});

interface Axe {
	run(
		where: Document,
		options: { resultTypes: string[]; runOnly?: { type: string; values: string[] } },
	): Promise<{ violations: Array<{ id: string; nodes: Array<{ html: string }> }> }>;
}

/**
 * Waits until `shown` is visible. Then checks the page in both themes and at both widths without a reload, so that
 * dialogs stay open. Themes differ only in colours, so the dark theme is checked only for contrast.
 */
async function check(page: Page, what: string, shown?: Locator, widths = [1440, 390]): Promise<void> {
	if (shown !== undefined) await expect(shown).toBeVisible();
	// The pointer would keep a tooltip open that is not part of the screen.
	await page.mouse.move(0, 0);
	for (const colorScheme of ['light', 'dark'] as const) {
		for (const width of widths) {
			await test.step(`${what}, ${colorScheme} at ${width} px`, async () => {
				await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
				await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
				await waitUntilStill(page);
				expect.soft(await findViolations(page, colorScheme), `${what}, ${colorScheme} at ${width} px`).toEqual([]);
			});
		}
	}
	// The next steps press buttons that exist only in the wide layout.
	if (widths.includes(1440)) await page.setViewportSize({ width: 1440, height: 900 });
}

async function checkAt(page: Page, path: string, shown?: Locator): Promise<void> {
	await page.goto(path);
	await check(page, path, shown);
}

const press = (where: Page | Locator, name: string) => where.getByRole('button', { name, exact: true }).click();

async function pressAndCheck(page: Page, name: string, shown?: Locator): Promise<void> {
	await press(page, name);
	await check(page, `after ${name}`, shown);
}

async function chooseAndCheck(page: Page, entry: string, command: string, shown: Locator): Promise<void> {
	await chooseCommand(page, entry, command);
	await check(page, `after ${command}`, shown);
}

const invalid = (field: Locator) => field.and(field.page().locator('[aria-invalid="true"]'));

const axeSource = readFileSync(
	createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
	'utf8',
);

/** Loads axe only once into each document, because AxeBuilder would send 500 KB for each check. */
async function findViolations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
	if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
	return page.evaluate(
		async (rules) => {
			const { axe } = window as unknown as { axe: Axe };
			// Passed checks are omitted, because describing them takes longer than checking.
			const { violations } = await axe.run(document, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
			return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
		},
		colorScheme === 'dark' ? { type: 'rule', values: ['color-contrast'] } : null,
	);
}

/** Waits until the page is rendered, no animation is running and no element is busy. */
async function waitUntilStill(page: Page): Promise<void> {
	await page.evaluate(async () => {
		const frame = () => new Promise(requestAnimationFrame);
		await frame();
		await frame();
		// Endless and scroll-driven animations never finish.
		const passing = document
			.getAnimations()
			.filter(
				({ timeline, effect }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
			);
		await Promise.all(passing.map((animation) => animation.finished.catch(() => undefined)));
	});
	await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

for (const lang of ['en', 'hi']) {
	test(`the landing page and the legal pages have no accessibility violations in ${lang}`, async ({ enter }) => {
		const page = await enter();
		await checkAt(page, `/?lang=${lang}`);
		await page.locator('[data-excerpt]').first().click();
		await check(page, `excerpt in ${lang}`, page.getByRole('dialog'));
		await page.keyboard.press('Escape');
		await page.locator('#submit-details [type="submit"]').click();
		await check(page, `the form with errors in ${lang}`, invalid(page.locator('#purchase-name')));
		await fillCheckoutForm(page, { email: `axe-${lang}@example.com` });
		await page.locator('#submit-details [type="submit"]').click();
		await check(page, `an accepted order in ${lang}`, page.locator('.confirmation'));
		for (const path of ['/privacy', '/terms', '/refund']) await checkAt(page, path);
	});
}

test('videos have no accessibility violations on their page, while playing and after a failure', async ({ enter }) => {
	const page = await enter();
	await checkAt(page, '/film/benefits?lang=hi');
	await page.goto('/?lang=en');
	// The first press replaces the button by a player. Then the first button starts the next video.
	const playButton = page.locator('.video-play').first();
	await playButton.click();
	await expect(page.locator('.video-loading')).toBeHidden();
	await page.route(/how-to-get.*mp4$/u, (route) => route.abort());
	await playButton.click();
	await check(page, 'a playing video, and one that cannot be loaded', page.locator('.video-failed').last());
});

test('the order page in each state and the receipt have no accessibility violations', async ({ enter }) => {
	const page = await enter();
	const { owner, url } = product;
	const buyer = 'gone@example.com';
	const path = await buy(url, { name: 'Page Three', email: buyer });
	const checkEach = async (paths: readonly string[]) => {
		for (const lang of ['en', 'hi']) {
			for (const address of paths) await checkAt(page, `${address}?lang=${lang}`);
		}
	};
	const { id } = await orderOf(owner, buyer);
	await owner.send('POST', `/api/orders/${id}/note`, {
		note: 'The amount is cut off.',
		was: null,
		isProofWanted: true,
	});
	await checkEach([path, '/order/unknown']);
	await page.goto(`${path}?lang=en`);
	await pressAndCheck(page, 'Send the screenshot', invalid(page.locator('#order-screenshot')));
	const order = await orderOf(owner, buyer);
	await owner.send<Order>('PUT', `/api/orders/${id}`, { ...order, status: 'Complete' });
	await checkEach([path, `${path}/receipt`]);
});

test('the public screens have no accessibility violations', async ({ enter }) => {
	const page = await enter();
	for (const [path, heading] of [
		['/login', 'Login'],
		['/forget', 'Reset Password'],
		['/set-password', 'Set your password'],
		['/unauthorized', 'Unauthorized'],
		['/not-authorized', 'Not authorized'],
		['/insta-credentials', 'Credentials lookup'],
		['/nowhere', 'Page Not Found'],
	] as const)
		await checkAt(page, path, page.getByRole('heading', { level: 1, name: heading }));
	await page.goto('/login');
	await fillLogin(page, 'gone@example.com', memberPassword);
	await check(page, 'a refused login', page.getByRole('alert'));
});

/** Scrolls to the guest space below the files of the member, because only rows near the viewport are rendered. */
async function expectGuestSpace(page: Page): Promise<void> {
	const guest = page.getByRole('region', { name: 'Guest space' });
	await guest.getByRole('heading', { name: 'Guest space' }).scrollIntoViewIfNeeded();
	await page.keyboard.press('End');
	await expect(guest.getByText('archive.zip')).toBeVisible();
	await page.keyboard.press('Home');
}

for (const [form, width] of [
	['a desktop', 1440],
	['a phone', 390],
] as const) {
	test(`the reader and its panels have no accessibility violations on ${form}`, async ({ enter }) => {
		const isPhone = width === 390;
		const page = await enter({
			signedInAs: member,
			viewport: { width, height: 844 },
			...(isPhone && { hasTouch: true, isMobile: true }),
		});
		const checkHere = (what: string, shown?: Locator) => check(page, what, shown, [width]);
		await page.goto('/read/part-2-en');
		await expect(page.locator('[data-drawn]').first()).toBeVisible();
		const jump = page.getByRole('button', { name: /Go to another page/u });
		await jump.click();
		await page.getByRole('textbox').fill('500');
		await page.keyboard.press('Enter');
		await checkHere('a page number that does not exist', invalid(page.getByRole('textbox')));
		await page.getByRole('textbox').fill('5');
		await page.keyboard.press('Enter');
		await expect(page.locator('[data-drawn="5"]')).toBeVisible();
		await page.keyboard.press('h');
		await checkHere('selected text', page.getByRole('toolbar', { name: 'Selected text' }));
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Note' }).click();
		await checkHere('the card of an annotation', page.getByRole('textbox', { name: 'Note' }));
		await page.getByRole('button', { name: 'Keep' }).click();
		if (isPhone) await page.getByRole('button', { name: 'Outline' }).click();
		await checkHere('the outline', page.getByRole('navigation', { name: 'Outline' }));
		await press(page, 'Marks');
		await checkHere('the annotations', page.getByRole('link', { name: /Export/u }));
		await press(page, 'Search');
		await page.getByRole('searchbox').fill('book');
		await checkHere('the search matches', page.getByText(/places? found/u));
		if (isPhone) await page.getByRole('button', { name: 'Close' }).click();
		await page.getByRole('button', { name: 'How pages look' }).click();
		await checkHere('the view settings');
		for (const tone of ['Night', 'Sepia']) {
			await page.getByRole('button', { name: tone, exact: true }).click();
			await checkHere(tone);
		}
		await page.getByRole('button', { name: 'Continuous' }).click();
		await page.keyboard.press('Escape');
		await checkHere('the continuous view');
	});
}

test('the dashboard, previews, reader and chat of a member have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: member, at: '/dashboard' });
	await expectGuestSpace(page);
	await check(page, 'dashboard');
	await page.getByRole('button', { name: 'Preview photo.png' }).first().click();
	await check(page, 'preview of a picture', page.getByRole('dialog').getByRole('img', { name: 'photo.png' }));
	await page.getByRole('dialog').getByRole('button', { name: 'Next file' }).click();
	await check(page, 'preview of a PDF', page.getByRole('dialog').getByText('Page 1 of 2'));
	const previous = page.getByRole('dialog').getByRole('button', { name: 'Previous file' });
	for (let steps = 0; steps < 2; steps += 1) await previous.click();
	await check(page, 'preview of a video', page.getByRole('dialog').getByLabel('film.mp4', { exact: true }));
	await previous.click();
	await check(page, 'a file without a preview', page.getByText('There is no preview of this type of file.'));
	await page.keyboard.press('Escape');
	await page.getByRole('row').filter({ hasText: 'photo.png' }).first().focus();
	await page.keyboard.press('Space');
	await check(page, 'a selection to download', page.getByRole('region', { name: 'Selection' }));
	await checkAt(page, '/read/part-1-en', page.getByText('Page 1 of 3'));
	const { id } = await findNode(product.owner, 'book', 'part-1-en.pdf');
	const denied = page.getByRole('heading', { level: 1, name: 'You cannot read this file' });
	await checkAt(page, `/read/file/${id}`, denied);
	await checkAt(page, '/contact', page.getByText('No messages yet. Write the first one.'));
	await page.getByRole('textbox', { name: 'Message' }).fill('A question about https://example.com/page');
	await page.getByRole('button', { name: 'Send' }).click();
	await page.locator('input[type=file]').setInputFiles([
		{ name: 'ledger.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
		{ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
	]);
	await check(page, 'a chat', page.getByText('This file is empty.'));

	const pending = await enter({ signedInAs: 'pending@example.com' });
	const verified = pending.getByText('Your order is being verified');
	await checkAt(pending, '/dashboard', verified);
	await checkAt(pending, '/read/part-1-en', pending.getByRole('heading', { level: 1 }));
});

test('the users screens and their dialogs have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: '/admin' });
	await expect(page.getByRole('article').first()).toBeVisible();
	await check(page, 'users');
	await page.getByRole('button', { name: 'Account menu' }).click();
	await check(page, 'account menu', page.getByRole('menuitem', { name: 'Logout' }), [1440]);
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Add New User' }).click();
	await pressAndCheck(page, 'Add User', invalid(page.getByLabel('Role')));
	await page.getByRole('button', { name: 'Import CSV' }).click();
	await page.getByLabel('Or paste the rows here').fill('email,name\nhalf@address,Half');
	await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
	await check(page, 'Import users', page.getByText('(half@address)'));
	await page.goto(`/admin?search=${member}`);
	await chooseAndCheck(page, `${member}`, 'Make Admin', page.getByRole('dialog'));

	await page.route('**/api/removals', (route) =>
		route.fulfill({ json: [{ id: 'x', email: 'left@example.com', totalFiles: 5000, removedFiles: 1240 }] }),
	);
	await page.goto('/delete-user');
	await expect(page.getByRole('progressbar')).toBeVisible();
	await expect(page.getByRole('article').first()).toBeVisible();
	await check(page, 'delete users');
	await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
	await check(page, 'the question before a deletion', page.getByRole('dialog'));
});

test('the credentials screens and their dialogs have no accessibility violations', async ({ enter }) => {
	const record = { username: 'asha.verma', state: 'goa', id: 'GA-1', password: 'secret' };
	await product.owner.send('POST', '/api/insta-credentials/add', record);
	const page = await enter({ signedInAs: 'owner', at: '/insta-credentials' });
	await page.getByLabel('Username').first().fill('asha.verma');
	await page.getByLabel('State').first().fill('goa');
	await page.getByRole('button', { name: 'Search' }).click();
	await expect(page.getByRole('region', { name: 'Your credentials' })).toBeVisible();
	await pressAndCheck(page, 'Add Credentials');
	const row = page.getByRole('listitem').filter({ hasText: 'asha.verma' });
	await checkAt(page, '/admin/credentials', row);
	await pressAndCheck(page, 'Edit asha.verma, goa', page.getByRole('dialog'));
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Import CSV' }).click();
	await page.getByLabel('Or paste the rows here').fill('username,state,id,password\n,goa,1,x');
	await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
	await check(page, 'Import credentials', page.getByText('1 row was not added:'));
	await checkAt(page, '/admin/credentials?view=lookups', row);
});

test('the file manager and its dialogs have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: '/user/guest' });
	await expect(page.getByText('archive.zip')).toBeVisible();
	const file = { name: 'uploaded.txt', mimeType: 'text/plain', buffer: Buffer.from('text') };
	await page.locator('input[type="file"]:not([webkitdirectory])').first().setInputFiles(file);
	await check(page, 'files with uploads', page.getByRole('grid').getByText('uploaded.txt'));
	await page.getByRole('button', { name: 'New folder' }).click();
	await pressAndCheck(page, 'Create', invalid(page.getByLabel('Folder name')));
	await page.keyboard.press('Escape');
	await chooseAndCheck(
		page,
		'Workbooks',
		'Delete',
		page.getByRole('heading', { name: 'Delete folder and its content?' }),
	);
	await checkAt(page, '/user/guest?q=nowhere', page.getByText('No files or folders match your search.'));
});

test('the file grid, trash, storage, visitors, settings, book and storefront have no accessibility violations', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'owner' });
	const gone = 'gone.txt';
	await addFile(product.owner, 'guest', gone, Buffer.from('gone'));
	await page.goto('/user/guest?view=grid');
	await page.getByRole('checkbox', { name: `Select ${gone}` }).check();
	await check(page, 'grid with a selection');
	const bar = page.getByRole('region', { name: 'Selection' });
	await bar.getByRole('button', { name: 'Move' }).click();
	await check(page, 'choosing a folder', page.getByRole('dialog').getByText('Workbooks'));
	await page.keyboard.press('Escape');
	await bar.getByRole('button', { name: 'Delete' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
	await page.getByRole('link', { name: 'Trash' }).click();
	await check(page, 'trash', page.getByRole('button', { name: `Restore ${gone}` }));
	await page.goto('/admin/storage');
	for (const title of ['Space used by person', 'Storage used by chats'])
		await expect(page.getByRole('region', { name: title }).getByRole('row').nth(1)).toBeVisible();
	await check(page, 'storage', page.getByLabel('Days in the trash'));
	await page.goto('/admin/visitor');
	await expect(page.getByText('Total Visits')).toBeVisible();
	const days = await page.getByLabel('Days that addresses are kept').inputValue();
	await page.getByLabel('Days that addresses are kept').fill('soon');
	await pressAndCheck(page, 'Save', invalid(page.getByLabel('Days that addresses are kept')));
	await page.getByLabel('Days that addresses are kept').fill(days);
	await checkAt(page, '/admin/settings', page.getByRole('link', { name: /^Audit/u }));
	await checkAt(page, '/admin/book', page.getByRole('region', { name: 'Editions' }).getByText('part-1-en.pdf'));
	await checkAt(page, '/login-history', page.getByRole('link', { name: 'Delete Users' }));
	await page.goto('/admin/storefront?section=videos');
	const film = { name: 'a.mp4', mimeType: '', buffer: Buffer.from('x') };
	await page.getByLabel('Choose a video').and(page.locator('input')).first().setInputFiles(film);
	await check(page, 'storefront videos', page.getByRole('alert').filter({ hasText: 'mp4 or WebM' }));
	for (const section of ['hero', 'covers', 'brand', 'benefits', 'excerpts', 'purchase', 'page', 'legal'])
		await checkAt(page, `/admin/storefront?section=${section}`, page.locator('[aria-expanded="true"]').first());
	await page.goto('/admin/storefront?section=footer');
	await page.getByRole('button', { name: 'Add a link' }).click();
	await page.getByLabel('Name of link 1').focus();
	await page.getByRole('textbox', { name: 'Chat link' }).focus();
	await check(page, 'storefront links', invalid(page.getByLabel('Address of link 1')));
	await page.getByRole('button', { name: 'Remove link 1' }).click();
	await page.getByRole('button', { name: 'Versions' }).click();
	await check(page, 'storefront versions', page.getByRole('dialog').getByText('Published now'));
});

test('the orders page and its dialogs have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: '/Bookdashboard' });
	await expect(page.getByRole('table', { name: 'Manage Orders' }).locator('tbody tr').first()).toBeVisible();
	await page.getByRole('textbox', { name: 'Name' }).first().fill('Changed');
	await check(page, 'orders with a changed row');
	await page.getByRole('button', { name: 'Discard changes' }).click();
	await page.getByRole('button', { name: 'Screenshot of Reader One' }).click();
	await check(page, 'screenshots', page.getByRole('dialog').locator('img'));
	await page.keyboard.press('Escape');
	await page.getByRole('table', { name: 'Manage Orders' }).getByRole('button', { name: 'Delete' }).first().click();
	await check(page, 'Delete order', page.getByRole('dialog'));
	await page.keyboard.press('Escape');
	await page.getByRole('checkbox', { name: 'Select all rows shown' }).check();
	await page.getByRole('button', { name: 'Table' }).click();
	await pressAndCheck(page, 'Set Complete', page.getByRole('dialog'));
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Import statement' }).click();
	const statement = page.getByRole('dialog');
	const rows = { name: 'hdfc.csv', mimeType: 'text/csv', buffer: sampleStatement('hdfc.csv') };
	await statement.locator('input[type=file]').setInputFiles(rows);
	await check(page, 'a statement', statement.getByRole('heading', { name: 'Not found' }));
	await statement.getByRole('button', { name: 'Other columns' }).click();
	await check(page, 'the columns of a statement');
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Note to the buyer' }).first().click();
	await check(page, 'note to the buyer', page.getByRole('dialog'));
	await page.keyboard.press('Escape');
	await pressAndCheck(page, 'Book Dashboard', page.getByRole('img', { name: 'The QR code as buyers see it' }));
});

test('the inbox and its dialogs have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', at: `/admin/contact?person=${member}` });
	await page.getByRole('textbox', { name: 'Message', exact: true }).fill('An answer');
	await press(page, 'Send');
	await expect(page.getByRole('img', { name: 'Sent' }).last()).toBeVisible();
	await check(page, 'inbox', page.getByRole('region', { name: 'Conversations' }).getByText('You: An answer'));
	const hits = page.getByRole('group', { name: 'Matches for answer' });
	await checkAt(page, `/admin/contact?person=${member}&q=answer&show=buyers&message=1`, hits);
	await page.goto('/admin/contact?show=unread');
	await expect(page.getByRole('button', { name: /^Unread/u })).toHaveAttribute('aria-pressed', 'true');
	await check(page, 'unread conversations');
	await page.goto(`/admin/contact?person=${member}`);
	await page.getByRole('button', { name: 'Contact info' }).click();
	await page.getByLabel('Email').fill('nobody');
	await pressAndCheck(page, 'Save', invalid(page.getByLabel('Email')));

	await product.owner.send('POST', '/api/canned-replies', { name: 'Payment seen', message: 'Namaste {name}' });
	await page.goto(`/admin/contact?person=${member}`);
	await expect(page.getByRole('complementary', { name: /^Details of/u })).toContainText('Open in orders');
	await page.getByRole('button', { name: 'Canned replies' }).click();
	const reply = page.getByRole('option', { name: /Payment seen/u });
	await check(page, 'the user panel beside the chat, and the list of canned replies', reply);
	await pressAndCheck(page, 'Edit replies');
	await page.getByRole('button', { name: 'New reply' }).click();
	await pressAndCheck(page, 'Save', page.getByRole('dialog').getByText('Write a text, or add a file.'));
	await page.goto(`/admin/contact?person=${member}`);
	await page.setViewportSize({ width: 390, height: 844 });
	await pressAndCheck(page, 'Details', page.getByRole('dialog').getByText('Open in orders').first());
});

test('the mail screen, login history and audit list have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await checkAt(page, '/login-history', page.getByRole('link', { name: member }));
	await checkAt(page, `/login-history?email=${member}`, page.getByRole('heading', { level: 2, name: member }));
	await page.goto('/admin/audit');
	await page.getByRole('button', { name: 'Details' }).first().click();
	await check(page, 'audit');
	await page.goto('/admin/mail');
	await expect(page.getByLabel('Seller on the receipt')).toBeVisible();
	await pressAndCheck(page, 'Send a test email', page.getByText('was saved as a file'));
});

test('the sharing screens and their dialogs have no accessibility violations', async ({ enter }) => {
	await share(product.owner, (await findNode(product.owner, member, 'Workbooks')).id, 'pending@example.com');
	const page = await enter({ signedInAs: 'owner', at: `/share-folders?email=pending@example.com&space=${member}` });
	await page.getByRole('checkbox', { name: 'Select photo.png' }).check();
	const unshare = page.getByRole('button', { name: 'Unshare Workbooks' });
	await check(page, 'storage browser', unshare);
	await unshare.click();
	await check(page, 'the question before unsharing', page.getByRole('dialog'));
	await checkAt(page, '/shared?email=pending@example.com', unshare);
	await page.goto(`/user/${member}`);
	await chooseAndCheck(
		page,
		'Workbooks',
		'Share',
		page.getByRole('button', { name: 'Unshare for pending@example.com' }),
	);
	await checkAt(page, '/user-share-btn', page.getByRole('button', { name: 'Toggle Button' }));
});

test('the welcome dialog and the shared folders of a member have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: learner, isWelcomed: true });
	await checkAt(page, '/dashboard', page.getByRole('dialog'));
	await page.keyboard.press('Escape');
	await checkAt(page, '/dashboard/book', page.getByText('photo.png'));
	await page.getByRole('link', { name: 'Workbooks' }).click();
	await check(page, 'a shared folder', page.getByText('inner.txt'));
	const back = page.getByRole('link', { name: 'Back to Shared Folders' });
	await checkAt(page, '/dashboard/book?folder=gone', back);

	const other = await enter({ signedInAs: member });
	await checkAt(other, '/dashboard/book', other.getByText('No folders shared with you.'));
});

test('the course, its modules and its lessons have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: learner, at: '/dashboard/preview/book' });
	await page.getByRole('link', { name: /Workbooks/u }).click();
	await check(page, 'a module', page.getByText('inner.txt'));
	await page.getByRole('link', { name: /^Begin with/u }).click();
	await pressAndCheck(page, 'Mark as done', page.getByRole('button', { name: 'Done' }));
	await checkAt(page, '/dashboard/preview/book', page.getByText('1 of 1 lesson done'));
	const link = (name: RegExp) => page.getByRole('link', { name }).first();
	await link(/film\.mp4/u).click();
	await check(page, 'a video as a lesson', page.getByRole('dialog').locator('video'));
	await page.goto('/dashboard/preview/book');
	await link(/two pages\.pdf/u).click();
	await check(page, 'a PDF as a lesson', page.getByText('Page 1 of 2'));
});

test('impersonation has no accessibility violations, and its banner does not overlap the header', async ({ enter }) => {
	await addUser(product.owner, 'viewer@example.com', 'admin');
	const page = await enter({ signedInAs: 'viewer@example.com', at: `/admin?search=${member}` });
	await page.getByRole('button', { name: `More for ${member}` }).click();
	await page.getByRole('menuitem', { name: 'See what this member sees' }).click();
	await expect(page.getByRole('button', { name: 'Back to my account' })).toBeVisible();
	await expectGuestSpace(page);
	await check(page, 'impersonation');
	await page.setViewportSize({ width: 390, height: 844 });
	const banner = page.getByRole('status').filter({ hasText: 'Read only.' });
	for (const path of ['/dashboard', '/read/part-1-en']) {
		await page.goto(path);
		await expect(banner).toBeVisible();
		const gap = async () => {
			const boxes = [banner.boundingBox(), page.locator('header').first().boundingBox()];
			const [bannerBox, headerBox] = await Promise.all(boxes);
			return (headerBox?.y ?? 0) - (bannerBox?.y ?? 0) - (bannerBox?.height ?? 0);
		};
		await expect.poll(gap).toBeGreaterThanOrEqual(0);
	}
});

test('the screens of two-factor sign-in have no accessibility violations', async ({ enter }) => {
	const email = 'careful@example.com';
	await addUser(product.owner, email);
	const page = await enter({ signedInAs: email, at: '/account' });
	await expect(page.getByRole('list', { name: 'Devices' })).toBeVisible();
	await page.getByLabel('Current password').fill('not this one');
	await page.getByLabel('New password').fill('12345');
	await pressAndCheck(page, 'Change password', invalid(page.getByLabel('New password')));
	await press(page, 'Set it up');
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Your password', { exact: true }).fill(memberPassword);
	await dialog.getByRole('button', { name: 'Continue' }).click();
	await check(page, 'the two-factor set-up', dialog.getByRole('img', { name: 'QR code for your authenticator app' }));
	const secret = ((await dialog.getByText(/^(?:[A-Z2-7]{4} ?){8}$/u).textContent()) ?? '').replaceAll(' ', '');
	await dialog.getByLabel('Six digits that the app shows now').fill(codeAt(secret, new Date()));
	await dialog.getByRole('button', { name: 'Turn on' }).click();
	await expect(dialog.getByRole('listitem')).toHaveCount(10);
	await check(page, 'the recovery codes');

	const visitor = await enter({ at: '/login' });
	await fillLogin(visitor, email, memberPassword);
	await expect(visitor.getByLabel('Code', { exact: true })).toBeFocused();
	await check(visitor, 'the code field of the login');
});

test('the accessibility check reports the violations of a test page in both themes (control)', async ({ enter }) => {
	const page = await enter({ at: '/login' });
	const heading = page.getByRole('heading', { level: 1, name: 'Login' });
	await heading.evaluate((element) => element.insertAdjacentElement('afterend', new Image()));
	const backgrounds = new Set<string>();
	for (const [colorScheme, expected] of [
		['light', ['color-contrast', 'image-alt']],
		['dark', ['color-contrast']],
	] as const) {
		await page.emulateMedia({ colorScheme });
		const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
		backgrounds.add(background);
		await heading.evaluate((element, color) => element.style.setProperty('color', color), background);
		const violations = await findViolations(page, colorScheme);
		expect(violations.map((violation) => violation.split(':')[0]).sort()).toEqual(expected);
	}
	expect(backgrounds.size).toBe(2);
});
