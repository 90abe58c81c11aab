import { describe, expect, test } from 'vitest';
import { checkContrast, contrastRatio, minimumContrast, readableOn, textColorOn } from './colors.ts';

test.each([
	['#000000', '#ffffff', 21],
	['#777777', '#ffffff', 4.48],
	['#767676', '#ffffff', 4.54],
	['#f0a63a', '#16130f', 9],
])('the contrast of %s on %s is %f', (one, other, ratio) => {
	expect(contrastRatio(one, other)).toBeCloseTo(ratio, 1);
	expect(contrastRatio(other, one)).toBe(contrastRatio(one, other));
});

describe('for every colour', () => {
	const levels = ['00', '33', '55', '66', '77', '88', '99', 'bb', 'dd', 'ff'];
	const colors = levels.flatMap((red) => levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)));

	test('textColorOn returns a colour with enough contrast', () => {
		expect(colors.filter((color) => !checkContrast(textColorOn(color), color).isEnough)).toEqual([]);
	});

	test('readableOn returns a colour with enough contrast on each ground, and the colour itself if it has it', () => {
		const grounds = ['#fbf8f1', '#f4eee1'];
		for (const color of colors) {
			const readable = readableOn(color, grounds);
			for (const ground of grounds) expect(contrastRatio(readable, ground)).toBeGreaterThanOrEqual(minimumContrast);
			if (grounds.every((ground) => checkContrast(color, ground).isEnough)) expect(readable).toBe(color);
		}
	});
});
