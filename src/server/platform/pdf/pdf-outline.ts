import type { Outline, OutlineEntry } from '#shared/chapter-matching.ts';
import { type Qpdf, QpdfError, readJson, requireSuccess, scratch } from './qpdf.ts';

export interface OutlineBounds {
	levels: number;
	entries: number;
	title: number;
}

/** An entry of qpdf's `outlines`, with the number of the page that it links to. Source: qpdf's manual, "qpdf JSON". */
interface RawEntry {
	title?: string;
	destpageposfrom1?: number | null;
	kids?: RawEntry[];
}

/** Reads the outline of `in.pdf`. @throws QpdfError */
export function readOutline(qpdf: Qpdf, bounds: OutlineBounds): Outline {
	const source = `${scratch}/in.pdf`;
	const pageCount = Number(requireSuccess(qpdf.run(['--show-npages', source])).outputLines[0]);
	if (!(pageCount > 0)) throw new QpdfError('empty', 'has no pages');
	const { outlines } = readJson(qpdf, source, ['--json-key=outlines']) as { outlines?: RawEntry[] };
	const entries: OutlineEntry[] = [];
	const addEntries = (raw: RawEntry[], parent: string, level: number): void => {
		for (const [index, { title = '', destpageposfrom1: page, kids = [] }] of raw.entries()) {
			if (entries.length >= bounds.entries) return;
			const id = `${parent}${index + 1}`;
			// Removes characters that a database cannot store as text.
			const storable = title.replace(/[\0\p{Cs}]/gu, '').trim();
			entries.push({ id, title: [...storable].slice(0, bounds.title).join(''), page: page ?? null });
			if (level < bounds.levels) addEntries(kids, `${id}.`, level + 1);
		}
	};
	addEntries(outlines ?? [], '', 1);
	return { pageCount, entries };
}
