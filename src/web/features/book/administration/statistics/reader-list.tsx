import { Box } from '@mantine/core';
import { useState } from 'react';
import type { EditionReading, readerSorts } from '#contract/book/reading-statistics.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { formatRange, PagedList, usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { SkeletonRows } from '#web/ui/states/skeleton.tsx';
import classes from '../administration.module.css';

type ReaderSort = (typeof readerSorts)[number];

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

function ReaderListPages({ edition: { key, opened }, sort }: { edition: EditionReading; sort: ReaderSort }) {
	// The server records each request in the audit log.
	const list = usePagedQuery(25, (page) =>
		api.readingStats.people.queryOptions({ input: { edition: key, sort, ...page } }),
	);
	return (
		<PagedList
			list={list}
			texts={{
				failed: m.reading_stats_names_failed(),
				empty: m.reading_stats_tenths_none(),
				pages: m.reading_stats_names_pages(),
			}}
			skeleton={<SkeletonRows label={m.reading_stats_names_loading()} widths={['40%', '12%', '24%']} />}
			// More users may have opened the edition after the statistics were loaded.
			rangeOf={({ items }, before) => formatRange(before, items.length, Math.max(opened, items.length))}
		>
			{(items, isFetching) => (
				<table className={classes.table} aria-busy={isFetching}>
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
								<td className={textClasses.note}>
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
