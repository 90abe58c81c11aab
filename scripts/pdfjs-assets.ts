import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const folders = ['cmaps', 'standard_fonts', 'wasm', 'iccs'] as const;
const address = /^\/pdfjs\/(?<folder>cmaps|standard_fonts|wasm|iccs)\/(?<file>[\w.-]+)$/u;
const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Puts what pdf.js fetches while it draws (character maps, standard fonts, decoders, colour profiles) below
 * `/pdfjs/` of the built web, straight from the package; nothing of it is kept in the repository.
 */
export function pdfjsAssets(): Plugin {
	return {
		name: 'folio:pdfjs-assets',
		async generateBundle() {
			for (const folder of folders) {
				for (const file of await readdir(join(root, folder))) {
					const source = await readFile(join(root, folder, file));
					this.emitFile({ type: 'asset', fileName: `pdfjs/${folder}/${file}`, source });
				}
			}
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				const found = address.exec(request.url ?? '')?.groups;
				if (found?.folder === undefined || found.file === undefined) return next();
				createReadStream(join(root, found.folder, found.file))
					.on('error', next)
					.pipe(response);
			});
		},
	};
}
