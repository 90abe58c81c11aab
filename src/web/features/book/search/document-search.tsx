import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { type DocumentSearch, maxSearchHits, type SearchHit } from '#web/features/book/search/use-document-search.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { useReaderLabels } from '../reader/reader-labels.ts';
import { preloadTarget } from '../reader/side-panel/use-preload-on-hover.ts';
import classes from './document-search.module.css';

interface DocumentSearchPanelProps {
	search: DocumentSearch;
	pageCount: number;
	onSearch: (query: string) => void;
	onHit: (index: number) => void;
}

/** The search in the document: matches with their context. */
export function DocumentSearchPanel({ search, pageCount, onSearch, onHit: onFind }: DocumentSearchPanelProps) {
	const labels = useReaderLabels();
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		box.current?.querySelector('input')?.focus();
	}, []);
	return (
		<div ref={box} className={classes.search}>
			<SearchField label={labels.search} value={search.query} onChange={onSearch} />
			<p role="status" className={classes.state}>
				{stateLabel(search, pageCount)}
			</p>
			{search.state === 'failed' && <Button onClick={() => onSearch(search.query)}>{m.common_retry()}</Button>}
			<ol className={classes.hits}>
				{search.hits.map((find, index) => (
					<li key={`${find.page}:${find.index}`}>
						<SearchHitButton find={find} isCurrent={index === search.current} onPress={() => onFind(index)} />
					</li>
				))}
			</ol>
		</div>
	);
}

function SearchHitButton({ find, isCurrent, onPress }: { find: SearchHit; isCurrent: boolean; onPress: () => void }) {
	return (
		<button
			type="button"
			className={classes.hit}
			aria-current={isCurrent || undefined}
			{...preloadTarget(find.page)}
			onClick={onPress}
		>
			<span className={classes.text}>
				{find.before}
				<mark>{find.found}</mark>
				{find.after}
			</span>
			<span className={classes.page}>{m.reader_page_number({ page: find.page })}</span>
		</button>
	);
}

function stateLabel({ state, hits: finds, pagesDone }: DocumentSearch, pageCount: number): string {
	if (state === 'idle') return m.reader_search_hint();
	if (state === 'failed') return m.reader_search_failed();
	if (state === 'searching') return m.reader_search_progress({ page: pagesDone, count: pageCount });
	if (finds.length >= maxSearchHits) return m.reader_search_many({ count: maxSearchHits });
	if (finds.length === 0) return m.reader_search_none();
	return finds.length === 1 ? m.reader_search_one() : m.reader_search_found({ count: finds.length });
}
