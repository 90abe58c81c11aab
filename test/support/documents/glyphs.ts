import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser } from '@playwright/test';
import sharp from 'sharp';

const font = '@fontsource-variable/noto-serif-devanagari/files/noto-serif-devanagari-devanagari-wght-normal.woff2';
const coarse = 4;
const candidates = 24;

/** A greyscale image with inverted pixels: 0 is white, 255 is black. */
export interface Picture {
	width: number;
	height: number;
	ink: Uint8Array;
}

/** Decodes an image into a {@link Picture}. */
export async function readPicture(bytes: Buffer): Promise<Picture> {
	const { data, info } = await sharp(bytes)
		.flatten({ background: '#ffffff' })
		.greyscale()
		.raw()
		.toBuffer({ resolveWithObject: true });
	return { width: info.width, height: info.height, ink: Uint8Array.from(data, (value) => 255 - value) };
}

/** A word to be rendered, and its style. */
export interface Lettering {
	text: string;
	weight: number;
	sizePx: number;
	/** False renders each code point by itself, as a program does that does not shape Devanagari. */
	isShaped: boolean;
}

/** Renders words by Chromium in the book's Devanagari font, each cropped to its glyphs. */
export async function drawWords(browser: Browser, words: readonly Lettering[]): Promise<Picture[]> {
	const face = await readFile(createRequire(import.meta.url).resolve(font));
	const page = await browser.newPage({ viewport: { width: 900, height: 300 } });
	try {
		await page.setContent(`<meta charset="utf-8"><style>
			@font-face { font-family: book; font-weight: 100 900; src: url(data:font/woff2;base64,${face.toString('base64')}) }
			body { margin: 40px; background: #fff; color: #221d17 }
			p { margin: 0; font-family: book; line-height: 2; white-space: nowrap }
		</style><p lang="hi"></p>`);
		const pictures: Picture[] = [];
		for (const { text, weight, sizePx, isShaped } of words) {
			// A zero-width non-joiner (Unicode 16, section 23.2) prevents a ligature of two characters.
			const written = isShaped ? text : [...text].join('\u200c');
			await page.locator('p').evaluate(
				async (line, { written, weight, sizePx }) => {
					line.textContent = written;
					line.style.fontWeight = String(weight);
					line.style.fontSize = `${sizePx}px`;
					await document.fonts.load(`${weight} ${sizePx}px book`, written);
				},
				{ written, weight, sizePx },
			);
			pictures.push(cutToInk(await readPicture(await page.screenshot())));
		}
		return pictures;
	} finally {
		await page.close();
	}
}

/**
 * Returns how well a word matches anywhere on a page: the largest normalised correlation over all positions, 1 for the
 * same picture up to brightness and contrast. Searches coarsely everywhere, then finely around the best matches.
 */
export function findWord(page: Picture, word: Picture): number {
	const smallPage = shrink(page);
	const smallWord = shrink(word);
	const places: { x: number; y: number; score: number }[] = [];
	for (let y = 0; y + smallWord.height <= smallPage.height; y += 1) {
		for (let x = 0; x + smallWord.width <= smallPage.width; x += 1) {
			places.push({ x, y, score: correlate(smallPage, smallWord, x, y) });
		}
	}
	places.sort((a, b) => b.score - a.score);
	let best = 0;
	for (const place of places.slice(0, candidates)) {
		for (let y = (place.y - 1) * coarse; y <= (place.y + 1) * coarse; y += 1) {
			for (let x = (place.x - 1) * coarse; x <= (place.x + 1) * coarse; x += 1) {
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

function shrink(picture: Picture): Picture {
	const width = Math.max(1, Math.floor(picture.width / coarse));
	const height = Math.max(1, Math.floor(picture.height / coarse));
	const ink = new Uint8Array(width * height);
	for (let y = 0; y < height; y += 1) {
		for (let x = 0; x < width; x += 1) {
			let sum = 0;
			for (let dy = 0; dy < coarse; dy += 1) {
				for (let dx = 0; dx < coarse; dx += 1) {
					sum += picture.ink[(y * coarse + dy) * picture.width + x * coarse + dx] ?? 0;
				}
			}
			ink[y * width + x] = sum / (coarse * coarse);
		}
	}
	return { width, height, ink };
}

function cutToInk({ width, height, ink }: Picture): Picture {
	let [left, right, top, bottom] = [width, -1, height, -1];
	for (let y = 0; y < height; y += 1) {
		for (let x = 0; x < width; x += 1) {
			if ((ink[y * width + x] ?? 0) < 64) continue;
			left = Math.min(left, x);
			right = Math.max(right, x);
			top = Math.min(top, y);
			bottom = Math.max(bottom, y);
		}
	}
	if (right < left) throw new Error('Nothing was written.');
	const cut = { width: right - left + 1, height: bottom - top + 1 };
	const part = new Uint8Array(cut.width * cut.height);
	for (let y = 0; y < cut.height; y += 1) {
		part.set(ink.subarray((top + y) * width + left, (top + y) * width + right + 1), y * cut.width);
	}
	return { ...cut, ink: part };
}
