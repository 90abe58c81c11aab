import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { type Find, findsMost, type PdfSearch } from '#web/ui/pdf/use-pdf-search.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import classes from './reader-search.module.css';
import { useReaderWords } from './reader-words.ts';
import { leadsTo } from './use-pointed-page.ts';

interface ReaderSearchProps {
	search: PdfSearch;
	pageCount: number;
	onSearch: (query: string) => void;
	onFind: (index: number) => void;
}

/** Search in what is read: what was found, with what stands around it. */
export function ReaderSearch({ search, pageCount, onSearch, onFind }: ReaderSearchProps) {
	const words = useReaderWords();
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		box.current?.querySelector('input')?.focus();
	}, []);
	return (
		<div ref={box} className={classes.search}>
			<SearchField label={words.search} value={search.query} onChange={onSearch} />
			<p role="status" className={classes.state}>
				{stateWords(search, pageCount)}
			</p>
			{search.state === 'failed' && <Button onClick={() => onSearch(search.query)}>{m.common_retry()}</Button>}
			<ol className={classes.finds}>
				{search.finds.map((find, index) => (
					<li key={`${find.page}:${find.index}`}>
						<FindButton find={find} isCurrent={index === search.current} onPress={() => onFind(index)} />
					</li>
				))}
			</ol>
		</div>
	);
}

function FindButton({ find, isCurrent, onPress }: { find: Find; isCurrent: boolean; onPress: () => void }) {
	return (
		<button
			type="button"
			className={classes.find}
			aria-current={isCurrent || undefined}
			{...leadsTo(find.page)}
			onClick={onPress}
		>
			<span className={classes.words}>
				{find.before}
				<mark>{find.found}</mark>
				{find.after}
			</span>
			<span className={classes.page}>{m.reader_page_number({ page: find.page })}</span>
		</button>
	);
}

function stateWords({ state, finds, pagesDone }: PdfSearch, pageCount: number): string {
	if (state === 'idle') return m.reader_search_hint();
	if (state === 'failed') return m.reader_search_failed();
	if (state === 'searching') return m.reader_search_under_way({ page: pagesDone, count: pageCount });
	if (finds.length >= findsMost) return m.reader_search_many({ count: findsMost });
	if (finds.length === 0) return m.reader_search_none();
	return finds.length === 1 ? m.reader_search_one() : m.reader_search_found({ count: finds.length });
}
