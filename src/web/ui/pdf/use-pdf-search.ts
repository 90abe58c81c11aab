import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useCallback, useEffect, useRef, useState } from 'react';
import { pageTextOf } from './page-cache.ts';
import type { PageFinds } from './pdf-page.tsx';
import { findInText, surroundings, type TextSpan } from './pdf-search.ts';

/** One place where something was found. */
export interface Find {
	page: number;
	/** Which one of its page. */
	index: number;
	span: TextSpan;
	before: string;
	found: string;
	after: string;
}

export interface PdfSearch {
	query: string;
	/** In reading order; no more than {@link findsMost}. */
	finds: readonly Find[];
	/** Pages that were looked through; all of them at the end. */
	pagesDone: number;
	state: 'idle' | 'searching' | 'done' | 'failed';
	/** Index in `finds`; -1 before one was gone to. */
	current: number;
}

/** More than these nobody goes through; the search ends there. */
export const findsMost = 1000;
/** What is found is shown in portions: each shows the list anew. */
const showEveryMs = 150;

const idle: PdfSearch = { query: '', finds: [], pagesDone: 0, state: 'idle', current: -1 };

/** Searches a document page by page, from the first on; a new search ends the one before. */
export function usePdfSearch(pdf: PDFDocumentProxy | null) {
	const [search, setSearch] = useState(idle);
	const run = useRef(0);

	// biome-ignore lint/correctness/useExhaustiveDependencies: another document is searched anew.
	useEffect(() => {
		setSearch(idle);
		return () => {
			run.current += 1;
		};
	}, [pdf]);

	const start = useCallback(
		async (query: string) => {
			run.current += 1;
			const own = run.current;
			if (pdf === null || query.trim() === '') return setSearch({ ...idle, query });
			const finds: Find[] = [];
			const show = (state: PdfSearch['state'], pagesDone: number) => {
				if (run.current === own) setSearch((now) => ({ ...now, finds: [...finds], pagesDone, state }));
			};
			setSearch({ ...idle, query, state: 'searching' });
			let shownAt = performance.now();
			try {
				for (let page = 1; page <= pdf.numPages && finds.length < findsMost; page++) {
					const { text } = await pageTextOf(pdf, page);
					if (run.current !== own) return;
					for (const [index, span] of findInText(text, query, findsMost - finds.length).entries())
						finds.push({ page, index, span, ...surroundings(text, span) });
					if (performance.now() - shownAt < showEveryMs) continue;
					shownAt = performance.now();
					show('searching', page);
				}
				show('done', pdf.numPages);
			} catch (error) {
				if (run.current !== own) return;
				console.error(error);
				setSearch((now) => ({ ...now, finds: [...finds], state: 'failed' }));
			}
		},
		[pdf],
	);

	const goTo = useCallback((current: number) => setSearch((now) => ({ ...now, current })), []);

	const findsOf = useCallback(
		(page: number): PageFinds | undefined => {
			const own = search.finds.filter((find) => find.page === page);
			if (own.length === 0) return undefined;
			const current = search.finds[search.current];
			return { spans: own.map(({ span }) => span), current: current?.page === page ? current.index : -1 };
		},
		[search.finds, search.current],
	);

	return { search, start, goTo, findsOf };
}
