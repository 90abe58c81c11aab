import { Box, Stack } from '@mantine/core';
import { useContext, useEffect, useRef } from 'react';
import { m } from '#messages';
import { type DocumentSearch, maxSearchHits } from '#web/features/book/search/use-document-search.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { ReaderLabels } from '../reader/reader-states.tsx';
import classes from '../reader/side-panel/side-panel.module.css';
import { preloadTarget } from '../reader/side-panel/use-preload-on-hover.ts';

interface DocumentSearchPanelProps {
	search: DocumentSearch;
	pageCount: number;
	onSearch: (query: string) => void;
	onHit: (index: number) => void;
}

export function DocumentSearchPanel({ search, pageCount, onSearch, onHit }: DocumentSearchPanelProps) {
	const labels = useContext(ReaderLabels);
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		box.current?.querySelector('input')?.focus();
	}, []);
	return (
		<Stack ref={box} gap={8} px={8}>
			{/* For the focus trap of the drawer on a phone. */}
			<SearchField hasInitialFocus label={labels.search()} value={search.query} onChange={onSearch} />
			<Box component="p" role="status" className={classes.figure} px={4}>
				{stateLabel(search, pageCount)}
			</Box>
			{search.state === 'failed' && <Button onClick={() => onSearch(search.query)}>{m.common_retry()}</Button>}
			<ol>
				{search.hits.map(({ page, index, before, found, after }, position) => (
					<li key={`${page}:${index}`}>
						<button
							type="button"
							className={classes.item}
							aria-current={position === search.current || undefined}
							{...preloadTarget(page)}
							onClick={() => onHit(position)}
						>
							<span className={classes.text}>
								{before}
								<mark>{found}</mark>
								{after}
							</span>
							<span className={classes.figure}>{m.reader_page_number({ page })}</span>
						</button>
					</li>
				))}
			</ol>
		</Stack>
	);
}

function stateLabel({ state, hits, pagesDone }: DocumentSearch, pageCount: number): string {
	if (state === 'idle') return m.reader_search_hint();
	if (state === 'failed') return m.reader_search_failed();
	if (state === 'searching') return m.reader_search_progress({ page: pagesDone, count: pageCount });
	if (hits.length >= maxSearchHits) return m.reader_search_many({ count: maxSearchHits });
	if (hits.length === 0) return m.reader_search_none();
	return hits.length === 1 ? m.reader_search_one() : m.reader_search_found({ count: hits.length });
}
