import { shapeLine, type TextRun, type WatermarkFont } from './watermark-fonts.ts';

/** The text at the foot of each page. Where there is not enough space, the name is cut. */
export interface WatermarkLine {
	/** '' if there is none. */
	name: string;
	rest: string;
}

/** Returns the shaped line with as much of the name as fits; the width is for a font size of one point. */
export type FittedLine = (widestPerPoint: number) => readonly TextRun[];

/** Returns a function that shapes a line for a width at one point; only the name is cut, never what identifies. */
export function fitLine(fonts: readonly WatermarkFont[], { name, rest }: WatermarkLine): FittedLine {
	const signs = splitGraphemes(name);
	const known = new Map<number, { runs: readonly TextRun[]; width: number }>();
	const setWith = (count: number) => {
		const found = known.get(count);
		if (found !== undefined) return found;
		const cut = `${signs.slice(0, count).join('').trimEnd()}…`;
		const part = count === signs.length ? name : count === 0 ? '' : cut;
		const runs = shapeLine(fonts, part === '' ? rest : `${part} · ${rest}`);
		const line = { runs, width: runs.reduce((sum, run) => sum + widthOf(run), 0) };
		known.set(count, line);
		return line;
	};
	return (widestPerPoint) => {
		for (let count = signs.length; count > 0; count -= 1) {
			const { runs, width } = setWith(count);
			if (width <= widestPerPoint) return runs;
		}
		return setWith(0).runs;
	};
}

/** Returns the width of a run at a font size of one point. */
export function widthOf({ font, glyphs }: TextRun): number {
	return glyphs.reduce((sum, { advance }) => sum + advance, 0) / font.unitsPerEm;
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** No script has longer graphemes, but consonants can be chained without limit. */
const graphemeMaxCodePoints = 8;

/** Splits a text into graphemes, the longest of which are split further. */
export function splitGraphemes(text: string): string[] {
	return [...segmenter.segment(text)].flatMap(({ segment }) => {
		const points = [...segment];
		const count = Math.ceil(points.length / graphemeMaxCodePoints);
		return Array.from({ length: count }, (_, i) =>
			points.slice(i * graphemeMaxCodePoints, (i + 1) * graphemeMaxCodePoints).join(''),
		);
	});
}
