import { expect, type Locator, type Page } from '@playwright/test';
import { messageLog, openInbox, openOwnConversation } from '../../support/browser/chat-page.ts';
import { download, hostJourneys, test } from '../../support/browser/journey.ts';
import { addFile, addUser, findNode, listNodes, share } from '../../support/browser/seeding.ts';
import {
	audioRecordings,
	containerRecordings,
	makeId3Tag,
	pdfPrefixes,
	prefixPdf,
	readRecording,
} from '../../support/documents/recordings.ts';

const product = hostJourneys();

type Sample = readonly [name: string, bytes: Buffer];

const samplesOf = (names: readonly string[]) => names.map((name): Sample => [name, readRecording(name)]);
const withPrefixes = (name: string, ...prefixes: Buffer[]) => Buffer.concat([...prefixes, readRecording(name)]);
const recordings = samplesOf(containerRecordings);
const otherRecordings: Sample[] = [
	...samplesOf(audioRecordings.map(([name]) => name)),
	['film.m4a', readRecording('video.mp4')],
	['after one zero.mp3', withPrefixes('plain.mp3', Buffer.alloc(1))],
	['after zeros.mp3', withPrefixes('plain.mp3', Buffer.alloc(1152))],
	['after 64 KB of zeros.mp3', withPrefixes('plain.mp3', Buffer.alloc(65_536))],
	['zeros and a tag.mp3', withPrefixes('tagged.mp3', Buffer.alloc(417))],
	['a tag and zeros.mp3', withPrefixes('plain.mp3', makeId3Tag(20_000), Buffer.alloc(417))],
	['after a tag.aac', withPrefixes('adts.aac', makeId3Tag(20_000))],
	['after a tag.flac', withPrefixes('plain.flac', makeId3Tag(20_000))],
];

const pdfs: Sample[] = Object.entries(pdfPrefixes).flatMap(([what, prefix]) => [
	[`${what}, from the header.pdf`, prefixPdf(prefix)] as const,
	[`${what}, from the first byte.pdf`, prefixPdf(prefix, { countsFromStart: true })] as const,
]);

/** Plays a recording from its beginning and from its middle, and expects progress both times. */
async function playAndSeek(player: Locator): Promise<void> {
	const duration = await player.evaluate(async (media: HTMLMediaElement) => {
		const playFrom = async (start: number) => {
			media.currentTime = start;
			await new Promise<void>((resolve, reject) => {
				media.addEventListener('error', () => reject(new Error(media.error?.message)), { once: true });
				media.addEventListener('timeupdate', () => media.currentTime > start + 0.05 && resolve());
				void media.play();
			});
			media.pause();
		};
		await playFrom(0);
		// At most 1 s, because Chromium estimates too long a duration for an MP3 with zeros and without a seek table.
		await playFrom(Math.min(1, media.duration / 2));
		return media.duration;
	});
	expect(duration).toBeGreaterThan(0.9);
}

/** Adds files to the space of a new member. Then opens and downloads each file from the list. */
async function openEach(page: Page, files: readonly Sample[]): Promise<void> {
	const { email } = await addUser(product.owner, `files-${Math.random().toString(36).slice(2)}@example.com`);
	for (const [name, bytes] of files) await addFile(product.owner, email, name, bytes);
	const nodes = await listNodes(product.owner, email);
	await page.goto(`/user/${email}`);
	const overlay = page.getByRole('dialog');
	for (const [name, bytes] of files) {
		const node = nodes.find((listed) => listed.name === name);
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

test('the preview plays recordings of phones and shows a PDF with a byte order mark', async ({ enter }) => {
	await openEach(await enter({ signedInAs: 'owner' }), [...recordings, ...otherRecordings, ...pdfs].filter(isShort));
});

for (const [what, files] of Object.entries({
	'recordings of every container brand': recordings,
	'recordings of every type, also with zeros or a tag before the audio': otherRecordings,
	'PDFs with other bytes before their header': pdfs,
}))
	test(`the preview shows and downloads ${what}`, { tag: '@variant' }, async ({ enter }) => {
		await openEach(await enter({ signedInAs: 'owner' }), files);
	});

test('a recording can be played as a lesson and as a voice message by the member and the owner', async ({ enter }) => {
	const { email } = await addUser(product.owner, 'learner@example.com');
	const { email: lender } = await addUser(product.owner, 'lender@example.com');
	await addFile(product.owner, lender, '1 Voice.m4a', readRecording('mp42.m4a'));
	const { id } = await findNode(product.owner, lender, '1 Voice.m4a');
	await share(product.owner, id, email);
	const page = await enter({ signedInAs: email, at: `/dashboard/preview/book?module=${id}&lesson=${id}` });
	await playAndSeek(page.getByRole('dialog').locator('audio'));

	await openOwnConversation(page);
	const voice = { name: 'voice.m4a', mimeType: 'audio/mp4', buffer: readRecording('isom.m4a') };
	await page.locator('input[type=file]').first().setInputFiles(voice);
	const owner = await enter({ signedInAs: 'owner' });
	await expect(messageLog(page).getByRole('button', { name: 'Open voice.m4a' })).toBeVisible();
	await openInbox(owner, email);
	for (const viewer of [page, owner]) {
		await messageLog(viewer).getByRole('button', { name: 'Open voice.m4a' }).click();
		await playAndSeek(viewer.getByRole('dialog').locator('audio'));
		const link = viewer.getByRole('dialog').getByRole('link', { name: 'Download voice.m4a', exact: true });
		expect((await download(viewer, link)).bytes.equals(voice.buffer)).toBe(true);
	}
});
