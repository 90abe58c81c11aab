import { type ManualMatch, type OutlineEntry, parentOf } from '#shared/chapter-matching.ts';

/** An outline entry, stored with its own and its parents' titles, so that it can be found in a corrected file. */
interface StoredHeading {
	/** Position in the outline: `2`, `2.1`. Distinguishes entries with the same titles. */
	id: string;
	/** The titles of the parents, outermost first, and of the entry. */
	titles: string[];
}

export interface StoredMatch {
	en: StoredHeading;
	hi: StoredHeading | null;
}

type Entries = readonly OutlineEntry[];

/** Converts manual matches of existing entries to their stored form, with the titles from the outlines. */
export function toStoredMatches(en: Entries, hi: Entries, pairs: readonly ManualMatch[]): StoredMatch[] {
	const [englishTitles, hindiTitles] = [titlePathsOf(en), titlePathsOf(hi)];
	const toHeading = (titles: Map<string, string[]>, id: string) => ({ id, titles: titles.get(id) ?? [] });
	return pairs.map((pair) => ({
		en: toHeading(englishTitles, pair.en),
		hi: pair.hi === null ? null : toHeading(hindiTitles, pair.hi),
	}));
}

/**
 * Finds the entries of stored matches in the current outlines: by their titles, and by position among entries with
 * equal titles. Drops a match if one of its entries is not found or is already in another match.
 */
export function resolveMatches(en: Entries, hi: Entries, stored: readonly StoredMatch[]): ManualMatch[] {
	const [findEnglish, findHindi] = [createHeadingFinder(en), createHeadingFinder(hi)];
	const [matchedEnglish, matchedHindi] = [new Set<string>(), new Set<string>()];
	return stored.flatMap((pair) => {
		const english = findEnglish(pair.en);
		const hindi = pair.hi === null ? null : findHindi(pair.hi);
		if (
			english === undefined ||
			hindi === undefined ||
			matchedEnglish.has(english) ||
			(hindi !== null && matchedHindi.has(hindi))
		)
			return [];
		matchedEnglish.add(english);
		if (hindi !== null) matchedHindi.add(hindi);
		return [{ en: english, hi: hindi }];
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
		// An entry without a title can only be recognised by its position.
		return alike.length === 1 && titles.at(-1) !== '' ? alike[0] : undefined;
	};
}

function titlePathsOf(entries: Entries): Map<string, string[]> {
	const titlePaths = new Map<string, string[]>();
	for (const { id, title } of entries) titlePaths.set(id, [...(titlePaths.get(parentOf(id)) ?? []), title]);
	return titlePaths;
}
