import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from '../../scripts/setup/processes.mjs';

const size = { width: 4000, height: 3000 };
const differentPictures = 24;
const jpegStart = 2;

/**
 * Makes JPEG files of 12 megapixels: at most 24 different pictures, each a picture of the demo, enlarged, with the noise
 * of a camera. Every file has its own comment, so that all files differ.
 */
export async function* makePhotographs(count) {
	const folder = join(root, 'demo', 'pictures');
	const names = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).slice(0, differentPictures);
	const pictures = [];
	for (const name of names.slice(0, count)) pictures.push(await enlarge(await readFile(join(folder, name))));
	for (let number = 0; number < count; number += 1) {
		const name = `${String(number).padStart(4, '0')} ${names[number % names.length]}`;
		yield { name, bytes: addComment(pictures[number % pictures.length], `Photograph ${number}`) };
	}
}

async function enlarge(picture) {
	const noise = { ...size, channels: 3, background: 'grey', noise: { type: 'gaussian', mean: 128, sigma: 12 } };
	const grain = await sharp({ create: noise }).png({ compressionLevel: 1 }).toBuffer();
	const enlarged = sharp(picture).resize({ ...size, fit: 'cover' });
	return enlarged
		.composite([{ input: grain, blend: 'soft-light' }])
		.jpeg({ quality: 85 })
		.toBuffer();
}

/** Inserts a comment segment (COM, ISO/IEC 10918-1, B.2.4.5) after the start of the image. */
function addComment(jpeg, comment) {
	const segment = Buffer.from(`\xff\xfe\0\0${comment}`, 'latin1');
	segment.writeUInt16BE(segment.length - 2, 2);
	return Buffer.concat([jpeg.subarray(0, jpegStart), segment, jpeg.subarray(jpegStart)]);
}
