import {
	GlobalWorkerOptions,
	getDocument,
	PDFDataRangeTransport,
	type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { fetchRange, type PdfErrorReason, PdfRangeError } from './range-requests.ts';

// A patched build of pdf.js: scripts/build/pdfjs-plugin.ts.
GlobalWorkerOptions.workerSrc = import.meta.env.PDF_WORKER;

const rangeChunkBytes = 65_536;

/** Folder with pdf.js's character maps, standard fonts, decoders and colour profiles. */
const assetsUrl = import.meta.env.PDF_FILES;

export interface PdfSource {
	url: string;
	sizeBytes: number;
}

/**
 * Opens a PDF until `signal` aborts. Fetches byte ranges only when a page needs them. If all attempts to fetch a range
 * fail, calls `onFailure` with the reason, even long after opening.
 */
export async function openPdf(
	{ url, sizeBytes }: PdfSource,
	signal: AbortSignal,
	onFailure: (reason: PdfErrorReason) => void,
): Promise<PDFDocumentProxy> {
	const range = new PDFDataRangeTransport(sizeBytes, null);
	range.requestDataRange = (begin, end) =>
		void fetchRange(url, begin, end, signal).then(
			(bytes) => {
				if (!signal.aborted) range.onDataRange(begin, bytes);
			},
			(error: unknown) => {
				if (!signal.aborted) onFailure(error instanceof PdfRangeError ? error.reason : 'failed');
			},
		);
	const task = getDocument({
		range,
		disableAutoFetch: true,
		disableStream: true,
		rangeChunkSize: rangeChunkBytes,
		cMapUrl: `${assetsUrl}cmaps/`,
		standardFontDataUrl: `${assetsUrl}standard_fonts/`,
		wasmUrl: `${assetsUrl}wasm/`,
		iccUrl: `${assetsUrl}iccs/`,
		enableXfa: false,
	});
	signal.addEventListener('abort', () => void task.destroy().catch(() => undefined), { once: true });
	return task.promise;
}
