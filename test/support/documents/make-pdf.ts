import { randomBytes } from 'node:crypto';
import { PdfFile } from '#server/platform/pdf/pdf-file.ts';

export interface PageToMake {
	/** More entries of the page's dictionary, such as `/Rotate 90`. */
	entries?: string;
	box?: [number, number, number, number];
	/** Content stream operators; F1 is a proportional font, F2 a monospaced one. */
	content?: string;
	/** Size in bytes of an image on the page. The image is random and therefore incompressible. */
	pictureBytes?: number;
}

export interface HeadingToMake {
	title: string;
	/** Without a page, the heading has no destination. */
	page?: number;
	children?: HeadingToMake[];
}

export interface PdfToMake {
	pages: PageToMake[] | number;
	/** Number of pages between links; without `outline` also between the generated headings. */
	chapterEvery?: number;
	outline?: HeadingToMake[];
	title?: string;
	/** JavaScript that is run when the document is opened (ISO 32000-1, 12.6.4.16). */
	script?: string | undefined;
}

export function makePdf({
	pages,
	chapterEvery = 10,
	outline: givenHeadings,
	title = 'A book',
	script,
}: PdfToMake): Buffer {
	const file = new PdfFile();
	const [catalog, tree, outline] = [file.reserve(), file.reserve(), file.reserve()];
	const info = file.add(`<</Title(${title})>>`);
	const font = file.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
	const monospacedFont = file.add('<</Type/Font/Subtype/Type1/BaseFont/Courier>>');
	const pageList = typeof pages === 'number' ? Array.from({ length: pages }, (): PageToMake => ({})) : pages;
	const kids = pageList.map(({ entries = '', box = [0, 0, 420, 595], pictureBytes = 0, content: operators }, i) => {
		let [resources, picture] = [`/Font<</F1 ${font} 0 R/F2 ${monospacedFont} 0 R>>`, ''];
		if (pictureBytes > 0) {
			const side = Math.ceil(Math.sqrt(pictureBytes));
			const id = file.addStream(
				`/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceGray/BitsPerComponent 8`,
				randomBytes(side * side),
			);
			resources += `/XObject<</P ${id} 0 R>>`;
			picture = 'q 100 0 0 100 50 100 cm /P Do Q ';
		}
		const text = operators ?? `BT /F1 12 Tf 50 300 Td (Page ${i + 1} of the book) Tj ET`;
		const content = file.addStream('', Buffer.from(picture + text));
		const annotations =
			i > 0 && i % chapterEvery === 0
				? '/Annots[<</Type/Annot/Subtype/Link/Rect[50 290 200 320]/Border[0 0 0]/A<</S/URI/URI(https://example.com/)>>>>]'
				: '';
		return file.add(
			`<</Type/Page/Parent ${tree} 0 R/MediaBox[${box.join(' ')}]/Resources<<${resources}>>/Contents ${content} 0 R${annotations}${entries}>>`,
		);
	});
	const chapters = kids.flatMap((_, i) => (i % chapterEvery === 0 ? [i + 1] : []));
	const headings = givenHeadings ?? chapters.map((page, i): HeadingToMake => ({ title: `Chapter ${i + 1}`, page }));
	/** @returns the parent's dictionary entries for these headings */
	const addHeadings = (items: HeadingToMake[], parent: number): string => {
		const ids = items.map(() => file.reserve());
		for (const [i, { title: words, page, children = [] }] of items.entries()) {
			const next = i < items.length - 1 ? `/Next ${ids[i + 1]} 0 R` : '';
			const before = i > 0 ? `/Prev ${ids[i - 1]} 0 R` : '';
			const below = addHeadings(children, ids[i] ?? 0);
			const target = page === undefined ? '' : `/Dest[${kids[page - 1]} 0 R/Fit]`;
			file.set(ids[i] ?? 0, `<</Title${textOf(words)}/Parent ${parent} 0 R${target}${next}${before}${below}>>`);
		}
		return items.length === 0 ? '' : `/First ${ids[0]} 0 R/Last ${ids.at(-1)} 0 R/Count ${items.length}`;
	};
	const action = script === undefined ? '' : `/OpenAction<</S/JavaScript/JS(${script.replace(/[()\\]/gu, '\\$&')})>>`;
	file.set(catalog, `<</Type/Catalog/Pages ${tree} 0 R/Outlines ${outline} 0 R/Lang(en)${action}>>`);
	file.set(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((id) => `${id} 0 R`).join(' ')}]>>`);
	file.set(outline, `<</Type/Outlines${addHeadings(headings, outline)}>>`);
	return file.write(`/Root ${catalog} 0 R/Info ${info} 0 R`);
}

/** Encodes a PDF text string: UTF-16BE with a byte order mark (ISO 32000-1, 7.9.2.2). */
function textOf(words: string): string {
	return `<FEFF${Buffer.from(words, 'utf16le').swap16().toString('hex')}>`;
}

/** Parses an outline from lines such as `Title @ 5`; each tab of indentation is a level. */
export function parseHeadings(text: string): HeadingToMake[] {
	const top: HeadingToMake[] = [];
	const siblings = [top];
	for (const line of text.split('\n')) {
		const level = line.lastIndexOf('\t') + 1;
		const [title = '', page] = line.slice(level).split(' @ ');
		const children: HeadingToMake[] = [];
		siblings[level]?.push({ title, children, ...(page !== undefined && { page: Number(page) }) });
		siblings[level + 1] = children;
	}
	return top;
}
