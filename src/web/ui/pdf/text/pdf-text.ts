import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
type TextItem = Extract<TextContent['items'][number], { str: string }>;
type TextMarkedContent = Exclude<TextContent['items'][number], { str: string }>;

/** A word with its position on the page; or a line, if its words cannot be separated. */
export interface TextRun extends TextItem {
	/** Whether the run is not part of the text: a running header, a page number, or the buyer's watermark. */
	isArtifact: boolean;
}

export interface PageText {
	/** Input of pdf.js's text layer: the runs without trailing spaces, and the begin and end markers of artifacts. */
	content: TextContent;
	/** In the order of the elements in the text layer. */
	runs: readonly TextRun[];
	/** Without artifacts; each line ends with a line feed. */
	text: string;
	/** For each run, the index in `text` where the run begins; -1 for an artifact. */
	starts: readonly number[];
}

/** pdf.js's types lack `tag`. `actualText` comes from our patch of the worker. */
type MarkedContent = TextMarkedContent & { tag?: string | null; actualText?: unknown };
type Piece = TextItem | MarkedContent;
/** `gaps` comes from our patch of the worker: for each space in the item, its distance from the start and its width. */
type GappedItem = TextItem & { gaps?: readonly number[] };

/** If a page has more words, its lines are not split into words, because each word costs rendering time on a phone. */
const maxSplitWords = 2500;

/** Largest gap and overlap between two pieces of one word, as shares of the font height. */
const maxGapShare = 0.25;
const maxOverlapShare = 0.6;

/** Limits memory use on phones. */
const maxCachedTexts = 400;
const texts = new WeakMap<PDFDocumentProxy, Map<number, Promise<PageText>>>();

/** Returns the text of a page from a cache that rendering and search share. Rejects if the page cannot be loaded. */
export function loadPageText(pdf: PDFDocumentProxy, page: number): Promise<PageText> {
	const pageTexts = texts.get(pdf) ?? new Map<number, Promise<PageText>>();
	texts.set(pdf, pageTexts);
	const cached = pageTexts.get(page);
	if (cached !== undefined) return cached;
	const reading = readPageText(pdf, page);
	pageTexts.set(page, reading);
	reading.catch(() => pageTexts.delete(page));
	const [oldest] = pageTexts.keys();
	if (pageTexts.size > maxCachedTexts && oldest !== undefined) pageTexts.delete(oldest);
	return reading;
}

async function readPageText(pdf: PDFDocumentProxy, page: number): Promise<PageText> {
	const proxy = await pdf.getPage(page);
	return joinPieces(await proxy.getTextContent({ includeMarkedContent: true }));
}

/**
 * Joins pieces of text into whole words for search, selection and screen readers. PDFs store Devanagari as glyphs in
 * drawing order and put the readable text into ActualText.
 */
export function joinPieces({ items: rawItems, styles, lang }: TextContent): PageText {
	const words = rawItems.reduce(
		(count, item: Piece & { gaps?: readonly number[] }) => count + 1 + (item.gaps?.length ?? 0) / 2,
		0,
	);
	const items = words > maxSplitWords ? rawItems : rawItems.flatMap(splitIntoWords);
	const layer: Piece[] = [];
	const runs: TextRun[] = [];
	let open: TextRun | null = null;
	const close = () => {
		if (open === null) return;
		layer.push({ ...open, str: open.str.trimEnd() || open.str });
		runs.push(open);
		open = null;
	};
	for (const piece of resolveActualText(items)) {
		if (!('str' in piece)) {
			close();
			layer.push(piece);
			continue;
		}
		// Skips a line end that does not directly follow text.
		if (open === null && piece.str === '') continue;
		if (open !== null && isSameRun(open, piece)) {
			open = extendRun(open, piece);
			continue;
		}
		close();
		open = piece;
	}
	close();
	const { text, starts } = composeText(runs);
	return { content: { items: layer, styles, lang }, runs, text, starts };
}

/** Replaces the pieces in each marked content that has an ActualText by one run with this text. */
function* resolveActualText(items: readonly Piece[]): Generator<TextRun | MarkedContent> {
	/** `spoken`: content with an ActualText. */
	const openContent: Array<'artifact' | 'spoken' | 'plain'> = [];
	let spoken: { text: string; pieces: TextItem[] } | null = null;
	const isArtifact = () => openContent.includes('artifact');
	for (const item of items) {
		if ('str' in item) {
			// pdf.js puts the end of the previous line and the space before a word into the marked content of the next word.
			const isBetween = item.str.trim() === '' && item.height === 0;
			if (spoken !== null && !isBetween) spoken.pieces.push(item);
			// Skips the space, because the ActualText contains the spaces between its words.
			else if (spoken !== null && spoken.pieces.length > 0 && !item.hasEOL) continue;
			// NUL characters stand for glyphs without Unicode text.
			else yield { ...item, str: item.str.replaceAll('\0', ''), isArtifact: isArtifact() };
		} else if (item.type === 'endMarkedContent') {
			const kind = openContent.pop();
			if (kind === 'artifact') yield item;
			if (kind !== 'spoken' || spoken === null) continue;
			const whole = mergePieces(spoken.text, spoken.pieces);
			spoken = null;
			if (whole !== null) yield { ...whole, isArtifact: isArtifact() };
		} else {
			const text: string | null = spoken === null ? actualText(item) : null;
			if (item.tag === 'Artifact') {
				openContent.push('artifact');
				yield item;
			} else if (text !== null) {
				openContent.push('spoken');
				spoken = { text, pieces: [] };
			} else openContent.push('plain');
		}
	}
}

/** Splits an item into words and spaces with positions. Right-to-left text and rotated text are not split. */
function splitIntoWords(piece: GappedItem | MarkedContent): Piece[] {
	if (!('str' in piece) || piece.gaps === undefined || piece.gaps.length === 0) return [piece];
	const { gaps, ...whole } = piece;
	const words = piece.str.split(' ');
	const isPlain = isHorizontal(piece) && words.length === gaps.length / 2 + 1 && gaps.every((value) => value >= 0);
	if (!isPlain || rightToLeft.test(piece.str)) return [whole];
	const from = (x: number) => whole.transform.with(4, transformValue(whole, 4) + x);
	let begin = 0;
	return words.flatMap((str, index): Piece[] => {
		const [end = piece.width, gap = 0] = gaps.slice(index * 2, index * 2 + 2);
		const isLast = index === words.length - 1;
		const word = { ...whole, str, transform: from(begin), width: end - begin, hasEOL: isLast && whole.hasEOL };
		begin = end + gap;
		return isLast ? [word] : [word, { ...whole, str: ' ', transform: from(end), width: gap, height: 0, hasEOL: false }];
	});
}

/** Hebrew and Arabic. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

export function isHorizontal(item: Pick<TextItem, 'dir' | 'transform'>): boolean {
	const [a = 1, b = 0, c = 0, d = 1] = item.transform.map(Number);
	return item.dir === 'ltr' && a > 0 && d > 0 && b === 0 && c === 0;
}

/** Returns the ActualText that our patch of the worker adds (scripts/build/pdfjs-plugin.ts); null if there is none. */
function actualText({ actualText: raw }: MarkedContent): string | null {
	return typeof raw === 'string' && raw !== '' ? decodeTextString(raw) : null;
}

/** Decodes a PDF text string (ISO 32000-1, 7.9.2.2): UTF-16 after a byte order mark, otherwise single bytes. */
export function decodeTextString(raw: string): string {
	if (!raw.startsWith('\u00fe\u00ff')) return raw;
	let text = '';
	for (let at = 2; at + 1 < raw.length; at += 2)
		text += String.fromCharCode((raw.charCodeAt(at) << 8) | raw.charCodeAt(at + 1));
	return text.toWellFormed();
}

function mergePieces(text: string, pieces: readonly TextItem[]): TextItem | null {
	const [first] = pieces;
	if (first === undefined) return null;
	// A vowel sign may be drawn before its letter. The sign may begin left of the letter or end right of the last piece.
	const leftmost = pieces.reduce((left, piece) => (distanceAlongLine(left, piece) < 0 ? piece : left), first);
	return {
		...first,
		str: text,
		transform: leftmost.transform,
		width: Math.max(...pieces.map((piece) => distanceToEnd(leftmost, piece))),
		height: Math.max(...pieces.map(({ height }) => height)),
		hasEOL: pieces.some(({ hasEOL }) => hasEOL),
	};
}

/** Returns the distance along the line from the start of `from` to the end of `to`, in page units. */
function distanceToEnd(from: TextItem, to: TextItem): number {
	return distanceAlongLine(from, to) + to.width;
}

/** Returns the distance along the line from the start of `from` to the start of `to`, in page units. */
export function distanceAlongLine(from: TextItem, to: TextItem): number {
	const [a = 1, b = 0] = directionOf(from);
	return (transformValue(to, 4) - transformValue(from, 4)) * a + (transformValue(to, 5) - transformValue(from, 5)) * b;
}

/** Returns how far `to` is above the line of `from`, in page units. */
export function distanceAcrossLine(from: TextItem, to: TextItem): number {
	const [a = 1, b = 0] = directionOf(from);
	return (transformValue(to, 5) - transformValue(from, 5)) * a - (transformValue(to, 4) - transformValue(from, 4)) * b;
}

function directionOf(item: TextItem): [number, number] {
	const length = Math.hypot(transformValue(item, 0), transformValue(item, 1)) || 1;
	return [transformValue(item, 0) / length, transformValue(item, 1) / length];
}

function transformValue(item: TextItem, index: number): number {
	const value: unknown = item.transform[index];
	return typeof value === 'number' ? value : 0;
}

function isSameRun(run: TextRun, next: TextRun): boolean {
	if (run.isArtifact !== next.isArtifact || run.dir !== next.dir || run.hasEOL) return false;
	if (next.str === '' && next.width === 0) return next.hasEOL;
	// One run per word keeps highlights close to the rendered words.
	if (/\s$/u.test(run.str) && /^\S/u.test(next.str)) return false;
	const height = Math.max(run.height, next.height) || 1;
	const isAlike = [0, 1, 2, 3].every(
		(index) => Math.abs(transformValue(run, index) - transformValue(next, index)) < 0.02 * height,
	);
	if (!isAlike || Math.abs(distanceAcrossLine(run, next)) > 0.2 * height) return false;
	const gap = distanceAlongLine(run, next) - run.width;
	return gap < maxGapShare * height && gap > -maxOverlapShare * height;
}

function extendRun(run: TextRun, next: TextRun): TextRun {
	// The width of a space is ignored: a space may fill the rest of the line.
	const isSpace = next.str.trim() === '';
	return {
		...run,
		str: run.str + next.str,
		width: isSpace ? run.width : Math.max(run.width, distanceToEnd(run, next)),
		height: Math.max(run.height, next.height),
		hasEOL: next.hasEOL,
	};
}

function composeText(runs: readonly TextRun[]): Pick<PageText, 'text' | 'starts'> {
	let text = '';
	const starts: number[] = [];
	let previous: TextRun | undefined;
	for (const run of runs) {
		if (run.isArtifact) {
			starts.push(-1);
			continue;
		}
		if (previous !== undefined && !previous.hasEOL && isSeparateWord(previous, run)) text += ' ';
		starts.push(text.length);
		text += run.str;
		if (run.hasEOL) text += '\n';
		previous = run;
	}
	return { text, starts };
}

/** Whether two consecutive runs are different words without a space between them. */
function isSeparateWord(run: TextRun, next: TextRun): boolean {
	if (run.str === '' || next.str === '' || /\s$/u.test(run.str) || /^\s/u.test(next.str)) return false;
	const height = Math.max(run.height, next.height) || 1;
	return (
		Math.abs(distanceAcrossLine(run, next)) > 0.5 * height ||
		distanceAlongLine(run, next) - run.width >= maxGapShare * height
	);
}
