import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { Node } from '#contract/files/files.ts';
import type { Order } from '#contract/orders/orders.ts';
import { hostJourneys, test } from '../../support/browser/journey.ts';
import { addFile, addFolder, addUser, buy, memberPassword, orderOf } from '../../support/browser/seeding.ts';
import { paintPicture, writePdf } from '../../support/documents/sample-files.ts';
import { sampleStatement, type statementLayouts } from '../../support/fixtures/statements.ts';
import { codeAt } from '../../support/fixtures/two-factor.ts';

const world = hostJourneys();
const member = 'reader@example.com';
const learner = 'learner@example.com';

/** Adds users, files of every kind, the two-part book with access for a member, and orders of both statuses. */
test.beforeAll(async () => {
	const { owner, url } = world;
	await addUser(owner, member);
	await addUser(owner, 'pending@example.com');
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
	// Each node is shared by itself, so that the learner has lessons of every kind.
	const { items: own } = await owner.get<{ items: Node[] }>(`/api/spaces/${member}/nodes`);
	for (const { id } of own) await owner.send('POST', '/api/shares', { nodeId: id, email: learner });
	for (const part of ['en', 'hi'])
		await addFile(owner, 'book', `part-1-${part}.pdf`, writePdf(['one', 'two', 'three']));
	for (const part of ['en', 'hi'])
		await addFile(
			owner,
			'book',
			`part-2-${part}.pdf`,
			await readFile(`demo/book/build-your-empire-part-2-${part}.pdf`),
		);
	const { items } = await owner.get<{ items: Node[] }>('/api/spaces/book/nodes');
	const settings = await owner.get<{ version: number }>('/api/settings/book');
	await owner.send('PUT', '/api/settings/book', {
		...settings,
		bank: { name: 'Example Bank', accountNumber: '0012 3456', ifsc: 'EXMP0000001', accountHolder: 'R. Rao' },
		editions: [
			{ key: 'part-1-en', fileId: items[0]?.id },
			{ key: 'part-1-hi', fileId: items[1]?.id },
			{ key: 'part-2-en', fileId: items[2]?.id },
			{ key: 'part-2-hi', fileId: items[3]?.id },
		],
	});
	const qr = new FormData();
	qr.set('file', new File([new Uint8Array(await paintPicture('#000000', 200, 200))], 'qr.png'));
	await owner.request('/api/settings/qr', { method: 'POST', body: qr });
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

const viewportsAt = (widths: readonly number[]) =>
	(['light', 'dark'] as const).flatMap((colorScheme) =>
		widths.map((width) => ({ colorScheme, width, view: `${colorScheme} at ${width} px` })),
	);

/**
 * Checks the page in both themes and at both widths without a reload, so that open dialogs stay open. A theme changes
 * colours only, so the dark one is checked for contrast only.
 */
async function expectNoViolations(page: Page, what: string, widths: readonly number[] = [1440, 390]): Promise<void> {
	// Moving the pointer closes a tooltip that the last press left open, which is not part of the screen.
	await page.mouse.move(0, 0);
	for (const { colorScheme, width, view } of viewportsAt(widths)) {
		await test.step(`${what}, ${view}`, async () => {
			await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
			await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
			await waitUntilStill(page);
			expect.soft(await findViolations(page, colorScheme), `${what}, ${view}`).toEqual([]);
		});
	}
}

/** The source of axe, from the dependencies of @axe-core/playwright. */
const axeSource = readFileSync(
	createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
	'utf8',
);

/** Loads axe into each document once, because AxeBuilder would send half a megabyte again for every check. */
async function findViolations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
	if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
	return page.evaluate(
		async (rules) => {
			const { axe } = window as unknown as { axe: Axe };
			// Passed checks are not reported, because describing every element takes longer than checking it.
			const { violations } = await axe.run(document, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
			return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
		},
		colorScheme === 'dark' ? { type: 'rule', values: ['color-contrast'] } : null,
	);
}

/** Waits until a width or theme has been rendered and nothing moves or loads any more. */
async function waitUntilStill(page: Page): Promise<void> {
	await page.evaluate(async () => {
		const frame = () => new Promise(requestAnimationFrame);
		await frame();
		await frame();
		// Endless and scroll-driven animations never finish, so they are not waited for.
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
	test(`the landing page, its form, an excerpt and the legal pages have no accessibility violations in ${lang}`, async ({
		enter,
	}) => {
		const page = await enter();
		await page.goto(`/?lang=${lang}`);
		await expectNoViolations(page, `landing in ${lang}`);
		await page.locator('[data-excerpt]').first().click();
		await expect(page.getByRole('dialog')).toBeVisible();
		await expectNoViolations(page, `excerpt in ${lang}`);
		await page.keyboard.press('Escape');
		await page.locator('#submit-details [type="submit"]').click();
		await expect(page.locator('#purchase-name')).toHaveAttribute('aria-invalid', 'true');
		await expectNoViolations(page, `the form in error in ${lang}`);
		const fields = { name: 'Asha Rao', phone: '98230 55512', email: `axe-${lang}@example.com`, upiId: 'a@examplebank' };
		for (const [name, value] of Object.entries(fields))
			await page.locator(`#submit-details [name="${name}"]`).fill(value);
		const picture = { name: 'paid.png', mimeType: 'image/png', buffer: await paintPicture() };
		await page.locator('#submit-details [type="file"]').setInputFiles(picture);
		await page.locator('#submit-details [type="submit"]').click();
		await expect(page.locator('.confirmation')).toBeVisible();
		await expectNoViolations(page, `a purchase that went well in ${lang}`);
		for (const path of ['/privacy', '/terms', '/refund']) {
			await page.goto(path);
			await expectNoViolations(page, `${path} in ${lang}`);
		}
	});
}

test('videos have no accessibility violations on their own page, while playing and after a failure', async ({
	enter,
}) => {
	const page = await enter();
	await page.goto('/film/benefits?lang=hi');
	await expectNoViolations(page, 'the page of a film in Hindi');
	await page.goto('/?lang=en');
	// The player replaces the button of the first video, so the first button then belongs to the other video.
	const next = page.locator('.video-play').first();
	await next.click();
	await expect(page.locator('.video-loading')).toBeHidden();
	await page.route(/how-to-get.*mp4$/u, (route) => route.abort());
	await next.click();
	await expect(page.locator('.video-failed').last()).toBeVisible();
	await expectNoViolations(page, 'a film that plays, and one that cannot be loaded');
});

test('the order page, pending, refused and complete, and the receipt have no accessibility violations', async ({
	enter,
}) => {
	const page = await enter();
	const { owner, url } = world;
	const buyer = 'gone@example.com';
	const path = await buy(url, { name: 'Page Three', email: buyer });
	const look = async (paths: readonly string[]) => {
		for (const lang of ['en', 'hi']) {
			for (const each of paths) {
				await page.goto(`${each}?lang=${lang}`);
				await expectNoViolations(page, `${each.replace(/[\w-]{43}/u, '…')} in ${lang}`);
			}
		}
	};
	const { id } = await orderOf(owner, buyer);
	await owner.send('POST', `/api/orders/${id}/note`, {
		note: 'The amount is cut off.',
		was: null,
		isProofWanted: true,
	});
	await look([path, '/order/unknown']);
	await page.goto(`${path}?lang=en`);
	await page.getByRole('button', { name: 'Send the screenshot' }).click();
	await expect(page.locator('#order-screenshot')).toHaveAttribute('aria-invalid', 'true');
	await expectNoViolations(page, 'a refused screenshot');
	const order = await orderOf(owner, buyer);
	await owner.send<Order>('PUT', `/api/orders/${id}`, { ...order, status: 'Complete' });
	await look([path, `${path}/receipt`]);
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
	] as const) {
		await page.goto(path);
		await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
		await expectNoViolations(page, path);
	}
	await page.goto('/login');
	await page.getByLabel('Email').fill('gone@example.com');
	await page.getByLabel('Password', { exact: true }).fill(memberPassword);
	await page.getByRole('button', { name: 'Login' }).click();
	await expect(page.getByRole('alert')).toBeVisible();
	await expectNoViolations(page, 'a refused login');
});

/** Scrolls to the guest space below the member's own files, because rows are rendered only near the viewport. */
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
		const look = (what: string) => expectNoViolations(page, what, [width]);
		await page.goto('/read/part-2-en');
		await expect(page.locator('[data-drawn]').first()).toBeVisible();
		const jump = page.getByRole('button', { name: /Go to another page/u });
		await jump.click();
		await page.getByRole('textbox').fill('500');
		await page.keyboard.press('Enter');
		await expect(page.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
		await look('a page that there is not');
		await page.getByRole('textbox').fill('5');
		await page.keyboard.press('Enter');
		await expect(page.locator('[data-drawn="5"]')).toBeVisible();
		await page.keyboard.press('h');
		await expect(page.getByRole('toolbar', { name: 'Selected text' })).toBeVisible();
		await look('selected text');
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Note' }).click();
		await expect(page.getByRole('textbox', { name: 'Note' })).toBeVisible();
		await look('the card of a mark');
		await page.getByRole('button', { name: 'Keep' }).click();
		if (isPhone) await page.getByRole('button', { name: 'Outline' }).click();
		await expect(page.getByRole('navigation', { name: 'Outline' })).toBeVisible();
		await look('the outline');
		await page.getByRole('button', { name: 'Marks', exact: true }).click();
		await expect(page.getByRole('link', { name: /Export/u })).toBeVisible();
		await look('the marks');
		await page.getByRole('button', { name: 'Search', exact: true }).click();
		await page.getByRole('searchbox').fill('book');
		await expect(page.getByText(/places? found/u)).toBeVisible();
		await look('what was found');
		if (isPhone) await page.getByRole('button', { name: 'Close' }).click();
		await page.getByRole('button', { name: 'How pages look' }).click();
		await look('how pages look');
		for (const tone of ['Night', 'Sepia']) {
			await page.getByRole('button', { name: tone, exact: true }).click();
			await look(tone);
		}
		await page.getByRole('button', { name: 'Continuous' }).click();
		await page.keyboard.press('Escape');
		await look('pages below each other');
	});
}

test("a member's dashboard, previews, reader and chat have no accessibility violations", async ({ enter }) => {
	const page = await enter({ signedInAs: member });
	await page.goto('/dashboard');
	await expectGuestSpace(page);
	await expectNoViolations(page, 'dashboard');
	await page.getByRole('button', { name: 'Preview photo.png' }).first().click();
	await expect(page.getByRole('dialog').getByRole('img', { name: 'photo.png' })).toBeVisible();
	await expectNoViolations(page, 'preview of a picture');
	await page.getByRole('dialog').getByRole('button', { name: 'Next file' }).click();
	await expect(page.getByRole('dialog').getByText('Page 1 of 2')).toBeVisible();
	await expectNoViolations(page, 'preview of a PDF');
	const previous = page.getByRole('dialog').getByRole('button', { name: 'Previous file' });
	for (let steps = 0; steps < 2; steps += 1) await previous.click();
	await expect(page.getByRole('dialog').getByLabel('film.mp4', { exact: true })).toBeVisible();
	await expectNoViolations(page, 'preview of a film');
	await previous.click();
	await expect(page.getByText('There is no preview of this type of file.')).toBeVisible();
	await expectNoViolations(page, 'what has no preview');
	await page.keyboard.press('Escape');
	await page.getByRole('row').filter({ hasText: 'photo.png' }).first().focus();
	await page.keyboard.press('Space');
	await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible();
	await expectNoViolations(page, 'a selection to download');
	await page.goto('/read/part-1-en');
	await expect(page.getByText('Page 1 of 3')).toBeVisible();
	await expectNoViolations(page, 'reader');
	const { items } = await world.owner.get<{ items: Node[] }>('/api/spaces/book/nodes');
	await page.goto(`/read/file/${items[0]?.id}`);
	await expect(page.getByRole('heading', { level: 1, name: 'You cannot read this file' })).toBeVisible();
	await expectNoViolations(page, 'a file that is not theirs to read');
	await page.goto('/contact');
	await expect(page.getByText('No messages yet. Write the first one.')).toBeVisible();
	await expectNoViolations(page, 'an empty chat');
	await page.getByRole('textbox', { name: 'Message' }).fill('A question about https://example.com/page');
	await page.getByRole('button', { name: 'Send' }).click();
	await page.locator('input[type=file]').setInputFiles([
		{ name: 'ledger.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
		{ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
	]);
	await expect(page.getByText('This file is empty.')).toBeVisible();
	await expectNoViolations(page, 'a chat');

	const pending = await enter({ signedInAs: 'pending@example.com' });
	await pending.goto('/dashboard');
	await expect(pending.getByText('Your order is being verified')).toBeVisible();
	await expectNoViolations(pending, 'dashboard with a pending order');
	await pending.goto('/read/part-1-en');
	await expect(pending.getByRole('heading', { level: 1 })).toBeVisible();
	await expectNoViolations(pending, 'reader without access');
});

test('the users screen and its dialogs have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/admin');
	await expect(page.getByRole('article')).toHaveCount(7);
	await expectNoViolations(page, 'users');
	await page.getByRole('button', { name: 'Add New User' }).click();
	await page.getByRole('button', { name: 'Add User' }).click();
	await expect(page.getByLabel('Role')).toHaveAttribute('aria-invalid', 'true');
	await expectNoViolations(page, 'Add New User');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('button', { name: 'Import CSV' }).click();
	await page.getByLabel('Or paste the rows here').fill('email,name\nhalf@address,Half');
	await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
	await expect(page.getByText('(half@address)')).toBeVisible();
	await expectNoViolations(page, 'Import users');
	await page.goto(`/admin?search=${member}`);
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('button', { name: `More for ${member}` }).click();
	await page.getByRole('menuitem', { name: 'Make Admin' }).click();
	await expect(page.getByRole('dialog')).toBeVisible();
	await expectNoViolations(page, 'the question before a role');
});

test('the user deletion screen and its confirmation have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.route('**/api/removals', (route) =>
		route.fulfill({ json: [{ id: 'x', email: 'left@example.com', totalFiles: 5000, removedFiles: 1240 }] }),
	);
	await page.goto('/delete-user');
	await expect(page.getByRole('progressbar')).toBeVisible();
	await expect(page.getByRole('article')).toHaveCount(7);
	await expectNoViolations(page, 'delete users');
	await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
	await expect(page.getByRole('dialog')).toBeVisible();
	await expectNoViolations(page, 'the question before a deletion');
});

test('the credentials screens and their dialogs have no accessibility violations', async ({ enter }) => {
	await world.owner.send('POST', '/api/insta-credentials/add', {
		username: 'asha.verma',
		state: 'goa',
		id: 'GA-1',
		password: 'secret',
	});
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/insta-credentials');
	await page.getByLabel('Username').first().fill('asha.verma');
	await page.getByLabel('State').first().fill('goa');
	await page.getByRole('button', { name: 'Search' }).click();
	await expect(page.getByRole('region', { name: 'Your credentials' })).toBeVisible();
	await page.getByRole('button', { name: 'Add Credentials' }).click();
	await expectNoViolations(page, 'lookup with a result and the form in error');
	await page.goto('/admin/credentials');
	await expect(page.getByRole('listitem').filter({ hasText: 'asha.verma' })).toBeVisible();
	await expectNoViolations(page, 'credentials');
	await page.getByRole('button', { name: 'Edit asha.verma, goa' }).click();
	await expect(page.getByRole('dialog')).toBeVisible();
	await expectNoViolations(page, 'Edit credentials');
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Import CSV' }).click();
	await page.getByLabel('Or paste the rows here').fill('username,state,id,password\n,goa,1,x');
	await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
	await expect(page.getByText('1 row was not added:')).toBeVisible();
	await expectNoViolations(page, 'Import credentials');
	await page.goto('/admin/credentials?view=lookups');
	await expect(page.getByRole('listitem').filter({ hasText: 'asha.verma' })).toBeVisible();
	await expectNoViolations(page, 'lookups');
});

test('the file manager and its dialogs have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/user/guest');
	await expect(page.getByText('archive.zip')).toBeVisible();
	await page
		.locator('input[type="file"]:not([webkitdirectory])')
		.first()
		.setInputFiles({
			name: 'uploaded.txt',
			mimeType: 'text/plain',
			buffer: Buffer.from('text'),
		});
	await expect(page.getByRole('grid').getByText('uploaded.txt')).toBeVisible();
	await expectNoViolations(page, 'files with uploads');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('button', { name: 'New folder' }).click();
	await page.getByRole('button', { name: 'Create' }).click();
	await expect(page.getByLabel('Folder name')).toHaveAttribute('aria-invalid', 'true');
	await expectNoViolations(page, 'New folder');
	await page.keyboard.press('Escape');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('button', { name: 'More for Workbooks' }).click();
	await page.getByRole('menuitem', { name: 'Delete' }).click();
	await expect(page.getByRole('heading', { name: 'Delete folder and its content?' })).toBeVisible();
	await expectNoViolations(page, 'Delete folder');
	await page.goto('/user/guest?q=nowhere');
	await expect(page.getByText('No files or folders match your search.')).toBeVisible();
	await expectNoViolations(page, 'no match');
});

test('the file grid, folder picker, trash, storage, visitors and storefront screens have no accessibility violations', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'owner' });
	const gone = 'gone.txt';
	await addFile(world.owner, 'guest', gone, Buffer.from('gone'));
	await page.goto('/user/guest?view=grid');
	await page.getByRole('checkbox', { name: `Select ${gone}` }).check();
	await expectNoViolations(page, 'grid with a selection');
	await page.setViewportSize({ width: 1440, height: 900 });
	const bar = page.getByRole('region', { name: 'Selection' });
	await bar.getByRole('button', { name: 'Move' }).click();
	await expect(page.getByRole('dialog').getByText('Workbooks')).toBeVisible();
	await expectNoViolations(page, 'choosing a folder');
	await page.keyboard.press('Escape');
	await page.setViewportSize({ width: 1440, height: 900 });
	await bar.getByRole('button', { name: 'Delete' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
	await page.getByRole('link', { name: 'Trash' }).click();
	await expect(page.getByRole('button', { name: `Restore ${gone}` })).toBeVisible();
	await expectNoViolations(page, 'trash');
	await page.goto('/admin/storage');
	for (const title of ['Space used by person', 'Storage used by chats'])
		await expect(page.getByRole('region', { name: title }).getByRole('row').filter({ hasText: member })).toBeVisible();
	await expect(page.getByLabel('Days in the trash')).toBeVisible();
	await expectNoViolations(page, 'storage');
	await page.goto('/admin/visitor');
	await expect(page.getByText('Total Visits')).toBeVisible();
	const days = await page.getByLabel('Days that addresses are kept').inputValue();
	await page.getByLabel('Days that addresses are kept').fill('soon');
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(page.getByLabel('Days that addresses are kept')).toHaveAttribute('aria-invalid', 'true');
	await expectNoViolations(page, 'visitors with days in error');
	await page.getByLabel('Days that addresses are kept').fill(days);
	await page.goto('/admin/storefront');
	await page
		.locator('input[type=file]')
		.first()
		.setInputFiles({ name: 'a.mp4', mimeType: '', buffer: Buffer.from('x') });
	await expect(page.getByText('This is no film that can be read.')).toBeVisible();
	await page.getByRole('button', { name: 'Add a link' }).click();
	await page.getByRole('button', { name: 'Save Changes' }).click();
	await expect(page.getByLabel('Address of link 1')).toHaveAttribute('aria-invalid', 'true');
	await expectNoViolations(page, 'storefront with a link in error');
});

test('the orders page and its dialogs have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/Bookdashboard');
	await expect(page.getByRole('table', { name: 'Manage Orders' }).locator('tbody tr')).toHaveCount(5);
	await page.getByRole('textbox', { name: 'Name' }).first().fill('Changed');
	await expectNoViolations(page, 'orders with a changed row');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('button', { name: 'Discard changes' }).click();
	await page.getByRole('button', { name: 'Screenshot of Reader One' }).click();
	await expect(page.getByRole('dialog').locator('img')).toBeVisible();
	await expectNoViolations(page, 'screenshots');
	await page.keyboard.press('Escape');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('table', { name: 'Manage Orders' }).getByRole('button', { name: 'Delete' }).first().click();
	await expect(page.getByRole('dialog')).toBeVisible();
	await expectNoViolations(page, 'Delete order');
	await page.keyboard.press('Escape');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('checkbox', { name: 'Select all rows shown' }).check();
	await page.getByRole('button', { name: 'Table' }).click();
	await page.getByRole('button', { name: 'Set Complete' }).click();
	await expect(page.getByRole('dialog')).toBeVisible();
	await expectNoViolations(page, 'many set to Complete');
	await page.keyboard.press('Escape');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('button', { name: 'Import statement' }).click();
	const statement = page.getByRole('dialog');
	const sample = (name: (typeof statementLayouts)[number]) => ({
		name,
		mimeType: 'text/csv',
		buffer: sampleStatement(name),
	});
	await statement.locator('input[type=file]').setInputFiles(sample('hdfc.csv'));
	await expect(statement.getByRole('heading', { name: 'Not found' })).toBeVisible();
	await expectNoViolations(page, 'a statement');
	await page.setViewportSize({ width: 1440, height: 900 });
	await statement.getByRole('button', { name: 'Other columns' }).click();
	await expectNoViolations(page, 'the columns of a statement');
	await page.keyboard.press('Escape');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('button', { name: 'Note to the buyer' }).first().click();
	await expect(page.getByRole('dialog')).toBeVisible();
	await expectNoViolations(page, 'note to the buyer');
	await page.keyboard.press('Escape');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('button', { name: 'Book Dashboard' }).click();
	await expect(page.getByRole('img', { name: 'The QR code as buyers see it' })).toBeVisible();
	await expectNoViolations(page, 'settings');
});

test('the inbox and its dialogs have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto(`/admin/contact?person=${member}`);
	await page.getByRole('textbox', { name: 'Message', exact: true }).fill('An answer');
	await page.getByRole('button', { name: 'Send', exact: true }).click();
	await expect(page.getByRole('img', { name: 'Sent' }).last()).toBeVisible();
	await expect(page.getByRole('region', { name: 'Conversations' }).getByText('You: An answer')).toBeVisible();
	await expectNoViolations(page, 'inbox');
	await page.goto(`/admin/contact?person=${member}&q=answer&show=buyers&message=1`);
	await expect(page.getByRole('group', { name: 'Matches for answer' })).toBeVisible();
	await expectNoViolations(page, 'a found message');
	await page.goto('/admin/contact?show=unread');
	await expect(page.getByRole('button', { name: /^Unread/u })).toHaveAttribute('aria-pressed', 'true');
	await expectNoViolations(page, 'unread conversations');
	await page.goto(`/admin/contact?person=${member}`);
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('button', { name: 'Contact info' }).click();
	await page.getByLabel('Email').fill('nobody');
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
	await expectNoViolations(page, 'contact info in error');

	await world.owner.send('POST', '/api/canned-replies', { name: 'Payment seen', message: 'Namaste {name}' });
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.goto(`/admin/contact?person=${member}`);
	await expect(page.getByRole('complementary', { name: /^Details of/u })).toContainText('Open in orders');
	await page.getByRole('button', { name: 'Canned replies' }).click();
	await expect(page.getByRole('option', { name: /Payment seen/u })).toBeVisible();
	await expectNoViolations(page, 'the person beside the chat, and canned replies to choose from');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByRole('button', { name: 'Edit replies' }).click();
	await expectNoViolations(page, 'canned replies');
	await page.getByRole('button', { name: 'New reply' }).click();
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(page.getByRole('dialog').getByText('Write a text, or add a file.')).toBeVisible();
	await expectNoViolations(page, 'a new reply in error');
	await page.goto(`/admin/contact?person=${member}`);
	await page.setViewportSize({ width: 390, height: 844 });
	await page.getByRole('button', { name: 'Details', exact: true }).click();
	await expect(page.getByRole('dialog').getByText('Open in orders').first()).toBeVisible();
	await expectNoViolations(page, 'the person on a phone');
});

test('the mail screen has no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/admin/mail');
	await expect(page.getByLabel('Seller on the receipt')).toBeVisible();
	await page.getByRole('button', { name: 'Send a test mail' }).click();
	await expect(page.getByText('was kept as a file')).toBeVisible();
	await expectNoViolations(page, 'mail');
});

test('the login history and the audit list have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/login-history');
	await expect(page.getByRole('link', { name: member })).toBeVisible();
	await expectNoViolations(page, 'login history without a person');
	await page.goto(`/login-history?email=${member}`);
	await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
	await expectNoViolations(page, 'login history');
	await page.goto('/admin/audit');
	await page.getByRole('button', { name: 'Details' }).first().click();
	await expectNoViolations(page, 'audit');
});

test('the sharing screens and their dialogs have no accessibility violations', async ({ enter }) => {
	const { items } = await world.owner.get<{ items: Node[] }>(`/api/spaces/${member}/nodes`);
	await world.owner.send('POST', '/api/shares', { nodeId: items[0]?.id, email: 'pending@example.com' });
	const page = await enter({ signedInAs: 'owner' });
	await page.goto(`/share-folders?email=pending@example.com&space=${member}`);
	await page.getByRole('checkbox', { name: 'Select photo.png' }).check();
	await expect(page.getByRole('button', { name: 'Unshare Workbooks' })).toBeVisible();
	await expectNoViolations(page, 'storage browser');
	await page.getByRole('button', { name: 'Unshare Workbooks' }).click();
	await expect(page.getByRole('dialog')).toBeVisible();
	await expectNoViolations(page, 'the question before unsharing');
	await page.goto('/shared?email=pending@example.com');
	await expect(page.getByRole('button', { name: 'Unshare Workbooks' })).toBeVisible();
	await expectNoViolations(page, 'what a person sees');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.goto(`/user/${member}`);
	await page.getByRole('button', { name: 'More for Workbooks' }).click();
	await page.getByRole('menuitem', { name: 'Share' }).click();
	await expect(page.getByRole('button', { name: 'Unshare for pending@example.com' })).toBeVisible();
	await expectNoViolations(page, 'who can read a folder');
	await page.goto('/user-share-btn');
	await expect(page.getByRole('button', { name: 'Toggle Button' })).toBeVisible();
	await expectNoViolations(page, 'dashboard button');
});

test('the welcome dialog and the shared folders of a member have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: learner, isWelcomed: true });
	await page.goto('/dashboard');
	await expect(page.getByRole('dialog')).toBeVisible();
	await expectNoViolations(page, 'welcome');
	await page.keyboard.press('Escape');
	await page.goto('/dashboard/book');
	await expect(page.getByText('photo.png')).toBeVisible();
	await expectNoViolations(page, 'shared folders');
	await page.getByRole('link', { name: 'Workbooks' }).click();
	await expect(page.getByText('inner.txt')).toBeVisible();
	await expectNoViolations(page, 'a shared folder');
	await page.goto('/dashboard/book?folder=gone');
	await expect(page.getByRole('link', { name: 'Back to Shared Folders' })).toBeVisible();
	await expectNoViolations(page, 'a folder that is shared no longer');

	const other = await enter({ signedInAs: member });
	await other.goto('/dashboard/book');
	await expect(other.getByText('No folders shared with you.')).toBeVisible();
	await expectNoViolations(other, 'nothing shared');
});

test('the course, its modules and its lessons have no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: learner });
	await page.goto('/dashboard/preview/book');
	await page.getByRole('link', { name: /Workbooks/u }).click();
	await expect(page.getByText('inner.txt')).toBeVisible();
	await expectNoViolations(page, 'a module');
	await page.getByRole('link', { name: /^Begin with/u }).click();
	await page.getByRole('button', { name: 'Mark as done' }).click();
	await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
	await expectNoViolations(page, 'a lesson');
	await page.goto('/dashboard/preview/book');
	await expect(page.getByText('1 of 1 lesson done')).toBeVisible();
	await expectNoViolations(page, 'course');
	await page
		.getByRole('link', { name: /film\.mp4/u })
		.first()
		.click();
	await expect(page.getByRole('dialog').locator('video')).toBeVisible();
	await expectNoViolations(page, 'a film as a lesson');
	await page.goto('/dashboard/preview/book');
	await page
		.getByRole('link', { name: /two pages\.pdf/u })
		.first()
		.click();
	await expect(page.getByText('Page 1 of 2')).toBeVisible();
	await expectNoViolations(page, 'a PDF as a lesson');
});

test('the account screen with a refused password has no accessibility violations', async ({ enter }) => {
	const page = await enter({ signedInAs: member });
	await page.goto('/account');
	await expect(page.getByRole('list', { name: 'Devices' })).toBeVisible();
	await page.getByLabel('Current password').fill('not this one');
	await page.getByLabel('New password').fill('12345');
	await page.getByRole('button', { name: 'Change password' }).click();
	await expect(page.getByLabel('New password')).toHaveAttribute('aria-invalid', 'true');
	await expectNoViolations(page, 'account with a refused password');
});

test('the account menu has no accessibility violations in either theme', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner', viewport: { width: 1440, height: 900 } });
	await page.goto('/admin');
	await page.getByRole('button', { name: 'Account menu' }).click();
	await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await waitUntilStill(page);
		expect.soft(await findViolations(page, colorScheme), `account menu, ${colorScheme}`).toEqual([]);
	}
});

test('impersonation has no accessibility violations, and its banner does not overlap the header', async ({ enter }) => {
	await addUser(world.owner, 'viewer@example.com', 'admin');
	const page = await enter({ signedInAs: 'viewer@example.com' });
	await page.goto(`/admin?search=${member}`);
	await page.getByRole('button', { name: `More for ${member}` }).click();
	await page.getByRole('menuitem', { name: 'See what this member sees' }).click();
	await expect(page.getByRole('button', { name: 'Back to my account' })).toBeVisible();
	await expectGuestSpace(page);
	await expectNoViolations(page, 'a view');
	const banner = page.getByRole('status').filter({ hasText: 'Read only.' });
	for (const path of ['/dashboard', '/read/part-1-en']) {
		await page.goto(path);
		await expect(banner).toBeVisible();
		// The banner does not cover the header of the screen.
		const gap = async () => {
			const [strip, head] = await Promise.all([banner.boundingBox(), page.locator('header').first().boundingBox()]);
			return (head?.y ?? 0) - (strip?.y ?? 0) - (strip?.height ?? 0);
		};
		await expect.poll(gap).toBeGreaterThanOrEqual(0);
	}
});

test('two-factor set-up, recovery codes and login code have no accessibility violations', async ({ enter }) => {
	const email = 'careful@example.com';
	await addUser(world.owner, email);
	const page = await enter({ signedInAs: email });
	await page.goto('/account');
	await page.getByRole('button', { name: 'Set it up' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Your password', { exact: true }).fill(memberPassword);
	await dialog.getByRole('button', { name: 'Continue' }).click();
	await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
	await expectNoViolations(page, 'the set-up');
	const secret = ((await dialog.getByText(/^(?:[A-Z2-7]{4} ?){8}$/u).textContent()) ?? '').replaceAll(' ', '');
	await dialog.getByLabel('Six digits that the app shows now').fill(codeAt(secret, new Date()));
	await dialog.getByRole('button', { name: 'Turn on' }).click();
	await expect(dialog.getByRole('listitem')).toHaveCount(10);
	await expectNoViolations(page, 'the recovery codes');

	const visitor = await enter();
	await visitor.goto('/login');
	await visitor.getByLabel('Email').fill(email);
	await visitor.getByLabel('Password', { exact: true }).fill(memberPassword);
	await visitor.getByRole('button', { name: 'Login', exact: true }).click();
	await expect(visitor.getByLabel('Code', { exact: true })).toBeFocused();
	await expectNoViolations(visitor, "the login's code");
});

test('the check reports planted violations in both themes, and the dark theme differs (control)', async ({ enter }) => {
	const page = await enter();
	await page.goto('/login');
	await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
	await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
		heading.style.color = getComputedStyle(document.body).backgroundColor;
		heading.insertAdjacentElement('afterend', new Image());
	});
	expect((await findViolations(page, 'light')).map((found) => found.split(':')[0]).sort()).toEqual([
		'color-contrast',
		'image-alt',
	]);
	const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	await page.emulateMedia({ colorScheme: 'light' });
	const light = await paper();
	await page.emulateMedia({ colorScheme: 'dark' });
	expect(await paper()).not.toBe(light);
	await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
		heading.style.color = getComputedStyle(document.body).backgroundColor;
	});
	expect((await findViolations(page, 'dark')).map((found) => found.split(':')[0])).toEqual(['color-contrast']);
});
