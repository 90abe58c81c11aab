import sharp from 'sharp';
import { makePdf, type PageToMake } from './make-pdf.ts';

export type PictureType = 'png' | 'jpeg' | 'webp' | 'gif';

export function paintPicture(background = '#cf4f2b', width = 320, height = 480, type: PictureType = 'png') {
	return sharp({ create: { width, height, channels: 3, background } })
		.toFormat(type)
		.toBuffer();
}

/** Creates a PDF with a line of text on each page, without an outline. `script`: JavaScript that opening it runs. */
export function writePdf(pageTexts: readonly string[], script?: string): Buffer {
	const pages = pageTexts.map((text): PageToMake => {
		return { box: [0, 0, 595, 842], content: `BT /F1 24 Tf 72 700 Td (${text}) Tj ET` };
	});
	return makePdf({ pages, outline: [], script });
}

/**
 * Makes the demo's video of six seconds last two and a half minutes: multiplies the duration of the movie and divides
 * the time scale of its track (ISO 14496-12, 8.2.2 and 8.4.2).
 */
export function slowDownVideo(video: Buffer): Buffer {
	const slow = Buffer.from(video);
	const factor = 25;
	// In both boxes (version 1), the time scale is 20 bytes and the duration 24 bytes after the box's four-byte name.
	const head = slow.indexOf('mvhd');
	slow.writeBigUInt64BE(slow.readBigUInt64BE(head + 28) * BigInt(factor), head + 28);
	const track = slow.indexOf('mdhd');
	slow.writeUInt32BE(slow.readUInt32BE(track + 24) / factor, track + 24);
	return slow;
}
