import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { EditionReading, readerSorts } from '#contract/book/reading-statistics.ts';
import { api } from '#web/platform/api/client.ts';

/** One screenful of readers. */
export const readersPageSize = 25;

export type ReaderSort = (typeof readerSorts)[number];

/** How far readers are, without a name; counted anew at each visit. */
export function useReadingStats() {
	return useQuery(api.readingStats.summary.queryOptions({ staleTime: 0 }));
}

/** A page of the readers of an edition, by name. Asking is written into the audit list. */
export function useReaders({ key, opened }: EditionReading, sort: ReaderSort, cursor: string | undefined) {
	const input = { edition: key, sort, cursor, limit: readersPageSize };
	return useQuery({
		...api.readingStats.people.queryOptions({ input, placeholderData: keepPreviousData }),
		// Somebody may have opened it since the figures were counted.
		select: (page) => ({ ...page, total: Math.max(opened, page.items.length) }),
	});
}
