import { toAsciiDigits } from './numbers.ts';

export interface OutlineEntry {
	/** Position in the outline: `2`, `2.1`. */
	id: string;
	title: string;
	/** Page on which the section begins; null when the entry has no target. */
	page: number | null;
}

/** An outline with its headings in document order, children after their parent. */
export interface Outline {
	pageCount: number;
	entries: readonly OutlineEntry[];
}

/** The owner's choice for an English entry; `hi` is null when the entry has no counterpart. */
export interface ManualMatch {
	en: string;
	hi: string | null;
}

interface Heading {
	id: string;
	title: string;
	number: number | null;
	kind: number | null;
	/** Share of the parent's pages before the entry, 0 to 1. */
	start: number;
	/** Share of the parent's pages that the entry covers, 0 to 1. */
	span: number;
	pages: number;
	children: Heading[];
}

/**
 * Weights of the similarity score. Entries with similar positions match unless their numbers or kinds differ. `missing`
 * applies if only one of two entries has a number or kind, `different` if both have one and the two differ.
 */
const weights = {
	base: 1,
	position: 0.8,
	span: 1.2,
	children: 0.3,
	number: 3,
	kind: 2,
	title: 2,
	missing: -1.8,
	different: -3.5,
};

/**
 * Matches the entries of two outlines. Manual matches are kept. The other entries are matched level by level below
 * matched parents, in their order, so that the total of the similarity scores is highest (Needleman and Wunsch, 1970).
 * The score compares numbers and usual names in the titles, positions and lengths. Each entry has at most one match.
 */
export function matchChapters(
	en: Outline,
	hi: Outline,
	manualMatches: readonly ManualMatch[] = [],
): Array<{ en: string; hi: string }> {
	const [english, hindi] = [headingsOf(en), headingsOf(hi)];
	const [englishById, hindiById] = [indexOf(english), indexOf(hindi)];
	const manual = new Map(manualMatches.map((pair) => [pair.en, pair.hi]));
	const matchedHindiIds = new Set(manualMatches.flatMap((pair) => pair.hi ?? []));
	const pairs = new Map<string, string>();
	const matchBelow = (englishLevel: Heading[], hindiLevel: Heading[]) => {
		for (const [enHeading, hiHeading] of alignLevel(englishLevel, hindiLevel, manual, matchedHindiIds)) {
			pairs.set(enHeading.id, hiHeading.id);
			matchBelow(enHeading.children, hiHeading.children);
		}
	};
	matchBelow(english, hindi);
	// Adds the manual matches that cross others or are between entries of different levels.
	for (const [id, otherId] of manual) {
		const [enHeading, hiHeading] = [englishById.get(id), hindiById.get(otherId ?? '')];
		if (enHeading === undefined || hiHeading === undefined || pairs.has(id)) continue;
		pairs.set(id, hiHeading.id);
		matchBelow(enHeading.children, hiHeading.children);
	}
	return en.entries.flatMap(({ id }) => {
		const hindiId = pairs.get(id);
		return hindiId === undefined ? [] : [{ en: id, hi: hindiId }];
	});
}

function alignLevel(
	englishLevel: Heading[],
	hindiLevel: Heading[],
	manual: ReadonlyMap<string, string | null>,
	matchedHindiIds: ReadonlySet<string>,
): Array<[Heading, Heading]> {
	if (englishLevel.length === 0 || hindiLevel.length === 0) return [];
	const numbers = new Set(englishLevel.flatMap(({ number }) => number ?? []));
	// If the outlines share no number, one edition continues the numbering of an earlier part. Numbers are then ignored.
	const hasNumbers = hindiLevel.some(({ number }) => number !== null && numbers.has(number));
	const anchors = findAnchors(englishLevel, hindiLevel, manual);
	const similarityOf = (enHeading: Heading, hiHeading: Heading): number => {
		if (anchors.has(enHeading.id) && manual.get(enHeading.id) === hiHeading.id) return anchorScore;
		if (manual.has(enHeading.id) || matchedHindiIds.has(hiHeading.id)) return Number.NEGATIVE_INFINITY;
		return similarity(enHeading, hiHeading, hasNumbers);
	};
	const width = hindiLevel.length + 1;
	const best = new Float64Array((englishLevel.length + 1) * width);
	const at = (i: number, j: number) => best[i * width + j] ?? 0;
	const steps = new Uint8Array(best.length);
	for (const [i, enHeading] of englishLevel.entries()) {
		for (const [j, hiHeading] of hindiLevel.entries()) {
			const choices = [at(i, j) + similarityOf(enHeading, hiHeading), at(i, j + 1), at(i + 1, j)];
			const highest = Math.max(...choices);
			best[(i + 1) * width + j + 1] = highest;
			steps[(i + 1) * width + j + 1] = choices.indexOf(highest);
		}
	}
	const aligned: Array<[Heading, Heading]> = [];
	for (let [i, j] = [englishLevel.length, hindiLevel.length]; i > 0 && j > 0; ) {
		const step = steps[i * width + j];
		const [enHeading, hiHeading] = [englishLevel[i - 1], hindiLevel[j - 1]];
		if (step === 0 && enHeading !== undefined && hiHeading !== undefined) aligned.push([enHeading, hiHeading]);
		if (step !== 2) i -= 1;
		if (step !== 1) j -= 1;
	}
	return aligned.reverse();
}

/** Score of an anchor. It is higher than the scores of all suggested matches of a level together. */
const anchorScore = 10_000;

/** Returns the manual matches of a level that do not cross another. Suggestions are placed between these anchors. */
function findAnchors(
	englishLevel: readonly Heading[],
	hindiLevel: readonly Heading[],
	manual: ReadonlyMap<string, string | null>,
): Set<string> {
	const indexById = new Map(hindiLevel.map(({ id }, index) => [id, index]));
	const anchors = englishLevel.flatMap(({ id }, from) => {
		const to = indexById.get(manual.get(id) ?? '');
		return to === undefined ? [] : [{ id, from, to }];
	});
	const isStraight = (pair: (typeof anchors)[number]) =>
		anchors.every(({ from, to }) => Math.sign(from - pair.from) === Math.sign(to - pair.to));
	return new Set(anchors.filter(isStraight).map(({ id }) => id));
}

function similarity(enHeading: Heading, hiHeading: Heading, hasNumbers: boolean): number {
	let sum = weights.base + weights.position * (1 - 2 * Math.abs(enHeading.start - hiHeading.start));
	// If one outline lacks a chapter, its other chapters have larger shares, but the same number of pages.
	sum += weights.span * Math.max(ratio(enHeading.span, hiHeading.span), ratio(enHeading.pages, hiHeading.pages));
	if (enHeading.children.length > 0 && hiHeading.children.length > 0)
		sum += weights.children * ratio(enHeading.children.length, hiHeading.children.length);
	if (hasNumbers) sum += weighEquality(enHeading.number, hiHeading.number, weights.number);
	sum += weighEquality(enHeading.kind, hiHeading.kind, weights.kind);
	if (enHeading.title !== '' && enHeading.title === hiHeading.title) sum += weights.title;
	return sum;
}

function weighEquality(a: number | null, b: number | null, equalWeight: number): number {
	if (a === null && b === null) return 0;
	if (a === null || b === null) return weights.missing;
	return a === b ? equalWeight : weights.different;
}

function ratio(a: number, b: number): number {
	const larger = Math.max(a, b);
	return larger <= 0 ? 1 : Math.min(a, b) / larger;
}

function headingsOf({ pageCount, entries }: Outline): Heading[] {
	const byParent = new Map<string, OutlineEntry[]>();
	for (const entry of entries) {
		const parent = parentOf(entry.id);
		const siblings = byParent.get(parent);
		if (siblings === undefined) byParent.set(parent, [entry]);
		else siblings.push(entry);
	}
	const below = (parent: string, from: number, to: number): Heading[] => {
		const children = byParent.get(parent) ?? [];
		const starts = children.map(({ page }) => page);
		return children.map((entry, index) => {
			const start = starts[index] ?? starts.slice(0, index).findLast((page) => page !== null) ?? from;
			const end = starts.slice(index + 1).find((page) => page !== null) ?? to;
			const title = normalizeTitle(entry.title);
			const length = Math.max(1, to - from);
			return {
				id: entry.id,
				title,
				number: chapterNumberOf(title),
				kind: sectionKindOf(title),
				start: clamp((start - from) / length),
				span: clamp((end - start) / length),
				pages: end - start,
				children: below(entry.id, start, Math.max(end, start)),
			};
		});
	};
	return below('', 1, pageCount + 1);
}

function indexOf(headings: Heading[], into = new Map<string, Heading>()): Map<string, Heading> {
	for (const heading of headings) {
		into.set(heading.id, heading);
		indexOf(heading.children, into);
	}
	return into;
}

/** Returns the ID of an entry's parent; '' for a top-level entry. */
export function parentOf(id: string): string {
	return id.slice(0, Math.max(0, id.lastIndexOf('.')));
}

function clamp(share: number): number {
	return Math.min(1, Math.max(0, share));
}

function normalizeTitle(title: string): string {
	return toAsciiDigits(title.normalize('NFKC').toLowerCase()).replace(/\s+/gu, ' ').trim();
}

const unitWords =
	'(?:chapter|chap\\.?|ch\\.|part|section|lesson|unit|book|step|day|rule|अध्याय|भाग|खंड|खण्ड|पाठ|प्रकरण|इकाई|क़दम|कदम|दिन|नियम|चरण)';
const roman = '(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})';
const numberAfterUnit = new RegExp(
	`^${unitWords}\\s*[-–—:.#]?\\s*(?:(\\d{1,3})|(${roman})(?=$|[\\s.):–—-])|([\\p{L}\\p{M}]+))`,
	'u',
);
const numberAlone = new RegExp(`^(?:(?:\\d{1,3}\\.)*(\\d{1,3})(?=$|[\\s.):–—|-])|\\(?(${roman})(?=$|[.):–—]))`, 'u');
const ordinalBeforeUnit = new RegExp(`^([\\p{L}\\p{M}]+) ${unitWords}(?=$|[\\s.):–—-])`, 'u');

/** Number words from one to twelve: English, then Hindi, cardinals and ordinals. */
const numberWords = [
	'one first एक पहला पहली प्रथम',
	'two second दो दूसरा दूसरी द्वितीय',
	'three third तीन तीसरा तीसरी तृतीय',
	'four fourth चार चौथा चौथी चतुर्थ',
	'five fifth पाँच पांच पाँचवाँ पांचवां पंचम',
	'six sixth छह छः छठा छठी',
	'seven seventh सात सातवाँ सातवां',
	'eight eighth आठ आठवाँ आठवां',
	'nine ninth नौ नौवाँ नौवां नवाँ',
	'ten tenth दस दसवाँ दसवां',
	'eleven eleventh ग्यारह ग्यारहवाँ',
	'twelve twelfth बारह बारहवाँ',
].map((line) => line.normalize('NFKC').split(' '));

function chapterNumberOf(title: string): number | null {
	const [, figures, letters, word] = numberAfterUnit.exec(title) ?? [];
	if (figures !== undefined) return Number(figures);
	if (letters !== undefined) return romanValue(letters);
	const [, ownFigures, ownLetters] = numberAlone.exec(title) ?? [];
	if (ownFigures !== undefined) return Number(ownFigures);
	if (ownLetters !== undefined) return romanValue(ownLetters);
	const written = word ?? ordinalBeforeUnit.exec(title)?.[1];
	const index = written === undefined ? -1 : numberWords.findIndex((line) => line.includes(written));
	return index === -1 ? null : index + 1;
}

const romanFigures: Record<string, number> = { i: 1, v: 5, x: 10, l: 50 };

function romanValue(letters: string): number {
	const values = [...letters].map((letter) => romanFigures[letter] ?? 0);
	return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

/** Usual titles of the sections before and after the chapters of a book, in both languages; one pattern per kind. */
const sectionKindPatterns = [
	/^(?:preface|foreword|introduction|prologue|before you begin|प्रस्तावना|भूमिका|प्राक्कथन|आमुख|परिचय|दो शब्द)/u,
	/^(?:dedication|समर्पण)/u,
	/^(?:acknowledge?ments?|thanks|आभार|धन्यवाद)/u,
	/^(?:contents|table of contents|विषय[- ]?सूची|अनुक्रम(?!णिका))/u,
	/^(?:title page|cover|half title|आवरण|मुखपृष्ठ|शीर्षक पृष्ठ)/u,
	/^(?:copyright|colophon|imprint|कॉपीराइट|प्रकाशन|मुद्रण)/u,
	/^(?:conclusion|epilogue|afterword|closing|उपसंहार|निष्कर्ष|समापन)/u,
	/^(?:appendix|appendices|परिशिष्ट)/u,
	/^(?:glossary|शब्दावली)/u,
	/^(?:bibliography|references|further reading|संदर्भ|सन्दर्भ)/u,
	/^(?:notes|टिप्पणियाँ|टिप्पणी)/u,
	/^(?:index$|अनुक्रमणिका)/u,
	/^(?:about the author|लेखक (?:के बारे|परिचय))/u,
].map((pattern) => new RegExp(pattern.source.normalize('NFKC'), 'u'));

function sectionKindOf(title: string): number | null {
	const index = sectionKindPatterns.findIndex((pattern) => pattern.test(title));
	return index === -1 ? null : index;
}
