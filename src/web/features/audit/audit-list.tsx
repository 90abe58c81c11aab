import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { PagedList, usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/states/skeleton.tsx';
import classes from './audit.module.css';
import { type AuditSearch, hasFilters, toAuditFilters } from './audit-api.ts';
import { AuditRow } from './audit-row.tsx';

/** Newest entries first. Must have the filter as its `key`, so that a changed filter starts at page 1. */
export function AuditList({ search, onClear }: { search: AuditSearch; onClear: () => void }) {
	const list = usePagedQuery(50, (page) =>
		api.audit.list.queryOptions({ input: { ...toAuditFilters(search), ...page } }),
	);
	const isFiltered = hasFilters(search);
	return (
		<PagedList
			list={list}
			texts={{
				failed: m.audit_failed(),
				empty: isFiltered ? m.audit_none_found() : m.audit_empty(),
				pages: m.audit_pages(),
			}}
			emptyAction={isFiltered && <Button onClick={onClear}>{m.audit_clear()}</Button>}
			skeleton={
				<SkeletonRows label={m.audit_loading()} rowClassName={classes.skeletonRow} widths={['52%', '18%']}>
					<Skeleton width="20px" height="20px" isRound />
				</SkeletonRows>
			}
			rangeOf={({ items }, before) =>
				m.audit_range({ from: formatCount(before + 1), to: formatCount(before + items.length) })
			}
			labels={{ previous: m.audit_newer(), next: m.audit_older() }}
		>
			{(items, isFetching) => (
				<ul className={classes.list} aria-busy={isFetching}>
					{items.map((entry) => (
						<AuditRow key={entry.id} entry={entry} />
					))}
				</ul>
			)}
		</PagedList>
	);
}
