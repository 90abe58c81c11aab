import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { constants, inflateSync } from 'node:zlib';
import { maxRows, type TableRow, writeTable } from './cross-reference-table.ts';
import { chunkBytes, readAt, readTextAt } from './file-chunks.ts';
import { QpdfError } from './qpdf.ts';

/** Longer than a token, so that a token across two chunks is found. */
const overlapBytes = 256;
const dictionaryMaxBytes = 1 << 16;
const objectStreamMaxBytes = 1 << 26;

const tokens =
	/(?<![\d.+-])(?<number>\d{1,10})[\s\0]+(?<generation>\d{1,5})[\s\0]+obj\b|>>[\s\0]*stream(?:\r?\n|\r)|\btrailer\b|\/Type[\s\0]*\/Catalog\b/gu;

/** The objects of a PDF by number, and the entries for its trailer, as far as they were found. */
interface Found {
	rows: Map<number, TableRow>;
	/** The text of the dictionaries of trailers and cross-reference streams, the newest last. */
	trailers: string[];
	catalog: number | undefined;
}

/**
 * Appends a cross-reference stream of all objects in a PDF (ISO 32000-1, 7.5.8), which replaces a damaged or missing
 * table. This is what programs do to open such files, but the qpdf of `@neslinesli93/qpdf-wasm` cannot: its library is
 * compiled without catching exceptions. If an object has several versions, the last in the file is used.
 * @throws QpdfError broken
 */
export function rebuildTable(path: string): void {
	const file = openSync(path, 'r+');
	try {
		const { size } = fstatSync(file);
		const found = findObjects(file, size);
		const trailer = found.trailers.findLast((text) => /\/Root[\s\0]+\d/u.test(text)) ?? '';
		const entryOf = (key: string) =>
			new RegExp(`/${key}[\\s\\0]+\\d+[\\s\\0]+\\d+[\\s\\0]+R`, 'u').exec(trailer)?.[0] ?? '';
		const root = entryOf('Root') || (found.catalog === undefined ? '' : `/Root ${found.catalog} 0 R`);
		if (root === '') throw new QpdfError('broken', 'no catalog was found');
		const fileId = /\/ID[\s\0]*\[[\s\0]*<(?<id>[\da-f]+)>/iu.exec(trailer)?.groups?.id ?? '';
		const encrypt = entryOf('Encrypt');
		// The key of an encrypted file depends on its identifier (ISO 32000-1, 7.6.3.3).
		if (trailer.includes('/Encrypt') && (encrypt === '' || fileId === ''))
			throw new QpdfError('broken', 'the encryption cannot be read');
		const tableNumber = [...found.rows.keys()].reduce((highest, number) => Math.max(highest, number), 0) + 1;
		// qpdf counts positions from the header.
		const headerAt = Math.max(0, readTextAt(file, 0, 1024).indexOf('%PDF-'));
		const rows = Array.from(
			{ length: tableNumber },
			(_, i) => found.rows.get(i) ?? { type: 0, field2: 0, field3: 65_535 },
		);
		for (const row of rows) if (row.type === 1) row.field2 -= headerAt;
		const tableAt = size + 1 - headerAt;
		rows.push({ type: 1, field2: tableAt, field3: 0 });
		const frame = { tableNumber, trailer: root + entryOf('Info') + encrypt, fileId };
		writeSync(file, Buffer.concat([Buffer.from('\n'), writeTable(frame, rows, tableAt)]), 0, undefined, size);
	} finally {
		closeSync(file);
	}
}

function findObjects(file: number, size: number): Found {
	const found: Found = { rows: new Map(), trailers: [], catalog: undefined };
	const search = createSearch(file, size);
	let object = { number: 0, bodyAt: 0 };
	for (let at = 0; ; ) {
		const token = search(tokens, at);
		if (token === null) return found;
		at = token.end;
		const { number, generation } = token.match.groups ?? {};
		if (number !== undefined) {
			object = { number: Number(number), bodyAt: token.end };
			const row = { type: 1, field2: token.start, field3: Math.min(Number(generation), 65_535) };
			if (object.number > 0 && object.number < maxRows) found.rows.set(object.number, row);
		} else if (token.match[0] === 'trailer') {
			found.trailers.push(readTextAt(file, token.end, 4096).split('startxref')[0] ?? '');
		} else if (token.match[0].startsWith('/')) {
			found.catalog = object.number;
		} else {
			const dictionary = readTextAt(file, object.bodyAt, Math.min(token.start - object.bodyAt, dictionaryMaxBytes));
			at = findStreamEnd(file, dictionary, token.end) ?? search(/endstream/gu, token.end)?.start ?? size;
			if (/\/Type[\s\0]*\/XRef\b/u.test(dictionary)) found.trailers.push(dictionary);
			if (/\/Type[\s\0]*\/ObjStm\b/u.test(dictionary))
				addCompressedObjects(found, object.number, dictionary, readAt(file, token.end, at - token.end));
		}
	}
}

/** Returns the end of a stream that has its length in its dictionary, because `endstream` may occur in its bytes. */
function findStreamEnd(file: number, dictionary: string, start: number): number | undefined {
	const length = /\/Length[\s\0]+(\d{1,12})(?![\d\s\0]*R)/u.exec(dictionary)?.[1];
	const end = start + Number(length);
	return length !== undefined && /^[\s\0]*endstream/u.test(readTextAt(file, end, 32)) ? end : undefined;
}

/** Adds the objects of an object stream (ISO 32000-1, 7.5.7). @throws QpdfError broken */
function addCompressedObjects(found: Found, number: number, dictionary: string, bytes: Buffer): void {
	const numberOf = (key: string) => Number(new RegExp(`/${key}[\\s\\0]+(\\d+)`, 'u').exec(dictionary)?.[1] ?? 0);
	if (bytes.length > objectStreamMaxBytes) throw new QpdfError('broken', 'an object stream is too large');
	const options = { maxOutputLength: objectStreamMaxBytes, finishFlush: constants.Z_SYNC_FLUSH };
	const text = (dictionary.includes('/FlateDecode') ? inflateSync(bytes, options) : bytes).toString('latin1');
	const first = numberOf('First');
	const header = text.slice(0, first).match(/\d+/gu)?.map(Number) ?? [];
	const catalogAt = text.search(/\/Type[\s\0]*\/Catalog\b/u) - first;
	for (let index = 0; index < numberOf('N'); index += 1) {
		const [objectNumber = maxRows, at = 0] = header.slice(index * 2, index * 2 + 2);
		if (objectNumber >= maxRows) continue;
		found.rows.set(objectNumber, { type: 2, field2: number, field3: index });
		if (at <= catalogAt) found.catalog = objectNumber;
	}
}

/** Returns a function that finds the first match of a global pattern at or after a position, reading chunk by chunk. */
function createSearch(file: number, size: number) {
	let [start, text] = [0, ''];
	const isAtEnd = () => start + text.length >= size;
	const load = (at: number) => {
		[start, text] = [at, readTextAt(file, at, chunkBytes)];
	};
	return (pattern: RegExp, from: number) => {
		if (from < start || from > start + text.length - overlapBytes) load(from);
		for (;;) {
			pattern.lastIndex = Math.max(0, from - start);
			const match = pattern.exec(text);
			if (match !== null && (isAtEnd() || match.index < text.length - overlapBytes))
				return { match, start: start + match.index, end: start + pattern.lastIndex };
			if (isAtEnd()) return null;
			load(start + text.length - overlapBytes);
		}
	};
}
