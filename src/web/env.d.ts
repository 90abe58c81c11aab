interface ImportMetaEnv {
	/** Address of pdf.js's worker: scripts/pdfjs-assets.ts. */
	readonly PDF_WORKER: string;
	readonly PDF_FILES: string;
	/** What the worker keeps of the app: scripts/offline-worker.ts. */
	readonly SHELL_FILES: import('./offline/shell-files.ts').ShellFiles;
}
