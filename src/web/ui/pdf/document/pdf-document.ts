import {
	GlobalWorkerOptions,
	getDocument,
	PDFDataRangeTransport,
	type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { fetchRange, type PdfErrorReason, PdfRangeError } from './range-requests.ts';

// Built with our own change to pdf.js: scripts/build/pdfjs-plugin.ts.
GlobalWorkerOptions.workerSrc = import.meta.env.PDF_WORKER;

/** Number of bytes in one range request. Source: the design's choice for the reader. */
const rangeChunkBytes = 65_536;

/** URL where the build puts pdf.js's character maps, standard fonts, decoders and colour profiles. */
const assetsUrl = import.meta.env.PDF_FILES;

export interface PdfSource {
	/** URL of the bytes; must answer range requests. */
	url: string;
	sizeBytes: number;
}

/** An open document; `close` frees its worker and aborts all requests. */
export interface PdfDocument {
	proxy: PDFDocumentProxy;
	close: () => void;
}

/**
 * Opens a PDF and fetches only the pages that are viewed. Each byte range is a request of its own: as soon as one is
 * refused or has failed for the last time, `onFailure` is called with the reason, even long after opening.
 */
export async function openPdf(
	{ url, sizeBytes }: PdfSource,
	signal: AbortSignal,
	onFailure: (reason: PdfErrorReason) => void,
): Promise<PdfDocument> {
	const task = getDocument({
		range: new RangeTransport(url, sizeBytes, signal, onFailure),
		disableAutoFetch: true,
		disableStream: true,
		rangeChunkSize: rangeChunkBytes,
		cMapUrl: `${assetsUrl}cmaps/`,
		standardFontDataUrl: `${assetsUrl}standard_fonts/`,
		wasmUrl: `${assetsUrl}wasm/`,
		iccUrl: `${assetsUrl}iccs/`,
		enableXfa: false,
	});
	const close = () => void task.destroy().catch(() => undefined);
	signal.addEventListener('abort', close, { once: true });
	return { proxy: await task.promise, close };
}

class RangeTransport extends PDFDataRangeTransport {
	readonly #url: string;
	readonly #signal: AbortSignal;
	readonly #onFailure: (reason: PdfErrorReason) => void;

	constructor(url: string, sizeBytes: number, signal: AbortSignal, onFailure: (reason: PdfErrorReason) => void) {
		super(sizeBytes, null);
		this.#url = url;
		this.#signal = signal;
		this.#onFailure = onFailure;
	}

	override requestDataRange(begin: number, end: number): void {
		fetchRange(this.#url, begin, end, this.#signal).then(
			(bytes) => {
				if (!this.#signal.aborted) this.onDataRange(begin, bytes);
			},
			(error: unknown) => {
				if (!this.#signal.aborted) this.#onFailure(error instanceof PdfRangeError ? error.reason : 'failed');
			},
		);
	}
}
