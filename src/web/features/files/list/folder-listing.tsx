import { Stack } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { Skeleton, SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { DeniedState, EmptyState, FailedQuery, FailedState } from '#web/ui/states/states.tsx';
import { isFiltered } from '../file-list-query.ts';
import type { ListingRows } from '../list-state/listing-rows.ts';
import type { Listing, ListingSummary } from '../list-state/use-listing.ts';
import { ListingPreview } from '../preview/listing-preview.tsx';
import { listSizes, NodeList, type NodeListProps } from './node-list.tsx';

interface FolderListingProps extends Omit<NodeListProps, 'first' | 'rows'> {
	emptyAction?: ReactNode;
	labels?: ListingStatesProps<ListingSummary>['labels'];
}

export function FolderListing({ emptyAction, labels, ...props }: FolderListingProps) {
	const { folder, owner, operations, listQuery, onChange } = props;
	return (
		<>
			<ListingStates
				folder={folder}
				labels={labels}
				emptyAction={emptyAction}
				onClear={isFiltered(listQuery) ? () => onChange({ q: '', type: 'all' }) : undefined}
			>
				{(first, rows) => (
					<NodeList
						key={listQuery.path}
						{...props}
						first={first}
						rows={rows}
						operations={first.can?.write ? operations : undefined}
					/>
				)}
			</ListingStates>
			<ListingPreview
				rows={folder.rows}
				spaceId={folder.first?.space?.id}
				showsMissingFile={owner !== 'guest' || operations !== undefined}
			/>
		</>
	);
}

interface ListingStatesProps<Summary extends ListingSummary> {
	folder: Listing<Summary>;
	labels?: { failed: string; empty: string } | undefined;
	emptyAction?: ReactNode;
	onClear: (() => void) | undefined;
	children: (first: Summary, rows: ListingRows) => ReactNode;
}

export function ListingStates<Summary extends ListingSummary>(props: ListingStatesProps<Summary>) {
	const { folder, emptyAction, onClear, children } = props;
	const { labels = { failed: m.files_load_failed(), empty: m.files_empty() } } = props;
	const { first, rows, query } = folder;
	if (query.error !== null && first === undefined) {
		const { status, message } = describeFailure(query.error);
		if (status === 404) return <DeniedState title={m.files_denied_title()} text={m.files_denied_text()} />;
		if (status === 403) return <DeniedState title={message} />;
		return <FailedQuery text={labels.failed} query={query} />;
	}
	if (first === undefined || rows === undefined) return <ListingSkeleton />;
	if (!folder.isEmpty)
		return (
			<>
				{children(first, rows)}
				<FailedRows rows={rows} text={labels.failed} />
			</>
		);
	return onClear === undefined ? (
		<EmptyState text={labels.empty} action={emptyAction} />
	) : (
		<EmptyState text={m.files_no_match()} action={<Button onClick={onClear}>{m.files_clear_filter()}</Button>} />
	);
}

/** Shows the error of a later page, with a retry button. */
function FailedRows({ rows, text }: { rows: ListingRows; text: string }) {
	useSyncExternalStore(rows.subscribe, rows.version);
	if (rows.failure === undefined) return null;
	return <FailedState text={text} detail={describeFailure(rows.failure).message} onRetry={() => rows.retry()} />;
}

function ListingSkeleton() {
	const { cardMin, gap } = listSizes[useIsPhone() ? 'phone' : 'desktop'];
	return (
		<Stack gap={12}>
			<div style={{ display: 'grid', gridTemplateColumns: `repeat(auto-fill, minmax(${cardMin}px, 1fr))`, gap }}>
				{['a', 'b', 'c', 'd'].map((key) => (
					<Skeleton key={key} height="60px" />
				))}
			</div>
			<SkeletonLines label={m.files_loading()} count={6} height="36px" />
		</Stack>
	);
}
