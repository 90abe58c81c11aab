import { distanceAcrossLine, distanceAlongLine, isHorizontal, type TextRun } from './pdf-text.ts';

/** Largest gap between two words in one column, as a multiple of the font height. */
const maxGapHeights = 2;

/**
 * Groups the words of pdf.js's text layer into one element per line, for screen readers and selections. Words keep
 * their position and width. Artifacts and text that does not run from left to right are not grouped.
 * @param layer the parent of `spans`
 * @param lineClass class of the lines. Their words get CSS variables: `--advance` (distance to the next word) and
 * `--gap` (width of the space before the next word) in page units, `--space` (width of the font's space) in em
 */
export function groupIntoLines(
	layer: HTMLElement,
	spans: readonly HTMLElement[],
	runs: readonly TextRun[],
	lineClass: string,
): void {
	let line: HTMLElement | null = null;
	for (const [index, run] of runs.entries()) {
		const span = spans[index];
		if (span?.parentElement !== layer || !isHorizontal(run)) {
			line = null;
			continue;
		}
		const next = runs[index + 1];
		const hasNext = next !== undefined && isOnSameLine(run, next);
		line ??= createLine(span, lineClass);
		const advance = hasNext ? distanceAlongLine(run, next) : run.width;
		span.style.setProperty('--advance', advance.toFixed(3));
		// Not for a run with several words, because its measured width includes the spaces between them.
		if (hasNext && /^\S+\s$/u.test(run.str)) {
			span.style.setProperty('--gap', (advance - run.width).toFixed(3));
			span.style.setProperty('--space', String(measureSpaceWidth(span.style.fontFamily, run.str)));
		}
		for (const property of ['left', 'top', '--font-height']) span.style.removeProperty(property);
		line.append(span);
		if (!hasNext) line = null;
	}
}

function createLine(word: HTMLElement, lineClass: string): HTMLElement {
	const line = document.createElement('span');
	line.className = lineClass;
	line.setAttribute('role', 'presentation');
	const { left, top, fontFamily } = word.style;
	Object.assign(line.style, { left, top, fontFamily });
	line.style.setProperty('--font-height', word.style.getPropertyValue('--font-height'));
	word.before(line);
	return line;
}

const spaces = new Map<string, number>();

/** Returns the width of a space in the word's font, in em. */
function measureSpaceWidth(fontFamily: string, word: string): number {
	const letter = /\p{Script=Devanagari}/u.test(word) ? 'क' : 'n';
	const key = `${fontFamily} ${letter}`;
	const cachedWidth = spaces.get(key);
	if (cachedWidth !== undefined) return cachedWidth;
	const context = document.createElement('canvas').getContext('2d');
	if (context === null) return 0;
	context.font = `100px ${fontFamily}`;
	const space = (context.measureText(`${letter} `).width - context.measureText(letter).width) / 100;
	spaces.set(key, space);
	return space;
}

function isOnSameLine(run: TextRun, next: TextRun): boolean {
	if (run.hasEOL || next.isArtifact || !isHorizontal(next)) return false;
	const gap = distanceAlongLine(run, next) - run.width;
	const isBeside = gap > -run.width && gap < maxGapHeights * run.height;
	return isBeside && run.height === next.height && Math.abs(distanceAcrossLine(run, next)) < 0.01 * run.height;
}
