import { useQuery } from '@tanstack/react-query';
import { api } from '#web/platform/api.ts';

/** What this person may read; asked for again as soon as book access changes. */
export function useShelf() {
	return useQuery(api.reader.shelf.queryOptions());
}
