import { shapeLine, type TextRun, type WatermarkFont } from './watermark-fonts.ts';

/** What stands at the foot of each page. Where there is no room for all of it, the name is cut. */
export interface WatermarkLine {
	/** '' for none. */
	name: string;
	rest: string;
}

/** The line set, with as much of the name as there is room for. */
export type FittedLine = (widestPerPoint: number) => readonly TextRun[];

/**
 * Sets a line such that at a size of one point it is no wider than what it is asked for: the name is cut, what tells whose
 * copy it is never is.
 */
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

/** For a size of one point. */
export function widthOf({ font, glyphs }: TextRun): number {
	return glyphs.reduce((sum, { advance }) => sum + advance, 0) / font.unitsPerEm;
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** A sign of more code points than this is no sign of any script: consonants can be chained without an end. */
const graphemeMaxCodePoints = 8;

/** The signs of a text as its reader counts them. */
export function splitGraphemes(text: string): string[] {
	return [...segmenter.segment(text)].flatMap(({ segment }) => {
		const points = [...segment];
		const count = Math.ceil(points.length / graphemeMaxCodePoints);
		return Array.from({ length: count }, (_, i) =>
			points.slice(i * graphemeMaxCodePoints, (i + 1) * graphemeMaxCodePoints).join(''),
		);
	});
}
