import { expect, type Page } from '@playwright/test';
import { fillCheckoutForm, fillLogin, openBookSettings } from '../../support/browser/forms.ts';
import { expectNoHorizontalOverflow, expectText, hostJourneysWithMail, test } from '../../support/browser/journey.ts';
import { drawWords, findWord, readPicture } from '../../support/documents/glyphs.ts';

const { product, mailbox } = hostJourneysWithMail();

const buyer = { name: 'Meera Nair', email: 'meera.nair@example.com' };
const ownPassword = 'my very own words';
const books = ['build-your-empire-part-1-en.pdf', 'build-your-empire-part-1-hi.pdf'];
const purchaseDone = 'Purchase Complated Id Password sent on Email';
/** The width of a page of the book, 152 mm, in points. */
const pageWidthPt = 431.04;
/**
 * Minimum likeness of a word on the page to the same word drawn by Chromium. Measured: 0.98 to 1 if both are shaped, 0.54
 * to 0.83 if only one is.
 */
const minLikeness = 0.87;
/** Words with the conjuncts श्र, द्य, र्थ and क्ष on the Hindi title page (demo/book/part1-hi/00-front.md). */
const conjuncts = [
	{ text: 'श्री', weight: 580 },
	{ text: 'विद्यार्थी', weight: 580 },
	{ text: 'परीक्षा', weight: 400 },
];

async function login(page: Page, email: string, password: string): Promise<void> {
	await page.goto('/login');
	await fillLogin(page, email, password);
}

test('a buyer orders, signs in with the mailed login, and reads the Hindi edition while the order is Complete', async ({
	enter,
	browser,
}) => {
	test.slow();
	const owner = await enter({ signedInAs: 'owner' });
	await test.step('the owner uploads the two editions and assigns them', async () => {
		await owner.goto('/user/book');
		await owner
			.locator('input[type=file]:not([webkitdirectory])')
			.first()
			.setInputFiles(books.map((name) => `demo/book/${name}`));
		for (const name of books) await expect(owner.getByRole('button', { name: `Delete ${name}` })).toBeVisible();
		// The list shows a file before its upload ends in the browser. Leaving the page earlier would open a dialog.
		await expectText(owner, 'Uploads finished');
		await openBookSettings(owner);
		await owner.getByLabel('Part 1, English', { exact: true }).selectOption({ label: books[0] ?? '' });
		await owner.getByLabel('Part 1, Hindi', { exact: true }).selectOption({ label: books[1] ?? '' });
		await owner.getByRole('button', { name: 'Save Changes' }).click();
		await expectText(owner, 'Settings updated successfully!');
	});

	const visitor = await enter();
	await test.step('a visitor sends the checkout form', async () => {
		await visitor.goto('/#book');
		await fillCheckoutForm(visitor, buyer);
		await visitor.getByRole('button', { name: 'Submit Details' }).click();
		await expectText(visitor, purchaseDone);
	});

	const mail = await mailbox().waitFor(buyer.email);
	await test.step('the mail contains the email address, a random password and a password link', async () => {
		expect(mail.text).toContain(`Email: ${buyer.email}`);
		expect(mail.password.length).toBeGreaterThanOrEqual(8);
		expect(mail.password).not.toBe(buyer.name);
		expect(mail.link.startsWith(`${product.url}/set-password?`)).toBe(true);
	});

	const member = await enter();
	await test.step('the mailed password signs in, and the name of the buyer does not', async () => {
		await login(member, buyer.email, buyer.name);
		await expectText(member, 'Login failed. Please check your credentials.');
		await login(member, buyer.email, mail.password);
		await expect(member).toHaveURL(/\/dashboard$/u);
		await expectText(member, 'Your order is being verified');
	});

	await test.step('the link sets a new password', async () => {
		await visitor.goto(mail.link);
		await visitor.getByLabel('New password').fill(ownPassword);
		await visitor.getByRole('button', { name: 'Set password' }).click();
		await expectText(visitor, 'Your password is set. Log in with it now.');
		await visitor.close();
	});

	await test.step('the new password ends the previous session and replaces the mailed password', async () => {
		await expect(member).toHaveURL(/\/login/u);
		await login(member, buyer.email, mail.password);
		await expectText(member, 'Login failed. Please check your credentials.');
		await login(member, buyer.email, ownPassword);
		await expectText(member, 'Your order is being verified');
		await member.evaluate(() => Object.assign(window, { isSamePage: true }));
	});

	const setStatus = async (status: string) => {
		await owner.goto('/Bookdashboard');
		await owner.getByRole('combobox', { name: 'Status' }).selectOption(status);
		await owner.getByRole('button', { name: 'Update' }).click();
		await expectText(owner, 'Order updated!');
	};
	await test.step('the order has the price 499, and Complete shows the book on the open page without a reload', async () => {
		await owner.goto('/Bookdashboard');
		await expect(owner.getByRole('table', { name: 'Manage Orders' })).toContainText('₹499');
		await setStatus('Complete');
		await expect(member.getByRole('link', { name: 'Read', exact: true })).toBeVisible();
		expect(await member.evaluate(() => 'isSamePage' in window)).toBe(true);
	});

	await test.step('the Hindi edition opens on a phone', async () => {
		const phone = await enter({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true });
		await login(phone, buyer.email, ownPassword);
		await openHindi(phone);
		await expectNoHorizontalOverflow(phone);
		await phone.close();
	});

	await test.step('page one has shaped conjuncts', async () => {
		const reader = await enter({ deviceScaleFactor: 2 });
		await login(reader, buyer.email, ownPassword);
		await openHindi(reader);
		const address = await reader
			.locator('[data-drawn="1"] canvas')
			.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL('image/png'));
		const page = await readPicture(Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'));
		const sizePx = (11.4 * page.width) / pageWidthPt;
		const line = { text: conjuncts.map(({ text }) => text).join(' '), weight: 580, sizePx };
		const draw = (isShaped: boolean) =>
			drawWords(
				browser,
				[...conjuncts.map((word) => ({ ...word, sizePx })), line].map((word) => ({ ...word, isShaped })),
			);
		const [shaped, unshaped] = [await draw(true), await draw(false)];
		const unshapedLine = unshaped.at(-1);
		for (const [index, { text }] of conjuncts.entries()) {
			const [asShaped, asUnshaped] = [shaped[index], unshaped[index]];
			if (!asShaped || !asUnshaped || !unshapedLine) throw new Error('A word was not drawn.');
			const likeness = {
				onPage: await findWord(page, asShaped),
				onPageUnshaped: await findWord(page, asUnshaped),
				control: await findWord(unshapedLine, asShaped),
			};
			const figures = Object.entries(likeness).map(([what, value]) => `${what} ${value.toFixed(3)}`);
			test.info().annotations.push({ type: 'likeness', description: `${text}: ${figures.join(', ')}` });
			expect(likeness.onPage, `${text} on the page, as Chromium shapes it`).toBeGreaterThan(minLikeness);
			expect(likeness.onPageUnshaped, `${text} on the page, without shaping`).toBeLessThan(minLikeness);
			expect(likeness.control, `${text} in a line written without shaping`).toBeLessThan(minLikeness);
		}
		await reader.close();
	});

	await test.step('when the order is Pending again, the next byte request is refused and the reader shows the reason', async () => {
		await openHindi(member);
		const read = () =>
			member.evaluate(async () => {
				const { editions } = await (await fetch('/api/shelf')).json();
				const url: string = editions?.[0]?.url ?? sessionStorage.getItem('edition');
				sessionStorage.setItem('edition', url);
				return (await fetch(url, { headers: { range: 'bytes=0-99' } })).status;
			});
		expect(await read()).toBe(206);
		await setStatus('Pending');
		expect(await read()).toBe(404);
		await expectText(member, 'You have no access to this book');
		await member.goto('/read/part-1-hi');
		await expectText(member, 'You have no access to this book');
	});
});

/** Opens the Hindi edition from the dashboard and waits until page one is shown. */
async function openHindi(page: Page): Promise<void> {
	await page.getByRole('group', { name: 'Editions' }).getByRole('button', { name: /हिन्दी/u }).click();
	await page.getByRole('link', { name: /^(?:Read|Continue reading)$/u }).click();
	await expect(page).toHaveURL(/\/read\/part-1-hi$/u);
	await expect(page.locator('[data-drawn="1"] canvas')).toBeVisible();
}
