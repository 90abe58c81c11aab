import { useState } from 'react';
import type { EditionReading } from '#contract/book/reading-statistics.ts';
import { m } from '#messages';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { PagedList } from '#web/ui/data/paged-list.tsx';
import { useKeysetPages } from '#web/ui/data/pager.tsx';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/states/skeleton.tsx';
import classes from './reading-stats.module.css';
import { type ReaderSort, readersPageSize, useReaders } from './reading-stats-api.ts';

/** The readers of an edition and their progress, page by page. */
export function ReaderList({ edition }: { edition: EditionReading }) {
	const [sort, setSort] = useState<ReaderSort>('furthest');
	return (
		<section className={classes.readers} aria-label={m.reading_stats_names()}>
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
		</section>
	);
}

/** The pages of the list; remounted for another sort order. */
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
									{name !== null && <span className={classes.email}>{email}</span>}
								</td>
								<td>{m.reader_percent({ percent })}</td>
								<td className={classes.time}>
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
