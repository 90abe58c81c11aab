import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import type { UserSummary } from '#contract/accounts/administration.ts';
import type { Node } from '#contract/files/files.ts';
import { messageLog, openInbox, openOwnConversation } from '../../support/browser/chat-page.ts';
import { hostJourneys, test } from '../../support/browser/journey.ts';
import { drawnPage } from '../../support/browser/reader-page.ts';
import { addFile, addFolder, addUser, listNodes, share } from '../../support/browser/seeding.ts';
import {
	containerRecordings,
	makeId3Tag,
	pdfPrefixes,
	prefixPdf,
	readRecording,
} from '../../support/documents/recordings.ts';
import { writePdf } from '../../support/documents/sample-files.ts';

const world = hostJourneys();

type Sample = readonly [name: string, bytes: Buffer];

const recordings: Sample[] = containerRecordings.map((name) => [name, readRecording(name)]);

const behind = (name: string, ...prefixes: Buffer[]) => Buffer.concat([...prefixes, readRecording(name)]);
const otherRecordings: Sample[] = [
	['film.m4a', readRecording('video.mp4')],
	['plain.mp3', readRecording('plain.mp3')],
	['behind one zero.mp3', behind('plain.mp3', Buffer.alloc(1))],
	['behind zeros.mp3', behind('plain.mp3', Buffer.alloc(1152))],
	['behind 64 KB of zeros.mp3', behind('plain.mp3', Buffer.alloc(65_536))],
	['zeros and a tag.mp3', behind('tagged.mp3', Buffer.alloc(417))],
	['a tag and zeros.mp3', behind('plain.mp3', makeId3Tag(20_000), Buffer.alloc(417))],
	['adts.aac', readRecording('adts.aac')],
	['behind a tag.aac', behind('adts.aac', makeId3Tag(20_000))],
	['plain.flac', readRecording('plain.flac')],
	['behind a tag.flac', behind('plain.flac', makeId3Tag(20_000))],
	['pcm.wav', readRecording('pcm.wav')],
	['vorbis.ogg', readRecording('vorbis.ogg')],
	['opus.ogg', readRecording('opus.ogg')],
];

const pdfs: Sample[] = Object.entries(pdfPrefixes).flatMap(([what, prefix]) => [
	[`${what}, from the header.pdf`, prefixPdf(prefix)] as const,
	[`${what}, from the first byte.pdf`, prefixPdf(prefix, { countsFromStart: true })] as const,
]);

/** Adds files to the space of a new member. @returns the member's email address and the nodes by name */
async function layOut(files: readonly Sample[]): Promise<{ email: string; nodes: Map<string, Node> }> {
	const email = `files-${Math.random().toString(36).slice(2)}@example.com`;
	await addUser(world.owner, email);
	for (const [name, bytes] of files) await addFile(world.owner, email, name, bytes);
	const items = await listNodes(world.owner, email);
	return { email, nodes: new Map(items.map((node) => [node.name, node])) };
}

/** Plays it from its beginning and from its middle, and expects its time to advance from both. */
async function playAndSeek(player: Locator): Promise<void> {
	const { begun, duration, sought } = await player.evaluate(async (media: HTMLMediaElement) => {
		const heard = (event: string, act: () => void, isThere = () => true) =>
			new Promise<void>((resolve, reject) => {
				media.addEventListener('error', () => reject(new Error(media.error?.message)), { once: true });
				media.addEventListener(event, () => isThere() && resolve());
				act();
			});
		await heard(
			'timeupdate',
			() => void media.play(),
			() => media.currentTime > 0.05,
		);
		media.pause();
		const begun = media.currentTime;
		// For an MP3 without a seek table Chromium estimates the duration from the size, zeros included.
		const middle = Math.min(1, media.duration / 2);
		await heard('seeked', () => {
			media.currentTime = middle;
		});
		await heard(
			'timeupdate',
			() => void media.play(),
			() => media.currentTime > middle,
		);
		media.pause();
		return { begun, duration: media.duration, sought: media.currentTime - middle };
	});
	expect(duration).toBeGreaterThan(0.9);
	expect(begun).toBeGreaterThan(0);
	expect(sought).toBeGreaterThan(0);
}

/** Downloads a file by its link and expects these bytes. */
async function download(page: Page, link: Locator, bytes: Buffer): Promise<void> {
	const [saved] = await Promise.all([page.waitForEvent('download'), link.click()]);
	expect((await readFile(await saved.path())).equals(bytes)).toBe(true);
}

/** Opens each file from the list, expects it to be shown or played, and downloads it. */
async function goThrough(page: Page, files: readonly Sample[]): Promise<void> {
	const { email, nodes } = await layOut(files);
	await page.goto(`/user/${email}`);
	const overlay = page.getByRole('dialog');
	for (const [name, bytes] of files) {
		const node = nodes.get(name);
		await test.step(name, async () => {
			await page.getByRole('button', { name, exact: true }).click();
			await expect(overlay.getByRole('heading', { name, exact: true })).toBeVisible();
			if (name.endsWith('.pdf')) await expect(overlay.locator('canvas').first()).toBeVisible();
			else {
				expect(node?.preview).toBe(name.endsWith('.mp4') ? 'video' : 'audio');
				await playAndSeek(overlay.locator(node?.preview === 'video' ? 'video' : 'audio'));
			}
			await download(page, overlay.getByRole('link', { name: `Download ${name}`, exact: true }), bytes);
			await page.keyboard.press('Escape');
			await expect(overlay).toHaveCount(0);
		});
	}
}

const isShort = ([name]: Sample) =>
	/^(?:mp42\.m4a|dash\.m4a|behind zeros\.mp3|a byte-order mark, from the first)/u.test(name);

test('the preview plays recordings of phones and shows a PDF behind a byte-order mark', async ({ enter }) => {
	await goThrough(await enter({ signedInAs: 'owner' }), [...recordings, ...otherRecordings, ...pdfs].filter(isShort));
});

test('the preview plays, seeks and downloads recordings of every container brand', { tag: '@variant' }, async ({
	enter,
}) => {
	expect(recordings).toHaveLength(12);
	await goThrough(await enter({ signedInAs: 'owner' }), recordings);
});

test('the preview plays, seeks and downloads recordings of every type, also behind zeros and tags', {
	tag: '@variant',
}, async ({ enter }) => {
	await goThrough(await enter({ signedInAs: 'owner' }), otherRecordings);
});

test('the preview shows PDFs with other bytes before their header', { tag: '@variant' }, async ({ enter }) => {
	await goThrough(await enter({ signedInAs: 'owner' }), pdfs);
});

test('the reader opens a PDF with a line break before its header', async ({ enter }) => {
	const { email, nodes } = await layOut([['paper.pdf', prefixPdf(Buffer.from('\r\n'))]]);
	const page = await enter({ signedInAs: email, at: `/read/file/${nodes.get('paper.pdf')?.id}` });
	await expect(drawnPage(page, 1)).toBeVisible();
});

test('a recording plays as a lesson, and as a voice message for member and owner', async ({ enter }) => {
	const learner: UserSummary = await addUser(world.owner, 'learner@example.com');
	const lender = 'lender@example.com';
	await addUser(world.owner, lender);
	const course = await addFolder(world.owner, lender, 'A course');
	const [name, bytes] = ['1 Voice.m4a', readRecording('mp42.m4a')];
	await addFile(world.owner, lender, name, bytes, course.realPath ?? '');
	await share(world.owner, course.id, learner.email);
	const page = await enter({ signedInAs: learner.email });
	const items = await listNodes(world.owner, lender, course.realPath ?? '');
	await page.goto(`/dashboard/preview/book?module=${course.id}&lesson=${items[0]?.id}`);
	await playAndSeek(page.getByRole('dialog').locator('audio'));

	await openOwnConversation(page);
	const voice = { name: 'voice.m4a', mimeType: 'audio/mp4', buffer: readRecording('isom.m4a') };
	await page.locator('input[type=file]').first().setInputFiles(voice);
	const owner = await enter({ signedInAs: 'owner' });
	await expect(messageLog(page).getByRole('button', { name: 'Open voice.m4a' })).toBeVisible();
	await openInbox(owner, learner.email);
	for (const each of [page, owner]) {
		await messageLog(each).getByRole('button', { name: 'Open voice.m4a' }).click();
		await playAndSeek(each.getByRole('dialog').locator('audio'));
		const link = each.getByRole('dialog').getByRole('link', { name: 'Download voice.m4a', exact: true });
		await download(each, link, voice.buffer);
	}
});

test('files that imitate recordings and PDFs never run scripts', async ({ enter }) => {
	const run = '<!doctype html><script>alert(1); document.title = "ran"</script>';
	const files: Sample[] = [
		['page.m4a', Buffer.from(run)],
		['drawing.m4a', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
		['zeros.mp3', Buffer.concat([Buffer.alloc(40), Buffer.from(run)])],
		['paper.pdf', Buffer.from(`${run}%PDF-1.7`)],
		['script.pdf', prefixPdf(Buffer.from('\n'), {}, writePdf(['a page'], 'app.alert(1)'))],
		['paper.html', Buffer.from(`${run}%PDF-1.7`)],
		// The browser shows these in place, as the recordings that their first bytes claim them to be.
		['both.m4a', Buffer.from(`<!--ftypmp42-->${run}`)],
		['tagged.mp3', Buffer.from(`ID3<html>${run}`)],
	];
	const { email, nodes } = await layOut(files);
	const page = await enter({ signedInAs: 'owner' });
	for (const [name, bytes] of files) {
		await test.step(name, async () => {
			const url = String(nodes.get(name)?.url);
			const isShown = name === 'both.m4a' || name === 'tagged.mp3';
			if (isShown) {
				await page.goto(url);
				expect(await page.evaluate(() => document.contentType)).toMatch(/^audio\//u);
				expect(await page.locator('script').count()).toBe(0);
				expect(await page.title()).not.toBe('ran');
			} else {
				const [saved] = await Promise.all([page.waitForEvent('download'), page.goto(url).catch(() => {})]);
				expect((await readFile(await saved.path())).equals(bytes)).toBe(true);
			}
		});
	}
	for (const name of ['both.m4a', 'tagged.mp3', 'paper.pdf']) {
		await page.goto(`/user/${email}?preview=${nodes.get(name)?.id}`);
		const words = name === 'paper.pdf' ? /\S/u : 'This file cannot be shown in this browser.';
		await expect(page.getByRole('dialog').getByText(words).first()).toBeVisible();
	}
});
