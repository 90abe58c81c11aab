import { useQuery } from '@tanstack/react-query';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { api } from '#web/platform/api/client.ts';
import type { ChapterMatches } from '../reading-position/language-switch.ts';

/** The editions that the user may read, with reading positions. */
export function useShelf() {
	return useQuery({ ...api.reader.shelf.queryOptions(), staleTime: 0 });
}

const noMatches: ChapterMatches = [];

/** Returns undefined while loading, and no matches if loading fails. */
export function useChapterMatches(part: ShelfEdition['part'] | undefined): ChapterMatches | undefined {
	const query = useQuery({ ...api.outlinePairs.read.queryOptions(), staleTime: 0, enabled: part !== undefined });
	// Does not wait for retries, which would delay the opening of the edition.
	if (query.fetchStatus === 'fetching' && query.failureCount === 0) return undefined;
	return query.data?.parts.find((matches) => matches.part === part)?.pairs ?? noMatches;
}
