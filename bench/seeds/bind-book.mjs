import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import createQpdf from '@neslinesli93/qpdf-wasm';

const folder = join(import.meta.dirname, '..', '..', 'demo', 'book');
const editions = ['1-en', '1-hi', '2-en', '2-hi'];

/** Joins the sample book's four editions into one PDF. @throws Error with qpdf's messages */
export async function bindBook() {
	const messages = [];
	const qpdf = await createQpdf({ noInitialRun: true, printErr: (line) => messages.push(line) });
	for (const edition of editions)
		qpdf.FS.writeFile(`/${edition}.pdf`, await readFile(join(folder, `build-your-empire-part-${edition}.pdf`)));
	const pages = editions.flatMap((edition) => [`/${edition}.pdf`, '1-z']);
	const code = qpdf.callMain(['--empty', '--pages', ...pages, '--', '/book.pdf']);
	if (code !== 0) throw new Error(`qpdf ended with ${code}: ${messages.join('\n')}`);
	return Buffer.from(qpdf.FS.readFile('/book.pdf'));
}
