import { type ManualMatch, type OutlineEntry, parentOf } from '#shared/chapter-matching.ts';

/** An entry as it is kept: by its title and those above it, so that it is found again in a corrected file. */
export interface StoredHeading {
	/** Tells those of the same title apart. */
	id: string;
	/** From the uppermost down to its own. */
	titles: string[];
}

/** A decision as it is kept. */
export interface StoredMatch {
	en: StoredHeading;
	hi: StoredHeading | null;
}

type Entries = readonly OutlineEntry[];

/** What was decided, with the titles of the outlines it was decided for. Of entries that are not there nothing is kept. */
export function toStoredMatches(en: Entries, hi: Entries, pairs: readonly ManualMatch[]): StoredMatch[] {
	const [english, hindi] = [titlePathsOf(en), titlePathsOf(hi)];
	const toHeading = (titles: Map<string, string[]>, id: string): StoredHeading | null => {
		const own = titles.get(id);
		return own === undefined ? null : { id, titles: own };
	};
	return pairs.flatMap((pair): StoredMatch[] => {
		const one = toHeading(english, pair.en);
		const other = pair.hi === null ? null : toHeading(hindi, pair.hi);
		const isKnown = one !== null && (other !== null || pair.hi === null);
		return isKnown ? [{ en: one, hi: other }] : [];
	});
}

/**
 * What was decided, in the outlines as they are now. An entry is the one of the same titles: if there are several, the
 * one in the same place; what is not there any more, or has another title, is suggested again.
 */
export function resolveMatches(en: Entries, hi: Entries, stored: readonly StoredMatch[]): ManualMatch[] {
	const [findEnglish, findHindi] = [createHeadingFinder(en), createHeadingFinder(hi)];
	const [matched, taken] = [new Set<string>(), new Set<string>()];
	return stored.flatMap((pair) => {
		const one = findEnglish(pair.en);
		const other = pair.hi === null ? null : findHindi(pair.hi);
		if (one === undefined || other === undefined || matched.has(one) || (other !== null && taken.has(other))) return [];
		matched.add(one);
		if (other !== null) taken.add(other);
		return [{ en: one, hi: other }];
	});
}

function createHeadingFinder(entries: Entries): (kept: StoredHeading) => string | undefined {
	const byTitles = new Map<string, string[]>();
	for (const [id, titles] of titlePathsOf(entries)) {
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

function titlePathsOf(entries: Entries): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const { id, title } of entries) found.set(id, [...(found.get(parentOf(id)) ?? []), title]);
	return found;
}
