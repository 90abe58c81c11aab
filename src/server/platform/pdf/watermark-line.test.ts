import { dirname, join } from 'node:path';
import * as harfbuzz from 'harfbuzzjs';
import { expect, test } from 'vitest';
import { openWatermarkFonts, type TextRun } from './watermark-fonts.ts';
import { fitLine, widthOf } from './watermark-line.ts';

const fonts = openWatermarkFonts(
	harfbuzz,
	join(dirname(import.meta.resolve('@fontsource/mukta/package.json').replace('file://', '')), 'files'),
);
const rest = 'asha@example.com · 25.11.2026';
const textOf = (runs: readonly TextRun[]) => runs.map(({ text }) => text).join('');
const lengthOf = (runs: readonly TextRun[]) => runs.reduce((sum, run) => sum + widthOf(run), 0);

test('fitLine truncates only the name, between two graphemes, when the line is too long', () => {
	const lineFor = fitLine(fonts, { name: 'क्षत्रिय'.repeat(20), rest });
	const fullWidth = lengthOf(lineFor(1000));
	for (const width of [fullWidth * 0.9, fullWidth * 0.5, fullWidth * 0.3]) {
		const runs = lineFor(width);
		expect(lengthOf(runs)).toBeLessThanOrEqual(width);
		expect(textOf(runs)).toMatch(/^(?:क्षत्रिय)*(?:क्ष|क्षत्रि)?… · asha@example\.com · 25\.11\.2026$/u);
	}
});

test('fitLine returns only the rest when no part of the name fits, even if the rest is too wide', () => {
	const runs = fitLine(fonts, { name: 'Asha Verma', rest })(0.1);
	expect(textOf(runs)).toBe(rest);
	expect(lengthOf(runs)).toBeGreaterThan(0.1);
});
