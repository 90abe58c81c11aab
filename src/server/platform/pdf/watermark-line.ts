import { shapeLine, splitGraphemes, type TextRun, type WatermarkFont } from './watermark-fonts.ts';

/** The text at the foot of each page. If it is too wide, the name is truncated. */
export interface WatermarkLine {
	/** The buyer's name; '' if unknown. */
	name: string;
	/** The text after the name. It identifies the buyer, so it is never truncated. */
	rest: string;
}

/** Returns the shaped line with as much of the name as fits into a width, given for a font size of one point. */
export type FittedLine = (maxWidthPerPoint: number) => readonly TextRun[];

export function fitLine(fonts: readonly WatermarkFont[], { name, rest }: WatermarkLine): FittedLine {
	const graphemes = splitGraphemes(name);
	const cache = new Map<number, { runs: readonly TextRun[]; width: number }>();
	const shapeWithGraphemes = (count: number) => {
		const cached = cache.get(count);
		if (cached !== undefined) return cached;
		const truncated = `${graphemes.slice(0, count).join('').trimEnd()}…`;
		const shownName = count === graphemes.length ? name : count === 0 ? '' : truncated;
		const runs = shapeLine(fonts, shownName === '' ? rest : `${shownName} · ${rest}`);
		const line = { runs, width: runs.reduce((sum, run) => sum + widthOf(run), 0) };
		cache.set(count, line);
		return line;
	};
	return (maxWidthPerPoint) => {
		for (let count = graphemes.length; count > 0; count -= 1) {
			const { runs, width } = shapeWithGraphemes(count);
			if (width <= maxWidthPerPoint) return runs;
		}
		return shapeWithGraphemes(0).runs;
	};
}

/** Returns the width of a run at a font size of one point. */
export function widthOf({ font, glyphs }: TextRun): number {
	return glyphs.reduce((sum, { advance }) => sum + advance, 0) / font.unitsPerEm;
}
