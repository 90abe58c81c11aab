import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };

/** The server, the command line and the landing page's renderer, bundled for Node into `dist/server`. */
export default defineConfig({
	publicDir: false,
	define: { 'process.env.NODE_ENV': '"production"' },
	ssr: { noExternal: true, external: Object.keys(dependencies), target: 'node' },
	build: {
		ssr: true,
		outDir: 'dist/server',
		emptyOutDir: true,
		target: 'node24',
		sourcemap: true,
		rolldownOptions: {
			input: { main: 'src/server/main.ts', cli: 'src/cli/cli.ts', 'landing-renderer': 'src/web/landing/render.tsx' },
			output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
		},
	},
});
