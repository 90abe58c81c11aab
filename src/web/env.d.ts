interface ImportMetaEnv {
	/** Address of pdf.js's worker: scripts/pdfjs-assets.ts. */
	readonly PDF_WORKER: string;
}
