import type { ComponentProps, ReactNode } from 'react';
import { m } from '#messages';
import { PagedList } from '#web/ui/paged-list.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import classes from './credentials-list.module.css';

const skeletonRows = 8;

interface CredentialsPagesProps<T>
	extends Pick<ComponentProps<typeof PagedList<T>>, 'page' | 'pages' | 'pageSize' | 'emptyAction'> {
	texts: { failed: string; loading: string; empty: string };
	/** Headings of the columns, for the eye; the cells say their own names. */
	head: ReactNode;
	children: (items: T[]) => ReactNode;
}

/** Rows below their headings, by pages. Mount anew (`key`) for another search. */
export function CredentialsPages<T>({ texts, head, children, ...list }: CredentialsPagesProps<T>) {
	return (
		<PagedList
			{...list}
			texts={{ ...texts, pages: m.credentials_pages() }}
			skeleton={<ListSkeleton label={texts.loading} />}
		>
			{(items, isComing) => (
				<div aria-busy={isComing}>
					<div className={classes.head} aria-hidden="true">
						{head}
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
				<div key={index} className={classes.skeletonRow}>
					<Skeleton width="22%" />
					<Skeleton width="16%" />
					<Skeleton width="18%" />
					<Skeleton width="12%" />
				</div>
			))}
		</div>
	);
}
