/**
 * Records the landing page's two videos: `node scripts/media/landing-videos.mjs` draws them in Chromium and writes
 * `src/web/public/films/benefits.mp4` and `how-to-get.mp4`. Committed, so that a build needs no browser. They are
 * silent and carry no words but the covers': the captions beside them (`*.en.vtt`, `*.hi.vtt`) are written by hand.
 * With `--frames FOLDER` it lays pictures of every second there instead, to be looked at.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../setup/processes.mjs';
import { size } from './landing-videos/drawing.mjs';
import { photographFrames, recordVideo } from './record-video.mjs';

const maxBytes = 2_000_000;
const videos = ['benefits', 'how-to-get'];
const packages = '/node_modules/@fontsource-variable';
const fonts = {
	Fraunces: `${packages}/fraunces/files/fraunces-latin-opsz-normal.woff2`,
	Rupee: '/src/web/styles/fonts/fraunces-rupee.woff2',
	'Cover Hindi': '/src/web/styles/fonts/noto-serif-devanagari-cover.woff2',
};
const asked = process.argv.slice(2);
const at = asked.indexOf('--frames');
const folder = at < 0 ? null : asked[at + 1];

for (const name of videos) {
	const module = `/scripts/media/landing-videos/${name}.mjs`;
	const film = { module, ...size, framesPerSecond: 25, bitsPerSecond: 380_000, fonts };
	const { seconds } = await import(`./landing-videos/${name}.mjs`);
	if (folder !== null) {
		await mkdir(folder, { recursive: true });
		const moments = Array.from({ length: seconds }, (_, second) => second + 0.5);
		const frames = await photographFrames(film, moments);
		for (const [second, frame] of frames.entries())
			await writeFile(join(folder, `${name}-${String(second).padStart(2, '0')}.png`), frame);
		continue;
	}
	const bytes = await recordVideo(film);
	if (bytes.length >= maxBytes) throw new Error(`${name}.mp4 has ${bytes.length} bytes, ${maxBytes} are too many.`);
	await writeFile(join(root, 'src', 'web', 'public', 'films', `${name}.mp4`), bytes);
	console.log(`${name}.mp4: ${seconds} s, ${bytes.length} bytes`);
}
