import { IconArrowDown } from '@tabler/icons-react';
import { m } from '#messages';
import { formatCount, formatDateTime } from '#web/platform/formats/format.ts';
import { PagedList } from '#web/ui/data/paged-list.tsx';
import { useKeysetPages } from '#web/ui/data/pager.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { Skeleton, SkeletonRows } from '#web/ui/states/skeleton.tsx';
import classes from './visits.module.css';
import { addressesPageSize, useVisitAddresses, type VisitsSearch } from './visits-api.ts';

interface VisitAddressesProps {
	sort: VisitsSearch['sort'];
	onSort: (sort: VisitsSearch['sort']) => void;
}

/** Every address with how often it came, a page at a time. */
export function VisitAddresses({ sort, onSort }: VisitAddressesProps) {
	return (
		<Section title={m.visits_addresses()}>
			<AddressTable key={sort} sort={sort} onSort={onSort} />
		</Section>
	);
}

function AddressTable({ sort, onSort }: VisitAddressesProps) {
	const pages = useKeysetPages();
	return (
		<PagedList
			page={useVisitAddresses(sort, pages.cursor)}
			pages={pages}
			pageSize={addressesPageSize}
			texts={{ failed: m.visits_addresses_failed(), empty: m.visits_empty(), pages: m.visits_addresses_pages() }}
			skeleton={
				<SkeletonRows label={m.visits_loading()}>
					<Skeleton width="32%" />
					<Skeleton width="12%" />
					<Skeleton width="24%" />
				</SkeletonRows>
			}
		>
			{(items, isComing) => (
				<table className={classes.table} aria-busy={isComing}>
					<thead>
						<tr>
							<SortableHeader
								isCurrent={sort === 'ip'}
								order="ascending"
								label={m.visits_sort_address()}
								onSort={() => onSort('ip')}
							>
								{m.visits_address()}
							</SortableHeader>
							<SortableHeader
								isCurrent={sort === 'visits'}
								order="descending"
								label={m.visits_sort_count()}
								onSort={() => onSort('visits')}
							>
								{m.visits_count()}
							</SortableHeader>
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
	);
}

interface SortableHeaderProps {
	isCurrent: boolean;
	order: 'ascending' | 'descending';
	label: string;
	onSort: () => void;
	children: string;
}

function SortableHeader({ isCurrent, order, label, onSort, children }: SortableHeaderProps) {
	return (
		<th scope="col" aria-sort={isCurrent ? order : undefined}>
			<button type="button" className={classes.sort} title={label} onClick={onSort}>
				{children}
				{isCurrent && <IconArrowDown {...smallIconProps} data-order={order} />}
			</button>
		</th>
	);
}
