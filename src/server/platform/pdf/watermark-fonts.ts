import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as HarfBuzz from 'harfbuzzjs';
import { type FontTables, readWoff, writeFont } from './sfnt.ts';

export interface WatermarkFont {
	name: string;
	tables: FontTables;
	unitsPerEm: number;
	codePoints: ReadonlySet<number>;
	shape: (text: string) => ShapedGlyph[];
	/** The outline of a glyph as the data of an SVG path, in the font's units with the y axis upwards. */
	toPath: (glyphId: number) => string;
}

/** A positioned glyph; lengths are in the font's units. */
interface ShapedGlyph {
	id: number;
	/** The text that the glyph represents; '' if the previous glyph represents it too. */
	text: string;
	advance: number;
	dx: number;
	dy: number;
}

export interface TextRun {
	font: WatermarkFont;
	text: string;
	glyphs: ShapedGlyph[];
}

/** Scripts of @fontsource/mukta whose files are tried for each grapheme, in this order. */
const scripts = ['latin', 'devanagari', 'latin-ext'];

/** Characters in a grapheme for which a font needs no glyph: joiners and variation selectors. */
const ignorableCharacters = /\u200c|\u200d|[\ufe00-\ufe0f]/gu;
/** Characters that are invisible or change the text direction, except joiners. */
const invisibleCharacters = /[^\P{C}\u200c\u200d]/gu;

export function openWatermarkFonts(harfbuzz: typeof HarfBuzz, folder: string, weight = 400): WatermarkFont[] {
	return scripts.map((script, i) => {
		const tables = readWoff(readFileSync(join(folder, `mukta-${script}-${weight}-normal.woff`)));
		const face = new harfbuzz.Face(new harfbuzz.Blob(writeFont(tables)));
		const font = new harfbuzz.Font(face);
		return {
			name: `Mark${i}`,
			tables,
			unitsPerEm: face.upem,
			codePoints: new Set(face.collectUnicodes()),
			shape: (text) => shape(harfbuzz, font, text),
			toPath: (glyphId) => font.glyphToPath(glyphId),
		};
	});
}

function shape(harfbuzz: typeof HarfBuzz, font: HarfBuzz.Font, text: string): ShapedGlyph[] {
	const buffer = new harfbuzz.Buffer();
	buffer.addText(text);
	buffer.guessSegmentProperties();
	harfbuzz.shape(font, buffer);
	const infos = buffer.getGlyphInfos();
	const positions = buffer.getGlyphPositions();
	const clusters = [...new Set(infos.map(({ cluster }) => cluster)), text.length].sort((a, b) => a - b);
	const seenClusters = new Set<number>();
	return infos.map(({ codepoint: id, cluster }, i) => {
		const end = clusters[clusters.indexOf(cluster) + 1];
		const isFirst = !seenClusters.has(cluster);
		seenClusters.add(cluster);
		const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[i] ?? {};
		return { id, text: isFirst ? text.slice(cluster, end) : '', advance: xAdvance, dx: xOffset, dy: yOffset };
	});
}

/** Shapes each grapheme of a line in the first font that has its glyphs. Unsupported graphemes are left out. */
export function shapeLine(fonts: readonly WatermarkFont[], line: string): TextRun[] {
	const runs: Array<{ font: WatermarkFont; text: string }> = [];
	for (const grapheme of splitGraphemes(removeUnsupported(fonts, line))) {
		const last = runs.at(-1);
		const font =
			grapheme === ' ' && last !== undefined ? last.font : fonts.find((candidate) => hasGlyphsFor(candidate, grapheme));
		if (font === undefined) continue;
		if (last?.font === font) last.text += grapheme;
		else runs.push({ font, text: grapheme });
	}
	return runs.map(({ font, text }) => ({ font, text, glyphs: font.shape(text) }));
}

/** Removes graphemes that no font supports, and the '·'-separated parts that then have no letters or digits. */
function removeUnsupported(fonts: readonly WatermarkFont[], line: string): string {
	const parts = line.split('·').map((part) => {
		const visible = part.normalize('NFC').replace(/\s+/gu, ' ').replace(invisibleCharacters, '');
		const supported = splitGraphemes(visible).filter((grapheme) => fonts.some((font) => hasGlyphsFor(font, grapheme)));
		return supported.join('').replace(/ +/gu, ' ').trim();
	});
	return parts.filter((part) => /[\p{L}\p{N}]/u.test(part)).join(' · ');
}

/** Whether the fonts have every letter and digit of a text. */
export function hasLettersOf(fonts: readonly WatermarkFont[], text: string): boolean {
	const letters = splitGraphemes(text.normalize('NFC')).filter((grapheme) => /[\p{L}\p{N}]/u.test(grapheme));
	return letters.every((grapheme) =>
		fonts.some((font) => hasGlyphsFor(font, grapheme.replace(invisibleCharacters, ''))),
	);
}

function hasGlyphsFor(font: WatermarkFont, grapheme: string): boolean {
	return [...grapheme.replace(ignorableCharacters, '')].every((char) => font.codePoints.has(char.codePointAt(0) ?? 0));
}

let segmenter: Intl.Segmenter | undefined;

/** Real graphemes are shorter, but a hostile text can chain consonants without limit. */
const graphemeMaxCodePoints = 8;

/** Splits a text into graphemes. Graphemes longer than {@link graphemeMaxCodePoints} are split further. */
export function splitGraphemes(text: string): string[] {
	segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
	return [...segmenter.segment(text)].flatMap(({ segment }) => {
		const codePoints = [...segment];
		const count = Math.ceil(codePoints.length / graphemeMaxCodePoints);
		return Array.from({ length: count }, (_, i) =>
			codePoints.slice(i * graphemeMaxCodePoints, (i + 1) * graphemeMaxCodePoints).join(''),
		);
	});
}
