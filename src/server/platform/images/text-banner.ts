import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { mixColors, readableOn } from '#shared/colors.ts';
import {
	hasLettersOf,
	openWatermarkFonts,
	shapeLine,
	splitGraphemes,
	type WatermarkFont,
} from '../pdf/watermark-fonts.ts';
import { widthOf } from '../pdf/watermark-line.ts';
import { loadSharp } from './load-sharp.ts';

export interface TextBanner {
	width: number;
	height: number;
	title: string;
	/** Below the title; '' for none. */
	author: string;
	/** Colours of the ground and the text. */
	ground: string;
	ink: string;
	/** A picture to show to the right of the text; null for none. */
	picture: Buffer | null;
}

interface Fonts {
	bold: WatermarkFont[];
	regular: WatermarkFont[];
}

/** A title with more lines is drawn in a smaller size. If it still has more lines in the smallest size, it is shortened. */
const maxLines = 4;

let openedFonts: Promise<Fonts> | undefined;

/**
 * Draws a title and its author as a PNG. Text is drawn as paths, because the machine may have no fonts. Without a font
 * for the title's script, only the picture is shown, or else a book.
 */
export async function renderTextBanner(banner: TextBanner): Promise<Buffer> {
	openedFonts ??= openFonts();
	const fonts = await openedFonts;
	const { width, height } = banner;
	const margin = Math.round(height * 0.13);
	const hasText = hasLettersOf(fonts.bold, banner.title);
	const author = hasText && hasLettersOf(fonts.regular, banner.author) ? banner.author : '';
	const picture = banner.picture ?? (hasText ? null : bookMark(readableOn(banner.ink, [banner.ground])));
	const shown = picture === null ? null : await fitPicture(picture, height - 2 * margin);
	const textWidth = width - 2 * margin - (shown === null ? 0 : shown.width + margin);
	const texts = { ...banner, title: hasText ? banner.title : '', author };
	const sharp = await loadSharp();
	const image = sharp(Buffer.from(bannerSvg(texts, fonts, { margin, textWidth })));
	if (shown === null) return image.png({ palette: true }).toBuffer();
	const left = hasText ? width - margin - shown.width : Math.round((width - shown.width) / 2);
	const position = { left, top: Math.round((height - shown.height) / 2) };
	return image
		.composite([{ input: shown.bytes, ...position }])
		.png()
		.toBuffer();
}

/** The shape of `book.svg`. */
function bookMark(color: string): Buffer {
	const shape = 'M8 3h18v26H8a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3zm0 22a1 1 0 0 0 0 2h15v-2zM16 3v12l2.5-2.5L21 15V3z';
	return Buffer.from(
		`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640" viewBox="0 0 32 32"><path fill="${color}" fill-rule="evenodd" d="${shape}"/></svg>`,
	);
}

async function openFonts(): Promise<Fonts> {
	const harfbuzz = await import('harfbuzzjs');
	const folder = join(dirname(createRequire(import.meta.url).resolve('@fontsource/mukta/package.json')), 'files');
	return { bold: openWatermarkFonts(harfbuzz, folder, 700), regular: openWatermarkFonts(harfbuzz, folder) };
}

async function fitPicture(picture: Buffer, height: number) {
	const sharp = await loadSharp();
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
	const authorLine = author === '' ? '' : shorten(fonts.regular, author, textWidth / authorSize);
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
	let lines = wrap(fonts, title, width / size);
	while (size > height / 12 && (lines.length > maxLines || lines.length * size * 1.3 > height)) {
		size *= 0.92;
		lines = wrap(fonts, title, width / size);
	}
	const shown = lines.slice(0, maxLines);
	if (lines.length > maxLines) shown[maxLines - 1] = shorten(fonts, `${shown[maxLines - 1]} …`, width / size);
	return { lines: shown, size };
}

/** Breaks a text between words; a word that is wider than a line is broken between graphemes. */
function wrap(fonts: WatermarkFont[], text: string, widthPerSize: number): string[] {
	const lines: string[] = [];
	for (const word of text.split(/\s+/u).filter(Boolean)) {
		const joined = `${lines.at(-1)} ${word}`;
		if (lines.length > 0 && isWithin(fonts, joined, widthPerSize)) lines[lines.length - 1] = joined;
		else lines.push(...breakWord(fonts, word, widthPerSize));
	}
	return lines;
}

function breakWord(fonts: WatermarkFont[], word: string, widthPerSize: number): string[] {
	const parts: string[] = [];
	for (const grapheme of splitGraphemes(word)) {
		const joined = `${parts.at(-1)}${grapheme}`;
		if (parts.length > 0 && isWithin(fonts, joined, widthPerSize)) parts[parts.length - 1] = joined;
		else parts.push(grapheme);
	}
	return parts;
}

function shorten(fonts: WatermarkFont[], text: string, widthPerSize: number): string {
	if (isWithin(fonts, text, widthPerSize)) return text;
	return `${breakWord(fonts, text, widthPerSize - 1)[0] ?? ''}…`;
}

function isWithin(fonts: WatermarkFont[], line: string, widthPerSize: number): boolean {
	return shapeLine(fonts, line).reduce((sum, run) => sum + widthOf(run), 0) <= widthPerSize;
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

/** Returns a function that draws again only if the key has changed. A failed drawing is not kept. */
export function keepLatest() {
	let latest: { key: string; image: Promise<Buffer> } | undefined;
	return (key: string, draw: () => Promise<Buffer>): Promise<Buffer> => {
		if (latest?.key === key) return latest.image;
		const drawn = { key, image: draw() };
		latest = drawn;
		drawn.image.catch(() => {
			if (latest === drawn) latest = undefined;
		});
		return drawn.image;
	};
}
