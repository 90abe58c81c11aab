import { expect, type Locator, type Page } from '@playwright/test';
import type { PublicBook } from '#contract/book/book-settings.ts';
import type { Node } from '#contract/files/files.ts';
import {
	expectFieldError,
	expectNoHorizontalOverflow,
	expectText,
	failRequests,
	fillLogin,
	hostJourneys,
	test,
} from '../../support/browser/journey.ts';
import { addUser, buy, memberPassword, orderOf } from '../../support/browser/seeding.ts';
import { paintPicture } from '../../support/documents/sample-files.ts';
import { readMessages } from '../../support/texts/messages.ts';

const world = hostJourneys();

const textFields = ['name', 'phone', 'email', 'upiId'] as const;
type Typed = Record<(typeof textFields)[number], string>;
type Field = keyof Typed | 'screenshot';

const markup = '<img src=x onerror=alert(1)>';
const emoji = '🧑🏽‍🌾 🙂 👨‍👩‍👧';
const devanagari = 'श्री क्षेत्रपाल विद्यार्थी';
const strange = [
	{ what: 'markup', text: markup },
	{ what: 'emoji', text: emoji },
	{ what: 'Devanagari', text: devanagari },
	{ what: '300 characters', text: 'ङ'.repeat(300) },
];
const emptyAndTooLong = (letter: string) => [
	['', 'Please fill in this field.'] as const,
	[letter.repeat(10_001), 'This is too long.'] as const,
];
const ordinary: Typed = {
	name: 'Meera Joshi',
	phone: '98230 55512',
	email: 'meera@example.com',
	upiId: 'meera@examplebank',
};

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>');
const html = Buffer.from('<!doctype html><script>alert(1)</script>');
const notPictures = [
	{ name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
	{ name: 'drawing.png', mimeType: 'image/png', buffer: svg },
	{ name: 'page.png', mimeType: 'image/png', buffer: html },
	{ name: 'only-a-head.png', mimeType: 'image/png', buffer: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
	{ name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: svg },
	{ name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') },
];

const fieldOf = (page: Page, field: Field) => page.locator(`#purchase-${field}`);

async function type(page: Page, typed: Typed): Promise<void> {
	for (const field of textFields) await fieldOf(page, field).fill(typed[field]);
}

async function expectTyped(page: Page, typed: Typed): Promise<void> {
	for (const field of textFields) await expect(fieldOf(page, field)).toHaveValue(typed[field]);
}

async function attach(page: Page): Promise<void> {
	const picture = { name: 'receipt.png', mimeType: 'image/png', buffer: await paintPicture() };
	await fieldOf(page, 'screenshot').setInputFiles(picture);
}

const forms = [
	{ form: 'with script, in Hindi, 360 px wide', javaScriptEnabled: true, lang: 'hi', width: 360, isLong: false },
	{ form: 'without script, in English, 360 px wide', javaScriptEnabled: false, lang: 'en', width: 360, isLong: false },
	{ form: 'with script, in English', javaScriptEnabled: true, lang: 'en', width: 1440, isLong: true },
	{ form: 'without script, in Hindi', javaScriptEnabled: false, lang: 'hi', width: 1440, isLong: true },
] as const;

for (const { form, javaScriptEnabled, lang, width, isLong } of forms) {
	test(`the checkout form shows each error beside its field and keeps the typed values, ${form}`, {
		tag: isLong ? ['@variant'] : [],
	}, async ({ enter }) => {
		const page = await enter({ javaScriptEnabled, viewport: { width, height: 900 } });
		const landing = readMessages('storefront/landing', lang);
		const errors = readMessages('core/errors', lang);
		const button = page.getByRole('button', { name: landing('landing_submit'), exact: true });
		/** Without JavaScript each answer is a new page, which may show the same error as the page before: waits for it. */
		const submit = async () => {
			const isLoaded = javaScriptEnabled ? undefined : page.waitForEvent('load');
			await button.click();
			await isLoaded;
		};
		await page.goto(`/?lang=${lang}`);

		await test.step('refuses empty fields', async () => {
			await submit();
			for (const field of textFields) await expectFieldError(fieldOf(page, field), errors('error_field_required'));
			await expectFieldError(fieldOf(page, 'screenshot'), errors('error_screenshot_required'));
			await expectNoHorizontalOverflow(page);
		});
		for (const field of textFields) {
			await test.step(`refuses ${field} with blanks alone and with 301 characters`, async () => {
				for (const [text, code] of [
					[field === 'email' ? '' : '   ', 'error_field_required'],
					['ख'.repeat(301), 'error_field_too_long'],
				] as const) {
					const typed = { ...ordinary, [field]: text };
					await type(page, typed);
					await submit();
					await expectFieldError(fieldOf(page, field), errors(code));
					await expectTyped(page, typed);
				}
				await expectNoHorizontalOverflow(page);
			});
		}
		for (const email of ['meera', 'meera@example', markup]) {
			await test.step(`refuses the email address ${email}`, async () => {
				await type(page, { ...ordinary, email });
				await submit();
				await expectFieldError(fieldOf(page, 'email'), errors('error_email_format'));
				await expectTyped(page, { ...ordinary, email });
			});
		}
		for (const file of notPictures) {
			await test.step(file.name, async () => {
				await type(page, { ...ordinary, name: file.name });
				await fieldOf(page, 'screenshot').setInputFiles(file);
				await submit();
				await expectFieldError(fieldOf(page, 'screenshot'), errors('error_screenshot_not_image'));
				await expectTyped(page, { ...ordinary, name: file.name });
				await expectNoHorizontalOverflow(page);
			});
		}
		expect((await world.owner.get<{ total: number }>('/api/orders?search=meera%40example.com')).total).toBe(0);
	});
}

test('a failed submission keeps the typed values and the screenshot, and the second try succeeds', async ({
	enter,
}) => {
	const page = await enter();
	await page.goto('/');
	const typed = { ...ordinary, email: 'lost-line@example.com' };
	await type(page, typed);
	await attach(page);
	const mend = await failRequests(page, /^\/purchase$/u);
	await page.getByRole('button', { name: 'Submit Details' }).click();
	await expectText(page, 'Error submitting form. Please try again.');
	await expectTyped(page, typed);
	await expect(page.getByText('receipt.png')).toBeVisible();
	await mend();
	await page.getByRole('button', { name: 'Submit Details' }).click();
	await expectText(page, 'Purchase Complated Id Password sent on Email');
	expect((await orderOf(world.owner, typed.email)).name).toBe(typed.name);
});

test('unusual input is stored as typed and shown as text on the orders page', async ({ enter }) => {
	const page = await enter();
	const plain = await enter({ javaScriptEnabled: false });
	for (const [index, { what, text }] of strange.entries()) {
		const email = `strange-${index}@example.com`;
		const visitor = index % 2 === 0 ? page : plain;
		await test.step(what, async () => {
			await visitor.goto('/');
			await type(visitor, { name: text, phone: text, email, upiId: text });
			await attach(visitor);
			await visitor.getByRole('button', { name: 'Submit Details' }).click();
			await expectText(visitor, 'Purchase Complated Id Password sent on Email');
			const order = await orderOf(world.owner, email);
			expect(order).toMatchObject({ name: text, phone: text, upiId: text, status: 'Pending' });
		});
	}

	const desk = await enter({ signedInAs: 'owner' });
	for (const width of [1440, 360]) {
		await desk.setViewportSize({ width, height: 900 });
		await desk.goto('/Bookdashboard?search=strange-');
		for (const [index, { text }] of strange.entries()) {
			const row = rowOf(desk, `strange-${index}@example.com`);
			for (const name of ['Name', 'Phone', 'UPI ID'])
				await expect(row.getByRole('textbox', { name })).toHaveValue(text);
		}
		await expect(desk.locator('img[src="x"]')).toHaveCount(0);
		await expectNoHorizontalOverflow(desk);
	}
	await desk.setViewportSize({ width: 1440, height: 900 });
	await desk.getByRole('button', { name: `Screenshot of ${markup}` }).click();
	await expect(desk.getByRole('heading', { name: `Screenshot of ${markup}` })).toBeVisible();
	await desk.goto('/admin?search=strange-');
	await expect(desk.getByRole('heading', { name: markup })).toBeVisible();
	await expect(desk.getByRole('heading', { name: devanagari })).toBeVisible();
	await expect(desk.locator('img[src="x"]')).toHaveCount(0);
	await expectNoHorizontalOverflow(desk);
});

/** The table row, or on a narrow screen the card, of a buyer. */
function rowOf(page: Page, email: string): Locator {
	return page
		.locator('tr, li')
		.filter({ has: page.getByRole('textbox', { name: 'Email' }).and(page.locator(`[value="${email}"]`)) });
}

test('a row of the orders page refuses empty or too long values beside the field', async ({ enter }) => {
	await buy(world.url, { ...ordinary, email: 'row@example.com' });
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/Bookdashboard?search=row%40');
	const row = page.getByRole('table', { name: 'Manage Orders' }).locator('tbody tr').first();
	const name = row.getByRole('textbox', { name: 'Name' });
	for (const [text, words] of emptyAndTooLong('व')) {
		await name.fill(text);
		await row.getByRole('button', { name: 'Update' }).click();
		await expectFieldError(name, words);
		await expectText(page, 'Failed to update order!');
		await expect(name).toHaveValue(text);
	}
	await name.fill(markup);
	await row.getByRole('button', { name: 'Update' }).click();
	await expectText(page, 'Order updated!');
	expect((await orderOf(world.owner, 'row@example.com')).name).toBe(markup);
});

test('invalid folder names are refused beside the field, and unusual valid names are kept as they are', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/user/guest');
	const field = page.getByLabel('Folder name');
	const tooLong = 'This name is too long: 255 bytes at most.';
	const invalid = 'A name may not contain / or control characters, nor be only dots.';
	await page.getByRole('button', { name: 'New folder' }).click();
	for (const [name, words] of [
		['', 'Folder name required'],
		['   ', 'Folder name required'],
		['..', invalid],
		['../x', invalid],
		['a\\b', invalid],
		['क'.repeat(86), tooLong],
		['x'.repeat(10_001), tooLong],
	] as const) {
		await field.fill(name);
		await page.getByRole('button', { name: 'Create' }).click();
		await expectFieldError(field, words);
		await expect(field).toHaveValue(name);
	}
	const kept = [markup, '%2f', '\u202egnp.exe', 'क'.repeat(85), emoji, '.hidden', 'CON'];
	await page.getByRole('button', { name: 'Cancel' }).click();
	for (const name of kept) {
		await page.getByRole('button', { name: 'New folder' }).click();
		await field.fill(name);
		await page.getByRole('button', { name: 'Create' }).click();
		await expect(field).toHaveCount(0);
		await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
	}
	const { items } = await world.owner.get<{ items: Node[] }>('/api/spaces/guest/nodes');
	expect(items.map((item) => item.name).sort()).toEqual([...kept].sort());
	await expect(page.locator('img[src="x"]')).toHaveCount(0);
	await page.setViewportSize({ width: 360, height: 800 });
	await expectNoHorizontalOverflow(page);
	await page.getByRole('link', { name: markup, exact: true }).click();
	await expect(page.getByRole('heading', { level: 1, name: markup })).toBeVisible();
	await expectText(page, 'This folder is empty.');
});

test('Add New User shows errors beside the fields and keeps the typed values', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/admin');
	await page.getByRole('button', { name: 'Add New User' }).click();
	const dialog = page.getByRole('dialog');
	const email = dialog.getByLabel('Email');
	const password = dialog.getByLabel('Password', { exact: true });
	const role = dialog.getByLabel('Role');
	const add = () => dialog.getByRole('button', { name: 'Add User' }).click();
	const hint = 'At least 6 characters.';

	await add();
	await expectFieldError(role, '❌ Please select a role.');
	await role.selectOption('user');
	for (const address of ['', 'meera', markup, `${'x'.repeat(250)}@example.com`]) {
		await email.fill(address);
		await add();
		await expectFieldError(email, '❌ Please enter a full email address.');
		await expect(email).toHaveValue(address);
	}
	await email.fill('x'.repeat(10_001));
	await add();
	await expectFieldError(email, 'This is too long.');
	await email.fill('new-user@example.com');
	for (const [typed, words] of [
		['', '❌ Password must be at least 6 characters.'],
		['short', '❌ Password must be at least 6 characters.'],
		['p'.repeat(1001), 'This is too long.'],
	] as const) {
		await password.fill(typed);
		await add();
		await expect(password).toHaveAttribute('aria-invalid', 'true');
		await expectText(dialog, words);
		await expect(password).toHaveValue(typed);
		await expect(email).toHaveValue('new-user@example.com');
	}
	await expect(dialog.getByText(hint)).toBeVisible();
	await password.fill(`${markup}${emoji}`);
	await add();
	await expectText(page, '✅ User registered successfully.');
	const signIn = { email: 'new-user@example.com', password: `${markup}${emoji}` };
	expect((await (await enter()).request.post('/api/sign-in', { data: signIn })).status()).toBe(200);
});

test('the book settings refuse invalid prices beside the field and accept 499.50', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await page.goto('/Bookdashboard');
	await page.getByRole('button', { name: 'Book Dashboard' }).click();
	const dialog = page.getByRole('dialog');
	const price = dialog.getByLabel('Discounted price');
	const title = dialog.getByLabel('Book title');
	const bank = dialog.getByLabel('Bank name');
	const save = () => dialog.getByRole('button', { name: 'Save Changes' }).click();
	const oddPrice = 'Enter a price in rupees, 0 or more, with two decimals at most.';

	await bank.fill(markup);
	const tooHigh = 'Enter a price of 1,00,00,000 rupees at most.';
	for (const typed of ['abc', '', '-1', '1.005', '10000001', '1e400']) {
		await price.clear();
		await price.pressSequentially(typed);
		await save();
		await expectFieldError(price, typed === '10000001' ? tooHigh : oddPrice);
		await expect(bank).toHaveValue(markup);
	}
	await price.fill('499.50');
	for (const [typed, words] of emptyAndTooLong('ट')) {
		await title.fill(typed);
		await save();
		await expectFieldError(title, words);
		await expectText(page, 'Failed to save settings!');
		await expect(price).toHaveValue('499.50');
	}
	await title.fill(`${markup} ${devanagari}`);
	await save();
	await expectText(page, 'Settings updated successfully!');
	const book = await world.owner.get<PublicBook>('/api/book');
	expect(book).toMatchObject({ title: `${markup} ${devanagari}`, discountedPrice: 499.5, bank: { name: markup } });

	const visitor = await enter({ viewport: { width: 360, height: 800 } });
	await visitor.goto('/');
	await expect(visitor.getByRole('heading', { name: `${markup} ${devanagari}` })).toBeVisible();
	await expect(visitor.locator('.bank-value').first()).toHaveText(markup);
	await expect(visitor.locator('#book .purchase-price')).toContainText('₹499.50');
	await expect(visitor.locator('img[src="x"]')).toHaveCount(0);
	await expectNoHorizontalOverflow(visitor);
});

test('sign-in and password reset show an error for unusual and for too long input', async ({ enter }) => {
	await addUser(world.owner, 'sane@example.com');
	const page = await enter();
	await page.goto('/login');
	const email = page.getByLabel('Email');
	const password = page.getByLabel('Password', { exact: true });
	for (const [typedEmail, typedPassword] of [
		["x'--@example.com", markup],
		['sane@example.com', emoji],
	] as const) {
		await fillLogin(page, typedEmail, typedPassword);
		await expectText(page, 'Login failed. Please check your credentials.');
		await expect(password).toHaveValue(typedPassword);
	}
	await fillLogin(page, 'sane@example.com', 'p'.repeat(1001));
	await expectFieldError(password, 'This is too long.');
	const longEmail = `${'x'.repeat(10_001)}@example.com`;
	await fillLogin(page, longEmail, memberPassword);
	await expectFieldError(email, 'This is too long.');
	await expect(email).toHaveValue(longEmail);

	await page.goto('/forget');
	await email.fill(longEmail);
	await page.getByRole('button', { name: 'Send Reset Email' }).click();
	await expectFieldError(email, 'This is too long.');
});
