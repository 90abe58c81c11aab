import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { loadPageText } from '#web/ui/pdf/text/pdf-text.ts';
import { excerptAround, findInText, type TextSpan } from '#web/ui/pdf/text/text-search.ts';
import type { PageSearchHits } from '#web/ui/pdf/viewer/pdf-page.tsx';

interface SearchHit {
	page: number;
	index: number;
	span: TextSpan;
	before: string;
	found: string;
	after: string;
}

export interface DocumentSearch {
	query: string;
	/** Matches in reading order; at most {@link maxSearchHits}. */
	hits: readonly SearchHit[];
	pagesDone: number;
	state: 'idle' | 'searching' | 'done' | 'failed';
	/** Index in `hits` of the opened match; -1 for none. */
	current: number;
}

export const maxSearchHits = 1000;
/** Matches are shown in batches at this interval, because each batch renders the whole list. */
const showEveryMs = 150;

const idle: DocumentSearch = { query: '', hits: [], pagesDone: 0, state: 'idle', current: -1 };

/** Searches a document page by page. A new search cancels the previous search. */
export function useDocumentSearch(pdf: PDFDocumentProxy | null) {
	const [search, setSearch] = useState(idle);
	const run = useRef(0);

	// biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another document.
	useEffect(() => {
		setSearch(idle);
		return () => {
			run.current += 1;
		};
	}, [pdf]);

	const start = async (query: string) => {
		run.current += 1;
		const thisRun = run.current;
		if (pdf === null || query.trim() === '') return setSearch({ ...idle, query });
		const hits: SearchHit[] = [];
		const show = (state: DocumentSearch['state'], pagesDone: number) => {
			if (run.current === thisRun) setSearch((now) => ({ ...now, hits: [...hits], pagesDone, state }));
		};
		setSearch({ ...idle, query, state: 'searching' });
		let shownAt = performance.now();
		try {
			for (let page = 1; page <= pdf.numPages && hits.length < maxSearchHits; page++) {
				const { text } = await loadPageText(pdf, page);
				if (run.current !== thisRun) return;
				for (const [index, span] of findInText(text, query, maxSearchHits - hits.length).entries())
					hits.push({ page, index, span, ...excerptAround(text, span) });
				if (performance.now() - shownAt < showEveryMs) continue;
				shownAt = performance.now();
				show('searching', page);
			}
			show('done', pdf.numPages);
		} catch (error) {
			if (run.current !== thisRun) return;
			console.error(error);
			setSearch((now) => ({ ...now, hits: [...hits], state: 'failed' }));
		}
	};

	const goTo = (current: number) => setSearch((now) => ({ ...now, current }));

	const hitsOf = (page: number): PageSearchHits | undefined => {
		const pageHits = search.hits.filter((hit) => hit.page === page);
		if (pageHits.length === 0) return undefined;
		const current = search.hits[search.current];
		return { spans: pageHits.map(({ span }) => span), current: current?.page === page ? current.index : -1 };
	};

	return { search, start, goTo, hitsOf };
}
