import { IconArrowDown } from '@tabler/icons-react';
import { m } from '#messages';
import { formatCount, formatDateTime } from '#web/platform/format.ts';
import { smallIconProps } from '#web/ui/icon.ts';
import { PagedList } from '#web/ui/paged-list.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/skeleton.tsx';
import { useKeysetPages } from '#web/ui/use-keyset-pages.ts';
import classes from './visit-addresses.module.css';
import { addressesPageSize, useVisitAddresses, type VisitsSearch } from './visits.api.ts';

interface VisitAddressesProps {
	sort: VisitsSearch['sort'];
	onSort: (sort: VisitsSearch['sort']) => void;
}

/** Every address with how often it came, a page at a time. */
export function VisitAddresses({ sort, onSort }: VisitAddressesProps) {
	return (
		<Section title={m.visits_addresses()}>
			<Addresses key={sort} sort={sort} onSort={onSort} />
		</Section>
	);
}

/** Mounted anew for another order. */
function Addresses({ sort, onSort }: VisitAddressesProps) {
	const pages = useKeysetPages();
	return (
		<PagedList
			page={useVisitAddresses(sort, pages.cursor)}
			pages={pages}
			pageSize={addressesPageSize}
			texts={{
				failed: m.visits_addresses_failed(),
				empty: m.visits_empty(),
				pages: m.visits_addresses_pages(),
			}}
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
							<SortHead
								isCurrent={sort === 'ip'}
								order="ascending"
								label={m.visits_sort_address()}
								onSort={() => onSort('ip')}
							>
								{m.visits_address()}
							</SortHead>
							<SortHead
								isCurrent={sort === 'visits'}
								order="descending"
								label={m.visits_sort_count()}
								onSort={() => onSort('visits')}
							>
								{m.visits_count()}
							</SortHead>
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

interface SortHeadProps {
	isCurrent: boolean;
	order: 'ascending' | 'descending';
	label: string;
	onSort: () => void;
	children: string;
}

function SortHead({ isCurrent, order, label, onSort, children }: SortHeadProps) {
	return (
		<th scope="col" aria-sort={isCurrent ? order : undefined}>
			<button type="button" className={classes.sort} title={label} onClick={onSort}>
				{children}
				{isCurrent && <IconArrowDown {...smallIconProps} data-order={order} />}
			</button>
		</th>
	);
}
