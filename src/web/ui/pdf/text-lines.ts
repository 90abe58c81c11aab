import { acrossLine, alongLine, type TextRun } from './pdf-text.ts';

/** How far apart two words of a line may stand, as a share of their height; farther off another column begins. */
const gapMost = 2;

/**
 * Puts the words that pdf.js has laid out one by one into elements for their lines: a screen reader reads a line at a time,
 * not a word, and a selection runs along it. Each word stays where it stands, as wide as it is. What does not run from left
 * to right, and artifacts, stay as they are.
 * @param layer of which each `span` is a child; one for each of `runs`
 * @param lineClass of the lines; their children need `--advance`, how far it is to the next word in the page's units
 */
export function putInLines(
	layer: HTMLElement,
	spans: readonly HTMLElement[],
	runs: readonly TextRun[],
	lineClass: string,
): void {
	let line: HTMLElement | null = null;
	for (const [index, run] of runs.entries()) {
		const span = spans[index];
		if (span?.parentElement !== layer || !isLevel(run)) {
			line = null;
			continue;
		}
		const next = runs[index + 1];
		const goesOn = next !== undefined && isNextOf(run, next);
		line ??= beginLine(span, lineClass);
		span.style.setProperty('--advance', (goesOn ? alongLine(run, next) : run.width).toFixed(3));
		for (const own of ['left', 'top', 'font-family', '--font-height']) span.style.removeProperty(own);
		line.append(span);
		if (!goesOn) line = null;
	}
}

/** Where its first word stands. */
function beginLine(word: HTMLElement, lineClass: string): HTMLElement {
	const line = document.createElement('span');
	line.className = lineClass;
	line.setAttribute('role', 'presentation');
	const { left, top, fontFamily } = word.style;
	Object.assign(line.style, { left, top, fontFamily });
	line.style.setProperty('--font-height', word.style.getPropertyValue('--font-height'));
	word.before(line);
	return line;
}

function isNextOf(run: TextRun, next: TextRun): boolean {
	if (run.hasEOL || next.isArtifact || !isLevel(next)) return false;
	const gap = alongLine(run, next) - run.width;
	const isBeside = gap > -run.width && gap < gapMost * run.height;
	return isBeside && run.height === next.height && Math.abs(acrossLine(run, next)) < 0.01 * run.height;
}

function isLevel({ dir, transform }: TextRun): boolean {
	const [a = 1, b = 0, c = 0, d = 1] = transform.map(Number);
	return dir === 'ltr' && a > 0 && d > 0 && b === 0 && c === 0;
}
