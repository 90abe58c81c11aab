interface ImportMetaEnv {
	/** Address of pdf.js's worker: scripts/build/pdfjs-plugin.ts. */
	readonly PDF_WORKER: string;
	readonly PDF_FILES: string;
	/** What the worker keeps of the app: scripts/build/service-worker-plugin.ts. */
	readonly SHELL_FILES: import('./app/service-worker/app-shell-cache.ts').AppShellFiles;
}
