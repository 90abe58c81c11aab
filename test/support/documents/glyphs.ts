import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser } from '@playwright/test';
import sharp, { type Sharp } from 'sharp';

const font = '@fontsource-variable/noto-serif-devanagari/files/noto-serif-devanagari-devanagari-wght-normal.woff2';
/** Factor by which pictures are reduced for the coarse search. */
const scale = 4;
/** Number of best coarse positions around which {@link findWord} searches at full size. */
const candidateCount = 24;

/** A greyscale image with inverted pixels: 0 is white, 255 is black. */
export interface Picture {
	width: number;
	height: number;
	ink: Uint8Array;
}

export function readPicture(bytes: Buffer): Promise<Picture> {
	return toPicture(sharp(bytes).flatten({ background: '#ffffff' }).negate());
}

async function toPicture(image: Sharp): Promise<Picture> {
	const { data, info } = await image.greyscale().raw().toBuffer({ resolveWithObject: true });
	return { width: info.width, height: info.height, ink: data };
}

function shrink({ width, height, ink }: Picture): Promise<Picture> {
	const size = { width: Math.floor(width / scale), height: Math.floor(height / scale) };
	return toPicture(sharp(ink, { raw: { width, height, channels: 1 } }).resize({ ...size, fit: 'fill' }));
}

export interface Lettering {
	text: string;
	weight: number;
	sizePx: number;
	/** False renders each code point separately, like a program without support for Devanagari ligatures. */
	isShaped: boolean;
}

/** Renders words in the book's Devanagari font with Chromium. @returns a picture of each word, cropped to its glyphs */
export async function drawWords(browser: Browser, words: readonly Lettering[]): Promise<Picture[]> {
	const face = await readFile(createRequire(import.meta.url).resolve(font));
	await using page = await browser.newPage({ viewport: { width: 900, height: 300 } });
	await page.setContent(`<meta charset="utf-8"><style>
		@font-face { font-family: book; font-weight: 100 900; src: url(data:font/woff2;base64,${face.toString('base64')}) }
		body { margin: 40px; background: #fff; color: #221d17 }
		p { margin: 0; font-family: book; line-height: 2; white-space: nowrap }
	</style><p lang="hi"></p>`);
	const pictures: Picture[] = [];
	for (const { text, weight, sizePx, isShaped } of words) {
		// A zero-width non-joiner (Unicode 16, section 23.2) prevents a ligature of two characters.
		const content = isShaped ? text : [...text].join('\u200c');
		await page.locator('p').evaluate(
			async (line, { content, weight, sizePx }) => {
				line.textContent = content;
				line.style.fontWeight = String(weight);
				line.style.fontSize = `${sizePx}px`;
				await document.fonts.load(`${weight} ${sizePx}px book`, content);
			},
			{ content, weight, sizePx },
		);
		// `lineArt` turns off a filter that removes thin strokes.
		const word = sharp(await page.screenshot()).trim({ background: '#ffffff', threshold: 64, lineArt: true });
		pictures.push(await readPicture(await word.toBuffer()));
	}
	return pictures;
}

/** Returns the largest correlation of a word with any position on a page; 1 if they differ only in contrast. */
export async function findWord(page: Picture, word: Picture): Promise<number> {
	const [smallPage, smallWord] = [await shrink(page), await shrink(word)];
	const candidates: { x: number; y: number; score: number }[] = [];
	for (let y = 0; y + smallWord.height <= smallPage.height; y += 1) {
		for (let x = 0; x + smallWord.width <= smallPage.width; x += 1) {
			candidates.push({ x, y, score: correlate(smallPage, smallWord, x, y) });
		}
	}
	candidates.sort((a, b) => b.score - a.score);
	let best = 0;
	for (const candidate of candidates.slice(0, candidateCount)) {
		for (let y = (candidate.y - 1) * scale; y <= (candidate.y + 1) * scale; y += 1) {
			for (let x = (candidate.x - 1) * scale; x <= (candidate.x + 1) * scale; x += 1) {
				if (x < 0 || y < 0 || x + word.width > page.width || y + word.height > page.height) continue;
				best = Math.max(best, correlate(page, word, x, y));
			}
		}
	}
	return best;
}

/** Returns Pearson's correlation of a word with the part of a page at (left, top). */
function correlate(page: Picture, word: Picture, left: number, top: number): number {
	const count = word.width * word.height;
	let sumA = 0;
	let sumB = 0;
	let sumAA = 0;
	let sumBB = 0;
	let sumAB = 0;
	for (let y = 0; y < word.height; y += 1) {
		const row = (top + y) * page.width + left;
		for (let x = 0; x < word.width; x += 1) {
			const a = page.ink[row + x] ?? 0;
			const b = word.ink[y * word.width + x] ?? 0;
			sumA += a;
			sumB += b;
			sumAA += a * a;
			sumBB += b * b;
			sumAB += a * b;
		}
	}
	const spread = (count * sumAA - sumA * sumA) * (count * sumBB - sumB * sumB);
	return spread <= 0 ? 0 : (count * sumAB - sumA * sumB) / Math.sqrt(spread);
}
