import { readFileSync } from 'node:fs';
import { writePdf } from './sample-files.ts';

/** A file of `test/samples/recordings`; its README tells how each was made. */
export function readRecording(name: string): Buffer {
	return readFileSync(new URL(`../../samples/recordings/${name}`, import.meta.url));
}

/** Recordings in a container that can hold pictures too, by the name under which a phone sends them. */
export const containerRecordings = [
	'mp42.m4a',
	'mp42-faststart.m4a',
	'isom.m4a',
	'isom-faststart.m4a',
	'dash.m4a',
	'iso5.m4a',
	'm4a.m4a',
	'm4a-faststart.m4a',
	'3gp4.m4a',
	'mp41.m4a',
	'mp42.mp4',
	'm4a.mp4',
] as const;

/** Recordings in other formats, each with its type. */
export const audioRecordings = [
	['plain.mp3', 'audio/mpeg'],
	['tagged.mp3', 'audio/mpeg'],
	['adts.aac', 'audio/aac'],
	['plain.flac', 'audio/flac'],
	['pcm.wav', 'audio/wav'],
	['vorbis.ogg', 'audio/ogg'],
	['opus.ogg', 'audio/ogg; codecs=opus'],
] as const;

/** An ID3v2 tag with nothing but padding in it, of so many bytes in all. */
export function makeId3Tag(sizeBytes: number): Buffer {
	const tag = Buffer.alloc(sizeBytes);
	tag.write('ID3\x03', 'latin1');
	const size = sizeBytes - 10;
	for (let i = 0; i < 4; i += 1) tag[6 + i] = (size >> (7 * (3 - i))) & 0x7f;
	return tag;
}

/** What stands before the header of PDFs that are out there, by what it is called. */
export const pdfPrefixes: Readonly<Record<string, Buffer>> = {
	'a byte-order mark': Buffer.from('\ufeff'),
	'a line break': Buffer.from('\r\n'),
	'a line of a print job': Buffer.from('\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n'),
	'1,000 bytes': Buffer.alloc(1000, '\n'),
};

/**
 * A PDF with something before its header. Its cross-reference table counts from the header, or with `countsFromStart` from
 * the first byte of the file: programs write either.
 */
export function prefixPdf(prefix: Buffer, { countsFromStart = false } = {}, pdf = writePdf(['page one'])): Buffer {
	return Buffer.concat([prefix, countsFromStart ? shiftTable(pdf, prefix.length) : pdf]);
}

function shiftTable(pdf: Buffer, by: number): Buffer {
	const text = pdf
		.toString('latin1')
		.replace(/^(\d{10}) (\d{5}) n /gmu, (_row, at: string, generation: string) => {
			return `${String(Number(at) + by).padStart(10, '0')} ${generation} n `;
		})
		.replace(/startxref\n(\d+)/u, (_row, at: string) => `startxref\n${Number(at) + by}`);
	return Buffer.from(text, 'latin1');
}
