import { useQuery } from '@tanstack/react-query';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { api } from '#web/platform/api/client.ts';
import type { ChapterMatches } from '../reading-position/language-switch.ts';

/** What this person may read, and where they are in it; asked for again as soon as book access changes. */
export function useShelf() {
	return useQuery({ ...api.reader.shelf.queryOptions(), staleTime: 0 });
}

const noMatches: ChapterMatches = [];

/** Which entries of a part's two outlines belong together, as it is now; undefined while it is asked for, none where that fails. */
export function useChapterMatches(part: ShelfEdition['part'] | undefined): ChapterMatches | undefined {
	const query = useQuery({ ...api.outlinePairs.read.queryOptions(), staleTime: 0, enabled: part !== undefined });
	// Nobody waits for a second try.
	if (query.fetchStatus === 'fetching' && query.failureCount === 0) return undefined;
	return query.data?.parts.find((each) => each.part === part)?.pairs ?? noMatches;
}
