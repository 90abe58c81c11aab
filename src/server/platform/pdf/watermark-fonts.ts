import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as HarfBuzz from 'harfbuzzjs';
import { type FontTables, readWoff, writeFont } from './sfnt.ts';

/** A font that marks are set in. */
export interface WatermarkFont {
	name: string;
	tables: FontTables;
	unitsPerEm: number;
	codePoints: ReadonlySet<number>;
	shape: (text: string) => ShapedGlyph[];
}

/** A glyph where it stands; lengths in the font's units. */
export interface ShapedGlyph {
	id: number;
	/** What of the text it stands for; '' where the glyph before it says so already. */
	text: string;
	advance: number;
	dx: number;
	dy: number;
}

/** A stretch of text in one font. */
export interface TextRun {
	font: WatermarkFont;
	text: string;
	glyphs: ShapedGlyph[];
}

/** The files of @fontsource/mukta that are tried for each sign, in this order. */
const fontFiles = [
	'mukta-latin-400-normal.woff',
	'mukta-devanagari-400-normal.woff',
	'mukta-latin-ext-400-normal.woff',
];

/** Signs that belong to a cluster whether or not the font has a shape for them: joiners, selectors of a variant. */
const ignorableCharacters = /\u200c|\u200d|[\ufe00-\ufe0f]/gu;
/** What has no shape, or would turn the line round. */
const invisibleCharacters = /[^\P{C}\u200c\u200d]/gu;

/** Opens the fonts of marks from a folder of WOFF files. */
export function openWatermarkFonts(harfbuzz: typeof HarfBuzz, folder: string): WatermarkFont[] {
	return fontFiles.map((file, i) => {
		const tables = readWoff(readFileSync(join(folder, file)));
		const face = new harfbuzz.Face(new harfbuzz.Blob(writeFont(tables)));
		const font = new harfbuzz.Font(face);
		return {
			name: `Mark${i}`,
			tables,
			unitsPerEm: face.upem,
			codePoints: new Set(face.collectUnicodes()),
			shape: (text) => shape(harfbuzz, font, text),
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

/**
 * Sets a line: each sign in the first font that has it, blanks in the font of what stands before them. What no font has
 * is left out.
 */
export function shapeLine(fonts: readonly WatermarkFont[], line: string): TextRun[] {
	const runs: Array<{ font: WatermarkFont; text: string }> = [];
	for (const { segment } of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(
		removeUnsupported(fonts, line),
	)) {
		const last = runs.at(-1);
		const font = segment === ' ' && last !== undefined ? last.font : fonts.find((each) => hasGlyphsFor(each, segment));
		if (font === undefined) continue;
		if (last?.font === font) last.text += segment;
		else runs.push({ font, text: segment });
	}
	return runs.map(({ font, text }) => ({ font, text, glyphs: font.shape(text) }));
}

/** The parts of a line that can be set, one behind the other with a dot between; a part of which nothing is left goes. */
function removeUnsupported(fonts: readonly WatermarkFont[], line: string): string {
	const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
	const parts = line.split('·').map((part) => {
		const segments = [
			...segmenter.segment(part.normalize('NFC').replace(/\s+/gu, ' ').replace(invisibleCharacters, '')),
		];
		const kept = segments.filter(({ segment }) => fonts.some((font) => hasGlyphsFor(font, segment)));
		return kept
			.map(({ segment }) => segment)
			.join('')
			.replace(/ +/gu, ' ')
			.trim();
	});
	return parts.filter((part) => /[\p{L}\p{N}]/u.test(part)).join(' · ');
}

function hasGlyphsFor(font: WatermarkFont, segment: string): boolean {
	return [...segment.replace(ignorableCharacters, '')].every((sign) => font.codePoints.has(sign.codePointAt(0) ?? 0));
}
