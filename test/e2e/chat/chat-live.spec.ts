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
} from '../../support/browser/chat-page.ts';
import { expectText, failRequests, hostJourneys, test, waitForEventStream } from '../../support/browser/journey.ts';
import { addUser, expireSessions, memberPassword } from '../../support/browser/seeding.ts';
import { startUnresponsiveProxy } from '../../support/services/unresponsive-proxy.ts';

const world = hostJourneys();
const ids: Record<string, string> = {};
const asha = 'asha@example.com';
const dev = 'dev@example.com';

async function addPerson(email: string): Promise<string> {
	ids[email] = (await addUser(world.owner, email)).id;
	return email;
}

test.beforeAll(async () => {
	for (const email of [asha, dev]) await addPerson(email);
});

let named = 0;
const sendAsOwner = (email: string, message: string) =>
	world.owner.send('POST', `/api/chats/${ids[email]}/messages`, { clientId: `of-the-owner-${++named}`, message });
const messagesOf = async (email: string) => {
	const path = `/api/chats/${ids[email]}/messages?limit=1000`;
	return (await world.owner.get<{ items: ChatMessage[] }>(path)).items.map(({ message }) => message);
};
const failSending = (page: Page) => failRequests(page, /\/api\/chats\/[^/]+\/messages$/u, 'POST');

interface TypingChange {
	isShown: boolean;
	at: number;
}

/** Records in the page when the typing indicator appears and disappears. */
async function watchTyping(page: Page): Promise<() => Promise<TypingChange[]>> {
	await page.evaluate(() => {
		const noted: TypingChange[] = [];
		Object.assign(window, { noted });
		let wasShown = false;
		new MutationObserver(() => {
			const isShown = [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
				textContent.endsWith(' is typing'),
			);
			if (isShown === wasShown) return;
			wasShown = isShown;
			noted.push({ isShown, at: Date.now() });
		}).observe(document.body, { subtree: true, childList: true, characterData: true });
	});
	return () => page.evaluate(() => (window as unknown as { noted: TypingChange[] }).noted.splice(0));
}

/** The shortest time that the indicator stays after the last key: typing is reported at most every 250 ms. */
const leastGoneMs = 700;
/** Added to limits in milliseconds, because other tests use the same processors. */
const marginMs = 2000;

test('the typing indicator appears soon after a key and disappears about a second after the last one', async ({
	enter,
}, { annotations }) => {
	const [member, owner] = await Promise.all([enter({ signedInAs: asha }), enter({ signedInAs: 'owner' })]);
	await openInbox(owner, asha);
	await openOwnConversation(member);
	await member.evaluate(() => {
		const keys: number[] = [];
		Object.assign(window, { keys });
		document.addEventListener('keydown', () => keys.push(Date.now()), { capture: true });
	});
	const noted = await watchTyping(owner);
	const toldAt: number[] = [];
	member.on('response', (response) => response.url().endsWith('/typing') && toldAt.push(Date.now()));
	const came: number[] = [];
	const went: number[] = [];
	// Fast and slow typing: the indicator stays between two keys that are less than a second apart.
	for (const delay of [40, 240, 480]) {
		toldAt.length = 0;
		await messageField(member).pressSequentially('words', { delay });
		const keys = await member.evaluate(() => (window as unknown as { keys: number[] }).keys.splice(0));
		const times: TypingChange[] = [];
		const isGone = async () => {
			times.push(...(await noted()));
			const last = times.at(-1);
			return last !== undefined && !last.isShown && last.at > (keys.at(-1) ?? 0) + leastGoneMs;
		};
		await expect.poll(isGone).toBe(true);
		// On a busy machine the reports can be a second apart: only then may the indicator disappear in between.
		const longPauses = toldAt.filter((at, index) => at - (toldAt[index - 1] ?? at) > leastGoneMs).length;
		expect(times.filter(({ isShown }) => isShown).length).toBeLessThanOrEqual(1 + longPauses);
		came.push((times[0]?.at ?? 0) - (keys[0] ?? 0));
		went.push((times.at(-1)?.at ?? 0) - (keys.at(-1) ?? 0));
	}
	const median = (all: number[]) => all.toSorted((one, other) => one - other)[1] ?? 0;
	const description = `came after ${came.join(', ')} ms, went ${went.join(', ')} ms after the last key`;
	annotations.push({ type: 'typing line', description });
	// The median of three, with a margin for a busy machine.
	expect(median(came)).toBeLessThanOrEqual(300 + marginMs);
	expect(median(went)).toBeLessThan(1200 + marginMs);

	// The browser of the typing member crashes after a key, so it reports nothing more.
	const session = await member.context().newCDPSession(member);
	await messageField(member).press('x');
	const lastKeyAt = Date.now();
	const last: TypingChange[] = [];
	const isShown = async () => {
		last.push(...(await noted()));
		return last.at(-1)?.isShown;
	};
	await expect.poll(async () => last.length > 0 || (await isShown())).toBe(true);
	session.send('Page.crash').catch(() => undefined);
	await expect.poll(isShown).toBe(false);
	expect((last.at(-1)?.at ?? 0) - lastKeyAt).toBeLessThan(1500 + marginMs);
});

test('a message counts as read only when its conversation is open in a visible tab', async ({ enter }) => {
	const [member, owner] = await Promise.all([enter({ signedInAs: asha }), enter({ signedInAs: 'owner' })]);
	await world.owner.send('DELETE', `/api/chats/${ids[asha]}/messages`, {});
	await sendAsOwner(dev, 'another conversation');
	await openInbox(owner, dev);
	await openOwnConversation(member);
	const read = member.getByRole('img', { name: 'Read' });
	const inList = conversationOf(owner, asha);
	await sendMessage(member, 'is anybody there?');
	// The owner's page has received the message, but shows another conversation.
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

test('a conversation at the newest message stays there while its height changes', async ({ enter }) => {
	const person = await addPerson('growing@example.com');
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

	await test.step('the message field grows to six lines', async () => {
		await messageField(owner).pressSequentially('one');
		for (let line = 2; line <= 6; line += 1) await owner.keyboard.press('Shift+Enter');
		await messageField(owner).pressSequentially('six');
		await isSeen(owner, 'line 30');
		await sendMessage(member, 'do you see me?');
		await isSeen(owner, 'do you see me?');
		await expect(ticks('Read')).toHaveCount(1);
	});

	await test.step('the bar of search matches appears', async () => {
		await owner.getByRole('searchbox', { name: 'Search people and messages' }).fill('do you see');
		await expect(owner.getByRole('group', { name: /^Matches for /u })).toBeVisible();
		await isSeen(owner, 'do you see me?');
	});

	await test.step('the window of a phone becomes less high', async () => {
		await member.setViewportSize({ width: 390, height: 520 });
		await isSeen(member, 'do you see me?');
		await sendAsOwner(person, 'said into the low window');
		await isSeen(member, 'said into the low window');
	});

	await test.step('a message grows by an error below it', async () => {
		const mend = await failSending(member);
		await sendMessage(member, 'it does not go');
		await expect(member.getByRole('button', { name: 'Retry' })).toBeInViewport({ ratio: 0.9 });
		await mend();
		// It is sent again by itself after 2, 5 or 10 s, so pressing Retry could come too late.
		await expect(messageBubble(owner, 'it does not go')).toBeInViewport({ ratio: 0.9 });
		await expect(ticks('Read')).toHaveCount(2);
	});

	await test.step('control: above the newest message a new one is counted and stays unread', async () => {
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

test('eight tabs of one member receive messages live, and each can send', async ({ enter }) => {
	const person = await addPerson('tabs@example.com');
	const first = await enter({ signedInAs: person });
	const more = await Promise.all(Array.from({ length: 7 }, () => first.context().newPage()));
	const tabs = [first, ...more];
	await openOwnConversation(first);
	for (const tab of more) {
		await tab.goto('/contact');
		await expect(messageField(tab)).toBeVisible();
	}
	await sendAsOwner(person, 'to all tabs');
	// Without a connection nothing would arrive before the tab is opened again.
	await Promise.all(tabs.map((tab) => expect(messageBubble(tab, 'to all tabs')).toBeAttached()));
	const own = tabs.map((_, at) => `from tab ${at + 1}`);
	await Promise.all(
		tabs.map(async (tab, at) => {
			await messageField(tab).fill(own[at] ?? '');
			await messageField(tab).press('Enter');
		}),
	);
	for (const tab of tabs) for (const text of own) await expect(messageBubble(tab, text)).toBeAttached();
	expect((await messagesOf(person)).toSorted()).toEqual([...own, 'to all tabs'].toSorted());
	// The tab that reads the event stream for all tabs is closed.
	const taken = Promise.race(more.map(waitForEventStream));
	await first.close();
	await taken;
	await sendAsOwner(person, 'to those that are left');
	await Promise.all(more.map((tab) => expect(messageBubble(tab, 'to those that are left')).toBeAttached()));
});

test('a phone that was offline for five minutes loads the missing messages in order and sends the queued ones', async ({
	enter,
}) => {
	const person = await addPerson('sleeper@example.com');
	const way = await startUnresponsiveProxy();
	try {
		const viewport = { width: 390, height: 844 };
		const page = await enter({ signedInAs: person, viewport, proxy: { server: way.url } });
		await page.clock.install();
		await openOwnConversation(page);
		await sendAsOwner(person, 'before the night');
		await expect(messageBubble(page, 'before the night')).toBeVisible();
		way.stall();
		await messageField(page).fill('sent into the dark');
		await messageField(page).press('Enter');
		await expect(page.getByRole('img', { name: 'Sending' })).toBeVisible();
		const session = await page.context().newCDPSession(page);
		await session.send('Page.setWebLifecycleState', { state: 'frozen' });
		const night = ['night 1', 'night 2', 'night 3'];
		for (const text of night) await sendAsOwner(person, text);
		await session.send('Page.setWebLifecycleState', { state: 'active' });
		await page.clock.fastForward('05:00');
		await expectText(page, 'reconnecting…');
		await expect(messageBubble(page, 'night 1')).toHaveCount(0);
		way.resume();
		// The requests that it sent meanwhile got no answer either, and are given up.
		await page.clock.fastForward('00:20');
		await expect(messageBubble(page, 'night 3')).toBeVisible();
		await expect(page.getByText('reconnecting…')).toBeHidden();
		await expect.poll(() => messagesOf(person)).toContain('sent into the dark');
		const kept = await messagesOf(person);
		expect(kept).toEqual(['before the night', ...night, 'sent into the dark']);
		await expect(messageLog(page).getByText(/night|dark/u)).toHaveText(kept);
		await expect(page.getByRole('img', { name: 'Sent' })).toHaveCount(1);
	} finally {
		await way.close();
	}
});

test('messages that arrived while a member was offline are counted as unread on other screens', async ({ enter }) => {
	const person = await addPerson('offline@example.com');
	const page = await enter({ signedInAs: person });
	await openOwnConversation(page);
	await sendAsOwner(person, 'seen');
	await expect(messageBubble(page, 'seen')).toBeVisible();
	const link = (name: string) => page.getByRole('navigation').getByRole('link', { name }).first();
	await link('Home').click();
	// The address changes before the conversation closes, and a message that arrives in between counts as read.
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

test('a message sent after the session has ended waits until the same user signs in', async ({ enter }) => {
	const page = await enter({ signedInAs: dev });
	await openOwnConversation(page);
	await sendMessage(page, 'while I am here');
	await expect(page.getByRole('img', { name: 'Sending' })).toHaveCount(0);
	// Typed before the session ends, because the page goes to the login when it learns of the end and nothing is unsent.
	await messageField(page).fill('my session is over');
	await expireSessions(world.server, dev);
	await messageField(page).press('Enter');
	const again = page.getByRole('dialog', { name: 'Sign in again' });
	await expect(again).toContainText(`Sign in again as ${dev}`);
	await expect(page.getByText('Failed to send message or file.')).toBeAttached();
	await again.getByLabel('Password', { exact: true }).fill(memberPassword);
	await again.getByRole('button', { name: 'Login', exact: true }).click();
	await expect(again).toHaveCount(0);
	await expect.poll(() => messagesOf(dev)).toContain('my session is over');
	await expect(page.getByText('Failed to send message or file.')).toHaveCount(0);

	// Another user signs in with the same browser: the unsent message is not sent.
	const mend = await failSending(page);
	await sendMessage(page, 'for the owner alone');
	await expectText(page, 'Failed to send message or file.');
	const signIn = async (email: string) => {
		const answer = await page.request.post('/api/sign-in', { data: { email, password: memberPassword } });
		expect(answer.status()).toBe(200);
	};
	await signIn(asha);
	// The page tries again by itself.
	const refused = page.waitForResponse((response) => response.status() === 401);
	await mend();
	await refused;
	await expect(page).toHaveURL(/\/dashboard$/u);
	await page.getByRole('navigation').getByRole('link', { name: /^Chat/u }).first().click();
	await expect(messageField(page)).toBeVisible();
	await expect(page.getByText('for the owner alone')).toHaveCount(0);
	for (const email of [asha, dev]) expect(await messagesOf(email)).not.toContain('for the owner alone');
	await signIn(dev);
	await page.goto('/dashboard');
	await expect.poll(() => messagesOf(dev)).toContain('for the owner alone');
});

test('the next tab sends the unsent messages of a closed tab, and signing out discards unsent messages', async ({
	enter,
}) => {
	const person = await addPerson('closer@example.com');
	const first = await enter({ signedInAs: person });
	await openOwnConversation(first);
	await failSending(first);
	for (const text of ['left 1', 'left 2']) await sendMessage(first, text);
	await first.close({ runBeforeUnload: true });
	const next = await first.context().newPage();
	await next.goto('/dashboard');
	await expect.poll(() => messagesOf(person)).toEqual(['left 1', 'left 2']);

	const mend = await failSending(next);
	await openOwnConversation(next);
	await sendMessage(next, 'better not');
	await expectText(next, 'Failed to send message or file.');
	await next.request.post('/api/sign-out', { data: {} });
	await expect(next).toHaveURL(/\/login/u);
	await mend();
	const answer = await next.request.post('/api/sign-in', { data: { email: person, password: memberPassword } });
	expect(answer.status()).toBe(200);
	await openOwnConversation(next);
	await sendMessage(next, 'something else');
	await expect.poll(() => messagesOf(person)).toEqual(['left 1', 'left 2', 'something else']);
	await expect(messageBubble(next, 'better not')).toHaveCount(0);
});

test('a file that a proxy refuses stays, does not block later messages, and can be sent by Retry', async ({
	enter,
}) => {
	const page = await enter({ signedInAs: asha });
	await openOwnConversation(page);
	const isAttachment = /\/attachments\?/u;
	const refusal = { status: 413, contentType: 'text/html', body: '<h1>413</h1>' };
	await page.route(isAttachment, (route) => route.fulfill(refusal));
	const buffer = Buffer.from('a statement of the bank');
	await page.locator('input[type=file]').setInputFiles({ name: 'statement.txt', mimeType: 'text/plain', buffer });
	await expectText(page, 'Failed to send message or file.');
	await expect(page.getByText('statement.txt')).toBeVisible();
	await sendMessage(page, 'written after it');
	await expect.poll(() => messagesOf(asha)).toContain('written after it');
	await page.unroute(isAttachment);
	await page.getByRole('button', { name: 'Retry' }).click();
	await expect(page.getByRole('link', { name: 'Download statement.txt' })).toBeVisible();
	await expect(page.getByText('Failed to send message or file.')).toHaveCount(0);
});

test('Delete All Chat while both sides are sending leaves the same messages on both screens', async ({ enter }) => {
	const person = await addPerson('amid@example.com');
	const [member, owner] = await Promise.all([enter({ signedInAs: person }), enter({ signedInAs: 'owner' })]);
	await openInbox(owner, person);
	await openOwnConversation(member);
	for (let number = 1; number <= 15; number += 1) {
		const page = number % 3 === 0 ? owner : member;
		await messageField(page).fill(`amid ${number}`);
		await messageField(page).press('Enter');
		if (number !== 8) continue;
		// The first message has arrived before the deletion; the newest may still be on their way.
		await expect.poll(() => messagesOf(person)).toContain('amid 1');
		await world.owner.send('DELETE', `/api/chats/${ids[person]}/messages`, {});
	}
	const isSettled = async () => {
		const kept = await messagesOf(person);
		for (const page of [member, owner])
			expect(
				await messageLog(page)
					.getByText(/^amid \d+$/u)
					.allTextContents(),
			).toEqual(kept);
		// These were sent after the deletion was answered.
		for (let number = 9; number <= 15; number += 1) expect(kept).toContain(`amid ${number}`);
		expect(kept).not.toContain('amid 1');
	};
	await expect(isSettled).toPass({ timeout: 60_000 });
});
