import { Group } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { m } from '#messages';
import { PagedList } from '#web/ui/data/paged-list.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import classes from './credentials.module.css';

const skeletonRows = 8;

interface CredentialsPagedListProps<T>
	extends Pick<ComponentProps<typeof PagedList<T>>, 'page' | 'pages' | 'pageSize' | 'emptyAction'> {
	texts: { failed: string; loading: string; empty: string };
	/** Headings of the columns, for the eye; the cells say their own names. */
	columns: readonly string[];
	children: (items: T[]) => ReactNode;
}

/** Rows below their headings, in pages. Remount (`key`) for another search. */
export function CredentialsPagedList<T>({ texts, columns, children, ...list }: CredentialsPagedListProps<T>) {
	return (
		<PagedList
			{...list}
			texts={{ ...texts, pages: m.credentials_pages() }}
			skeleton={<ListSkeleton label={texts.loading} />}
		>
			{(items, isComing) => (
				<div aria-busy={isComing}>
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

function ListSkeleton({ label }: { label: string }) {
	return (
		<div role="status" aria-label={label}>
			{Array.from({ length: skeletonRows }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: boxes that never change places.
				<Group key={index} justify="space-between" h="var(--row)" className={classes.skeletonRow}>
					<Skeleton width="22%" />
					<Skeleton width="16%" />
					<Skeleton width="18%" />
					<Skeleton width="12%" />
				</Group>
			))}
		</div>
	);
}
