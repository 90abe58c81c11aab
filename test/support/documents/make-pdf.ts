import { randomBytes } from 'node:crypto';

/** A page for {@link makePdf}. */
export interface PageToMake {
	/** More entries of the page's dictionary, such as `/Rotate 90`. */
	entries?: string;
	box?: [number, number, number, number];
	/** Content stream operators; F1 is a proportional font, F2 a monospaced one. */
	content?: string;
	/** Number of bytes of an image on the page; they are random, so that they cannot be compressed. */
	pictureBytes?: number;
}

/** A heading of the outline for {@link makePdf}. */
export interface HeadingToMake {
	title: string;
	/** Without a page, the heading has no destination. */
	page?: number;
	children?: HeadingToMake[];
}

export interface PdfToMake {
	pages: PageToMake[];
	/** Number of pages between links, and without `outline` also between the outline's headings. */
	chapterEvery?: number;
	outline?: HeadingToMake[];
	title?: string;
}

/** Writes a PDF with text on each page, an outline, links and a title. */
export function makePdf({ pages, chapterEvery = 10, outline: givenHeadings, title = 'A book' }: PdfToMake): Buffer {
	const objects: Array<Buffer | string> = [];
	const add = (body: Buffer | string) => objects.push(body);
	const reserve = () => objects.push('null');
	const [catalog, tree, outline, info, font] = [reserve(), reserve(), reserve(), reserve(), reserve()];
	const monospacedFont = reserve();
	const set = (id: number, body: string) => {
		objects[id - 1] = body;
	};
	const stream = (entries: string, bytes: Buffer) =>
		add(
			Buffer.concat([
				Buffer.from(`<<${entries}/Length ${bytes.length}>>\nstream\n`),
				bytes,
				Buffer.from('\nendstream'),
			]),
		);
	const kids = pages.map(({ entries = '', box = [0, 0, 420, 595], pictureBytes = 0, content: operators }, i) => {
		let [resources, picture] = [`/Font<</F1 ${font} 0 R/F2 ${monospacedFont} 0 R>>`, ''];
		if (pictureBytes > 0) {
			const side = Math.ceil(Math.sqrt(pictureBytes));
			const id = stream(
				`/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceGray/BitsPerComponent 8`,
				randomBytes(side * side),
			);
			resources += `/XObject<</P ${id} 0 R>>`;
			picture = 'q 100 0 0 100 50 100 cm /P Do Q ';
		}
		const text = operators ?? `BT /F1 12 Tf 50 300 Td (Page ${i + 1} of the book) Tj ET`;
		const content = stream('', Buffer.from(picture + text));
		const annotations =
			i > 0 && i % chapterEvery === 0
				? '/Annots[<</Type/Annot/Subtype/Link/Rect[50 290 200 320]/Border[0 0 0]/A<</S/URI/URI(https://example.com/)>>>>]'
				: '';
		return add(
			`<</Type/Page/Parent ${tree} 0 R/MediaBox[${box.join(' ')}]/Resources<<${resources}>>/Contents ${content} 0 R${annotations}${entries}>>`,
		);
	});
	const chapters = kids.flatMap((_, i) => (i % chapterEvery === 0 ? [i + 1] : []));
	const headings = givenHeadings ?? chapters.map((page, i): HeadingToMake => ({ title: `Chapter ${i + 1}`, page }));
	/** @returns the parent's dictionary entries for these headings */
	const addHeadings = (items: HeadingToMake[], parent: number): string => {
		const ids = items.map(() => reserve());
		for (const [i, { title: words, page, children = [] }] of items.entries()) {
			const next = i < items.length - 1 ? `/Next ${ids[i + 1]} 0 R` : '';
			const before = i > 0 ? `/Prev ${ids[i - 1]} 0 R` : '';
			const below = addHeadings(children, ids[i] ?? 0);
			const target = page === undefined ? '' : `/Dest[${kids[page - 1]} 0 R/Fit]`;
			set(ids[i] ?? 0, `<</Title${textOf(words)}/Parent ${parent} 0 R${target}${next}${before}${below}>>`);
		}
		return items.length === 0 ? '' : `/First ${ids[0]} 0 R/Last ${ids.at(-1)} 0 R/Count ${items.length}`;
	};
	set(catalog, `<</Type/Catalog/Pages ${tree} 0 R/Outlines ${outline} 0 R/Lang(en)>>`);
	set(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((id) => `${id} 0 R`).join(' ')}]>>`);
	set(outline, `<</Type/Outlines${addHeadings(headings, outline)}>>`);
	set(info, `<</Title(${title})>>`);
	set(font, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
	set(monospacedFont, '<</Type/Font/Subtype/Type1/BaseFont/Courier>>');
	return write(objects, `/Root ${catalog} 0 R/Info ${info} 0 R`);
}

/** Encodes a PDF text string: UTF-16BE with a byte order mark (ISO 32000-1, 7.9.2.2). */
function textOf(words: string): string {
	return `<FEFF${Buffer.from(words, 'utf16le').swap16().toString('hex')}>`;
}

function write(objects: ReadonlyArray<Buffer | string>, trailer: string): Buffer {
	const parts = [Buffer.from('%PDF-1.6\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
	let length = parts[0]?.length ?? 0;
	const offsets = objects.map((body, i) => {
		const offset = length;
		for (const part of [`${i + 1} 0 obj\n`, body, '\nendobj\n']) {
			const bytes = Buffer.from(part);
			parts.push(bytes);
			length += bytes.length;
		}
		return offset;
	});
	const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
	const size = offsets.length + 1;
	parts.push(
		Buffer.from(
			`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}${trailer}>>\nstartxref\n${length}\n%%EOF\n`,
		),
	);
	return Buffer.concat(parts);
}
