import { expect, type Locator, type Page } from '@playwright/test';
import {
	conversationList,
	conversationOf,
	messageField,
	messageLog,
	openConnected,
	openInbox,
	openOwnConversation,
	sendMessage,
	userPanel,
} from '../../support/browser/chat-page.ts';
import { expectNoHorizontalOverflow, expectText, hostJourneysWithMail, test } from '../../support/browser/journey.ts';
import { addUser, buy, memberPassword, offerBook, orderOf } from '../../support/browser/seeding.ts';
import { paintPicture } from '../../support/documents/sample-files.ts';

const { product, mailbox } = hostJourneysWithMail();

const asha = 'asha@example.com';
const dev = 'dev@example.com';

test.beforeAll(async () => {
	const { owner, url } = product;
	await addUser(owner, dev);
	for (const email of [asha, 'noor@example.com']) {
		const { id } = await addUser(owner, email);
		const message = { clientId: `seed-of-${id}`, message: 'Namaste and welcome' };
		await owner.send('POST', `/api/chats/${id}/messages`, message);
	}
	await offerBook(owner);
	await buy(url, { name: 'Asha Verma', email: asha, phone: 'odd', utr: '412345678901' });
});

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

/** Returns the texts of elements that overflow the right edge of a panel. */
const cutOffIn = (panel: Locator) =>
	panel.evaluate((element) => {
		const edge = element.getBoundingClientRect().right;
		const inside = [...element.querySelectorAll('dd, button, a, h3')];
		return inside.filter((part) => part.getBoundingClientRect().right > edge).map((part) => part.textContent);
	});

for (const width of [1440, 390]) {
	test(`the inbox cuts off no text at twice the text size and a width of ${width} px`, async ({ enter }) => {
		const owner = await enter({ signedInAs: 'owner', viewport: { width, height: 900 } });
		await openInbox(owner, asha);
		await owner.evaluate(() => {
			document.documentElement.style.fontSize = '32px';
		});
		await expectNoHorizontalOverflow(owner);
		const name = owner.getByRole('heading', { level: 2, name: asha });
		await expect.poll(async () => (await name.boundingBox())?.width).toBeGreaterThan(200);
		await expect(owner.getByRole('button', { name: 'Delete All Chat' })).toBeInViewport({ ratio: 1 });

		const isPhone = width < 768;
		if (isPhone) await owner.getByRole('button', { name: 'Details', exact: true }).click();
		const person = isPhone ? dialog(owner, 'Details') : userPanel(owner);
		await expect(person).toContainText('412345678901');
		await expect.poll(() => cutOffIn(person)).toEqual([]);
		await expectNoHorizontalOverflow(owner);
		if (isPhone) {
			await owner.keyboard.press('Escape');
			await owner.getByRole('link', { name: 'All conversations' }).click();
		}

		const rows = conversationList(owner).getByRole('listitem');
		await expect(rows).toHaveCount(2);
		await expect
			.poll(async () => {
				const [first, second] = await Promise.all([rows.nth(0).boundingBox(), rows.nth(1).boundingBox()]);
				return (second?.y ?? 0) - ((first?.y ?? 0) + (first?.height ?? 0));
			})
			.toBeGreaterThanOrEqual(-0.5);
		const overflows = await rows.evaluateAll((all) =>
			all.map((row) => row.scrollHeight - row.clientHeight).filter((over) => over > 0),
		);
		expect(overflows).toEqual([]);
	});
}

test('completing an order beside the chat gives the member book access immediately', async ({ enter }) => {
	const [member, owner] = await Promise.all([enter({ signedInAs: asha }), enter({ signedInAs: 'owner' })]);
	await openConnected(member, '/dashboard');
	await expect(member.getByText('Being verified', { exact: true })).toBeVisible();
	await openInbox(owner, asha);
	await expect(userPanel(owner)).toContainText('No book access yet: the order is Pending.');
	await expect(userPanel(owner)).toContainText('412345678901');
	await expect(userPanel(owner)).toContainText('Asha Verma');

	const inPanel = (name: RegExp) => userPanel(owner).getByRole('button', { name });
	const question = dialog(owner, 'Set 1 order to Complete?');
	await test.step('the payment proof opens as on the orders page and requires the same confirmation', async () => {
		await inPanel(/^Proof 1 of 1/u).click();
		const proof = dialog(owner, /^Screenshot of/u);
		await expect(proof.getByRole('img')).toBeVisible();
		await proof.getByRole('button', { name: 'Set Complete' }).click();
		await expect(question).toContainText('Check details');
		await question.getByRole('button', { name: 'Cancel' }).click();
	});

	const { code } = await orderOf(product.owner, asha);
	await test.step('an order that was changed by another admin is reported and not completed', async () => {
		await inPanel(/^Complete order/u).click();
		await expect(question).toContainText(`Asha Verma ${code}`);
		const order = await orderOf(product.owner, asha);
		await product.owner.send('PUT', `/api/orders/${order.id}`, { ...order, phone: '98230 55512' });
		await question.getByRole('button', { name: 'Set Complete' }).click();
		await expect(question).toContainText('changed meanwhile: look at it again');
		await question.getByRole('button', { name: 'Close' }).last().click();
		await expect(userPanel(owner)).toContainText('98230 55512');
		await expect(userPanel(owner)).not.toContainText('Check details');
		expect((await orderOf(product.owner, asha)).status).toBe('Pending');
	});

	await inPanel(/^Complete order/u).click();
	await question.getByRole('button', { name: 'Set Complete' }).click();
	await expect(userPanel(owner)).toContainText('Has book access.');
	await expect(userPanel(owner)).not.toContainText('No edition is assigned yet.');
	await expect(inPanel(/^Complete order/u)).toHaveCount(0);
	await expect(member.getByRole('link', { name: 'Read', exact: true })).toBeVisible();
	await member.getByRole('link', { name: 'Read', exact: true }).click();
	await expect(member).toHaveURL(/\/read\//u);

	await userPanel(owner).getByRole('link', { name: 'Open in orders' }).click();
	await expect(owner).toHaveURL(/\/Bookdashboard\?search=/u);
	await expect(owner.getByRole('table', { name: 'Manage Orders' }).locator('tbody tr')).toHaveCount(1);
});

test('sending the login again asks for confirmation, and mails a link for setting a password', async ({ enter }) => {
	const [member, owner] = await Promise.all([enter(), enter({ signedInAs: 'owner' })]);
	await openInbox(owner, asha);
	await userPanel(owner).getByRole('button', { name: 'Send login again' }).click();
	const question = dialog(owner, 'Send the login again?');
	await expect(question).toContainText(asha);
	await question.getByRole('button', { name: 'Send login again' }).click();
	await expectText(owner, `The login is on its way to ${asha}.`);
	const { subject, text, link } = await mailbox().waitFor(asha, 'your login once more');
	expect(subject).toBe('Your login for Build Your Empire');
	expect(text).not.toContain(memberPassword);
	await member.goto(link);
	await expect(member.getByLabel('New password')).toBeVisible();
});

test('the owner creates a canned reply with a file and sends it with the keyboard', async ({ enter }) => {
	const [member, owner] = await Promise.all([enter({ signedInAs: dev }), enter({ signedInAs: 'owner' })]);
	await member.goto('/contact');
	await openInbox(owner, dev);
	await expect(userPanel(owner)).toContainText('No orders.');

	await test.step('the list of canned replies has a button that opens the dialog for a new reply', async () => {
		await messageField(owner).press('/');
		await expect(owner.getByText('No canned replies yet.')).toBeVisible();
		await expect(messageField(owner)).toHaveValue('');
		await owner.getByRole('button', { name: 'Edit replies' }).click();
		await owner.getByRole('button', { name: 'New reply' }).click();
		const form = dialog(owner, 'New reply');
		await form.getByLabel('Name').fill('How to pay');
		await form.getByRole('button', { name: 'Save' }).click();
		await expect(form).toContainText('Write a text, or add a file.');
		await form.getByLabel('Text').fill('Namaste {name}, pay like this.');
		const file = { name: 'how to pay.png', mimeType: 'image/png', buffer: await paintPicture() };
		await form.locator('input[type=file]').setInputFiles(file);
		await form.getByRole('button', { name: 'Save' }).click();
		await expectText(owner, 'Canned reply saved');
		await expect(dialog(owner, 'Canned replies')).toContainText('how to pay.png');
		await owner.keyboard.press('Escape');
		await expect(messageField(owner)).toBeFocused();
	});
	// No message may be sent yet.
	await expect(messageLog(member)).toHaveCount(0);

	await messageField(owner).press('/');
	await owner.getByRole('combobox', { name: 'Search replies' }).fill('pay');
	await expect(owner.getByRole('option')).toHaveCount(1);
	await owner.keyboard.press('Enter');
	// The user has no name, so the placeholder is removed.
	await expect(messageField(owner)).toHaveValue('Namaste, pay like this.');
	await expect(owner.getByRole('list', { name: 'Goes along with the next message' })).toContainText('how to pay.png');
	await expect(messageField(owner)).toBeFocused();
	await owner.reload();
	await expect(messageField(owner)).toHaveValue('Namaste, pay like this.');
	await messageField(owner).press('Enter');
	await expect(messageLog(member).getByText('Namaste, pay like this.')).toBeVisible();
	await expect(messageLog(member).getByRole('button', { name: 'Open how to pay.png' })).toBeVisible();
	await expect(owner.getByRole('list', { name: 'Goes along with the next message' })).toHaveCount(0);

	await test.step('a slash in a field with text opens no list, and Escape closes the list', async () => {
		await messageField(owner).pressSequentially('1/2');
		await expect(messageField(owner)).toHaveValue('1/2');
		await owner.getByRole('button', { name: 'Canned replies' }).click();
		await expect(owner.getByRole('option')).toHaveCount(1);
		await owner.keyboard.press('Escape');
		await expect(owner.getByRole('option')).toHaveCount(0);
		await expect(messageField(owner)).toHaveValue('1/2');
	});
});

test('the details panel stays closed after a reload', async ({ enter }) => {
	const owner = await enter({ signedInAs: 'owner' });
	await openInbox(owner, asha);
	const button = owner.getByRole('button', { name: 'Details', exact: true });
	await expect(button).toHaveAttribute('aria-expanded', 'true');
	await button.click();
	await expect(userPanel(owner)).toHaveCount(0);
	await owner.reload();
	await expect(button).toHaveAttribute('aria-expanded', 'false');
	await button.click();
	await expect(userPanel(owner)).toBeVisible();
});

test('the focus follows a moved canned reply, and moves to the next reply after a deletion', async ({ enter }) => {
	for (const name of ['Alpha', 'Beta', 'Gamma'])
		await product.owner.send('POST', '/api/canned-replies', { name, message: `The text of ${name}` });
	const owner = await enter({ signedInAs: 'owner' });
	await openInbox(owner, dev);
	await owner.getByRole('button', { name: 'Canned replies' }).click();
	await owner.getByRole('button', { name: 'Edit replies' }).click();
	const replies = dialog(owner, 'Canned replies');
	const button = (name: string) => replies.getByRole('button', { name, exact: true });
	const order = async (names: RegExp) => expect(replies.getByRole('list')).toHaveText(names);
	await button('Move Alpha down').focus();
	await owner.keyboard.press('Enter');
	await order(/Beta.*Alpha.*Gamma/u);
	await expect(button('Move Alpha down')).toBeFocused();
	await owner.keyboard.press('Enter');
	await order(/Beta.*Gamma.*Alpha/u);
	// At the end of the list, the button in the other direction gets the focus.
	await expect(button('Move Alpha up')).toBeFocused();
	await owner.keyboard.press('Enter');
	await order(/Beta.*Alpha.*Gamma/u);
	await expect(button('Move Alpha up')).toBeFocused();

	const remove = async (name: string) => {
		await button(`Delete ${name}`).focus();
		await owner.keyboard.press('Enter');
		await dialog(owner, 'Delete this canned reply?').getByRole('button', { name: 'Delete' }).press('Enter');
		await expect(button(`Delete ${name}`)).toHaveCount(0);
	};
	await remove('Alpha');
	await expect(button('Delete Gamma')).toBeFocused();
	await remove('Gamma');
	await expect(button('New reply')).toBeFocused();
	await owner.keyboard.press('Escape');
	await expect(messageField(owner)).toBeFocused();
});

test('on a phone, Back closes the picture or the details panel, and the conversation stays open', async ({ enter }) => {
	const phone = { width: 390, height: 844 };
	const [member, owner] = await Promise.all([
		enter({ signedInAs: dev, viewport: phone }),
		enter({ signedInAs: 'owner', viewport: phone }),
	]);
	await openInbox(owner, dev);
	await openOwnConversation(member);
	const picture = { name: 'receipt.png', mimeType: 'image/png', buffer: await paintPicture() };
	await member.locator('input[type=file]').first().setInputFiles(picture);
	// A sent picture has a URL only after it has arrived.
	await expect(messageLog(owner).getByRole('button', { name: 'Open receipt.png' })).toBeVisible();
	await expect(member.getByRole('img', { name: 'Sending' })).toHaveCount(0);
	for (const page of [member, owner]) {
		const address = page.url();
		await messageLog(page).getByRole('button', { name: 'Open receipt.png' }).click();
		await expect(dialog(page, 'receipt.png')).toBeVisible();
		await expect(page).toHaveURL(/[?&]preview=/u);
		await page.reload();
		await expect(dialog(page, 'receipt.png')).toBeVisible();
		await page.goBack();
		await expect(dialog(page, 'receipt.png')).toHaveCount(0);
		await expect(page).toHaveURL(address);
		await expect(messageField(page)).toBeVisible();
	}
	const address = owner.url();
	const button = owner.getByRole('button', { name: 'Details', exact: true });
	await expect(userPanel(owner)).toHaveCount(0);
	await button.click();
	await expect(dialog(owner, 'Details')).toContainText('Member since');
	await owner.goBack();
	await expect(dialog(owner, 'Details')).toHaveCount(0);
	await expect(owner).toHaveURL(address);
	await button.click();
	await expect(dialog(owner, 'Details')).toContainText('Member since');
	await owner.keyboard.press('Escape');
	await expect(button).toBeFocused();
	// Closing the dialog goes back in the history instead of adding an entry.
	await expect(owner).toHaveURL(address);
	await owner.goForward();
	await expect(dialog(owner, 'Details')).toBeVisible();
});

test('opening a conversation focuses its message field, or its heading on a phone', async ({ enter }) => {
	const owner = await enter({ signedInAs: 'owner' });
	await openConnected(owner, '/admin/contact');
	const row = conversationOf(owner, dev);
	await row.press('Enter');
	await expect(messageField(owner)).toBeFocused();
	await owner.setViewportSize({ width: 390, height: 844 });
	await owner.getByRole('link', { name: 'All conversations' }).click();
	await row.press('Enter');
	await expect(owner.getByRole('heading', { name: dev })).toBeFocused();
});

test("the open conversation remains under 'Unread' until another filter is chosen", async ({ enter }) => {
	const [member, owner] = await Promise.all([enter({ signedInAs: dev }), enter({ signedInAs: 'owner' })]);
	await openOwnConversation(member);
	await sendMessage(member, 'One more question');
	await openConnected(owner, '/admin/contact?show=unread');
	const list = conversationList(owner);
	const row = list.getByRole('link', { name: /One more question/u });
	await row.click();
	await expect(row).not.toHaveAttribute('data-unread');
	await expect(row).toHaveAttribute('aria-current', /./u);
	await expect(messageLog(owner)).toContainText('One more question');
	await list.getByRole('button', { name: 'All' }).click();
	await expect(row).toBeVisible();
	await list.getByRole('button', { name: /^Unread/u }).click();
	await expect(row).toHaveCount(0);
});
