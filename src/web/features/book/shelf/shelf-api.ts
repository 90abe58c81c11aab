import { useQuery } from '@tanstack/react-query';
import { editionDefaults, type OfferedEditions } from '#contract/book/editions.ts';
import { getLocale } from '#messages/runtime';
import { api } from '#web/platform/api/client.ts';
import { type ChapterMatches, type LanguageChange, matchesBetween } from '../reading-position/language-switch.ts';
import { editionTitle } from './edition-labels.ts';

/** The editions that the user may read, with reading positions. */
export function useShelf() {
	return useQuery({
		...api.reader.shelf.queryOptions(),
		staleTime: 0,
		// A response that an earlier version has stored for offline reading has no `offered`.
		select: (shelf) => ({ ...shelf, offered: (shelf.offered as OfferedEditions | undefined) ?? editionDefaults }),
	});
}

const nothingOffered: OfferedEditions = { parts: [], languages: [] };

/** The title, parts and languages of the book; empty while they are loading. */
export function useBookOutline() {
	const { data } = useShelf();
	const title = editionTitle(data?.title ?? '', { language: getLocale() });
	return { title, offered: data?.offered ?? nothingOffered };
}

const noMatches: ChapterMatches = [];

/** Returns undefined while loading, and no matches if loading fails. */
export function useChapterMatches(change: LanguageChange | undefined): ChapterMatches | undefined {
	const query = useQuery({ ...api.outlinePairs.read.queryOptions(), staleTime: 0, enabled: change !== undefined });
	// Does not wait for retries, which would delay the opening of the edition.
	if (query.fetchStatus === 'fetching' && query.failureCount === 0) return undefined;
	return query.data === undefined || change === undefined ? noMatches : matchesBetween(query.data.parts, change);
}
