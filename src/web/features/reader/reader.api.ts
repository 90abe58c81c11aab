import { useQuery } from '@tanstack/react-query';
import { api } from '#web/platform/api.ts';

/** What this person may read, and where they are in it; asked for again as soon as book access changes. */
export function useShelf() {
	return useQuery({ ...api.reader.shelf.queryOptions(), staleTime: 0 });
}
