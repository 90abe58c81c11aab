import { useQuery } from '@tanstack/react-query';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { api } from '#web/platform/api/client.ts';
import type { ChapterMatches } from '../reading-position/language-switch.ts';

/** The editions that the user may read and their positions; refetched when book access changes. */
export function useShelf() {
	return useQuery({ ...api.reader.shelf.queryOptions(), staleTime: 0 });
}

const noMatches: ChapterMatches = [];

/** The chapter matches of a part; undefined while loading, empty if loading fails. */
export function useChapterMatches(part: ShelfEdition['part'] | undefined): ChapterMatches | undefined {
	const query = useQuery({ ...api.outlinePairs.read.queryOptions(), staleTime: 0, enabled: part !== undefined });
	// Waits for the first attempt only, because retries would delay the opening of the edition.
	if (query.fetchStatus === 'fetching' && query.failureCount === 0) return undefined;
	return query.data?.parts.find((matches) => matches.part === part)?.pairs ?? noMatches;
}
