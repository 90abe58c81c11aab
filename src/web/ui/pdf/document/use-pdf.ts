import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useCallback, useEffect, useState } from 'react';
import type { PdfSource } from './pdf-document.ts';

/** `denied`: no access; `failed`: not loaded; `locked`: needs a password; `broken`: not a readable PDF. */
type Pdf =
	| { state: 'open'; document: PDFDocumentProxy }
	| { state: 'loading' }
	| { state: 'denied' | 'failed' | 'locked' | 'broken' };

/** Opens a document while mounted. A failed range request changes the state to `denied` or `failed`. */
export function usePdf({ url, sizeBytes }: PdfSource): { pdf: Pdf; fail: () => void; retry: () => void } {
	const [pdf, setPdf] = useState<Pdf>({ state: 'loading' });
	const [attempt, setAttempt] = useState(0);

	// biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the same document again.
	useEffect(() => {
		const abort = new AbortController();
		const settle = (next: Pdf) => {
			if (!abort.signal.aborted) setPdf(next);
		};
		// Range requests for an empty file fail.
		setPdf({ state: sizeBytes === 0 ? 'broken' : 'loading' });
		if (sizeBytes > 0) open();
		return () => abort.abort();

		async function open(): Promise<void> {
			try {
				const { openPdf } = await import('./pdf-document.ts');
				const document = await openPdf({ url, sizeBytes }, abort.signal, (reason) => settle({ state: reason }));
				// pdf.js opens documents without pages too.
				settle(document.numPages === 0 ? { state: 'broken' } : { state: 'open', document });
			} catch (error) {
				if (abort.signal.aborted) return;
				console.error(error);
				settle({ state: reasonOf(error) });
			}
		}
	}, [url, sizeBytes, attempt]);

	const retry = useCallback(() => setAttempt((count) => count + 1), []);
	const fail = useCallback(() => setPdf((current) => (current.state === 'open' ? { state: 'failed' } : current)), []);
	return { pdf, fail, retry };
}

function reasonOf(error: unknown): 'failed' | 'locked' | 'broken' {
	const name = error instanceof Error ? error.name : '';
	if (name === 'PasswordException') return 'locked';
	return name === 'InvalidPDFException' || name === 'FormatError' ? 'broken' : 'failed';
}
