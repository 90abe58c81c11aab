import react from '@vitejs/plugin-react';
import type { Rolldown } from 'vite';
import { defineConfig } from 'vite';
import { contractPlugin } from './scripts/build/contract-plugin.ts';
import { pdfjsPlugin } from './scripts/build/pdfjs-plugin.ts';
import { serviceWorkerPlugin } from './scripts/build/service-worker-plugin.ts';
import { singleImportsPlugin } from './scripts/build/single-imports-plugin.ts';

const workspace = 'src/web/app/main.tsx';
const landing = 'src/web/landing/entry.ts';
const layouts = ['src/web/app/shell/protected-layout.tsx', 'src/web/app/shell/workspace-layout.tsx'];
/** The script of the order page. */
const order = 'src/web/landing/order-page/order-page-entry.ts';
/** The script that the landing page loads shortly before a visitor reaches the checkout form. */
const form = 'src/web/landing/checkout/checkout-hydration.tsx';

/**
 * Builds the scripts of the browser into `dist/web`: the workspace, the landing page and the order page.
 *
 * By default the bundler creates one file for each set of modules that several screens share: 130 files, most smaller
 * than 1 KB, and up to 53 for one screen. On a phone, so many requests take longer than loading some modules that the
 * screen does not use. Therefore shared modules are in a few files: `base` is used by the workspace and the landing page,
 * `react` by the workspace and the checkout form, `start` by all screens, `shell` by all screens after the login. What
 * at least three screens use is in `texts`, `lists`, `kit`, `pages` and one file for each feature. All other modules are
 * in the file of their screen. `react` has every module of the form that is not the landing page's own, so that the form
 * loads none of the other files. Measured: 280 KB of scripts instead of 346 for the first visit of the orders screen,
 * with `contractPlugin`, `singleImportsPlugin`, and parts that are loaded when they are used.
 */
export default defineConfig({
	plugins: [react(), contractPlugin(), singleImportsPlugin(), pdfjsPlugin(), serviceWorkerPlugin()],
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
						// Only screens that validate with schemas of the contract load these.
						{
							name: 'schemas',
							test: /\?copy$|\/contract\/(?:storefront\/content-fields|files\/spaces)\.ts$/,
							priority: 3,
						},
						{ name: (id, context) => (isOfAll(id, [workspace, landing], context) ? 'base' : null), priority: 2 },
						{ name: (id, context) => (isSharedByForm(id, context) ? 'react' : null), priority: 1 },
						{ name: (id, context) => (isReached(id, workspace, context) ? 'start' : null), minShareCount: 2 },
						{
							name: (id, context) => (layouts.some((layout) => isReached(id, layout, context)) ? 'shell' : null),
							minShareCount: 2,
						},
						{ name: 'texts', test: /messages\/generated/, minShareCount: 4 },
						{ name: 'lists', test: /virtual/, minShareCount: 3 },
						{
							name: 'kit',
							test: /\/web\/(?:ui(?!\/pdf)|platform)\/|\/node_modules\/|\/contract\//,
							minShareCount: 3,
							maxModuleSize: 100_000,
						},
						{ name: 'pages', test: /\/ui\/pdf\//, minShareCount: 3, maxModuleSize: 100_000 },
						{ name: featureOf, minShareCount: 3, maxModuleSize: 100_000 },
					],
				},
			},
		},
	},
});

function isOfAll(id: string, entries: readonly string[], context: Rolldown.ChunkingContext): boolean {
	return entries.every((entry) => isReached(id, entry, context));
}

/** Returns the name of the feature that a module belongs to. */
function featureOf(id: string): string | null {
	return /\/features\/([^/]+)\//u.exec(id)?.[1] ?? null;
}

function isSharedByForm(id: string, context: Rolldown.ChunkingContext): boolean {
	return isReached(id, form, context) && !id.includes('/src/web/landing/');
}

/** Returns whether an entry reaches a module by static imports. */
function isReached(id: string, entry: string, context: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
	if (id.endsWith(entry)) return true;
	// This file exports every message, so that it tells nothing about their use.
	if (seen.has(id) || id.endsWith('/messages/_index.js')) return false;
	seen.add(id);
	const importers = context.getModuleInfo(id)?.importers ?? [];
	return [...importers].some((importer) => isReached(importer, entry, context, seen));
}
