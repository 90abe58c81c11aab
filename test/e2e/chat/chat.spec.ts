import { expect } from '@playwright/test';
import {
	conversationOf,
	messageBubble,
	messageField,
	messageLog,
	openConnected,
	openInbox,
	openOwnConversation,
	sendMessage,
} from '../../support/browser/chat-page.ts';
import { download, expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser } from '../../support/browser/seeding.ts';

const product = hostJourneys();
const asha = 'asha@example.com';
const dev = 'dev@example.com';

test.beforeAll(async () => {
	for (const email of [asha, dev]) await addUser(product.owner, email);
});

test('a member and the owner chat live, and no other member sees the messages', async ({ enter }) => {
	const [member, other, owner] = await Promise.all([
		enter({ signedInAs: asha }),
		enter({ signedInAs: dev }),
		enter({ signedInAs: 'owner' }),
	]);
	await openOwnConversation(member);
	await openOwnConversation(other);
	await sendMessage(member, 'Namaste, a question');
	await expect(member.getByRole('img', { name: 'Sent' })).toBeVisible();

	await openConnected(owner, '/admin/contact');
	await expect(owner).toHaveTitle(/^\(1\) /u);
	// The owner has not opened the conversation yet.
	await expect(member.getByRole('img', { name: 'Read' })).toHaveCount(0);
	await conversationOf(owner, asha).click();
	await expect(messageBubble(owner, 'Namaste, a question')).toBeVisible();
	await expect(member.getByRole('img', { name: 'Read' })).toBeVisible();
	await expect(owner).not.toHaveTitle(/^\(/u);

	// The test starts to wait before the key presses, because the indicator is visible only for a second.
	const isTyping = member.getByText('Support is typing').waitFor();
	await messageField(owner).pressSequentially('Ye');
	await isTyping;
	await expect(member.getByText('Support is typing')).toBeHidden({ timeout: 5000 });
	await sendMessage(owner, 'Yes, ask');
	await expect(messageBubble(member, 'Yes, ask')).toBeVisible();
	await expect(other.getByText('No messages yet')).toBeVisible();

	await owner.getByRole('button', { name: 'Delete All Chat' }).click();
	const dialog = owner.getByRole('dialog');
	await expectText(dialog, 'Are you sure you want to delete all chat?');
	await expect(dialog).toContainText(asha);
	await dialog.getByRole('button', { name: 'Delete All Chat' }).click();
	for (const page of [member, owner]) await expect(page.getByText('No messages yet')).toBeVisible();
});

test('the owner downloads a file from a member, and an empty file is refused with a reason', async ({ enter }) => {
	const [member, owner] = await Promise.all([enter({ signedInAs: asha }), enter({ signedInAs: 'owner' })]);
	await openInbox(owner, asha);
	await openOwnConversation(member);
	const chooser = member.locator('input[type=file]');
	await chooser.setInputFiles({ name: 'ledger.txt', mimeType: 'text/plain', buffer: Buffer.from('October') });
	await expect(owner.getByRole('link', { name: 'Download ledger.txt' })).toBeVisible();
	const saved = await download(owner, owner.getByRole('link', { name: 'Download ledger.txt' }));
	expect(saved).toEqual({ name: 'ledger.txt', bytes: Buffer.from('October') });

	await chooser.setInputFiles({ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) });
	await expectText(member, 'Failed to send message or file.');
	await expect(member.getByText('This file is empty.')).toBeVisible();
	// Retry would fail again for an empty file.
	await expect(member.getByRole('button', { name: 'Retry' })).toHaveCount(0);
	await member.getByRole('button', { name: 'Delete', exact: true }).click();
	await expect(member.getByText('empty.txt')).toHaveCount(0);
});

test('a file above the daily limit is refused until the owner raises the limit', async ({ enter }) => {
	const settings = await product.owner.get<{ version: number }>('/api/settings/files');
	await product.owner.send('PUT', '/api/settings/files', { ...settings, chatFilesPerDayUnpaid: 0 });
	const member = await enter({ signedInAs: asha });
	await openOwnConversation(member);
	const chooser = member.locator('input[type=file]');
	await chooser.setInputFiles({ name: 'photo.txt', mimeType: 'text/plain', buffer: Buffer.from('November') });
	await expectText(member, 'Failed to send message or file.');
	await expect(member.getByText(/^Until your payment is confirmed, you can send 0 files and /u)).toBeVisible();
	await sendMessage(member, 'My photo is not sent');
	await expect(messageBubble(member, 'My photo is not sent')).toBeVisible();
	await expect(member.getByText('photo.txt')).toBeVisible();

	const owner = await enter({ signedInAs: 'owner', at: '/admin/storage' });
	const chats = owner.getByRole('region', { name: 'Storage used by chats' });
	await expect(chats.getByRole('row', { name: new RegExp(asha, 'u') })).toContainText('of 0 files');
	const limit = owner.getByLabel('Files a day before payment');
	await expect(limit).toHaveValue('0');
	await limit.fill('many');
	await owner.getByRole('button', { name: 'Save' }).click();
	await expect(owner.getByText('Enter a number from 0 to 10000.')).toBeVisible();
	await limit.fill('5');
	await owner.getByRole('button', { name: 'Save' }).click();
	await expect(owner.getByText('The settings are saved.')).toBeVisible();

	await test.step('a file that a proxy refuses stays on the page and does not block later messages', async () => {
		const isAttachment = /\/attachments\?/u;
		const refusal = { status: 413, contentType: 'text/html', body: '<h1>413</h1>' };
		await member.route(isAttachment, (route) => route.fulfill(refusal));
		await member.getByRole('button', { name: 'Retry' }).click();
		await expect(member.getByText(/^Until your payment is confirmed/u)).toHaveCount(0);
		await expectText(member, 'Failed to send message or file.');
		await expect(member.getByText('photo.txt')).toBeVisible();
		await sendMessage(member, 'written after it');
		const newest = async () =>
			(await product.owner.get<{ items: Array<{ lastMessage: { text: string } }> }>('/api/chats')).items[0];
		await expect.poll(async () => (await newest())?.lastMessage.text).toBe('written after it');
		await member.unroute(isAttachment);
	});

	await member.getByRole('button', { name: 'Retry' }).click();
	await expect(member.getByRole('link', { name: 'Download photo.txt' })).toBeVisible();
	await expect(member.getByText('Failed to send message or file.')).toHaveCount(0);
});

test('scrolling up loads older messages without moving the view', async ({ enter }) => {
	const reader = await addUser(product.owner, 'reader@example.com');
	const path = `/api/chats/${reader.id}/messages`;
	for (let line = 1; line <= 160; line += 1)
		await product.owner.send('POST', path, { clientId: `line-of-owner-${line}`, message: `line ${line}` });
	const page = await enter({ signedInAs: reader.email });
	await openOwnConversation(page);
	await expect(messageBubble(page, 'line 160')).toBeInViewport();
	// A smooth scroll would load older messages before it ends.
	await messageLog(page).evaluate((box) => box.scrollTo({ top: 0, behavior: 'instant' }));
	// Message 'line 111' keeps its position on the screen while older messages load above it, so `scrollTop` increases.
	await expect.poll(() => messageLog(page).evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(600);
	await expect(messageBubble(page, 'line 111')).toBeInViewport();
	await messageLog(page).focus();
	await expect(async () => {
		await page.keyboard.press('Home');
		await expect(messageBubble(page, 'line 1')).toBeInViewport({ timeout: 500 });
	}).toPass();

	await product.owner.send('POST', path, { clientId: 'line-of-owner-new', message: 'the newest' });
	await page.getByRole('button', { name: 'Jump to newest, 1 new' }).click();
	await expect(messageBubble(page, 'the newest')).toBeInViewport();
	await expect(page.getByRole('button', { name: /^Jump to newest/u })).toHaveCount(0);
});
