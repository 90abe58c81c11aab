import { deflateSync } from 'node:zlib';
import type { PageSize } from './page-geometry.ts';
import { PdfFile, writeStream } from './pdf-file.ts';
import { subsetFont } from './sfnt.ts';
import type { TextRun, WatermarkFont } from './watermark-fonts.ts';
import { type FittedLine, widthOf } from './watermark-line.ts';

/** Font size as a fraction of the page's shorter side, with a minimum and maximum in points. */
const fontSizeFraction = 0.0115;
const minFontSize = 6.5;
const maxFontSize = 22;
/** Maximum width of the line, as a fraction of the page's visible width. */
const maxWidthFraction = 0.92;
/** Grey text on a translucent white background is legible on white pages, on pictures and in dark mode. */
const textGrey = 0.4;
const backgroundOpacity = 0.7;

/** Writes a PDF to be used as an overlay: one page for each size, with only the line at its foot. */
export function writeOverlayPdf(pages: readonly PageSize[], lineFor: FittedLine): Buffer {
	const file = new PdfFile();
	const { resources, contents } = drawLines(file, pages, lineFor);
	return writePages(
		file,
		pages,
		contents.map((content) => ({ resources, content: addCompressed(file, content) })),
	);
}

/** Writes an overlay with empty pages. The resources of each page contain `marker` and the index of the page. */
export function writeEmptyOverlayPdf(pages: readonly PageSize[], marker: string): Buffer {
	const file = new PdfFile();
	const content = addCompressed(file, Buffer.from(' '));
	return writePages(
		file,
		pages,
		pages.map((_, i) => ({ resources: `<</Properties<</${marker} ${i}>>>>`, content })),
	);
}

function writePages(
	file: PdfFile,
	pages: readonly PageSize[],
	drawn: ReadonlyArray<{ resources: string; content: number }>,
): Buffer {
	const [catalog, tree] = [file.reserve(), file.reserve()];
	const kids = drawn.map(({ resources, content }, i) =>
		file.add(
			`<</Type/Page/Parent ${tree} 0 R/MediaBox${boxOf(pages[i])}/Resources${resources}/Contents ${content} 0 R>>`,
		),
	);
	file.set(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((id) => `${id} 0 R`).join(' ')}]>>`);
	file.set(catalog, `<</Type/Catalog/Pages ${tree} 0 R>>`);
	return file.write(`/Root ${catalog} 0 R`);
}

/** Writes the overlay's pages as form XObjects (ISO 32000-1, section 8.10), which use the fonts added to `file`. */
export function writeOverlayForms(file: PdfFile, pages: readonly PageSize[], lineFor: FittedLine): Buffer[] {
	const { resources, contents } = drawLines(file, pages, lineFor);
	return contents.map((content, i) =>
		writeStream(
			`/Type/XObject/Subtype/Form/BBox${boxOf(pages[i])}/Resources${resources}/Filter/FlateDecode`,
			deflateSync(content),
		),
	);
}

function boxOf({ width, height }: PageSize = { width: 0, height: 0 }): string {
	return `[0 0 ${num(width)} ${num(height)}]`;
}

/** Adds the fonts of the line to the file. @returns the resources and a content stream for each page */
function drawLines(file: PdfFile, pages: readonly PageSize[], lineFor: FittedLine) {
	const lines = pages.map((page) => lineFor((page.width * maxWidthFraction) / minFontSize));
	const runs = [...new Set(lines.flat())];
	const fonts = [...new Set(runs.map(({ font }) => font))].map((font) => ({ font, id: addFont(file, font, runs) }));
	const names = fonts.map(({ font, id }) => `/${font.name} ${id} 0 R`).join('');
	return {
		resources: `<</Font<<${names}>>/ExtGState<</Pale<</ca ${backgroundOpacity}>>>>>>`,
		contents: pages.map((page, i) => Buffer.from(drawLine(page, lines[i] ?? []), 'latin1')),
	};
}

function addCompressed(file: PdfFile, bytes: Buffer, entries = ''): number {
	return file.addStream(`${entries}/Filter/FlateDecode`, deflateSync(bytes));
}

/** Returns a page's content stream. Source: ISO 32000-1, sections 9.4, 14.6 and, for /ActualText, 14.9.4. */
function drawLine(page: PageSize, runs: readonly TextRun[]): string {
	const widthPerPoint = runs.reduce((sum, run) => sum + widthOf(run), 0);
	const idealSize = Math.min(maxFontSize, Math.max(minFontSize, Math.min(page.width, page.height) * fontSizeFraction));
	const size = widthPerPoint === 0 ? idealSize : Math.min(idealSize, (page.width * maxWidthFraction) / widthPerPoint);
	const width = widthPerPoint * size;
	let x = (page.width - width) / 2;
	const y = size * 1.3;
	const background = [x - size * 0.6, y - size * 0.45, width + size * 1.2, size * 1.5].map(num).join(' ');
	const parts = ['/Artifact <</Type/Pagination/Subtype/Footer>> BDC', `q /Pale gs 1 g ${background} re f Q`];
	parts.push('BT', `${textGrey} g`);
	for (const run of runs) {
		const isShaped = run.glyphs.some(({ text }) => [...text].length !== 1);
		if (isShaped) parts.push(`/Span <</ActualText <feff${hexOf(run.text)}>>> BDC`);
		parts.push(`/${run.font.name} ${num(size)} Tf`);
		const scale = size / run.font.unitsPerEm;
		for (const glyph of run.glyphs) {
			parts.push(`1 0 0 1 ${num(x + glyph.dx * scale)} ${num(y + glyph.dy * scale)} Tm <${hex(glyph.id)}> Tj`);
			x += glyph.advance * scale;
		}
		if (isShaped) parts.push('EMC');
	}
	return [...parts, 'ET', 'EMC', ''].join('\n');
}

/** Adds a composite font with the glyphs of the runs. Source: ISO 32000-1, sections 9.7 and 9.10.3. */
function addFont(file: PdfFile, font: WatermarkFont, runs: readonly TextRun[]): number {
	const glyphs = runs.filter((run) => run.font === font).flatMap((run) => run.glyphs);
	const byId = new Map(glyphs.toReversed().map((glyph) => [glyph.id, glyph]));
	for (const glyph of glyphs) if (glyph.text !== '') byId.set(glyph.id, glyph);
	const perMille = (units: number) => Math.round((units * 1000) / font.unitsPerEm);
	const { tables } = font;
	const metrics = tables.get('hhea');
	const [ascent, descent] = [metrics?.readInt16BE(4) ?? 0, metrics?.readInt16BE(6) ?? 0].map(perMille);
	const hmtx = tables.get('hmtx') ?? Buffer.alloc(4);
	const longMetricsCount = metrics?.readUInt16BE(34) ?? 1;
	const advanceOf = (id: number) => perMille(hmtx.readUInt16BE(Math.min(id, longMetricsCount - 1) * 4));
	const program = subsetFont(tables, byId.keys());
	const programId = addCompressed(file, program, `/Length1 ${program.length}`);
	const name = `/FOLIOM+${font.name}`;
	const descriptor = file.add(
		`<</Type/FontDescriptor/FontName${name}/Flags 4/FontBBox[-500 ${descent} 1500 ${ascent}]/ItalicAngle 0` +
			`/Ascent ${ascent}/Descent ${descent}/CapHeight ${ascent}/StemV 80/FontFile2 ${programId} 0 R>>`,
	);
	const widths = [...byId.keys()].map((id) => `${id}[${advanceOf(id)}]`).join('');
	const descendant = file.add(
		`<</Type/Font/Subtype/CIDFontType2/BaseFont${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
			`/FontDescriptor ${descriptor} 0 R/DW 0/W[${widths}]/CIDToGIDMap/Identity>>`,
	);
	const unicode = addCompressed(file, Buffer.from(toUnicode([...byId.values()]), 'latin1'));
	return file.add(
		`<</Type/Font/Subtype/Type0/BaseFont${name}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${unicode} 0 R>>`,
	);
}

function toUnicode(glyphs: ReadonlyArray<{ id: number; text: string }>): string {
	const glyphsWithText = glyphs.filter(({ text }) => text !== '');
	const lines = ['/CIDInit /ProcSet findresource begin', '12 dict begin', 'begincmap', '/CMapName /Mark def'];
	lines.push('/CMapType 2 def', '1 begincodespacerange', '<0000> <FFFF>', 'endcodespacerange');
	// `beginbfchar` may have at most 100 entries.
	for (let start = 0; start < glyphsWithText.length; start += 100) {
		const block = glyphsWithText.slice(start, start + 100);
		lines.push(`${block.length} beginbfchar`);
		for (const { id, text } of block) lines.push(`<${hex(id)}> <${hexOf(text)}>`);
		lines.push('endbfchar');
	}
	return [...lines, 'endcmap', 'CMapName currentdict /CMap defineresource pop', 'end', 'end', ''].join('\n');
}

function num(value: number): string {
	return String(Math.round(value * 1000) / 1000);
}

function hex(id: number): string {
	return id.toString(16).padStart(4, '0');
}

function hexOf(text: string): string {
	return Buffer.from(text, 'utf16le').swap16().toString('hex');
}
