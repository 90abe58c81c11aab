import react from '@vitejs/plugin-react';
import type { Rolldown } from 'vite';
import { defineConfig } from 'vite';
import { pdfjsPlugin } from './scripts/build/pdfjs-plugin.ts';
import { serviceWorkerPlugin } from './scripts/build/service-worker-plugin.ts';

const workspace = 'src/web/app/main.tsx';
const landing = 'src/web/landing/entry.ts';
/** The script of the order page. */
const order = 'src/web/landing/order-page/order-page-entry.ts';
/** The script that the landing page loads shortly before a visitor reaches the checkout form. */
const form = 'src/web/landing/checkout/checkout-hydration.tsx';

/**
 * Builds the scripts of the browser into `dist/web`: the workspace, the landing page and the order page.
 *
 * By default the bundler creates one file for each set of modules that several screens share: 130 files, most smaller
 * than 1 KB, and up to 53 for one screen. On a phone, so many requests take longer than loading some modules that the
 * screen does not use. Therefore shared modules are in three files: `base` is used by the workspace and the landing page,
 * `react` by the workspace and the checkout form, `kit` by at least three screens. All other modules are in the file of
 * their screen. `react` has every module of the form that is not the landing page's own, so that the form never loads
 * `kit`, which is more than ten times as large as the form.
 */
export default defineConfig({
	plugins: [react(), pdfjsPlugin(), serviceWorkerPlugin()],
	publicDir: 'src/web/public',
	build: {
		outDir: 'dist/web',
		emptyOutDir: true,
		manifest: true,
		target: 'es2022',
		assetsInlineLimit: 0,
		chunkSizeWarningLimit: 1500,
		rolldownOptions: {
			input: { workspace, landing, order },
			output: {
				codeSplitting: {
					groups: [
						{ name: (id, context) => (isOfAll(id, [workspace, landing], context) ? 'base' : null), priority: 2 },
						{ name: (id, context) => (isSharedByForm(id, context) ? 'react' : null), priority: 1 },
						// Larger modules, such as pdf.js, are used by few screens and stay out of this file.
						{ name: 'kit', minShareCount: 3, maxModuleSize: 100_000 },
					],
				},
			},
		},
	},
});

function isOfAll(id: string, entries: readonly string[], context: Rolldown.ChunkingContext): boolean {
	return entries.every((entry) => isReached(id, entry, context));
}

function isSharedByForm(id: string, context: Rolldown.ChunkingContext): boolean {
	return isReached(id, form, context) && !id.includes('/src/web/landing/');
}

/** Returns whether an entry reaches a module by static imports. */
function isReached(id: string, entry: string, context: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
	if (id.endsWith(entry)) return true;
	if (seen.has(id)) return false;
	seen.add(id);
	const importers = context.getModuleInfo(id)?.importers ?? [];
	return [...importers].some((importer) => isReached(importer, entry, context, seen));
}
