import { Box } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EditionReading, readerSorts } from '#contract/book/reading-statistics.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { PagedList } from '#web/ui/data/paged-list.tsx';
import { useKeysetPages } from '#web/ui/data/pager.tsx';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/states/skeleton.tsx';
import classes from '../administration.module.css';

const readersPageSize = 25;

type ReaderSort = (typeof readerSorts)[number];

/** A page of an edition's readers with names. Each request is recorded in the audit log. */
function useReaders({ key, opened }: EditionReading, sort: ReaderSort, cursor: string | undefined) {
	const input = { edition: key, sort, cursor, limit: readersPageSize };
	return useQuery({
		...api.readingStats.people.queryOptions({ input, placeholderData: keepPreviousData }),
		// More users may have opened the edition since the statistics were counted.
		select: (page) => ({ ...page, total: Math.max(opened, page.items.length) }),
	});
}

/** The readers of an edition and their progress, page by page. */
export function ReaderList({ edition }: { edition: EditionReading }) {
	const [sort, setSort] = useState<ReaderSort>('furthest');
	return (
		<Box component="section" mt={20} aria-label={m.reading_stats_names()}>
			<SegmentedSwitch
				label={m.reading_stats_sort()}
				value={sort}
				onChange={setSort}
				segments={[
					{ value: 'furthest', label: m.reading_stats_sort_furthest() },
					{ value: 'read', label: m.reading_stats_sort_read() },
				]}
			/>
			<ReaderListPages key={sort} edition={edition} sort={sort} />
		</Box>
	);
}

function ReaderListPages({ edition, sort }: { edition: EditionReading; sort: ReaderSort }) {
	const pages = useKeysetPages();
	return (
		<PagedList
			page={useReaders(edition, sort, pages.cursor)}
			pages={pages}
			pageSize={readersPageSize}
			texts={{
				failed: m.reading_stats_names_failed(),
				empty: m.reading_stats_tenths_none(),
				pages: m.reading_stats_names_pages(),
			}}
			skeleton={
				<SkeletonRows label={m.reading_stats_names_loading()}>
					<Skeleton width="40%" />
					<Skeleton width="12%" />
					<Skeleton width="24%" />
				</SkeletonRows>
			}
		>
			{(items, isComing) => (
				<table className={classes.table} aria-busy={isComing}>
					<thead>
						<tr>
							<th scope="col">{m.reading_stats_name()}</th>
							<th scope="col">{m.reading_stats_percent()}</th>
							<th scope="col">{m.reading_stats_last()}</th>
						</tr>
					</thead>
					<tbody>
						{items.map(({ id, email, name, percent, lastReadAt }) => (
							<tr key={id}>
								<td>
									{name ?? email}
									{name !== null && (
										<Box component="span" display="block" c="var(--muted)" fz={12}>
											{email}
										</Box>
									)}
								</td>
								<td>{m.reader_percent({ percent })}</td>
								<td className={classes.hint}>
									<time dateTime={lastReadAt}>{formatDateTime(lastReadAt)}</time>
								</td>
							</tr>
						))}
					</tbody>
				</table>
			)}
		</PagedList>
	);
}
