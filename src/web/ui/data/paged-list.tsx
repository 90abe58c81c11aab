import { keepPreviousData, type QueryFunction, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { EmptyState, FailedQuery } from '../states/states.tsx';
import { formatRange, Pager } from './pager.tsx';

interface Page {
	items: unknown[];
	nextCursor: string | null;
}

/** Position in a list that is paged by cursors. */
export interface KeysetPages {
	pageIndex: number;
	onPrevious: (() => void) | undefined;
	/** Returns a handler that opens the page after this cursor; undefined on the last page and while loading. */
	onNext: (nextCursor: string | null, isFetching: boolean) => (() => void) | undefined;
}

export interface PagedQuery<P extends Page> {
	page: UseQueryResult<P>;
	pages: KeysetPages;
	pageSize: number;
}

/** Loads a list page by page; the previous page stays visible while another loads. Remount for another list. */
export function usePagedQuery<P extends Page>(
	pageSize: number,
	optionsOf: (page: { cursor: string | undefined; limit: number }) => {
		queryKey: readonly unknown[];
		queryFn: QueryFunction<P>;
		staleTime?: number;
	},
): PagedQuery<P> {
	/** The cursor of the current page, after those of earlier pages for going back. */
	const [cursors, setCursors] = useState<string[]>([]);
	const options = optionsOf({ cursor: cursors.at(-1), limit: pageSize });
	return {
		page: useQuery<P>({ ...options, placeholderData: keepPreviousData }),
		pages: {
			pageIndex: cursors.length,
			onPrevious: cursors.length === 0 ? undefined : () => setCursors(cursors.slice(0, -1)),
			onNext: (nextCursor, isFetching) =>
				nextCursor === null || isFetching ? undefined : () => setCursors([...cursors, nextCursor]),
		},
		pageSize,
	};
}

interface PagedListProps<P extends Page> {
	list: PagedQuery<P>;
	/** `pages`: name of the pager for screen readers. Without `empty`, an empty list is rendered by `children` too. */
	texts: { failed: string; empty?: string; pages: string };
	emptyAction?: ReactNode;
	skeleton: ReactNode;
	/** Range of the shown items; by default with the page's `total`. `before`: number of items on earlier pages. */
	rangeOf?: (page: P, before: number) => string;
	labels?: { previous: string; next: string };
	/** Whether there is no pager while one page has all items. */
	isHiddenOnSinglePage?: boolean;
	/** Renders the items. The second argument is true while another page is loading. */
	children: (items: P['items'], isFetching: boolean) => ReactNode;
}

export function PagedList<P extends Page>(props: PagedListProps<P>) {
	const { list, texts, emptyAction, skeleton, children } = props;
	const { page, pages, pageSize } = list;
	const { rangeOf = rangeOfTotal, labels, isHiddenOnSinglePage = false } = props;
	if (page.data === undefined) return page.isError ? <FailedQuery text={texts.failed} query={page} /> : skeleton;
	const { items, nextCursor } = page.data;
	const isSinglePage = pages.onPrevious === undefined && nextCursor === null;
	if (texts.empty !== undefined && items.length === 0 && pages.pageIndex === 0)
		return <EmptyState text={texts.empty} action={emptyAction} />;
	return (
		<>
			{children(items, page.isPlaceholderData)}
			{(!isSinglePage || !isHiddenOnSinglePage) && (
				<Pager
					label={texts.pages}
					range={rangeOf(page.data, pages.pageIndex * pageSize)}
					labels={labels}
					isFetching={page.isPlaceholderData}
					onPrevious={pages.onPrevious}
					onNext={pages.onNext(nextCursor, page.isPlaceholderData)}
				/>
			)}
		</>
	);
}

function rangeOfTotal(page: Page & { total?: number }, before: number): string {
	return formatRange(before, page.items.length, page.total ?? page.items.length);
}
