import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { EditionReading, readerSorts } from '#contract/book/reading-statistics.ts';
import { api } from '#web/platform/api/client.ts';

/** Number of readers per page. */
export const readersPageSize = 25;

export type ReaderSort = (typeof readerSorts)[number];

/** Reading progress without names; recounted on each visit. */
export function useReadingStats() {
	return useQuery(api.readingStats.summary.queryOptions({ staleTime: 0 }));
}

/** A page of an edition's readers with names. Each request is recorded in the audit log. */
export function useReaders({ key, opened }: EditionReading, sort: ReaderSort, cursor: string | undefined) {
	const input = { edition: key, sort, cursor, limit: readersPageSize };
	return useQuery({
		...api.readingStats.people.queryOptions({ input, placeholderData: keepPreviousData }),
		// More users may have opened the edition since the statistics were counted.
		select: (page) => ({ ...page, total: Math.max(opened, page.items.length) }),
	});
}
