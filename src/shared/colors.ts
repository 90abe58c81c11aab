/** Minimum contrast of text (WCAG 2.2, success criterion 1.4.3). */
export const minimumContrast = 4.5;

type Rgb = readonly [red: number, green: number, blue: number];

const ink = '#16130f';
const black = '#000000';
const white = '#ffffff';

/** Returns the contrast ratio of two colours such as `#f0a63a`, from 1 to 21 (WCAG 2.2, relative luminance). */
export function contrastRatio(one: string, other: string): number {
	const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}

/** The contrast of a text, and whether it is enough. */
export function checkContrast(text: string, ground: string): { ratio: number; isEnough: boolean } {
	const ratio = contrastRatio(text, ground);
	return { ratio, isEnough: ratio >= minimumContrast };
}

/** Returns a dark or a light colour with enough contrast for text on the ground; dark if both have. */
export function textColorOn(ground: string): string {
	// On a few colours of medium brightness, only pure black or white is dark or light enough.
	return [ink, white, black].find((color) => checkContrast(color, ground).isEnough) ?? black;
}

/** Returns the colour, darkened or lightened as little as necessary for text on the grounds. */
export function readableOn(color: string, grounds: readonly string[]): string {
	const target = textColorOn(grounds[0] ?? white);
	for (let share = 0; share < 1; share += 0.02) {
		const mixed = mixColors(color, target, share);
		if (grounds.every((ground) => checkContrast(mixed, ground).isEnough)) return mixed;
	}
	return target;
}

/** @param share of `other`, from 0 to 1 */
export function mixColors(color: string, other: string, share: number): string {
	const [from, to] = [toRgb(color), toRgb(other)];
	const mixed = from.map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * share));
	return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminanceOf(color: string): number {
	const [red, green, blue] = toRgb(color).map((value) => {
		const part = value / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	}) as unknown as Rgb;
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toRgb(color: string): Rgb {
	const value = Number.parseInt(color.slice(1), 16);
	return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
