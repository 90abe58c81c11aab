import { devanagariToAsciiDigits } from './digits.ts';
/** A heading of a PDF's outline. */
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

/** The owner's choice for an English entry; `hi` is null when it has no counterpart. */
export interface ManualMatch {
	en: string;
	hi: string | null;
}

/** An English entry and its Hindi counterpart. */
interface ChapterMatch {
	en: string;
	hi: string;
	isByHand: boolean;
}

/** An entry with the features by which it is matched. */
interface Heading {
	id: string;
	title: string;
	number: number | null;
	kind: number | null;
	/** Shares of its parent that are before it and that it covers, 0 to 1. */
	start: number;
	span: number;
	pages: number;
	children: Heading[];
}

/** Weights of the similarity score: similar positions alone match, unless one feature is contrary. */
const weights = { base: 1, place: 0.8, span: 1.2, children: 0.3, number: 3, kind: 2, title: 2, one: -1.8, other: -3.5 };

/**
 * Pairs two outlines: manual matches are kept; for the rest, on each level below a pair, the order is kept and the
 * pairs are those with the best total score (Needleman and Wunsch, 1970): by numbers and usual names in their titles,
 * and by their positions and lengths. An entry has one counterpart at most.
 */
export function matchChapters(en: Outline, hi: Outline, byHand: readonly ManualMatch[] = []): ChapterMatch[] {
	const [english, hindi] = [headingsOf(en), headingsOf(hi)];
	const [englishById, hindiById] = [indexOf(english), indexOf(hindi)];
	const manual = new Map(byHand.map((pair) => [pair.en, pair.hi]));
	const taken = new Set(byHand.flatMap((pair) => pair.hi ?? []));
	const pairs = new Map<string, ChapterMatch>();
	const matchBelow = (ones: Heading[], others: Heading[]) => {
		for (const [one, other] of alignLevel(ones, others, manual, taken)) {
			pairs.set(one.id, { en: one.id, hi: other.id, isByHand: manual.has(one.id) });
			matchBelow(one.children, other.children);
		}
	};
	matchBelow(english, hindi);
	// Adds the manual matches that cross others, or that join different levels.
	for (const [id, otherId] of manual) {
		const [one, other] = [englishById.get(id), hindiById.get(otherId ?? '')];
		if (one === undefined || other === undefined || pairs.has(id)) continue;
		pairs.set(id, { en: id, hi: other.id, isByHand: true });
		matchBelow(one.children, other.children);
	}
	return en.entries.flatMap(({ id }) => pairs.get(id) ?? []);
}

function alignLevel(
	ones: Heading[],
	others: Heading[],
	manual: ReadonlyMap<string, string | null>,
	taken: ReadonlySet<string>,
): Array<[Heading, Heading]> {
	if (ones.length === 0 || others.length === 0) return [];
	const numbers = new Set(ones.flatMap(({ number }) => number ?? []));
	// If one edition continues the numbering of the previous part, the numbers cannot be compared.
	const hasNumbers = others.some(({ number }) => number !== null && numbers.has(number));
	const anchors = findAnchors(ones, others, manual);
	const similarityOf = (one: Heading, other: Heading): number => {
		if (anchors.has(one.id) && manual.get(one.id) === other.id) return anchorScore;
		if (manual.has(one.id) || taken.has(other.id)) return Number.NEGATIVE_INFINITY;
		return similarity(one, other, hasNumbers);
	};
	const width = others.length + 1;
	const best = new Float64Array((ones.length + 1) * width);
	const at = (i: number, j: number) => best[i * width + j] ?? 0;
	const steps = new Uint8Array(best.length);
	for (const [i, one] of ones.entries()) {
		for (const [j, other] of others.entries()) {
			const choices = [at(i, j) + similarityOf(one, other), at(i, j + 1), at(i + 1, j)];
			const most = Math.max(...choices);
			best[(i + 1) * width + j + 1] = most;
			steps[(i + 1) * width + j + 1] = choices.indexOf(most);
		}
	}
	const aligned: Array<[Heading, Heading]> = [];
	for (let [i, j] = [ones.length, others.length]; i > 0 && j > 0; ) {
		const step = steps[i * width + j];
		const [one, other] = [ones[i - 1], others[j - 1]];
		if (step === 0 && one !== undefined && other !== undefined) aligned.push([one, other]);
		if (step !== 2) i -= 1;
		if (step !== 1) j -= 1;
	}
	return aligned.reverse();
}

/** Score of an anchor: more than all suggested matches of a level together. */
const anchorScore = 10_000;

/** Returns the manual matches of a level that cross no other: suggestions keep the order around them. */
function findAnchors(
	ones: readonly Heading[],
	others: readonly Heading[],
	manual: ReadonlyMap<string, string | null>,
): Set<string> {
	const placeOf = new Map(others.map(({ id }, place) => [id, place]));
	const anchors = ones.flatMap(({ id }, from) => {
		const to = placeOf.get(manual.get(id) ?? '');
		return to === undefined ? [] : [{ id, from, to }];
	});
	const isStraight = (pair: (typeof anchors)[number]) =>
		anchors.every(({ from, to }) => Math.sign(from - pair.from) === Math.sign(to - pair.to));
	return new Set(anchors.filter(isStraight).map(({ id }) => id));
}

function similarity(one: Heading, other: Heading, hasNumbers: boolean): number {
	let sum = weights.base + weights.place * (1 - 2 * Math.abs(one.start - other.start));
	// If one outline lacks a chapter, the others have larger shares there but the same number of pages.
	sum += weights.span * Math.max(ratio(one.span, other.span), ratio(one.pages, other.pages));
	if (one.children.length > 0 && other.children.length > 0)
		sum += weights.children * ratio(one.children.length, other.children.length);
	if (hasNumbers) sum += weighEquality(one.number, other.number, weights.number);
	sum += weighEquality(one.kind, other.kind, weights.kind);
	if (one.title !== '' && one.title === other.title) sum += weights.title;
	return sum;
}

function weighEquality(one: number | null, other: number | null, same: number): number {
	if (one === null && other === null) return 0;
	if (one === null || other === null) return weights.one;
	return one === other ? same : weights.other;
}

function ratio(one: number, other: number): number {
	const most = Math.max(one, other);
	return most <= 0 ? 1 : Math.min(one, other) / most;
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
		const own = byParent.get(parent) ?? [];
		const starts = own.map(({ page }) => page);
		return own.map((entry, index) => {
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

/** Normalises a title: lower case, ASCII digits, single spaces. */
function normalizeTitle(title: string): string {
	return devanagariToAsciiDigits(title.normalize('NFKC').toLowerCase()).replace(/\s+/gu, ' ').trim();
}

/** Words that precede a chapter number, in both languages. */
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

/** Returns the number with which a title begins; null without one. */
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

/** Names of the usual sections before and after the chapters of a book, in both languages. */
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
