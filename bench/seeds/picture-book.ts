import sharp from 'sharp';
import { PdfFile } from '#server/platform/pdf/pdf-file.ts';

const side = 415;
const photographCount = 8;

/**
 * Makes a PDF with a photograph of about 100 KB and a line of text on each page. With `areSizesDifferent`, its pages
 * have 70 sizes, so that its watermarked copies cannot share a base and are complete files.
 */
export async function makePictureBook(pageCount: number, areSizesDifferent: boolean): Promise<Buffer> {
	const file = new PdfFile();
	const [catalog, tree] = [file.reserve(), file.reserve()];
	const font = file.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
	const photographs = await Promise.all(Array.from({ length: photographCount }, makePhotograph));
	const kids: number[] = [];
	for (let page = 1; page <= pageCount; page += 1) {
		const picture = file.addStream(
			`/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode`,
			photographs[page % photographCount] ?? Buffer.alloc(0),
		);
		const text = `q 300 0 0 300 60 200 cm /P Do Q BT /F1 12 Tf 50 100 Td (Page ${page} of the book) Tj ET`;
		const content = file.addStream('', Buffer.from(text));
		const height = areSizesDifferent ? 595 + (page % 70) / 100 : 595;
		const resources = `<</Font<</F1 ${font} 0 R>>/XObject<</P ${picture} 0 R>>>>`;
		kids.push(
			file.add(
				`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 420 ${height}]/Resources${resources}/Contents ${content} 0 R>>`,
			),
		);
	}
	file.set(catalog, `<</Type/Catalog/Pages ${tree} 0 R>>`);
	file.set(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((id) => `${id} 0 R`).join(' ')}]>>`);
	return file.write(`/Root ${catalog} 0 R`);
}

async function makePhotograph(): Promise<Buffer> {
	const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
	const create = { width: side, height: side, channels: 3, background: '#808080', noise } as const;
	return sharp({ create }).jpeg({ quality: 90 }).toBuffer();
}
