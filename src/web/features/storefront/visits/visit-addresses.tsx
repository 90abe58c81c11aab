import { IconArrowDown } from '@tabler/icons-react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { formatCount, formatDateTime } from '#web/platform/formats/format.ts';
import { PagedList, usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { SkeletonRows } from '#web/ui/states/skeleton.tsx';
import { visitsSearch } from './visit-figures.tsx';
import classes from './visits.module.css';

const sortableColumns = [
	{ key: 'ip', order: 'ascending', title: m.visits_sort_address, name: m.visits_address },
	{ key: 'visits', order: 'descending', title: m.visits_sort_count, name: m.visits_count },
] as const;

/** Must have the sort order as its `key`, so that a changed order starts at page 1. */
export function VisitAddresses() {
	const [{ sort }, setSearch] = useUrlState(visitsSearch);
	return (
		<Section title={m.visits_addresses()}>
			<PagedList
				list={usePagedQuery(25, (page) => api.visits.addresses.queryOptions({ input: { sort, ...page } }))}
				texts={{ failed: m.visits_addresses_failed(), empty: m.visits_empty(), pages: m.visits_addresses_pages() }}
				skeleton={<SkeletonRows label={m.visits_loading()} widths={['32%', '12%', '24%']} />}
			>
				{(items, isFetching) => (
					<table className={classes.table} aria-busy={isFetching}>
						<thead>
							<tr>
								{sortableColumns.map(({ key, order, title, name }) => (
									<th key={key} scope="col" aria-sort={sort === key ? order : undefined}>
										<button
											type="button"
											className={classes.sort}
											title={title()}
											onClick={() => setSearch({ sort: key })}
										>
											{name()}
											{sort === key && <IconArrowDown {...smallIconProps} data-order={order} />}
										</button>
									</th>
								))}
								<th scope="col" className={classes.time}>
									{m.visits_last()}
								</th>
							</tr>
						</thead>
						<tbody>
							{items.map(({ ip, visits, lastVisitAt }) => (
								<tr key={ip}>
									<td className={classes.ip}>{ip === 'Unknown' ? m.visits_address_unknown() : ip}</td>
									<td>{formatCount(visits)}</td>
									<td className={classes.time}>
										<time dateTime={lastVisitAt}>{formatDateTime(lastVisitAt)}</time>
									</td>
								</tr>
							))}
						</tbody>
					</table>
				)}
			</PagedList>
		</Section>
	);
}
