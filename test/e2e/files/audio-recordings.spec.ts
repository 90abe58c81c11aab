import { expect, type Locator, type Page } from '@playwright/test';
import type { UserSummary } from '#contract/accounts/administration.ts';
import type { Node } from '#contract/files/files.ts';
import { messageLog, openInbox, openOwnConversation } from '../../support/browser/chat-page.ts';
import { download, hostJourneys, test } from '../../support/browser/journey.ts';
import { drawnPage } from '../../support/browser/reader-page.ts';
import { addFile, addFolder, addUser, listNodes, share } from '../../support/browser/seeding.ts';
import {
	containerRecordings,
	makeId3Tag,
	pdfPrefixes,
	prefixPdf,
	readRecording,
} from '../../support/documents/recordings.ts';

const product = hostJourneys();

type Sample = readonly [name: string, bytes: Buffer];

const recordings: Sample[] = containerRecordings.map((name) => [name, readRecording(name)]);

const withPrefixes = (name: string, ...prefixes: Buffer[]) => Buffer.concat([...prefixes, readRecording(name)]);
const otherRecordings: Sample[] = [
	['film.m4a', readRecording('video.mp4')],
	['plain.mp3', readRecording('plain.mp3')],
	['after one zero.mp3', withPrefixes('plain.mp3', Buffer.alloc(1))],
	['after zeros.mp3', withPrefixes('plain.mp3', Buffer.alloc(1152))],
	['after 64 KB of zeros.mp3', withPrefixes('plain.mp3', Buffer.alloc(65_536))],
	['zeros and a tag.mp3', withPrefixes('tagged.mp3', Buffer.alloc(417))],
	['a tag and zeros.mp3', withPrefixes('plain.mp3', makeId3Tag(20_000), Buffer.alloc(417))],
	['adts.aac', readRecording('adts.aac')],
	['after a tag.aac', withPrefixes('adts.aac', makeId3Tag(20_000))],
	['plain.flac', readRecording('plain.flac')],
	['after a tag.flac', withPrefixes('plain.flac', makeId3Tag(20_000))],
	['pcm.wav', readRecording('pcm.wav')],
	['vorbis.ogg', readRecording('vorbis.ogg')],
	['opus.ogg', readRecording('opus.ogg')],
];

const pdfs: Sample[] = Object.entries(pdfPrefixes).flatMap(([what, prefix]) => [
	[`${what}, from the header.pdf`, prefixPdf(prefix)] as const,
	[`${what}, from the first byte.pdf`, prefixPdf(prefix, { countsFromStart: true })] as const,
]);

/** Adds files to the space of a new member. @returns the member's email address and the nodes by name */
async function addMemberWithFiles(files: readonly Sample[]): Promise<{ email: string; nodes: Map<string, Node> }> {
	const email = `files-${Math.random().toString(36).slice(2)}@example.com`;
	await addUser(product.owner, email);
	for (const [name, bytes] of files) await addFile(product.owner, email, name, bytes);
	const items = await listNodes(product.owner, email);
	return { email, nodes: new Map(items.map((node) => [node.name, node])) };
}

/** Plays a recording from its beginning and from its middle, and expects its time to advance from both. */
async function playAndSeek(player: Locator): Promise<void> {
	const { playedFromStart, duration, playedFromMiddle } = await player.evaluate(async (media: HTMLMediaElement) => {
		const waitForEvent = (event: string, act: () => void, isReached = () => true) =>
			new Promise<void>((resolve, reject) => {
				media.addEventListener('error', () => reject(new Error(media.error?.message)), { once: true });
				media.addEventListener(event, () => isReached() && resolve());
				act();
			});
		await waitForEvent(
			'timeupdate',
			() => void media.play(),
			() => media.currentTime > 0.05,
		);
		media.pause();
		const playedFromStart = media.currentTime;
		// At most 1 s: for an MP3 without a seek table, Chromium estimates the duration from the size with the zeros.
		const middle = Math.min(1, media.duration / 2);
		await waitForEvent('seeked', () => {
			media.currentTime = middle;
		});
		await waitForEvent(
			'timeupdate',
			() => void media.play(),
			() => media.currentTime > middle,
		);
		media.pause();
		return { playedFromStart, duration: media.duration, playedFromMiddle: media.currentTime - middle };
	});
	expect(duration).toBeGreaterThan(0.9);
	expect(playedFromStart).toBeGreaterThan(0);
	expect(playedFromMiddle).toBeGreaterThan(0);
}

/** Opens each file from the list, expects it to be shown or played, and downloads it. */
async function openEach(page: Page, files: readonly Sample[]): Promise<void> {
	const { email, nodes } = await addMemberWithFiles(files);
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
			const saved = await download(page, overlay.getByRole('link', { name: `Download ${name}`, exact: true }));
			expect(saved.bytes.equals(bytes)).toBe(true);
			await page.keyboard.press('Escape');
			await expect(overlay).toHaveCount(0);
		});
	}
}

const isShort = ([name]: Sample) =>
	/^(?:mp42\.m4a|dash\.m4a|after zeros\.mp3|a byte-order mark, from the first)/u.test(name);

test('the preview plays recordings of phones and shows a PDF that begins with a byte-order mark', async ({ enter }) => {
	await openEach(await enter({ signedInAs: 'owner' }), [...recordings, ...otherRecordings, ...pdfs].filter(isShort));
});

for (const [what, files] of Object.entries({
	'recordings of every container brand': recordings,
	'recordings of every type, also after zeros and tags': otherRecordings,
	'PDFs with other bytes before their header': pdfs,
}))
	test(`the preview shows and downloads ${what}`, { tag: '@variant' }, async ({ enter }) => {
		await openEach(await enter({ signedInAs: 'owner' }), files);
	});

test('the reader opens a PDF with a line break before its header', async ({ enter }) => {
	const { email, nodes } = await addMemberWithFiles([['paper.pdf', prefixPdf(Buffer.from('\r\n'))]]);
	const page = await enter({ signedInAs: email, at: `/read/file/${nodes.get('paper.pdf')?.id}` });
	await expect(drawnPage(page, 1)).toBeVisible();
});

test('a recording plays as a lesson, and as a voice message for member and owner', async ({ enter }) => {
	const learner: UserSummary = await addUser(product.owner, 'learner@example.com');
	const lender = 'lender@example.com';
	await addUser(product.owner, lender);
	const course = await addFolder(product.owner, lender, 'A course');
	const [name, bytes] = ['1 Voice.m4a', readRecording('mp42.m4a')];
	await addFile(product.owner, lender, name, bytes, course.realPath ?? '');
	await share(product.owner, course.id, learner.email);
	const page = await enter({ signedInAs: learner.email });
	const items = await listNodes(product.owner, lender, course.realPath ?? '');
	await page.goto(`/dashboard/preview/book?module=${course.id}&lesson=${items[0]?.id}`);
	await playAndSeek(page.getByRole('dialog').locator('audio'));

	await openOwnConversation(page);
	const voice = { name: 'voice.m4a', mimeType: 'audio/mp4', buffer: readRecording('isom.m4a') };
	await page.locator('input[type=file]').first().setInputFiles(voice);
	const owner = await enter({ signedInAs: 'owner' });
	await expect(messageLog(page).getByRole('button', { name: 'Open voice.m4a' })).toBeVisible();
	await openInbox(owner, learner.email);
	for (const viewer of [page, owner]) {
		await messageLog(viewer).getByRole('button', { name: 'Open voice.m4a' }).click();
		await playAndSeek(viewer.getByRole('dialog').locator('audio'));
		const link = viewer.getByRole('dialog').getByRole('link', { name: 'Download voice.m4a', exact: true });
		expect((await download(viewer, link)).bytes.equals(voice.buffer)).toBe(true);
	}
});

test('files that imitate recordings and PDFs never run scripts', async ({ enter }) => {
	const run = '<!doctype html><script>alert(1); document.title = "ran"</script>';
	// The browser treats these as recordings, because their first bytes are those of recordings.
	const files: Sample[] = [
		['both.m4a', Buffer.from(`<!--ftypmp42-->${run}`)],
		['tagged.mp3', Buffer.from(`ID3<html>${run}`)],
	];
	const { email, nodes } = await addMemberWithFiles(files);
	const page = await enter({ signedInAs: 'owner' });
	for (const [name] of files) {
		await page.goto(String(nodes.get(name)?.url));
		expect(await page.evaluate(() => document.contentType)).toMatch(/^audio\//u);
		expect(await page.locator('script').count()).toBe(0);
		expect(await page.title()).not.toBe('ran');
		await page.goto(`/user/${email}?preview=${nodes.get(name)?.id}`);
		await expect(page.getByRole('dialog').getByText('This file cannot be shown in this browser.')).toBeVisible();
	}
});
