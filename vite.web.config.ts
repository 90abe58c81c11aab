import react from '@vitejs/plugin-react';
import type { Rolldown } from 'vite';
import { defineConfig } from 'vite';
import { pdfjsAssets } from './scripts/pdfjs-assets.ts';

const entries = { workspace: 'src/web/main.tsx', landing: 'src/web/landing/entry.ts' };
/** What the landing page loads when somebody comes near its form. */
const form = 'src/web/landing/purchase/purchase-live.tsx';

/**
 * The browser's two entries: the workspace and the landing page's own small one. Served from `dist/web`.
 *
 * Left to itself the bundler makes a file of each set of modules that some screens share: 130 of them, up to 53 for one
 * screen, most under 1 KB. On a phone each of those asks costs more than what it saves. So `base` holds what both
 * entries use, `react` what the landing page's form has in common with the workspace, `kit` what three screens or more
 * do, and a screen brings its own.
 */
export default defineConfig({
	plugins: [react(), pdfjsAssets()],
	publicDir: 'src/web/public',
	build: {
		outDir: 'dist/web',
		emptyOutDir: true,
		manifest: true,
		target: 'es2022',
		assetsInlineLimit: 0,
		chunkSizeWarningLimit: 1500,
		rolldownOptions: {
			input: entries,
			output: {
				codeSplitting: {
					groups: [
						{ name: (id, context) => (isOfAll(id, Object.values(entries), context) ? 'base' : null), priority: 2 },
						{ name: (id, context) => (isOfAll(id, [entries.workspace, form], context) ? 'react' : null), priority: 1 },
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
