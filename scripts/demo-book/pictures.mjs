/**
 * The sample book's pictures, drawn in code. `node scripts/demo-book/pictures.mjs FOLDER` writes them there as PNG,
 * to be looked at; print.mjs prints the same bytes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { picturesPart1 } from './pictures-part-1.mjs';
import { picturesPart2 } from './pictures-part-2.mjs';

const scenes = { ...picturesPart1, ...picturesPart2 };

/** Printed 116 mm wide, so about 300 dots to the inch. */
const WIDTH_PX = 1392;
const MOST_BYTES = 60_000;

export const pictureNames = Object.keys(scenes);

/**
 * Draws a picture as PNG with a palette: flat shapes stay sharp at their edges and the file small.
 *
 * @param {string} name a chapter's slug, or `plate-…`
 * @returns {Promise<{ bytes: Buffer, width: number, height: number }>} Throws for an unknown name, and past 60,000 bytes.
 */
export async function drawPicture(name) {
	if (!(name in scenes)) throw new Error(`There is no picture "${name}".`);
	const { data, info } = await sharp(Buffer.from(scenes[name]()), { density: 144 })
		.resize({ width: WIDTH_PX })
		.flatten()
		.png({ palette: true, colours: 96, dither: 0, effort: 10 })
		.toBuffer({ resolveWithObject: true });
	if (data.length > MOST_BYTES) throw new Error(`${name} is larger than ${MOST_BYTES} bytes: ${data.length}.`);
	return { bytes: data, width: info.width, height: info.height };
}

if (argv[2] && import.meta.url === pathToFileURL(argv[1]).href) {
	const folder = argv[2];
	await mkdir(folder, { recursive: true });
	for (const name of pictureNames) {
		const { bytes } = await drawPicture(name);
		await writeFile(join(folder, `${name}.png`), bytes);
		console.log(`${name}: ${bytes.length} bytes`);
	}
}
