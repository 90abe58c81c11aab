import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const folders = ['cmaps', 'standard_fonts', 'wasm', 'iccs'] as const;
const require = createRequire(import.meta.url);
const root = dirname(require.resolve('pdfjs-dist/package.json'));
/** Contains the version, so that the file at a URL never changes. */
const base = `pdfjs/${(require('pdfjs-dist/package.json') as { version: string }).version}`;
const workerFile = join(root, 'legacy', 'build', 'pdf.worker.min.mjs');
/** The worker's code that reports the start of marked content and its properties (`y[1]`). */
const markedContentPattern =
	/(type:"beginMarkedContentProps",)(id:Number\.isInteger\(\w+\)\?[^,]+?:null,tag:(\w)\[0\]instanceof Name)/u;

/** The worker's code that turns a gap between glyphs into a space within a text item and drops the gap's position. */
const innerSpacePattern =
	/(function addFakeSpaces\((\w),\w,\w\)\{if\([^{}]+\)\{if\((\w)\.initialized\)\{resetLastChars\(\);)/u;
/** The worker's code that begins a text item. */
const newTextItemPattern = /(\w)\.hasEOL=!1;\1\.initialized=!0;return \1\}/u;
/** The worker's code that sends a text item. */
const sentTextItemPattern = /return\{(str:\w+\.str,dir:\w+\.dir,width:Math\.abs\((\w)\.totalWidth\))/u;

/** Changes to the worker's source: the pattern to find and its replacement. */
const workerChanges = [
	[markedContentPattern, '$1actualText:$3[1]instanceof Dict?$3[1].get("ActualText"):null,$2'],
	[innerSpacePattern, '$1$3.gaps.push($3.totalWidth+$3.width*$3.textAdvanceScale,$2*$3.textAdvanceScale);'],
	[newTextItemPattern, '$1.gaps=[];$&'],
	[sentTextItemPattern, 'return{gaps:$2.gaps,$1'],
] as const;

/**
 * Reads pdf.js's worker and changes it to report two more properties. `actualText` is the text of marked content (ISO
 * 32000-1, 14.9.4), which pdf.js drops, although Devanagari often cannot be read from its glyphs alone. `gaps` of a
 * text item lists its inner spaces as pairs: distance from the item's start and width, in the page's units.
 * @throws Error when the worker's source does not match these changes
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
/** The calls by which pdf.js waits for the next frame: before it draws, and after each wait for a font or an image. */
const frames = [
	['window.requestAnimationFrame(() =>', 'window.setTimeout(() =>'],
	['window.cancelAnimationFrame(this.#rAF)', 'window.clearTimeout(this.#rAF)'],
] as const;

/**
 * Changes pdf.js to draw without waiting for frames: a page is shown only when it is complete, and waiting for four
 * frames takes longer than drawing the page. pdf.js still yields to the event loop every 15 ms.
 * @throws Error when the source of pdf.js does not match this change
 */
function drawBetweenFrames(source: string): string {
	return frames.reduce((text, [from, to]) => {
		if (text.split(from).length !== 2) throw new Error('pdf.js has changed: see scripts/build/pdfjs-plugin.ts.');
		return text.replace(from, to);
	}, source);
}

/**
 * Adds to the built web app the files that pdf.js fetches while it draws (character maps, standard fonts, decoders,
 * colour profiles) below `import.meta.env.PDF_FILES`, and its changed worker at `import.meta.env.PDF_WORKER`. Also makes
 * pdf.js draw without waiting for frames.
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
	};
}
