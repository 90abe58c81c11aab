import {
	isDictionary,
	needsNormalizing,
	normalizePage,
	type PageGeometry,
	type PdfValue,
	readPageGeometry,
} from './page-geometry.ts';
import { type Qpdf, QpdfError, readJson, requireSuccess, scratch } from './qpdf.ts';

/** A page of a PDF. `id` is the reference of its object, such as `12 0 R`. */
export interface PdfPage {
	id: string;
	page: PdfValue;
	geometry: PageGeometry;
}

export function readPages(qpdf: Qpdf, source: string): PdfPage[] {
	const { pages } = readJson(qpdf, source, ['--json-key=pages']) as { pages: Array<{ object: string }> };
	const objects = new Map<string, PdfValue>();
	const references = (value: PdfValue): string[] =>
		typeof value === 'string' && /^\d+ \d+ R$/u.test(value) && !objects.has(value) ? [value] : [];
	let unread = new Set(pages.map(({ object }) => object));
	while (unread.size > 0) {
		readObjects(qpdf, source, unread, objects);
		const next = new Set<string>();
		for (const id of unread) {
			const value = objects.get(id) ?? null;
			const parts = isDictionary(value) ? geometryKeys.map((name) => value[name] ?? null) : value;
			for (const part of Array.isArray(parts) ? parts : [])
				for (const reference of references(part)) next.add(reference);
		}
		unread = next;
	}
	const resolve = (value: PdfValue): PdfValue =>
		typeof value === 'string' && objects.has(value) ? (objects.get(value) ?? null) : value;
	return pages.map(({ object: id }) => {
		const page = objects.get(id) ?? null;
		return { id, page, geometry: readPageGeometry(page, resolve) };
	});
}

const geometryKeys = ['/Parent', '/MediaBox', '/CropBox', '/TrimBox', '/Rotate', '/UserUnit'];

function readObjects(qpdf: Qpdf, source: string, ids: ReadonlySet<string>, into: Map<string, PdfValue>): void {
	const objectOptions = [...ids].map((id) => `--json-object=${id.split(' ').slice(0, 2).join(',')}`);
	const result = readJson(qpdf, source, ['--json-key=qpdf', '--json-stream-data=none', ...objectOptions]);
	const { qpdf: parts } = result as { qpdf: Array<Record<string, { value?: PdfValue }>> };
	for (const id of ids) into.set(id, null);
	for (const [key, { value }] of Object.entries(parts[1] ?? {})) into.set(key.replace(/^obj:/u, ''), value ?? null);
}

/**
 * Rewrites pages on which qpdf would place an overlay wrongly: qpdf uses the trim box, removes content outside of it,
 * and supports only rotations by multiples of 90 degrees.
 * @returns the path of the rewritten file, or `source`
 */
export function normalizePages(qpdf: Qpdf, source: string, pages: readonly PdfPage[]): string {
	const unusual = pages.filter(({ geometry }) => needsNormalizing(geometry));
	if (unusual.length === 0) return source;
	const objects = Object.fromEntries(
		unusual.map(({ id, page, geometry }) => [`obj:${id}`, { value: normalizePage(page, geometry) }]),
	);
	const head = { jsonversion: 2, pushedinheritedpageresources: false, calledgetallpages: false, maxobjectid: 0 };
	qpdf.writeText('/normalized.json', JSON.stringify({ qpdf: [head, objects] }));
	const target = `${scratch}/normalized.pdf`;
	requireSuccess(qpdf.run([source, '--update-from-json=/normalized.json', target]));
	return target;
}

/** Requires that `in.pdf` has all pages that it should have, because qpdf leaves out missing pages. @throws QpdfError broken */
export function requireAllPages(qpdf: Qpdf): void {
	const source = `${scratch}/in.pdf`;
	const { pages } = readJson(qpdf, source, ['--json-key=pages']) as { pages: unknown[] };
	if (pages.length < countPages(qpdf, source)) throw new QpdfError('broken', 'pages are missing');
}

/**
 * Returns the number of the first page of `in.pdf` whose contents cannot be read; undefined if no page is the cause. The
 * error messages of qpdf do not name the page.
 */
export function findBrokenPage(qpdf: Qpdf): number | undefined {
	const source = `${scratch}/in.pdf`;
	const isReadable = (range: string) => {
		const pages = ['--empty', '--pages', source, range, '--'];
		const { code } = qpdf.run([...pages, '--coalesce-contents', `${scratch}/out.pdf`]);
		return code === 0 || code === 3;
	};
	let [readable, broken] = [0, countPages(qpdf, source)];
	if (!(broken > 0) || isReadable(`1-${broken}`)) return undefined;
	// If no page can be read, the cause is something else.
	if (broken > 1 && !isReadable('1') && !isReadable('2')) return undefined;
	while (broken - readable > 1) {
		const middle = Math.floor((readable + broken) / 2);
		if (isReadable(`1-${middle}`)) readable = middle;
		else broken = middle;
	}
	return broken;
}

function countPages(qpdf: Qpdf, source: string): number {
	const { code, outputLines } = qpdf.run(['--show-npages', source]);
	return code === 0 || code === 3 ? Number(outputLines[0]) : 0;
}
