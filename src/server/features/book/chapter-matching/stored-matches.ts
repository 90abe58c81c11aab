import { type ManualMatch, type OutlineEntry, parentOf } from '#shared/chapter-matching.ts';

/** An outline entry as stored: by its title and those above it, so that it is found again in a corrected file. */
interface StoredHeading {
	/** Distinguishes entries with the same title. */
	id: string;
	/** From the outermost title down to its own. */
	titles: string[];
}

export interface StoredMatch {
	en: StoredHeading;
	hi: StoredHeading | null;
}

type Entries = readonly OutlineEntry[];

/** Converts manual matches to their stored form, with the titles of the outlines. Skips entries that do not exist. */
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

/** Resolves stored matches by titles, of equal ones by position. Entries that are gone are suggested again. */
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
		// An entry without a title can only be recognised by its position.
		return alike.length === 1 && titles.at(-1) !== '' ? alike[0] : undefined;
	};
}

function titlePathsOf(entries: Entries): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const { id, title } of entries) found.set(id, [...(found.get(parentOf(id)) ?? []), title]);
	return found;
}
