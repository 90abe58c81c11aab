import react from '@vitejs/plugin-react';
import type { Rolldown } from 'vite';
import { defineConfig } from 'vite';
import { pdfjsPlugin } from './scripts/build/pdfjs-plugin.ts';
import { serviceWorkerPlugin } from './scripts/build/service-worker-plugin.ts';

const workspace = 'src/web/app/main.tsx';
const landing = 'src/web/landing/entry.ts';
/** The page of an order: a few lines of its own. */
const order = 'src/web/landing/order-page/order-page-entry.ts';
/** What the landing page loads when somebody comes near its form. */
const form = 'src/web/landing/checkout/checkout-hydration.tsx';

/**
 * The browser's entries: the workspace and the storefront's own small ones. Served from `dist/web`.
 *
 * Left to itself the bundler makes a file of each set of modules that some screens share: 130 of them, up to 53 for one
 * screen, most under 1 KB. On a phone each of those asks costs more than what it saves. So `base` holds what the
 * workspace and the landing page both use, `react` what the landing page's form has in common with the workspace, `kit` what three screens or more
 * do, and a screen brings its own.
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
						{ name: (id, context) => (isOfAll(id, [workspace, form], context) ? 'react' : null), priority: 1 },
						// What is larger than this belongs to few screens: the reader of PDFs.
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

/** Whether an entry reaches a module by imports that are not put off. */
function isReached(id: string, entry: string, context: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
	if (id.endsWith(entry)) return true;
	if (seen.has(id)) return false;
	seen.add(id);
	const importers = context.getModuleInfo(id)?.importers ?? [];
	return [...importers].some((importer) => isReached(importer, entry, context, seen));
}
