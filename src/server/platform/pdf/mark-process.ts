import { constants, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Outline, OutlineEntry } from '#contract/reader/pair-outlines.ts';
import { fitLine, type MarkLine } from './mark-line.ts';
import { writeMarkPdf } from './mark-pdf.ts';
import { openMarkFonts } from './mark-text.ts';
import {
	isDictionary,
	isOdd,
	type PageLooks,
	readLooks,
	type SeenPage,
	seenPage,
	straighten,
	type Value,
} from './page-looks.ts';

/** How much of an outline is told. */
export interface OutlineBounds {
	levels: number;
	entries: number;
	/** Signs of a title. */
	title: number;
}

/** What the process hears: which line to lay over the pages of `in.pdf`; without one, only how the file is. Or: to tell its outline. */
export type ToMark = { line: MarkLine | null } | { outline: OutlineBounds };

/** Why a PDF cannot be marked: it is locked by a password, has no pages, is damaged, or takes more of the machine than it may. */
export type Unmarkable = 'locked' | 'empty' | 'broken' | 'heavy';

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

/** qpdf as it was compiled; its own types leave half of it out. */
interface QpdfModule {
	callMain(args: string[]): number;
	NODEFS: unknown;
	FS: {
		mkdir(path: string): void;
		mount(kind: unknown, options: { root: string }, path: string): void;
		writeFile(path: string, text: string): void;
		readFile(path: string): Uint8Array;
	};
}

const scratch = '/scratch';

class UnmarkableError extends Error {
	readonly reason: Unmarkable;
	constructor(reason: Unmarkable, why: string) {
		super(why);
		this.reason = reason;
	}
}

/** The result of one run of qpdf. Exit codes: 0, 2 with errors, 3 with warnings only. Source: qpdf's manual, "Exit Status". */
interface Run {
	code: number;
	lines: string[];
	complaints: string[];
}

interface Qpdf {
	run(args: string[], hear?: (line: string) => void): Run;
	readText(path: string): string;
	writeText(path: string, text: string): void;
}

async function openQpdf(places: MarkPlaces): Promise<Qpdf> {
	// Emscripten asks for the flags of open(2) by a way that is closed here.
	Object.assign(process, { binding: () => ({ fs: constants }) });
	const create = createRequire(import.meta.url)(places.qpdf) as (options: object) => Promise<QpdfModule>;
	let run: Run = { code: 0, lines: [], complaints: [] };
	let hear: (line: string) => void = () => {};
	// It was compiled to write there and nowhere else; nobody reads what this process prints.
	Object.assign(console, {
		log: (line: string) => hear(line),
		error: (line: string) => run.complaints.push(line),
	});
	const qpdf = await create({ noInitialRun: true });
	qpdf.FS.mkdir(scratch);
	qpdf.FS.mount(qpdf.NODEFS, { root: places.scratch }, scratch);
	return {
		run(args, listen) {
			run = { code: 2, lines: [], complaints: [] };
			const { lines } = run;
			hear = listen ?? ((line) => lines.push(line));
			// By a file: its stack holds no thousands of arguments.
			qpdf.FS.writeFile('/arguments', `${args.join('\n')}\n`);
			run.code = qpdf.callMain(['@/arguments']);
			return run;
		},
		readText: (path) => Buffer.from(qpdf.FS.readFile(path)).toString(),
		writeText: (path, text) => qpdf.FS.writeFile(path, text),
	};
}

/** @throws UnmarkableError locked, broken */
function must(run: Run): Run {
	if (run.code === 0 || run.code === 3) return run;
	const isLocked = run.complaints.some((line) => line.endsWith('invalid password'));
	throw new UnmarkableError(isLocked ? 'locked' : 'broken', run.complaints.slice(0, 3).join(' '));
}

async function mark(places: MarkPlaces, line: MarkLine | null): Promise<number> {
	const qpdf = await openQpdf(places);
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
	const qpdf = await openQpdf(places);
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

/** What decides how a page is seen; what it does not say itself, its parents say (ISO 32000-1, section 7.7.3.4). */
function readPages(qpdf: Qpdf, source: string): Array<{ id: string; page: Value; looks: PageLooks }> {
	const { pages } = readJson(qpdf, source, ['--json-key=pages']) as { pages: Array<{ object: string }> };
	const objects = new Map<string, Value>();
	const references = (value: Value): string[] =>
		typeof value === 'string' && /^\d+ \d+ R$/u.test(value) && !objects.has(value) ? [value] : [];
	let wanted = new Set(pages.map(({ object }) => object));
	while (wanted.size > 0) {
		readObjects(qpdf, source, wanted, objects);
		const next = new Set<string>();
		for (const id of wanted) {
			const value = objects.get(id) ?? null;
			const parts = isDictionary(value) ? asked.map((name) => value[name] ?? null) : value;
			for (const part of Array.isArray(parts) ? parts : []) for (const found of references(part)) next.add(found);
		}
		wanted = next;
	}
	const resolve = (value: Value): Value =>
		typeof value === 'string' && objects.has(value) ? (objects.get(value) ?? null) : value;
	return pages.map(({ object: id }) => {
		const page = objects.get(id) ?? null;
		return { id, page, looks: readLooks(page, resolve) };
	});
}

const asked = ['/Parent', '/MediaBox', '/CropBox', '/TrimBox', '/Rotate', '/UserUnit'];

/** By a file: once something went to its output, it tells everything else as a complaint. */
function readJson(qpdf: Qpdf, source: string, choice: string[]): unknown {
	must(qpdf.run(['--json=2', ...choice, source, '/answer.json']));
	return JSON.parse(qpdf.readText('/answer.json'));
}

function readObjects(qpdf: Qpdf, source: string, ids: ReadonlySet<string>, into: Map<string, Value>): void {
	const chosen = [...ids].map((id) => `--json-object=${id.split(' ').slice(0, 2).join(',')}`);
	const answer = readJson(qpdf, source, ['--json-key=qpdf', '--json-stream-data=none', ...chosen]);
	const { qpdf: parts } = answer as { qpdf: Array<Record<string, { value?: Value }>> };
	for (const id of ids) into.set(id, null);
	for (const [key, { value }] of Object.entries(parts[1] ?? {})) into.set(key.replace(/^obj:/u, ''), value ?? null);
}

/**
 * qpdf lays an overlay over a page's trim box and drops what lies outside of it, and knows four turns alone: pages that say
 * otherwise say it in its terms now. @returns the file whose pages all do
 */
function straightenPages(
	qpdf: Qpdf,
	source: string,
	pages: ReadonlyArray<{ id: string; page: Value; looks: PageLooks }>,
): string {
	const odd = pages.filter(({ looks }) => isOdd(looks));
	if (odd.length === 0) return source;
	const objects = Object.fromEntries(
		odd.map(({ id, page, looks }) => [`obj:${id}`, { value: straighten(page, looks) }]),
	);
	const head = { jsonversion: 2, pushedinheritedpageresources: false, calledgetallpages: false, maxobjectid: 0 };
	qpdf.writeText('/straight.json', JSON.stringify({ qpdf: [head, objects] }));
	const target = `${scratch}/straight.pdf`;
	must(qpdf.run([source, '--update-from-json=/straight.json', target]));
	return target;
}

function say(message: FromMark): void {
	process.send?.(message);
}

/** qpdf runs out of its stack on what is nested too deeply. */
function reasonOf(error: unknown): Unmarkable {
	if (error instanceof UnmarkableError) return error.reason;
	return error instanceof WebAssembly.RuntimeError || error instanceof RangeError ? 'heavy' : 'broken';
}

process.once('message', (message: ToMark) => {
	const places = JSON.parse(process.argv[2] ?? '{}') as MarkPlaces;
	const work =
		'outline' in message
			? tellOutline(places, message.outline).then((outline) => ({ outline }))
			: mark(places, message.line).then((pages) => ({ pages }));
	work.then(
		(result) => say(result),
		(error: unknown) => {
			say({ unmarkable: reasonOf(error), why: String(error) });
		},
	);
});
// Whoever asked is gone.
process.once('disconnect', () => process.exit());
