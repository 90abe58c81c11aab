import { expect, type Page } from '@playwright/test';
import type { ChatMessage } from '#contract/chat/chat.ts';
import {
	conversationOf,
	messageBubble,
	messageField,
	messageLog,
	openInbox,
	openOwnConversation,
	sendMessage,
	userPanel,
} from '../../support/browser/chat-page.ts';
import { signInAgain, signInElsewhere } from '../../support/browser/forms.ts';
import { expectText, failRequests, hostJourneys, test, waitForEventStream } from '../../support/browser/journey.ts';
import { addUser, expireSessions } from '../../support/browser/seeding.ts';
import { startUnresponsiveProxy } from '../../support/services/unresponsive-proxy.ts';

const product = hostJourneys();
const ids: Record<string, string> = {};
const asha = 'asha@example.com';
const dev = 'dev@example.com';

async function addMember(email: string): Promise<string> {
	ids[email] = (await addUser(product.owner, email)).id;
	return email;
}

test.beforeAll(async () => {
	for (const email of [asha, dev]) await addMember(email);
});

let sentByOwner = 0;
const sendAsOwner = (email: string, message: string) =>
	product.owner.send('POST', `/api/chats/${ids[email]}/messages`, {
		clientId: `of-the-owner-${++sentByOwner}`,
		message,
	});
const messagesOf = async (email: string) => {
	const path = `/api/chats/${ids[email]}/messages?limit=1000`;
	return (await product.owner.get<{ items: ChatMessage[] }>(path)).items.map(({ message }) => message);
};
const failSending = (page: Page) => failRequests(page, /\/api\/chats\/[^/]+\/messages$/u, 'POST');

test('a message counts as read only when its conversation is open in a visible tab', async ({ enter }) => {
	const [member, owner] = await Promise.all([enter({ signedInAs: asha }), enter({ signedInAs: 'owner' })]);
	await product.owner.send('DELETE', `/api/chats/${ids[asha]}/messages`, {});
	await sendAsOwner(dev, 'another conversation');
	await openInbox(owner, dev);
	await openOwnConversation(member);
	const read = member.getByRole('img', { name: 'Read' });
	const inList = conversationOf(owner, asha);
	await sendMessage(member, 'is anybody there?');
	// The message arrives while the page of the owner shows another conversation.
	await expect(inList.getByText('1 unread')).toBeVisible();
	await expect(member.getByRole('img', { name: 'Sent' })).toHaveCount(1);
	await expect(read).toHaveCount(0);

	const setVisible = (isVisible: boolean) =>
		owner.evaluate(
			(state) => {
				Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
				document.dispatchEvent(new Event('visibilitychange'));
			},
			isVisible ? 'visible' : 'hidden',
		);
	await inList.click();
	await expect(read).toHaveCount(1);
	// The conversation is open in a background tab.
	await setVisible(false);
	await sendMessage(member, 'and now?');
	await expect(messageBubble(owner, 'and now?')).toBeVisible();
	await expect(owner).toHaveTitle(/^\(1\) /u);
	await expect(read).toHaveCount(1);
	await setVisible(true);
	await expect(read).toHaveCount(2);
	await expect(owner).not.toHaveTitle(/^\(/u);
});

test('a conversation still shows its newest message after a change of its height', async ({ enter }) => {
	const person = await addMember('growing@example.com');
	for (let line = 1; line <= 30; line += 1) await sendAsOwner(person, `line ${line}`);
	const [member, owner] = await Promise.all([
		enter({ signedInAs: person, viewport: { width: 390, height: 844 } }),
		enter({ signedInAs: 'owner' }),
	]);
	await openInbox(owner, person);
	await openOwnConversation(member);
	const isSeen = async (page: Page, text: string) => expect(messageBubble(page, text)).toBeInViewport({ ratio: 0.9 });
	const ticks = (name: string) => member.getByRole('img', { name, exact: true });
	await isSeen(owner, 'line 30');
	await isSeen(member, 'line 30');

	await test.step('when the message field grows to six lines', async () => {
		await messageField(owner).pressSequentially('one');
		for (let line = 2; line <= 6; line += 1) await owner.keyboard.press('Shift+Enter');
		await messageField(owner).pressSequentially('six');
		await isSeen(owner, 'line 30');
		await sendMessage(member, 'do you see me?');
		await isSeen(owner, 'do you see me?');
		await expect(ticks('Read')).toHaveCount(1);
	});

	await test.step('when the bar of search matches appears', async () => {
		await owner.getByRole('searchbox', { name: 'Search people and messages' }).fill('do you see');
		await expect(owner.getByRole('group', { name: /^Matches for /u })).toBeVisible();
		await isSeen(owner, 'do you see me?');
	});

	await test.step('when the window of a phone becomes lower', async () => {
		await member.setViewportSize({ width: 390, height: 520 });
		await isSeen(member, 'do you see me?');
		await sendAsOwner(person, 'said into the low window');
		await isSeen(member, 'said into the low window');
	});

	await test.step('when an error appears below a message', async () => {
		const restore = await failSending(member);
		await sendMessage(member, 'it does not go');
		await expect(member.getByRole('button', { name: 'Retry' })).toBeInViewport({ ratio: 0.9 });
		await restore();
		// The page sends the message again after 2, 5 or 10 s, so the Retry button may disappear at any time.
		await expect(messageBubble(owner, 'it does not go')).toBeInViewport({ ratio: 0.9 });
		await expect(ticks('Read')).toHaveCount(2);
	});

	await test.step('control: after scrolling up, a new message is outside the view, counted and unread', async () => {
		await messageLog(owner).evaluate((box) => box.scrollBy({ top: -200, behavior: 'instant' }));
		await expect(owner.getByRole('button', { name: /^Jump to newest/u })).toBeVisible();
		await sendMessage(member, 'below the edge');
		await expect(owner.getByRole('button', { name: 'Jump to newest, 1 new' })).toBeVisible();
		await messageField(owner).fill('');
		await expect(owner).toHaveTitle(/^\(1\) /u);
		await expect(messageBubble(owner, 'below the edge')).not.toBeInViewport();
		await expect(ticks('Sent')).toHaveCount(1);
		await expect(ticks('Read')).toHaveCount(2);
		await owner.getByRole('button', { name: 'Jump to newest, 1 new' }).click();
		await isSeen(owner, 'below the edge');
		await expect(ticks('Read')).toHaveCount(3);
	});
});

test('eight tabs of a member receive messages live, and each tab can send messages', async ({ enter }) => {
	const person = await addMember('tabs@example.com');
	const first = await enter({ signedInAs: person });
	const more = await Promise.all(Array.from({ length: 7 }, () => first.context().newPage()));
	const tabs = [first, ...more];
	await openOwnConversation(first);
	for (const tab of more) {
		await tab.goto('/contact');
		await expect(messageField(tab)).toBeVisible();
	}
	await sendAsOwner(person, 'to all tabs');
	// A hidden tab gets this message only with a working event stream.
	await Promise.all(tabs.map((tab) => expect(messageBubble(tab, 'to all tabs')).toBeAttached()));
	const texts = tabs.map((_, index) => `from tab ${index + 1}`);
	await Promise.all(
		tabs.map(async (tab, index) => {
			await messageField(tab).fill(texts[index] ?? '');
			await messageField(tab).press('Enter');
		}),
	);
	for (const tab of tabs) for (const text of texts) await expect(messageBubble(tab, text)).toBeAttached();
	expect((await messagesOf(person)).toSorted()).toEqual([...texts, 'to all tabs'].toSorted());
	// The first tab has read the event stream for all tabs. When it closes, another tab must open a stream.
	const isTakenOver = Promise.race(more.map(waitForEventStream));
	await first.close();
	await isTakenOver;
	await sendAsOwner(person, 'to those that are left');
	await Promise.all(more.map((tab) => expect(messageBubble(tab, 'to those that are left')).toBeAttached()));
});

test('after five minutes offline, a phone loads missing messages and sends queued messages', async ({ enter }) => {
	const person = await addMember('sleeper@example.com');
	const proxy = await startUnresponsiveProxy();
	try {
		const viewport = { width: 390, height: 844 };
		const page = await enter({ signedInAs: person, viewport, proxy: { server: proxy.url } });
		await page.clock.install();
		await openOwnConversation(page);
		await sendAsOwner(person, 'before the night');
		await expect(messageBubble(page, 'before the night')).toBeVisible();
		proxy.stall();
		await messageField(page).fill('sent into the dark');
		await messageField(page).press('Enter');
		await expect(page.getByRole('img', { name: 'Sending' })).toBeVisible();
		const session = await page.context().newCDPSession(page);
		await session.send('Page.setWebLifecycleState', { state: 'frozen' });
		const missed = ['night 1', 'night 2', 'night 3'];
		for (const text of missed) await sendAsOwner(person, text);
		await session.send('Page.setWebLifecycleState', { state: 'active' });
		await page.clock.fastForward('05:00');
		await expectText(page, 'reconnecting…');
		await expect(messageBubble(page, 'night 1')).toHaveCount(0);
		proxy.resume();
		// Requests from the time without a connection get no response, and the page waits for their timeout.
		await page.clock.fastForward('00:20');
		await expect(messageBubble(page, 'night 3')).toBeVisible();
		await expect(page.getByText('reconnecting…')).toBeHidden();
		await expect.poll(() => messagesOf(person)).toContain('sent into the dark');
		const stored = await messagesOf(person);
		expect(stored).toEqual(['before the night', ...missed, 'sent into the dark']);
		await expect(messageLog(page).getByText(/night|dark/u)).toHaveText(stored);
		await expect(page.getByRole('img', { name: 'Sent' })).toHaveCount(1);
	} finally {
		await proxy.close();
	}
});

test('messages that arrive while a member is offline are counted as unread on other screens', async ({ enter }) => {
	const person = await addMember('offline@example.com');
	const page = await enter({ signedInAs: person });
	await openOwnConversation(page);
	await sendAsOwner(person, 'seen');
	await expect(messageBubble(page, 'seen')).toBeVisible();
	const link = (name: string) => page.getByRole('navigation').getByRole('link', { name }).first();
	await link('Home').click();
	// Messages count as read until the conversation has closed, which happens after the URL changes.
	await expect(messageLog(page)).toHaveCount(0);
	await page.context().setOffline(true);
	for (const text of ['missed 1', 'missed 2', 'missed 3']) await sendAsOwner(person, text);
	await page.context().setOffline(false);
	await expect(page).toHaveTitle(/^\(3\) /u);
	await page.getByRole('navigation').getByRole('link', { name: /^Chat/u }).first().click();
	await expect(messageBubble(page, 'missed 3')).toBeVisible();
	await expect(messageLog(page).getByText(/seen|missed/u)).toHaveText(['seen', 'missed 1', 'missed 2', 'missed 3']);
	await expect(page).not.toHaveTitle(/^\(/u);
});

test('a message that is sent after the end of the session waits until the same user signs in', async ({ enter }) => {
	const page = await enter({ signedInAs: dev });
	await openOwnConversation(page);
	await sendMessage(page, 'while I am here');
	await expect(page.getByRole('img', { name: 'Sending' })).toHaveCount(0);
	// The unsent text keeps the page open when the session ends.
	await messageField(page).fill('my session is over');
	await expireSessions(product.server, dev);
	await messageField(page).press('Enter');
	await expect(page.getByText('Failed to send message or file.')).toBeAttached();
	await signInAgain(page, dev);
	await expect.poll(() => messagesOf(dev)).toContain('my session is over');
	await expect(page.getByText('Failed to send message or file.')).toHaveCount(0);

	// After a sign-in of another user in the same browser, the unsent message must not be sent.
	const restore = await failSending(page);
	await sendMessage(page, 'for the owner alone');
	await expectText(page, 'Failed to send message or file.');
	await signInElsewhere(page, asha);
	// The page sends the message again automatically.
	const refused = page.waitForResponse((response) => response.status() === 401);
	await restore();
	await refused;
	await expect(page).toHaveURL(/\/dashboard$/u);
	await page.getByRole('navigation').getByRole('link', { name: /^Chat/u }).first().click();
	await expect(messageField(page)).toBeVisible();
	await expect(page.getByText('for the owner alone')).toHaveCount(0);
	for (const email of [asha, dev]) expect(await messagesOf(email)).not.toContain('for the owner alone');
	await signInElsewhere(page, dev);
	await page.goto('/dashboard');
	await expect.poll(() => messagesOf(dev)).toContain('for the owner alone');
});

test('unsent messages survive a reload and the closing of their tab, and a logout discards them', async ({ enter }) => {
	const person = await addMember('closer@example.com');
	const first = await enter({ signedInAs: person });
	await openOwnConversation(first);
	await failSending(first);
	for (const text of ['left 1', 'left 2']) await sendMessage(first, text);
	await first.reload();
	for (const text of ['left 1', 'left 2']) await expect(messageBubble(first, text)).toBeVisible();
	await first.close({ runBeforeUnload: true });
	const next = await first.context().newPage();
	await next.goto('/dashboard');
	await expect.poll(() => messagesOf(person)).toEqual(['left 1', 'left 2']);

	const restore = await failSending(next);
	await openOwnConversation(next);
	await sendMessage(next, 'better not');
	await expectText(next, 'Failed to send message or file.');
	await next.request.post('/api/sign-out', { data: {} });
	await expect(next).toHaveURL(/\/login/u);
	await restore();
	await signInElsewhere(next, person);
	await openOwnConversation(next);
	await sendMessage(next, 'something else');
	await expect.poll(() => messagesOf(person)).toEqual(['left 1', 'left 2', 'something else']);
	await expect(messageBubble(next, 'better not')).toHaveCount(0);
});

test('Delete All Chat leaves the same messages on both screens while both sides send messages', async ({ enter }) => {
	const person = await addMember('amid@example.com');
	const [member, owner] = await Promise.all([enter({ signedInAs: person }), enter({ signedInAs: 'owner' })]);
	await openInbox(owner, person);
	await openOwnConversation(member);
	for (let number = 1; number <= 15; number += 1) {
		const page = number % 3 === 0 ? owner : member;
		await messageField(page).fill(`amid ${number}`);
		await messageField(page).press('Enter');
		if (number !== 8) continue;
		// The deletion must follow the first message. The newest messages may arrive after the deletion.
		await expect.poll(() => messagesOf(person)).toContain('amid 1');
		await product.owner.send('DELETE', `/api/chats/${ids[person]}/messages`, {});
	}
	const isSettled = async () => {
		const stored = await messagesOf(person);
		for (const page of [member, owner])
			expect(
				await messageLog(page)
					.getByText(/^amid \d+$/u)
					.allTextContents(),
			).toEqual(stored);
		// These messages were sent after the response to the deletion.
		for (let number = 9; number <= 15; number += 1) expect(stored).toContain(`amid ${number}`);
		expect(stored).not.toContain('amid 1');
	};
	await expect(isSettled).toPass({ timeout: 60_000 });
});

test('without a mail server, the owner sees that a mailed login was saved as a file', async ({ enter }) => {
	const owner = await enter({ signedInAs: 'owner' });
	await openInbox(owner, asha);
	await userPanel(owner).getByRole('button', { name: 'Send login again' }).click();
	await owner
		.getByRole('dialog', { name: 'Send the login again?' })
		.getByRole('button', { name: 'Send login again' })
		.click();
	await expectText(owner, `The login for ${asha} was kept as a file: no SMTP server is set.`);
});
