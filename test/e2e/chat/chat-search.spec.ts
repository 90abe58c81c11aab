import { expect, type Page } from '@playwright/test';
import {
	conversationList,
	conversationOf,
	messageBubble,
	messageLog,
	openConnected,
	openInbox,
	openOwnConversation,
	sendMessage,
} from '../../support/browser/chat-page.ts';
import { hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser } from '../../support/browser/seeding.ts';

const product = hostJourneys();
const meera = 'meera@example.com';
const noor = 'noor@example.com';
let meeraPath: string;

test.beforeAll(async () => {
	meeraPath = `/api/chats/${(await addUser(product.owner, meera)).id}/messages`;
	const textsByLine = new Map([
		[40, 'The first ledger of May'],
		[200, 'The second ledger'],
		[320, 'मेरी किताब कहाँ है?'],
		[390, 'The third ledger'],
	]);
	for (let line = 1; line <= 400; line += 1)
		await sendAsMember(`seed-of-meera-${line}`, textsByLine.get(line) ?? `line ${line}`);
	const noorPath = `/api/chats/${(await addUser(product.owner, noor)).id}/messages`;
	await product.owner.send('POST', noorPath, { clientId: 'seed-of-noor-1', message: 'nothing to be found' });
});

const sendAsMember = (clientId: string, message: string) =>
	product.owner.send('POST', meeraPath, { clientId, message });
const hits = (page: Page) => page.getByRole('group', { name: /^Matches for /u });

test('a search match in the inbox opens its message, and buttons open the other matches', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await openConnected(page, '/admin/contact');
	await page.getByRole('searchbox', { name: 'Search people and messages' }).fill('ledger');
	const match = conversationList(page).getByRole('link', { name: /The third ledger/u });
	await expect(match.locator('mark')).toHaveText('ledger');
	await expect(conversationOf(page, noor)).toHaveCount(0);
	// The test starts to wait for the highlight before the click, because the highlight is visible only for a moment.
	const isMarked = messageLog(page).locator('[data-marked]', { hasText: 'The third ledger' }).waitFor();
	await match.click();
	await isMarked;
	await expect(page).toHaveURL(/message=390/u);
	await expect(messageBubble(page, 'The third ledger')).toBeInViewport();
	await expect(hits(page)).toContainText('1 of 3');

	await hits(page).getByRole('button', { name: 'Earlier match' }).click();
	await expect(messageBubble(page, 'The second ledger')).toBeInViewport();
	await hits(page).getByRole('button', { name: 'Earlier match' }).click();
	await expect(messageBubble(page, 'The first ledger of May')).toBeInViewport();
	await expect(hits(page)).toContainText('3 of 3');
	await hits(page).getByRole('button', { name: 'Earlier match' }).click();
	await expect(messageBubble(page, 'The third ledger')).toBeInViewport();
	await hits(page).getByRole('button', { name: 'Later match' }).click();
	await expect(messageBubble(page, 'The first ledger of May')).toBeInViewport();
	await expect(messageLog(page).locator('[data-marked]')).toHaveCount(0);
});

test('the owner searches for a user without a conversation and sends the first message', async ({ enter }) => {
	const silent = 'silent.reader@example.com';
	await addUser(product.owner, silent);
	const page = await enter({ signedInAs: 'owner' });
	await openConnected(page, '/admin/contact');
	await page.getByRole('searchbox', { name: 'Search people and messages' }).fill('silent.reader');
	const people = conversationList(page).getByRole('region', { name: 'No conversation yet' });
	await people.getByRole('link', { name: silent }).click();
	await sendMessage(page, 'Welcome');
	await expect(conversationList(page).getByText('You: Welcome')).toBeVisible();
	await expect(people).toHaveCount(0);

	await page.goto('/admin?search=silent.reader');
	await page.getByRole('button', { name: `More for ${silent}` }).click();
	await page.getByRole('menuitem', { name: 'Open chat' }).click();
	await expect(messageBubble(page, 'Welcome')).toBeVisible();
});

test('scrolling down from an old message loads all newer messages of the conversation', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await openInbox(page, meera, { message: '320', q: 'किताब' });
	await expect(messageBubble(page, 'मेरी किताब कहाँ है?')).toBeInViewport();
	await expect(hits(page)).toContainText('1 of 1');
	await sendAsMember('said-while-above', 'said meanwhile');
	await expect(conversationList(page).getByText('You: said meanwhile')).toHaveCount(0);
	await expect(messageBubble(page, 'said meanwhile')).toHaveCount(0);

	// No message may be skipped while scrolling.
	const seen = new Set<number>();
	await messageLog(page).focus();
	await expect(async () => {
		const lines = messageLog(page).getByText(/^line \d+$/u);
		for (const text of await lines.allTextContents()) seen.add(Number(text.slice(5)));
		await page.keyboard.press('PageDown');
		await expect(messageBubble(page, 'said meanwhile')).toBeInViewport({ timeout: 300 });
	}).toPass({ timeout: 60_000 });
	for (let line = 321; line < 390; line += 1) expect(seen.has(line), `line ${line}`).toBe(true);
	await expect(page.getByRole('button', { name: /^Jump to newest/u })).toHaveCount(0);

	await hits(page).getByRole('button', { name: 'Earlier match' }).click();
	await expect(messageBubble(page, 'मेरी किताब कहाँ है?')).toBeInViewport();
	await page.getByRole('button', { name: /^Jump to newest/u }).click();
	await expect(messageBubble(page, 'said meanwhile')).toBeInViewport();
	await expect(page.getByRole('button', { name: /^Jump to newest/u })).toHaveCount(0);

	// Sending a message scrolls from old messages to the newest.
	await hits(page).getByRole('button', { name: 'Earlier match' }).click();
	await expect(messageBubble(page, 'मेरी किताब कहाँ है?')).toBeInViewport();
	await sendMessage(page, 'an answer to all of it');
	await expect(messageBubble(page, 'an answer to all of it')).toBeInViewport();
	await expect(page.getByRole('img', { name: 'Sent' }).last()).toBeVisible();
	await expect(messageBubble(page, 'मेरी किताब कहाँ है?')).toHaveCount(0);
});

test('the inbox filters unread conversations and buyers, and the URL contains the filter', async ({ enter }) => {
	const page = await enter({ signedInAs: 'owner' });
	await openConnected(page, '/admin/contact');
	const chips = page.getByRole('group', { name: 'Which conversations' });
	await chips.getByRole('button', { name: 'Unread' }).click();
	await expect(page).toHaveURL(/show=unread/u);
	await expect(conversationList(page).getByText('Nothing is unread.')).toBeVisible();

	const member = await enter({ signedInAs: noor });
	await openOwnConversation(member);
	await sendMessage(member, 'Is anybody there?');
	await expect(conversationOf(page, noor)).toBeVisible();
	await expect(chips.getByRole('button', { name: 'Unread 1' })).toHaveAttribute('aria-pressed', 'true');
	await expect(conversationList(page).getByRole('link')).toHaveCount(1);

	await chips.getByRole('button', { name: 'Buyers' }).click();
	await expect(conversationList(page).getByText('No conversation with a buyer yet.')).toBeVisible();
	await page.reload();
	await expect(chips.getByRole('button', { name: 'Buyers' })).toHaveAttribute('aria-pressed', 'true');
	await page.goBack();
	await expect(conversationOf(page, noor)).toBeVisible();
});
