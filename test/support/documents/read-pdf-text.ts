/**
 * `node test/support/documents/read-pdf-text.ts FILE FROM TO`: prints the text that the reader extracts from these
 * pages of a PDF, with the product's own pdf.js worker. It is a program, because pdf.js uses one worker per process.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GlobalWorkerOptions, getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { readWorker } from '../../../scripts/build/pdfjs-plugin.ts';
import { joinPieces } from '../../../src/web/ui/pdf/text/pdf-text.ts';

const [file = '', from, to] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'folio-pdf-worker-'));
const worker = join(folder, 'worker.mjs');
await writeFile(worker, readWorker());
GlobalWorkerOptions.workerSrc = pathToFileURL(worker).href;
const task = getDocument({ data: new Uint8Array(await readFile(file)), verbosity: 0 });
const pdf = await task.promise;
for (let number = Number(from); number <= Number(to); number++) {
	const page = await pdf.getPage(number);
	console.log(joinPieces(await page.getTextContent({ includeMarkedContent: true })).text);
}
await task.destroy();
await rm(folder, { recursive: true });
