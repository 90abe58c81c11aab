import type { Page } from '@playwright/test';
import type { ChatMessage } from '#contract/chat/chat.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { type Client, signInOwner } from '../../support/services/server-client.ts';
import { bytesOf, type Chat, type Writer } from './chat-browsers.ts';
import { becomesTrue } from './report.ts';

/** Time limits after the last message: to send all unsent messages, and then to show them. */
const sendingMs = 45_000;
const showingMs = 5000;

/**
 * Checks that every message is stored once and shown once on each screen of its conversation and on no other screen, in
 * the sender's order and in the same order everywhere, before and after a reload; and that every file has its bytes.
 * @returns the faults
 */
export async function checkChat(server: BuiltServer, chat: Chat): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const isAllThere = async () => {
		const members = new Set(chat.writers.map(({ member }) => member));
		const stored = (await Promise.all([...members].map((member) => readConversation(owner, member)))).flat();
		const storedTokens = new Set(stored.map(tokenOf));
		return chat.writers.every(({ sent }) => sent.every(({ token }) => storedTokens.has(token)));
	};
	await becomesTrue(isAllThere, sendingMs, 200);
	let faults: string[] = [];
	const hasNoFaults = async () => {
		faults = await checkScreens(owner, chat, 'before a reload');
		return faults.length === 0;
	};
	await becomesTrue(hasNoFaults, showingMs, 200);
	await Promise.all(chat.writers.map(({ page }) => page.reload()));
	return [...faults, ...(await checkScreens(owner, chat, 'after a reload')), ...chat.errors];
}

async function checkScreens(owner: Client, { writers }: Chat, when: string): Promise<string[]> {
	const faults: string[] = [];
	for (const [member, own] of Map.groupBy(writers, (writer) => writer.member)) {
		const stored = await readConversation(owner, member);
		const storedTokens = stored.map(tokenOf);
		faults.push(
			...checkTokens(`the server's list of ${member.email}`, storedTokens, own),
			...(await checkFiles(owner, stored)),
		);
		for (const { name, page } of own) {
			const tokens = await readScreen(page, { first: storedTokens[0] ?? '', last: storedTokens.at(-1) ?? '' });
			const screen = `the screen of ${name}, ${when}`;
			faults.push(...checkTokens(screen, tokens, own));
			if (tokens.join() !== storedTokens.join()) faults.push(`${screen} differs from the server's list`);
		}
	}
	return faults;
}

/** Checks that the tokens are exactly those of the written messages, each once and in the order of its writer. */
function checkTokens(where: string, tokens: string[], writers: Writer[]): string[] {
	const written = new Set(writers.flatMap(({ sent }) => sent.map(({ token }) => token)));
	const counts = new Map<string, number>();
	for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
	return [
		...[...written].filter((token) => !counts.has(token)).map((token) => `${where}: ${token} is missing`),
		...[...counts].filter(([, count]) => count > 1).map(([token, count]) => `${where}: ${token} ${count} times`),
		...[...counts.keys()]
			.filter((token) => !written.has(token))
			.map((token) => `${where}: ${token} belongs to another conversation`),
		...writers.flatMap(({ name, sent }) => {
			const own = sent.map(({ token }) => token).filter((token) => counts.has(token));
			const shown = [...counts.keys()].filter((token) => own.includes(token));
			return own.join() === shown.join() ? [] : [`${where}: the messages of ${name} are out of order`];
		}),
	];
}

async function checkFiles(owner: Client, stored: ChatMessage[]): Promise<string[]> {
	const files = stored.filter(({ isFile }) => isFile);
	const faults = await Promise.all(
		files.map(async (message) => {
			const answer = await owner.request(`${message.message}?download=1`);
			return (await answer.text()) === bytesOf(tokenOf(message)) ? [] : [`${message.fileName} has other bytes`];
		}),
	);
	return faults.flat();
}

const tokenOf = ({ isFile, fileName, message }: ChatMessage) =>
	isFile ? (fileName ?? '').replace(/\.txt$/u, '') : (message.split(' ')[0] ?? '');

async function readConversation(owner: Client, { userId }: Writer['member']): Promise<ChatMessage[]> {
	const all: ChatMessage[] = [];
	for (;;) {
		const path = `/api/chats/${userId}/messages?limit=500&after=${all.at(-1)?.sequence ?? 0}`;
		const { items, isMore } = await owner.get<{ items: ChatMessage[]; isMore: boolean }>(path);
		all.push(...items);
		if (!isMore) return all;
	}
}

/** Scrolls through a whole conversation from its first message to its last, for at most 20 s. */
async function readScreen(page: Page, ends: { first: string; last: string }): Promise<string[]> {
	// A browser does not render a tab in the background.
	await page.bringToFront();
	return page.evaluate(async ({ first, last }) => {
		const pause = () => new Promise((resolve) => setTimeout(resolve, 30));
		const giveUpAt = performance.now() + 20_000;
		const box = () => document.querySelector<HTMLElement>('[role=log]');
		const rows = () =>
			[...(box()?.querySelectorAll<HTMLElement>('[data-index]') ?? [])].map((row) => ({
				at: Number(row.dataset.index),
				tokens: [...row.textContent.matchAll(/\b(?:to-)?(?:asha|dev)-\d+\b/gu)].map(([token]) => token),
			}));
		const isAtFirst = () => rows().some(({ at, tokens }) => at === 0 && tokens.includes(first));
		const seen = new Map<number, string[]>();
		const isRead = () =>
			seen.has(0) &&
			[...seen.keys()].every((at) => at === 0 || seen.has(at - 1)) &&
			[...seen.values()].some((tokens) => tokens.includes(last));
		// A page that has just loaded scrolls to its end, so scrolling to the start may have to be repeated.
		while (!isRead() && performance.now() < giveUpAt) {
			while (!isAtFirst() && performance.now() < giveUpAt) {
				box()?.scrollTo({ top: 0 });
				await pause();
			}
			for (;;) {
				for (const { at, tokens } of rows()) seen.set(at, tokens);
				const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = box() ?? {};
				if (scrollTop + clientHeight >= scrollHeight - 2 || performance.now() > giveUpAt) break;
				box()?.scrollTo({ top: scrollTop + clientHeight / 2 });
				await pause();
			}
			// When the end is reached, rows of the beginning may still be rendered for a moment.
			await pause();
		}
		return [...seen].sort(([one], [other]) => one - other).flatMap(([, tokens]) => tokens);
	}, ends);
}
