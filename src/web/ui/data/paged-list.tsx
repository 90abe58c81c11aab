import { Flex } from '@mantine/core';
import { keepPreviousData, type QueryFunction, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { Button } from '../primitives/button.tsx';
import textClasses from '../primitives/text.module.css';
import { EmptyState, FailedQuery } from '../states/states.tsx';

interface Page {
	items: unknown[];
	nextCursor: string | null;
}

export interface KeysetPages {
	pageIndex: number;
	onPrevious: (() => void) | undefined;
	/** Returns the handler that opens the next page; undefined on the last page and while a page loads. */
	onNext: (nextCursor: string | null, isFetching: boolean) => (() => void) | undefined;
}

export interface PagedQuery<P extends Page> {
	page: UseQueryResult<P>;
	pages: KeysetPages;
	pageSize: number;
}

/** While another page loads, the current page stays visible. To show another list, remount the component. */
export function usePagedQuery<P extends Page>(
	pageSize: number,
	optionsOf: (page: { cursor: string | undefined; limit: number }) => {
		queryKey: readonly unknown[];
		queryFn: QueryFunction<P>;
		staleTime?: number;
	},
): PagedQuery<P> {
	/** Cursors of all pages from the second to the current one, for going back. */
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
	/** `pages`: label of the pager for screen readers. Without `empty`, `children` also renders an empty list. */
	texts: { failed: string; empty?: string; pages: string };
	emptyAction?: ReactNode;
	skeleton: ReactNode;
	/** Returns the text of the range; by default with the page's `total`. `before`: number of items on earlier pages. */
	rangeOf?: (page: P, before: number) => string;
	labels?: { previous: string; next: string };
	/** Whether the pager is hidden when all items are on one page. */
	isHiddenOnSinglePage?: boolean;
	/** `isFetching`: whether another page is loading. */
	children: (items: P['items'], isFetching: boolean) => ReactNode;
}

export function PagedList<P extends Page>(props: PagedListProps<P>) {
	const { list, texts, emptyAction, skeleton, children } = props;
	const { page, pages, pageSize } = list;
	const { rangeOf = rangeOfTotal, isHiddenOnSinglePage = false } = props;
	const { labels = { previous: m.common_previous(), next: m.common_next() } } = props;
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

/** Returns a text such as `51 to 100 of 1,204`. `before`: number of rows on earlier pages. */
export function formatRange(before: number, shown: number, total: number): string {
	return m.common_range({
		from: formatCount(Math.min(before + 1, total)),
		to: formatCount(before + shown),
		total: formatCount(total),
	});
}

interface PagerProps extends Pick<KeysetPages, 'onPrevious'> {
	label: string;
	range: string;
	/** Whether another page is loading. Until then, the range of the current page stays visible. */
	isFetching: boolean;
	labels: { previous: string; next: string };
	onNext: (() => void) | undefined;
}

function Pager({ label, range, isFetching, labels, onPrevious, onNext }: PagerProps) {
	const [shownRange, setShownRange] = useState(range);
	if (!isFetching && shownRange !== range) setShownRange(range);
	return (
		<Flex component="nav" wrap="wrap" align="center" gap={8} pt={16} pb={4} aria-label={label}>
			<span className={textClasses.smallFigure} style={{ marginRight: 'auto' }} role="status">
				{shownRange}
			</span>
			<Button size="small" disabled={onPrevious === undefined} onClick={onPrevious}>
				{labels.previous}
			</Button>
			<Button size="small" disabled={onNext === undefined} onClick={onNext}>
				{labels.next}
			</Button>
		</Flex>
	);
}
