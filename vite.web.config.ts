import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pdfjsAssets } from './scripts/pdfjs-assets.ts';

/** The browser's two entries: the workspace and the landing page's own small one. Served from `dist/web`. */
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
		rolldownOptions: { input: { workspace: 'src/web/main.tsx', landing: 'src/web/landing/entry.tsx' } },
	},
});
