import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { Pager, useKeysetPages } from '#web/ui/data/pager.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import classes from './audit.module.css';
import { type AuditSearch, auditPageSize, hasFilters, useAudit } from './audit-api.ts';
import { AuditRow } from './audit-row.tsx';

interface AuditListProps {
	search: AuditSearch;
	onClear: () => void;
}

/** The entries of one page, newest first. Remount (`key`) for another filter. */
export function AuditList({ search, onClear }: AuditListProps) {
	const pages = useKeysetPages();
	const list = useAudit(search, pages.cursor);
	if (list.isPending) return <AuditSkeleton />;
	if (list.isError) return <FailedQuery text={m.audit_failed()} query={list} />;
	const { items, nextCursor } = list.data;
	if (items.length === 0 && pages.pageIndex === 0) {
		return hasFilters(search) ? (
			<EmptyState text={m.audit_none_found()} action={<Button onClick={onClear}>{m.audit_clear()}</Button>} />
		) : (
			<EmptyState text={m.audit_empty()} />
		);
	}
	const before = pages.pageIndex * auditPageSize;
	return (
		<>
			<ul className={classes.list} aria-busy={list.isPlaceholderData}>
				{items.map((entry) => (
					<AuditRow key={entry.id} entry={entry} />
				))}
			</ul>
			<Pager
				label={m.audit_pages()}
				range={m.audit_range({ from: formatCount(before + 1), to: formatCount(before + items.length) })}
				labels={{ previous: m.audit_newer(), next: m.audit_older() }}
				isFetching={list.isPlaceholderData}
				onPrevious={pages.onPrevious}
				onNext={pages.onNext(nextCursor, list.isPlaceholderData)}
			/>
		</>
	);
}

function AuditSkeleton() {
	return (
		<div role="status" aria-label={m.audit_loading()} className={classes.list}>
			{Array.from({ length: 8 }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: boxes that never change places.
				<div key={index} className={classes.skeletonRow}>
					<Skeleton width="20px" height="20px" isRound />
					<Skeleton width="52%" />
					<Skeleton width="18%" />
				</div>
			))}
		</div>
	);
}
