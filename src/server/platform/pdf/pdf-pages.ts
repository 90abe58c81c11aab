import {
	isDictionary,
	needsNormalizing,
	normalizePage,
	type PageGeometry,
	type PdfValue,
	readPageGeometry,
} from './page-geometry.ts';
import { type Qpdf, readJson, requireSuccess, scratch } from './qpdf.ts';

/** A page of a file and its geometry. `id` is its object. */
export interface PdfPage {
	id: string;
	page: PdfValue;
	geometry: PageGeometry;
}

/** Returns the pages of a file in their order. @throws QpdfError */
export function readPages(qpdf: Qpdf, source: string): PdfPage[] {
	const { pages } = readJson(qpdf, source, ['--json-key=pages']) as { pages: Array<{ object: string }> };
	const objects = new Map<string, PdfValue>();
	const references = (value: PdfValue): string[] =>
		typeof value === 'string' && /^\d+ \d+ R$/u.test(value) && !objects.has(value) ? [value] : [];
	let wanted = new Set(pages.map(({ object }) => object));
	while (wanted.size > 0) {
		readObjects(qpdf, source, wanted, objects);
		const next = new Set<string>();
		for (const id of wanted) {
			const value = objects.get(id) ?? null;
			const parts = isDictionary(value) ? geometryKeys.map((name) => value[name] ?? null) : value;
			for (const part of Array.isArray(parts) ? parts : []) for (const found of references(part)) next.add(found);
		}
		wanted = next;
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
	const chosen = [...ids].map((id) => `--json-object=${id.split(' ').slice(0, 2).join(',')}`);
	const answer = readJson(qpdf, source, ['--json-key=qpdf', '--json-stream-data=none', ...chosen]);
	const { qpdf: parts } = answer as { qpdf: Array<Record<string, { value?: PdfValue }>> };
	for (const id of ids) into.set(id, null);
	for (const [key, { value }] of Object.entries(parts[1] ?? {})) into.set(key.replace(/^obj:/u, ''), value ?? null);
}

/**
 * Rewrites pages for which an overlay of qpdf would be wrong: qpdf places it on the trim box, drops what is outside,
 * and knows only four rotations.
 * @returns the path of a file in which every page conforms
 */
export function normalizePages(qpdf: Qpdf, source: string, pages: readonly PdfPage[]): string {
	const unusual = pages.filter(({ geometry: looks }) => needsNormalizing(looks));
	if (unusual.length === 0) return source;
	const objects = Object.fromEntries(
		unusual.map(({ id, page, geometry: looks }) => [`obj:${id}`, { value: normalizePage(page, looks) }]),
	);
	const head = { jsonversion: 2, pushedinheritedpageresources: false, calledgetallpages: false, maxobjectid: 0 };
	qpdf.writeText('/straight.json', JSON.stringify({ qpdf: [head, objects] }));
	const target = `${scratch}/straight.pdf`;
	requireSuccess(qpdf.run([source, '--update-from-json=/straight.json', target]));
	return target;
}
