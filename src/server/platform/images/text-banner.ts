import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { mixColors, readableOn } from '#shared/colors.ts';
import { openWatermarkFonts, shapeLine, splitGraphemes, type WatermarkFont } from '../pdf/watermark-fonts.ts';

export interface TextBanner {
	width: number;
	height: number;
	title: string;
	/** Below the title; '' for none. */
	author: string;
	/** Colours of the ground and the text. */
	ground: string;
	ink: string;
	/** A picture to show at the right in the full height of the text; null for none. */
	picture: Buffer | null;
}

interface Fonts {
	bold: WatermarkFont[];
	regular: WatermarkFont[];
}

/** The title uses this many lines at most; a longer one is set smaller, and at last shortened. */
const maxLines = 4;

let openedFonts: Promise<Fonts> | undefined;

/** Draws a title and its author as a PNG. Text is drawn as paths, because the machine may have no fonts. */
export async function renderTextBanner(banner: TextBanner): Promise<Buffer> {
	openedFonts ??= openFonts();
	const fonts = await openedFonts;
	const { width, height, picture } = banner;
	const margin = Math.round(height * 0.13);
	const shown = picture === null ? null : await fitPicture(picture, height - 2 * margin);
	const textWidth = width - 2 * margin - (shown === null ? 0 : shown.width + margin);
	const image = sharp(Buffer.from(bannerSvg(banner, fonts, { margin, textWidth })));
	if (shown === null) return image.png({ palette: true }).toBuffer();
	const position = { left: width - margin - shown.width, top: Math.round((height - shown.height) / 2) };
	return image
		.composite([{ input: shown.bytes, ...position }])
		.png()
		.toBuffer();
}

async function openFonts(): Promise<Fonts> {
	const harfbuzz = await import('harfbuzzjs');
	const folder = join(dirname(createRequire(import.meta.url).resolve('@fontsource/mukta/package.json')), 'files');
	return { bold: openWatermarkFonts(harfbuzz, folder, 700), regular: openWatermarkFonts(harfbuzz, folder) };
}

async function fitPicture(picture: Buffer, height: number) {
	const { data, info } = await sharp(picture)
		.resize({ height, width: height, fit: 'inside' })
		.png()
		.toBuffer({ resolveWithObject: true });
	return { bytes: data, width: info.width, height: info.height };
}

function bannerSvg(banner: TextBanner, fonts: Fonts, { margin, textWidth }: { margin: number; textWidth: number }) {
	const { width, height, title, author, ground } = banner;
	const ink = readableOn(banner.ink, [ground]);
	const authorSize = author === '' ? 0 : height * 0.075;
	const { lines, size } = fitTitle(fonts.bold, title, textWidth, height - 2 * margin - authorSize * 2);
	const lineHeight = size * 1.3;
	const top = (height - lines.length * lineHeight - authorSize * 1.6) / 2;
	const titlePaths = lines.map((line, i) => linePath(fonts.bold, line, size, margin, top + lineHeight * i + size));
	const authorLine = shorten(fonts.regular, author, authorSize, textWidth);
	const authorTop = top + lines.length * lineHeight + authorSize * 1.4;
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" fill="${ground}"/>
<rect width="${Math.round(margin * 0.16)}" height="${height}" fill="${mixColors(ground, ink, 0.5)}"/>
<g fill="${ink}">${titlePaths.join('')}</g>
<g fill="${readableOn(mixColors(ink, ground, 0.25), [ground])}">${linePath(fonts.regular, authorLine, authorSize, margin, authorTop)}</g></svg>`;
}

/** Returns the lines of the title in the largest size in which it fits. */
function fitTitle(fonts: WatermarkFont[], title: string, width: number, height: number) {
	let size = height / 2.4;
	let lines = wrap(fonts, title, size, width);
	while (size > height / 12 && (lines.length > maxLines || lines.length * size * 1.3 > height)) {
		size *= 0.92;
		lines = wrap(fonts, title, size, width);
	}
	const shown = lines.slice(0, maxLines);
	if (lines.length > maxLines) shown[maxLines - 1] = shorten(fonts, `${shown[maxLines - 1]} …`, size, width);
	return { lines: shown, size };
}

/** Breaks a text between words; a word that is wider than a line is broken between graphemes. */
function wrap(fonts: WatermarkFont[], text: string, size: number, width: number): string[] {
	const lines: string[] = [];
	for (const word of text.split(/\s+/u).filter(Boolean)) {
		const joined = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
		if (lines.length > 0 && widthOf(fonts, joined, size) <= width) lines[lines.length - 1] = joined;
		else lines.push(...breakWord(fonts, word, size, width));
	}
	return lines;
}

function breakWord(fonts: WatermarkFont[], word: string, size: number, width: number): string[] {
	const parts = [''];
	for (const grapheme of splitGraphemes(word)) {
		const joined = `${parts.at(-1)}${grapheme}`;
		if (parts.at(-1) === '' || widthOf(fonts, joined, size) <= width) parts[parts.length - 1] = joined;
		else parts.push(grapheme);
	}
	return parts;
}

function shorten(fonts: WatermarkFont[], text: string, size: number, width: number): string {
	if (text === '' || widthOf(fonts, text, size) <= width) return text;
	return `${breakWord(fonts, text, size, width - size)[0] ?? ''}…`;
}

function widthOf(fonts: WatermarkFont[], line: string, size: number): number {
	return shapeLine(fonts, line).reduce(
		(sum, { font, glyphs }) => sum + glyphs.reduce((run, { advance }) => run + (advance * size) / font.unitsPerEm, 0),
		0,
	);
}

function linePath(fonts: WatermarkFont[], line: string, size: number, left: number, baseline: number): string {
	let x = left;
	return shapeLine(fonts, line)
		.flatMap(({ font, glyphs }) => {
			const scale = size / font.unitsPerEm;
			return glyphs.map(({ id, advance, dx, dy }) => {
				const at = `translate(${(x + dx * scale).toFixed(2)} ${(baseline - dy * scale).toFixed(2)})`;
				x += advance * scale;
				return `<path transform="${at} scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" d="${font.toPath(id)}"/>`;
			});
		})
		.join('');
}
