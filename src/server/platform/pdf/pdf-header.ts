import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

const headerBytes = '%PDF-1.7'.length;
/** Where readers look for the header and for the last `startxref` (ISO 32000-1, Annex H, notes 13 and 18). */
const searchedBytes = 1024;

/**
 * A PDF may have other bytes before its header. qpdf then counts offsets from the header and finds nothing in a file whose
 * offsets count from its first byte. In such a file, overwrites those bytes with the header and blanks.
 */
export function moveHeaderToFront(path: string): void {
	const file = openSync(path, 'r+');
	try {
		const { size } = fstatSync(file);
		const read = (position: number, length: number) => {
			const bytes = Buffer.alloc(length);
			return bytes.subarray(0, readSync(file, bytes, 0, length, position)).toString('latin1');
		};
		const headerAt = read(0, searchedBytes).indexOf('%PDF-');
		if (headerAt <= 0) return;
		const end = read(Math.max(0, size - searchedBytes), searchedBytes);
		const tableAt = /startxref\s+(\d{1,15})/u.exec(end.slice(Math.max(0, end.lastIndexOf('startxref'))))?.[1];
		if (tableAt === undefined || !/^\s*(?:xref\b|\d+\s+\d+\s+obj\b)/u.test(read(Number(tableAt), 64))) return;
		const header = read(headerAt, headerBytes);
		writeSync(file, Buffer.from(header + ' '.repeat(headerAt), 'latin1'), 0, header.length + headerAt, 0);
	} finally {
		closeSync(file);
	}
}
