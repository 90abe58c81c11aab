import { randomBytes } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import { readChunks } from './file-chunks.ts';
import { writeObject, writeStream } from './pdf-file.ts';

/** A row of a cross-reference stream (ISO 32000-1, 7.5.8.3). For type 1, `field2` is the position of an object. */
export interface TableRow {
	type: number;
	field2: number;
	field3: number;
}

/** The parts of a cross-reference stream that stay the same in all copies. */
export interface TableFrame {
	/** Number of the table's object. */
	tableNumber: number;
	/** Entries of its dictionary that qpdf copied, such as /Root. */
	trailer: string;
	/** The permanent file identifier, in hexadecimal digits. */
	fileId: string;
}

const fieldWidths = [1, 5, 2] as const;
const rowBytes = 8;
/** All rows are held in memory. */
export const maxRows = 200_000;

/** Reads the cross-reference stream at the end of a file of qpdf. @returns null if the file has another form */
export function readTable(file: number) {
	const { size } = fstatSync(file);
	const read = (start: number) => Buffer.concat([...readChunks(file, start, size)]);
	const tableAt = Number(/startxref\n(\d+)\n%%EOF\n$/u.exec(read(Math.max(0, size - 64)).toString('latin1'))?.[1]);
	if (!(tableAt < size)) return null;
	const bytes = read(tableAt);
	const bodyAt = bytes.indexOf('stream\n') + 'stream\n'.length;
	const pattern =
		/^(\d+) 0 obj\n<< \/Type \/XRef \/Length (\d+) \/Filter \/FlateDecode \/DecodeParms << \/Columns (\d+) \/Predictor 12 >> \/W \[ (\d) (\d) (\d) \] (.*)\/Size (\d+) (.*)\/ID \[<([0-9a-f]*)><[0-9a-f]*>\] >>\nstream\n$/su;
	const header = pattern.exec(bytes.toString('latin1', 0, bodyAt));
	if (header === null || Number(header[8]) > maxRows) return null;
	const [number = 0, length = 0, columns = 0, ...widths] = header.slice(1, 7).map(Number);
	const data = undoPredictor(inflateSync(bytes.subarray(bodyAt, bodyAt + length)), columns);
	const rows = readRows(data, widths);
	const trailer = `${header[7]}${header[9]}`;
	if (rows.length !== Number(header[8]) || /\/(?:Size|Encrypt|Index)\b/u.test(trailer)) return null;
	return { tableAt, rows, frame: { tableNumber: number, trailer, fileId: header[10] ?? '' } satisfies TableFrame };
}

export function writeTable(
	{ tableNumber, trailer, fileId }: TableFrame,
	rows: readonly TableRow[],
	tableAt: number,
): Buffer {
	const entries =
		`/Type/XRef/Filter/FlateDecode/DecodeParms<</Columns ${rowBytes}/Predictor 12>>/W[${fieldWidths.join(' ')}]` +
		`${trailer}/Size ${rows.length}/ID[<${fileId}><${randomBytes(16).toString('hex')}>]`;
	const body = writeStream(entries, deflateSync(applyPredictor(writeRows(rows))));
	return Buffer.concat([writeObject(tableNumber, body), Buffer.from(`startxref\n${tableAt}\n%%EOF\n`)]);
}

export const packRows = (rows: readonly TableRow[]): string =>
	deflateSync(applyPredictor(writeRows(rows))).toString('base64');
export const unpackRows = (table: string): TableRow[] =>
	readRows(undoPredictor(inflateSync(Buffer.from(table, 'base64')), rowBytes), fieldWidths);

function readRows(data: Buffer, [typeBytes = 0, field2Bytes = 0, field3Bytes = 0]: readonly number[]): TableRow[] {
	const read = (at: number, length: number) => (length === 0 ? 0 : data.readUIntBE(at, length));
	const width = typeBytes + field2Bytes + field3Bytes;
	return Array.from({ length: Math.floor(data.length / width) }, (_, i) => ({
		type: typeBytes === 0 ? 1 : read(i * width, typeBytes),
		field2: read(i * width + typeBytes, field2Bytes),
		field3: read(i * width + typeBytes + field2Bytes, field3Bytes),
	}));
}

function writeRows(rows: readonly TableRow[]): Buffer {
	const data = Buffer.alloc(rows.length * rowBytes);
	for (const [i, { type, field2, field3 }] of rows.entries()) {
		data.writeUIntBE(type, i * rowBytes, fieldWidths[0]);
		data.writeUIntBE(field2, i * rowBytes + fieldWidths[0], fieldWidths[1]);
		data.writeUIntBE(field3, i * rowBytes + fieldWidths[0] + fieldWidths[1], fieldWidths[2]);
	}
	return data;
}

/** Applies the PNG predictor `Up`: writes the byte 2 and the difference to the row above (RFC 2083, section 6). */
function applyPredictor(data: Buffer): Buffer {
	const rows = data.length / rowBytes;
	const result = Buffer.alloc(rows * (rowBytes + 1), 2);
	for (let i = 0; i < data.length; i += 1) {
		const row = Math.floor(i / rowBytes);
		result[i + row + 1] = (data[i] ?? 0) - (data[i - rowBytes] ?? 0);
	}
	return result;
}

function undoPredictor(data: Buffer, columns: number): Buffer {
	const rows = Math.floor(data.length / (columns + 1));
	const result = Buffer.alloc(rows * columns);
	for (let i = 0; i < result.length; i += 1) {
		const row = Math.floor(i / columns);
		result[i] = (data[i + row + 1] ?? 0) + (result[i - columns] ?? 0);
	}
	return result;
}
