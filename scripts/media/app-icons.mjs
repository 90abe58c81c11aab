/**
 * Draws the installed app's icons: `node scripts/media/app-icons.mjs` lays the book of `src/web/public/favicon.svg` on paper, in
 * the sizes that devices ask for, into `src/web/public`. Committed, as the other pictures are.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const folder = join(import.meta.dirname, '..', '..', 'src', 'web', 'public');
const mark = await readFile(join(folder, 'favicon.svg'));
/** `--paper` of the light theme. */
const paper = '#fbf8f1';

/** How much of the side the mark takes: a device may cut a maskable icon to the circle of 80 %. */
const icons = [
	{ name: 'icon-192.png', side: 192, share: 0.78 },
	{ name: 'icon-512.png', side: 512, share: 0.78 },
	{ name: 'icon-maskable-512.png', side: 512, share: 0.54 },
	{ name: 'apple-touch-icon.png', side: 180, share: 0.7 },
];

for (const { name, side, share } of icons) {
	const size = Math.round(side * share);
	const drawn = await sharp(mark, { density: (72 * size) / 32 })
		.resize(size, size)
		.toBuffer();
	const icon = await sharp({ create: { width: side, height: side, channels: 3, background: paper } })
		.composite([{ input: drawn }])
		.png({ palette: true, compressionLevel: 9 })
		.toBuffer();
	await writeFile(join(folder, name), icon);
	console.log(`${name}: ${icon.length} bytes`);
}
