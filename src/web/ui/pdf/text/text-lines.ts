import { distanceAcrossLine, distanceAlongLine, isHorizontal, type TextRun } from './pdf-text.ts';

/** How far apart two words of a line may stand, as a share of their height; farther off another column begins. */
const maxGapHeights = 2;

/**
 * Puts the words that pdf.js has laid out one by one into elements for their lines: a screen reader reads a line at a time,
 * not a word, and a selection runs along it. Each word stays where it stands, as wide as it is. What does not run from left
 * to right, and artifacts, stay as they are.
 * @param layer of which each `span` is a child; one for each of `runs`
 * @param lineClass of the lines; their children need `--advance` (how far it is to the next word) and `--gap` (how much of that
 * is the space), in the page's units, and `--space`, how wide a space of their typeface is, in em
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
		// Of a piece with more words in it, the spaces within were measured as they are.
		if (hasNext && /^\S+\s$/u.test(run.str)) {
			span.style.setProperty('--gap', (advance - run.width).toFixed(3));
			span.style.setProperty('--space', String(measureSpaceWidth(span.style.fontFamily, run.str)));
		}
		for (const own of ['left', 'top', '--font-height']) span.style.removeProperty(own);
		line.append(span);
		if (!hasNext) line = null;
	}
}

/** Where its first word stands. */
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

/** How wide the space behind a word is, in em: the one of the typeface in which the word itself is written. */
function measureSpaceWidth(fontFamily: string, word: string): number {
	const letter = /\p{Script=Devanagari}/u.test(word) ? 'क' : 'n';
	const key = `${fontFamily} ${letter}`;
	const known = spaces.get(key);
	if (known !== undefined) return known;
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
