import { type HandPair, type OutlineEntry, parentOf } from '#contract/reader/pair-outlines.ts';

/** An entry as it is kept: by its title and those above it, so that it is found again in a corrected file. */
export interface KeptEntry {
	/** Tells those of the same title apart. */
	id: string;
	/** From the uppermost down to its own. */
	titles: string[];
}

/** A decision as it is kept. */
export interface KeptPair {
	en: KeptEntry;
	hi: KeptEntry | null;
}

type Entries = readonly OutlineEntry[];

/** What was decided, with the titles of the outlines it was decided for. Of entries that are not there nothing is kept. */
export function keepPairs(en: Entries, hi: Entries, pairs: readonly HandPair[]): KeptPair[] {
	const [english, hindi] = [titlesOf(en), titlesOf(hi)];
	const keep = (titles: Map<string, string[]>, id: string): KeptEntry | null => {
		const own = titles.get(id);
		return own === undefined ? null : { id, titles: own };
	};
	return pairs.flatMap((pair): KeptPair[] => {
		const one = keep(english, pair.en);
		const other = pair.hi === null ? null : keep(hindi, pair.hi);
		const isThere = one !== null && (other !== null || pair.hi === null);
		return isThere ? [{ en: one, hi: other }] : [];
	});
}

/**
 * What was decided, in the outlines as they are now. An entry is the one of the same titles: if there are several, the
 * one in the same place; what is not there any more, or has another title, is suggested again.
 */
export function findPairs(en: Entries, hi: Entries, kept: readonly KeptPair[]): HandPair[] {
	const [findEnglish, findHindi] = [finderIn(en), finderIn(hi)];
	const [decided, taken] = [new Set<string>(), new Set<string>()];
	return kept.flatMap((pair) => {
		const one = findEnglish(pair.en);
		const other = pair.hi === null ? null : findHindi(pair.hi);
		if (one === undefined || other === undefined || decided.has(one) || (other !== null && taken.has(other))) return [];
		decided.add(one);
		if (other !== null) taken.add(other);
		return [{ en: one, hi: other }];
	});
}

function finderIn(entries: Entries): (kept: KeptEntry) => string | undefined {
	const byTitles = new Map<string, string[]>();
	for (const [id, titles] of titlesOf(entries)) {
		const key = JSON.stringify(titles);
		byTitles.set(key, [...(byTitles.get(key) ?? []), id]);
	}
	return ({ id, titles }) => {
		const alike = byTitles.get(JSON.stringify(titles)) ?? [];
		if (alike.includes(id)) return id;
		// What has no title is known by its place alone.
		return alike.length === 1 && titles.at(-1) !== '' ? alike[0] : undefined;
	};
}

function titlesOf(entries: Entries): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const { id, title } of entries) found.set(id, [...(found.get(parentOf(id)) ?? []), title]);
	return found;
}
