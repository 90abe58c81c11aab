import { readdirSync, readFileSync } from 'node:fs';
import { writePdf } from './sample-files.ts';

const folder = new URL('../../samples/recordings/', import.meta.url);

/** Reads a file of `test/samples/recordings`; the README there describes how the files were made. */
export function readRecording(name: string): Buffer {
	return readFileSync(new URL(name, folder));
}

/** Recordings in a container that can also hold video. */
export const containerRecordings = readdirSync(folder).filter(
	(name) => /\.(?:m4a|mp4)$/u.test(name) && name !== 'video.mp4',
);

/** Recordings in other formats, each with its content type. */
export const audioRecordings = [
	['plain.mp3', 'audio/mpeg'],
	['tagged.mp3', 'audio/mpeg'],
	['adts.aac', 'audio/aac'],
	['plain.flac', 'audio/flac'],
	['pcm.wav', 'audio/wav'],
	['vorbis.ogg', 'audio/ogg'],
	['opus.ogg', 'audio/ogg; codecs=opus'],
] as const;

/** Creates an ID3v2 tag of `sizeBytes` bytes in total that contains only padding. */
export function makeId3Tag(sizeBytes: number): Buffer {
	const tag = Buffer.alloc(sizeBytes);
	tag.write('ID3\x03', 'latin1');
	const size = sizeBytes - 10;
	for (let i = 0; i < 4; i += 1) tag[6 + i] = (size >> (7 * (3 - i))) & 0x7f;
	return tag;
}

/** Examples of bytes before the header, which occur in real PDFs, by description. */
export const pdfPrefixes: Readonly<Record<string, Buffer>> = {
	'a byte-order mark': Buffer.from('\ufeff'),
	'a line break': Buffer.from('\r\n'),
	'a line of a print job': Buffer.from('\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n'),
	'1,000 bytes': Buffer.alloc(1000, '\n'),
};

/**
 * Creates a PDF with bytes before its header. Offsets in its cross-reference table count from the header, or with
 * `countsFromStart` from the first byte of the file; both occur in practice.
 */
export function prefixPdf(prefix: Buffer, { countsFromStart = false } = {}, pdf = writePdf(['page one'])): Buffer {
	return Buffer.concat([prefix, countsFromStart ? shiftTable(pdf, prefix.length) : pdf]);
}

function shiftTable(pdf: Buffer, offset: number): Buffer {
	const text = pdf
		.toString('latin1')
		.replace(/^(\d{10}) (\d{5}) n /gmu, (_row, at: string, generation: string) => {
			return `${String(Number(at) + offset).padStart(10, '0')} ${generation} n `;
		})
		.replace(/startxref\n(\d+)/u, (_row, at: string) => `startxref\n${Number(at) + offset}`);
	return Buffer.from(text, 'latin1');
}
