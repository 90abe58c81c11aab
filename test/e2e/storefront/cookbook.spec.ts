import { expect, type Locator, type Page } from '@playwright/test';
import type { Email } from 'postal-mime';
import { fillCheckoutForm, fillLogin, openBookSettings } from '../../support/browser/forms.ts';
import {
	expectNoHorizontalOverflow,
	expectText,
	hostJourneysWithMail,
	phone,
	test,
} from '../../support/browser/journey.ts';
import { type ReceivedContent, readScreen, recordResponses } from '../../support/browser/received-content.ts';
import { expectSaved, openSection, publishDraft } from '../../support/browser/storefront-editor.ts';
import { makePdf } from '../../support/documents/make-pdf.ts';
import { paintKitchen } from '../../support/storefront/cookbook.ts';
import { findWords, foreignWords } from '../../support/storefront/foreign-words.ts';

const { product, mailbox } = hostJourneysWithMail();

const title = "Dadi's Kitchen";
const buyer = { name: 'Meera Nair', email: 'meera.nair@example.com' };
/** Any letter of the Hindi script: the storefront has one language. */
const hindi = '\\p{Script=Devanagari}+';
const recipes = [
	{ name: 'Dal for a rainy day', steps: ['Wash the dal three times.', 'Simmer it for forty minutes.'] },
	{ name: 'Sunday puris', steps: ['Knead a firm dough.', 'Fry each puri until it swells.'] },
	{ name: 'Mango pickle', steps: ['Salt the mangoes overnight.', 'Leave the jar in the sun.'] },
];

function makeCookbook(): Buffer {
	const lines = recipes.map(({ name, steps }) => [name, ...steps]);
	return makePdf({
		title,
		pages: lines.map((texts) => ({
			content: texts
				.map((text, i) => `BT /F1 ${i === 0 ? 24 : 13} Tf 50 ${480 - 40 * i} Td (${text}) Tj ET`)
				.join('\n'),
		})),
		outline: recipes.map(({ name }, i) => ({ title: name, page: i + 1 })),
	});
}

const box = (scope: Page | Locator, name: string) => scope.getByRole('textbox', { name, exact: true });

function textsOfMail({ subject, text, html, attachments }: Email): ReceivedContent {
	const names = attachments.map(({ filename }) => filename);
	return { source: `the mail '${subject}'`, text: [subject, text, html, ...names].join('\n') };
}

// It takes long because it uses nearly every screen, and the server encodes photographs in a camera's full resolution.
test('an owner sells a cookbook of one edition from an empty installation, and nothing names the default book', async ({
	enter,
}) => {
	test.slow();
	const owner = await enter({ signedInAs: 'owner' });
	const ownerScreens: ReceivedContent[] = [];

	await test.step('template and language of the storefront', async () => {
		await owner.goto('/admin/storefront?section=languages');
		await owner.getByRole('combobox', { name: 'Template', exact: true }).selectOption({ label: 'Empty' });
		await owner.getByRole('combobox', { name: 'Languages', exact: true }).selectOption({ label: 'English' });
		await expectSaved(owner);
	});

	await test.step('the book is uploaded, and is the only edition', async () => {
		await owner.goto('/user/book');
		const file = { name: 'kitchen.pdf', mimeType: 'application/pdf', buffer: makeCookbook() };
		await owner.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file);
		await expectText(owner, 'Uploads finished');
		const dialog = await openBookSettings(owner);
		const fields = {
			'Book title': title,
			'Original price': '750',
			'Discounted price': '750',
			'Bank name': 'Example Bank',
			'Account number': '0012 3456',
			IFSC: 'EXMP0000001',
			'Account holder': 'Asha Rao',
			'UPI ID': 'kitchen@examplebank',
			'Payee name': 'Asha Rao',
		};
		for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(text);
		await dialog.getByText('Parts and languages').click();
		await dialog.getByRole('button', { name: 'Remove: हिन्दी' }).click();
		await dialog.getByRole('button', { name: 'Remove: Part 2' }).click();
		await dialog.getByLabel('PDF of the book').selectOption({ label: 'kitchen.pdf' });
		await dialog.getByRole('button', { name: 'Save Changes' }).click();
		await expectText(owner, 'Settings updated successfully!');
	});

	await test.step('every section of the storefront has its own words, colours and pictures', async () => {
		await owner.goto('/admin/storefront?section=hero');
		await box(owner, 'Headline').fill('Cook like Dadi');
		await box(owner, 'Tagline').fill('Forty recipes of a grandmother from Nagpur.');
		await box(owner, 'Author').fill('Asha Rao');

		await openSection(owner, 'Covers');
		const cover = { name: 'cover.jpg', mimeType: 'image/jpeg', buffer: await paintKitchen(4000, 6000) };
		await owner.getByLabel('Choose a picture: Cover').setInputFiles(cover);
		const crop = owner.getByRole('dialog', { name: 'Cover' });
		await crop.getByRole('slider', { name: 'Zoom' }).press('ArrowRight');
		await crop.getByRole('button', { name: 'Use this part' }).click();
		await expect(owner.getByRole('img', { name: 'Cover', exact: true })).toBeVisible();

		await openSection(owner, 'Colours and name');
		await box(owner, 'Accent colour').fill('#b5542a');
		await box(owner, 'Dark background colour').fill('#2f3d2c');
		await box(owner, 'Name in the top bar').fill('Dadi’s Table');

		await openSection(owner, 'Benefits');
		for (const name of ['Cook without measuring', 'Waste nothing', 'Feed a crowd']) {
			await owner.getByRole('button', { name: 'Add a benefit' }).click();
			await box(owner, 'Title').fill(name);
			await box(owner, 'Text').fill(`${name}, and trust your own hand.`);
		}

		await openSection(owner, 'Excerpts');
		await owner.getByRole('button', { name: 'Add an excerpt' }).click();
		await box(owner, 'Title').fill('Dal for a rainy day');
		await box(owner, 'Label').fill('Recipe 7');
		await box(owner, 'Subtitle').fill('Slow fire, one pot.');
		await box(owner, 'Text').fill('## Soak\n\nWash the dal *three* times.\n\n1. Soak\n2. Simmer\n\n');
		const pot = { name: 'pot.jpg', mimeType: 'image/jpeg', buffer: await paintKitchen(1600, 1000) };
		await owner.getByLabel('Choose a picture for the text').setInputFiles(pot);
		await expect(box(owner, 'Text')).toHaveValue(/!\[Describe the picture\]/u);
		await box(owner, 'Text').fill(
			(await box(owner, 'Text').inputValue()).replace('Describe the picture', 'The dal pot'),
		);

		const purchase = await openSection(owner, 'Purchase');
		await box(purchase.getByRole('group', { name: 'Step 2' }), 'Text').fill('Tell us who paid for the cookbook.');

		await openSection(owner, 'Footer and links');
		await box(owner, 'Text in the footer').fill('Written in a kitchen in Nagpur.');
		await box(owner, 'Last line of the page').fill('Printed on nothing, read everywhere.');

		await openSection(owner, 'Search and sharing');
		await box(owner, 'Page title').fill('Cook like Dadi: forty recipes from Nagpur');
		await box(owner, 'Description').fill('A cookbook of forty family recipes.');
		await publishDraft(owner);
		ownerScreens.push(await readScreen(owner));
	});

	const visitor = await enter();
	const visitorReceived = recordResponses(visitor, { withScripts: true });
	await test.step('a visitor reads the excerpt and buys the book with a screenshot', async () => {
		await visitor.goto('/');
		await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Cook like Dadi');
		await visitor.getByRole('link', { name: /Dal for a rainy day/u }).click();
		await expect(visitor.getByRole('dialog').getByRole('img', { name: 'The dal pot' })).toBeVisible();
		await visitor.goBack();
		await expect(visitor.getByRole('dialog')).toHaveCount(0);
		await visitor.goForward();
		await expect(visitor.getByRole('dialog')).toBeVisible();
		await visitor.keyboard.press('Escape');
		await expect(visitor).toHaveURL(/#read$/u);
		await fillCheckoutForm(visitor, buyer);
		await visitor.getByRole('button', { name: 'Submit Details' }).click();
		await expectText(visitor, 'Purchase Complated Id Password sent on Email');
		await visitor.getByRole('link', { name: 'See your order' }).click();
		await expect(visitor).toHaveURL(/\/order\//u);
	});
	const mail = await mailbox().waitFor(buyer.email);

	const member = await enter({ isWelcomed: true });
	const memberReceived = recordResponses(member, { withScripts: false });
	const memberScreens: ReceivedContent[] = [];
	const checkScreen = async () => {
		memberScreens.push(await readScreen(member));
		await member.setViewportSize(phone.viewport);
		await expectNoHorizontalOverflow(member);
		await member.setViewportSize({ width: 1440, height: 900 });
	};
	await test.step('the buyer signs in with the mailed login, and the owner completes the order', async () => {
		await member.goto('/login');
		await expect(member.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
		await checkScreen();
		await fillLogin(member, buyer.email, mail.password);
		await expectText(member, `Welcome to ${title}`);
		await expect(member.getByRole('dialog')).toContainText('you can read the free excerpt now.');
		await checkScreen();
		await member.getByRole('button', { name: "Let's begin" }).click();
		await expectText(member, 'Your order is being verified');
		await checkScreen();
		await owner.goto('/Bookdashboard');
		ownerScreens.push(await readScreen(owner));
		await expect(owner.getByRole('table', { name: 'Manage Orders' })).toContainText('₹750');
		await owner.getByRole('combobox', { name: 'Status' }).selectOption('Complete');
		await owner.getByRole('button', { name: 'Update' }).click();
		await expectText(owner, 'Order updated!');
	});

	await test.step('the buyer reads page one', async () => {
		await expect(member.getByRole('link', { name: 'Read', exact: true })).toBeVisible();
		await checkScreen();
		await member.getByRole('link', { name: 'Read', exact: true }).click();
		await expect(member.locator('[data-drawn="1"]')).toContainText('Dal for a rainy day');
		await checkScreen();
		for (const path of ['/account', '/contact', '/dashboard/book', '/unauthorized', '/no-such-page']) {
			await member.goto(path);
			await expect(member.locator('main')).toBeVisible();
			await member.waitForLoadState('networkidle');
			await checkScreen();
		}
	});

	await test.step('the order has its receipt', async () => {
		await mailbox().waitFor(buyer.email, 'receipt');
		await visitor.reload();
		await visitor.getByRole('link', { name: 'Receipt' }).click();
		await expectText(visitor, title);
		for (const path of ['/?lang=hi', '/privacy', '/terms', '/refund', '/order/no-such-order']) await visitor.goto(path);
	});

	await test.step('a visitor who wants to chat is told what is needed, and other ways to reach the seller', async () => {
		const { version } = await product.owner.get<{ version: number }>('/api/contact-info');
		const contact = { email: 'asha@example.com', phone: '', version };
		await product.owner.send('PUT', '/api/settings/contact-info', contact);
		const asking = await enter({ at: '/' });
		await asking.getByRole('contentinfo').getByRole('link', { name: 'Chat with us' }).click();
		await expect(asking.getByText('The chat is for readers with a login.')).toBeVisible();
		await expect(asking.getByRole('link', { name: 'asha@example.com' })).toBeVisible();
		memberScreens.push(await readScreen(asking));
	});

	await test.step('the storefront and its excerpt fit a phone', async () => {
		const small = await enter({ ...phone, at: '/' });
		await expectNoHorizontalOverflow(small);
		await small.getByRole('link', { name: /Dal for a rainy day/u }).click();
		await expect(small.getByRole('dialog').getByRole('img', { name: 'The dal pot' })).toBeVisible();
		await expectNoHorizontalOverflow(small);
	});

	await test.step('nothing that visitors, buyers and members received names the default book', async () => {
		const files = ['/manifest.webmanifest', '/sitemap.xml', '/robots.txt', '/api/book'].map(async (path) => ({
			source: path,
			text: await (await visitor.request.get(path)).text(),
		}));
		const mails = mailbox().mails.map(textsOfMail);
		const storefront = [...(await visitorReceived()), ...(await Promise.all(files)), ...mails];
		const workspace = [...(await memberReceived()), ...memberScreens];
		const search = (words: readonly string[], contents: readonly ReceivedContent[]) =>
			contents.flatMap(({ source, text }) => findWords(words, source, text));
		const paths = [...storefront, ...workspace].map(({ source }) => source.replace(product.url, ''));
		expect(paths).toEqual(
			expect.arrayContaining(['/', '/login', '/terms', '/api/shelf', expect.stringMatching(/\.js$/u)]),
		);
		expect(mails.length).toBeGreaterThanOrEqual(3);
		// A script that the workspace shares has the names of both languages of the product.
		const documents = storefront.filter(({ source }) => !source.endsWith('.js'));
		expect([...search(foreignWords, [...storefront, ...workspace]), ...search([hindi], documents)]).toEqual([]);
		expect(storefront.map(({ text }) => text).join()).toContain('Cook like Dadi');
	});

	await test.step('on the screens of the owner, only the choice of the template names the default book', async () => {
		for (const path of ['/admin', '/admin/book', '/user/book', '/admin/mail', '/admin/storefront']) {
			await owner.goto(path);
			await owner.waitForLoadState('networkidle');
			ownerScreens.push(await readScreen(owner));
		}
		const sections = owner.getByRole('heading', { level: 2 }).getByRole('button');
		await expect(sections.last()).toBeVisible();
		for (const section of await sections.all()) {
			if ((await section.getAttribute('aria-expanded')) === 'false') await section.click();
			ownerScreens.push(await readScreen(owner));
		}
		const found = ownerScreens.flatMap(({ source, text }) => findWords(['Empire'], source, text));
		const choice = 'Build Your Empire Empty';
		expect(found).toContainEqual(expect.stringContaining(choice));
		expect(found.filter((words) => !words.includes(choice))).toEqual([]);
	});
});
