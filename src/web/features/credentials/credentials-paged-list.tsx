import type { ReactNode } from 'react';
import { m } from '#messages';
import { PagedList, type PagedQuery } from '#web/ui/data/paged-list.tsx';
import { SkeletonRows } from '#web/ui/states/skeleton.tsx';
import classes from './credentials.module.css';

interface CredentialsPagedListProps<T> {
	list: PagedQuery<{ items: T[]; nextCursor: string | null }>;
	emptyAction: ReactNode;
	texts: { failed: string; loading: string; empty: string };
	/** Column headings, which are hidden from screen readers. */
	columns: readonly string[];
	children: (items: T[]) => ReactNode;
}

/** A paged list with column headings. Must have the search as its `key`, so that a changed search starts at page 1. */
export function CredentialsPagedList<T>({ texts, columns, children, ...list }: CredentialsPagedListProps<T>) {
	return (
		<PagedList
			{...list}
			texts={{ ...texts, pages: m.credentials_pages() }}
			skeleton={<SkeletonRows label={texts.loading} widths={['22%', '16%', '18%', '12%']} />}
		>
			{(items, isFetching) => (
				<div aria-busy={isFetching}>
					<div className={classes.header} aria-hidden="true">
						{columns.map((title) => (
							<span key={title}>{title}</span>
						))}
					</div>
					<ul className={classes.rows}>{children(items)}</ul>
				</div>
			)}
		</PagedList>
	);
}
