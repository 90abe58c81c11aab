import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const folders = ['cmaps', 'standard_fonts', 'wasm', 'iccs'] as const;
const address = /^\/pdfjs\/[\w.-]+\/(?<folder>cmaps|standard_fonts|wasm|iccs)\/(?<file>[\w.-]+)$/u;
const require = createRequire(import.meta.url);
const root = dirname(require.resolve('pdfjs-dist/package.json'));
/** With the version in it: the bytes at an address never change. */
const base = `pdfjs/${(require('pdfjs-dist/package.json') as { version: string }).version}`;
const workerFile = join(root, 'legacy', 'build', 'pdf.worker.min.mjs');
/** Where the worker tells that a marked piece of text begins, and with what properties (`y[1]`). */
const markedContentPattern =
	/(type:"beginMarkedContentProps",)(id:Number\.isInteger\(\w+\)\?[^,]+?:null,tag:(\w)\[0\]instanceof Name)/u;

/** Where the worker takes a gap between glyphs for a space within a piece of text, and forgets where it stands. */
const innerSpacePattern =
	/(function addFakeSpaces\((\w),\w,\w\)\{if\([^{}]+\)\{if\((\w)\.initialized\)\{resetLastChars\(\);)/u;
/** Where it begins a piece. */
const newTextItemPattern = /(\w)\.hasEOL=!1;\1\.initialized=!0;return \1\}/u;
/** Where it tells of one. */
const sentTextItemPattern = /return\{(str:\w+\.str,dir:\w+\.dir,width:Math\.abs\((\w)\.totalWidth\))/u;

/** The worker's text, as it is and as Folio needs it. */
const workerChanges = [
	[markedContentPattern, '$1actualText:$3[1]instanceof Dict?$3[1].get("ActualText"):null,$2'],
	[innerSpacePattern, '$1$3.gaps.push($3.totalWidth+$3.width*$3.textAdvanceScale,$2*$3.textAdvanceScale);'],
	[newTextItemPattern, '$1.gaps=[];$&'],
	[sentTextItemPattern, 'return{gaps:$2.gaps,$1'],
] as const;

/**
 * pdf.js's worker, which also tells what a marked piece of text says (`ActualText`, ISO 32000-1, 14.9.4): of Devanagari the
 * glyphs alone often do not tell it, and pdf.js drops the one place that does. And it tells of each piece its `gaps`: of each
 * space within, how far from the piece's beginning it begins and how wide it is, in the page's units, one after the other.
 * @throws Error when the worker's text is another than these changes were made for
 */
export function readWorker(): string {
	return workerChanges.reduce(
		(text, [from, to]) => {
			if (text.match(new RegExp(from, 'gu'))?.length !== 1)
				throw new Error("pdf.js's worker has changed: see scripts/build/pdfjs-plugin.ts.");
			return text.replace(from, to);
		},
		readFileSync(workerFile, 'utf8'),
	);
}

const library = join(root, 'legacy', 'build', 'pdf.mjs');
/** Where pdf.js waits for the next frame, before it draws and each time it has waited for a font or a picture. */
const frames = [
	['window.requestAnimationFrame(() =>', 'window.setTimeout(() =>'],
	['window.cancelAnimationFrame(this.#rAF)', 'window.clearTimeout(this.#rAF)'],
] as const;

/**
 * pdf.js, drawing between frames: a page that nobody sees before it is whole needs none, and waiting for four of them takes
 * longer than drawing it. It still gives way to others after each 15 ms.
 * @throws Error when its text is another than this change was made for
 */
function drawBetweenFrames(source: string): string {
	return frames.reduce((text, [from, to]) => {
		if (text.split(from).length !== 2) throw new Error('pdf.js has changed: see scripts/build/pdfjs-plugin.ts.');
		return text.replace(from, to);
	}, source);
}

/**
 * Puts what pdf.js fetches while it draws (character maps, standard fonts, decoders, colour profiles) below
 * `import.meta.env.PDF_FILES` of the built web, and its worker, changed like pdf.js itself, at the address
 * `import.meta.env.PDF_WORKER`: from the package, nothing of it is kept in the repository.
 */
export function pdfjsPlugin(): Plugin {
	const worker = readWorker();
	const workerAddress = `assets/pdf.worker-${createHash('sha256').update(worker).digest('hex').slice(0, 8)}.mjs`;
	return {
		name: 'folio:pdfjs-assets',
		config: () => ({
			define: {
				'import.meta.env.PDF_WORKER': JSON.stringify(`/${workerAddress}`),
				'import.meta.env.PDF_FILES': JSON.stringify(`/${base}/`),
			},
		}),
		transform: (code, id) => (id.split('?')[0] === library ? { code: drawBetweenFrames(code), map: null } : undefined),
		async generateBundle() {
			this.emitFile({ type: 'asset', fileName: workerAddress, source: worker });
			for (const folder of folders) {
				for (const file of await readdir(join(root, folder))) {
					const source = await readFile(join(root, folder, file));
					this.emitFile({ type: 'asset', fileName: `${base}/${folder}/${file}`, source });
				}
			}
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				if (request.url === `/${workerAddress}`) {
					response.setHeader('content-type', 'text/javascript');
					response.end(worker);
					return;
				}
				const found = address.exec(request.url ?? '')?.groups;
				if (found?.folder === undefined || found.file === undefined) return next();
				createReadStream(join(root, found.folder, found.file))
					.on('error', next)
					.pipe(response);
			});
		},
	};
}
