import { type MarkFont, type MarkRun, setLine } from './mark-text.ts';
import { signsOf } from './signs.ts';

/** What stands at the foot of each page. Where there is no room for all of it, the name is cut. */
export interface MarkLine {
	/** '' for none. */
	name: string;
	rest: string;
}

/** The line set, with as much of the name as there is room for. */
export type FittedLine = (widestPerPoint: number) => readonly MarkRun[];

/**
 * Sets a line such that at a size of one point it is no wider than what it is asked for: the name is cut, what tells whose
 * copy it is never is.
 */
export function fitLine(fonts: readonly MarkFont[], { name, rest }: MarkLine): FittedLine {
	const signs = signsOf(name);
	const known = new Map<number, { runs: readonly MarkRun[]; width: number }>();
	const setWith = (count: number) => {
		const found = known.get(count);
		if (found !== undefined) return found;
		const cut = `${signs.slice(0, count).join('').trimEnd()}…`;
		const part = count === signs.length ? name : count === 0 ? '' : cut;
		const runs = setLine(fonts, part === '' ? rest : `${part} · ${rest}`);
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
export function widthOf({ font, glyphs }: MarkRun): number {
	return glyphs.reduce((sum, { advance }) => sum + advance, 0) / font.unitsPerEm;
}
