import sharp from 'sharp';

/** Creates a PNG of one colour. */
export function paintPicture(background = '#cf4f2b', width = 320, height = 480): Promise<Buffer> {
	return sharp({ create: { width, height, channels: 3, background } })
		.png()
		.toBuffer();
}

/**
 * Creates a PDF with a line of text on each page and a valid cross-reference table (ISO 32000-1, 7.5).
 * @param script JavaScript that a viewer with scripting runs when the document is opened (12.6.4.16)
 */
export function writePdf(pageTexts: readonly string[], script?: string): Buffer {
	const pageNumber = (index: number) => 4 + index * 2;
	const action = script === undefined ? '' : `/OpenAction<</S/JavaScript/JS(${script.replace(/[()\\]/gu, '\\$&')})>>`;
	const objects = [
		`<</Type/Catalog/Pages 2 0 R${action}>>`,
		`<</Type/Pages/Count ${pageTexts.length}/Kids[${pageTexts.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}]>>`,
		'<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
		...pageTexts.flatMap((text, index) => {
			const content = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
			return [
				`<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${pageNumber(index) + 1} 0 R>>`,
				`<</Length ${content.length}>>\nstream\n${content}\nendstream`,
			];
		}),
	];
	let file = '%PDF-1.4\n';
	const offsets = objects.map((body, index) => {
		const offset = file.length;
		file += `${index + 1} 0 obj\n${body}\nendobj\n`;
		return `${String(offset).padStart(10, '0')} 00000 n \n`;
	});
	const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
	const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
	return Buffer.from(`${file}${table}${trailer}`, 'latin1');
}

/**
 * Stretches the demo's video from six seconds to two and a half minutes: multiplies the duration of the movie and
 * divides the time scale of its track (ISO 14496-12, 8.2.2 and 8.4.2).
 */
export function slowDownVideo(video: Buffer): Buffer {
	const slow = Buffer.from(video);
	const factor = 25;
	// Both boxes have version 1: time scale at 20 and duration at 24 after the box's four-byte name.
	const head = slow.indexOf('mvhd');
	slow.writeBigUInt64BE(slow.readBigUInt64BE(head + 28) * BigInt(factor), head + 28);
	const track = slow.indexOf('mdhd');
	slow.writeUInt32BE(slow.readUInt32BE(track + 24) / factor, track + 24);
	return slow;
}
