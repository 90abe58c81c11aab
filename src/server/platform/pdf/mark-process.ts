import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Outline, OutlineEntry } from '#contract/reader/pair-outlines.ts';
import { readPages, straightenPages } from './file-pages.ts';
import { fitLine, type MarkLine } from './mark-line.ts';
import { writeMarkPdf } from './mark-pdf.ts';
import { openMarkFonts } from './mark-text.ts';
import { type SeenPage, seenPage } from './page-looks.ts';
import { moveHeaderToFront } from './pdf-header.ts';
import { must, openQpdf, readJson, reasonOf, scratch, type Unmarkable, UnmarkableError } from './qpdf.ts';

/** How much of an outline is told. */
export interface OutlineBounds {
	levels: number;
	entries: number;
	/** Signs of a title. */
	title: number;
}

/** What the process hears: which line to lay over the pages of `in.pdf`; without one, only how the file is. Or: to tell its outline. */
export type ToMark = { line: MarkLine | null } | { outline: OutlineBounds };

/** What the process says: how far it is (0 to 1), that `out.pdf` is there, the outline, or why not. */
export type FromMark =
	| { progress: number }
	| { pages: number }
	| { outline: Outline }
	| { unmarkable: Unmarkable; why: string };

/** Where everything lies: found by address, for this process may not look around for packages. */
export interface MarkPlaces {
	qpdf: string;
	harfbuzz: string;
	fonts: string;
	/** The only folder that may be written. */
	scratch: string;
}

async function mark(places: MarkPlaces, line: MarkLine | null): Promise<number> {
	const qpdf = await openQpdf(places.qpdf, places.scratch);
	const original = `${scratch}/in.pdf`;
	const looks = readPages(qpdf, original);
	const pages = looks.map(({ looks: each }) => seenPage(each));
	if (pages.length === 0) throw new UnmarkableError('empty', 'has no pages');
	if (line === null) return pages.length;
	say({ progress: 0.1 });
	const source = straightenPages(qpdf, original, looks);
	const { kinds, order } = sortByLooks(pages);
	writeFileSync(join(places.scratch, 'mark.pdf'), await drawMarks(places, kinds, line));
	const target = `${scratch}/out.pdf`;
	// Each page has the overlay that is made for its size.
	const overlay = ['--overlay', `${scratch}/mark.pdf`, `--from=${order.map((kind) => kind + 1).join(',')}`, '--'];
	// Not linearised: pdf.js walks over all pages to the last one before it shows the first. In object streams their
	// dictionaries lie together, where a linearised file has each beside its page: 182 KB are fetched of 30 MB, not 19 MB.
	const done = must(
		qpdf.run(['--object-streams=generate', '--progress', source, ...overlay, target], (line) => {
			const percent = /write progress: (\d+)%/u.exec(line)?.[1];
			if (percent !== undefined) say({ progress: 0.1 + (Number(percent) / 100) * 0.85 });
		}),
	);
	// What was mended on the way must be whole now.
	if (done.code === 3 && qpdf.run(['--check', target]).code !== 0)
		throw new UnmarkableError('broken', done.complaints.slice(0, 3).join(' '));
	if (Number(must(qpdf.run(['--show-npages', target])).lines[0]) !== pages.length)
		throw new UnmarkableError('broken', 'pages were lost');
	return pages.length;
}

/** An entry of qpdf's `outlines` (qpdf's manual, "qpdf JSON"): with the page's number where it leads to one. */
interface RawEntry {
	title?: string;
	destpageposfrom1?: number | null;
	kids?: RawEntry[];
}

async function tellOutline(places: MarkPlaces, bounds: OutlineBounds): Promise<Outline> {
	const qpdf = await openQpdf(places.qpdf, places.scratch);
	const source = `${scratch}/in.pdf`;
	const pageCount = Number(must(qpdf.run(['--show-npages', source])).lines[0]);
	if (!(pageCount > 0)) throw new UnmarkableError('empty', 'has no pages');
	const { outlines } = readJson(qpdf, source, ['--json-key=outlines']) as { outlines?: RawEntry[] };
	const entries: OutlineEntry[] = [];
	const tell = (raw: RawEntry[], parent: string, level: number): void => {
		for (const [index, { title = '', destpageposfrom1: page, kids = [] }] of raw.entries()) {
			if (entries.length >= bounds.entries) return;
			const id = `${parent}${index + 1}`;
			// What is no text in either database is no title.
			const plain = title.replace(/[\0\p{Cs}]/gu, '').trim();
			entries.push({ id, title: [...plain].slice(0, bounds.title).join(''), page: page ?? null });
			if (level < bounds.levels) tell(kids, `${id}.`, level + 1);
		}
	};
	tell(outlines ?? [], '', 1);
	return { pageCount, entries };
}

async function drawMarks(places: MarkPlaces, kinds: SeenPage[], line: MarkLine): Promise<Buffer> {
	const harfbuzz = (await import(pathToFileURL(places.harfbuzz).href)) as typeof import('harfbuzzjs');
	return writeMarkPdf(kinds, fitLine(openMarkFonts(harfbuzz, places.fonts), line));
}

/** Pages that look alike share one mark. `order`: the kind of each page. */
function sortByLooks(pages: SeenPage[]): { kinds: SeenPage[]; order: number[] } {
	const known = new Map<string, number>();
	const kinds: SeenPage[] = [];
	const order = pages.map((page) => {
		const key = JSON.stringify(page);
		const kind = known.get(key) ?? kinds.push(page) - 1;
		known.set(key, kind);
		return kind;
	});
	return { kinds, order };
}

function say(message: FromMark): void {
	process.send?.(message);
}

process.once('message', (message: ToMark) => {
	const places = JSON.parse(process.argv[2] ?? '{}') as MarkPlaces;
	const work = async (): Promise<FromMark> => {
		moveHeaderToFront(join(places.scratch, 'in.pdf'));
		return 'outline' in message
			? { outline: await tellOutline(places, message.outline) }
			: { pages: await mark(places, message.line) };
	};
	work().then(
		(result) => say(result),
		(error: unknown) => {
			say({ unmarkable: reasonOf(error), why: String(error) });
		},
	);
});
// Whoever asked is gone.
process.once('disconnect', () => process.exit());
