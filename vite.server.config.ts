import { defineConfig } from 'vite';
import { asciiPlugin } from './scripts/build/ascii-plugin.mjs';
import { commonJsPlugin } from './scripts/build/commonjs-plugin.mjs';
import { lazyMessagesPlugin } from './scripts/build/lazy-messages-plugin.mjs';
import { lazyPackagesPlugin } from './scripts/build/lazy-packages-plugin.mjs';
import { nativePackages } from './scripts/build/native-packages.mjs';

/**
 * Bundles the server, the command line and the landing page's renderer for Node into `dist/server`, with all packages
 * except those of native-packages.mjs. Without a bundle, reading hundreds of small modules took more than half of the
 * time of a first start.
 */
export default defineConfig({
	publicDir: false,
	plugins: [asciiPlugin(), commonJsPlugin(), lazyMessagesPlugin(), lazyPackagesPlugin()],
	define: { 'process.env.NODE_ENV': '"production"' },
	ssr: { noExternal: true, external: nativePackages, target: 'node' },
	build: {
		ssr: true,
		outDir: 'dist/server',
		emptyOutDir: true,
		target: 'node24',
		sourcemap: true,
		rolldownOptions: {
			input: {
				main: 'src/server/launch.ts',
				server: 'src/server/main.ts',
				cli: 'src/cli/cli.ts',
				messages: 'src/messages/generated/messages.js',
				'landing-renderer': 'src/web/landing/render.tsx',
				'first-page-process': 'src/server/platform/pdf/first-page-process.ts',
				'watermark-process': 'src/server/platform/pdf/watermark-process.ts',
				'hash-worker': 'src/server/platform/storage/hashing/hash-worker.ts',
			},
			// tus is loaded with the first upload, except the constants of its package that other files import.
			treeshake: { moduleSideEffects: [{ test: /\/node_modules\/@tus\//u, sideEffects: false }] },
			output: {
				format: 'cjs',
				entryFileNames: '[name].js',
				chunkFileNames: 'chunks/[name]-[hash].js',
				// Names stay, so that the stack traces of logs can be read.
				minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
			},
		},
	},
});
