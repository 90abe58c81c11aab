import { readdirSync, readFileSync } from 'node:fs';
import { writePdf } from './sample-files.ts';

const folder = new URL('../../samples/recordings/', import.meta.url);

/** Reads a file of `test/samples/recordings`, whose README describes the origin of the files. */
export function readRecording(name: string): Buffer {
	return readFileSync(new URL(name, folder));
}

/** Audio recordings in a container format that can also contain video. */
export const containerRecordings = readdirSync(folder).filter(
	(name) => /\.(?:m4a|mp4)$/u.test(name) && name !== 'video.mp4',
);

export const audioRecordings = [
	['plain.mp3', 'audio/mpeg'],
	['tagged.mp3', 'audio/mpeg'],
	['adts.aac', 'audio/aac'],
	['plain.flac', 'audio/flac'],
	['pcm.wav', 'audio/wav'],
	['vorbis.ogg', 'audio/ogg'],
	['opus.ogg', 'audio/ogg; codecs=opus'],
] as const;

/** Creates an ID3v2 tag of only padding, with a total size of `sizeBytes`. */
export function makeId3Tag(sizeBytes: number): Buffer {
	const tag = Buffer.alloc(sizeBytes);
	tag.write('ID3\x03', 'latin1');
	const size = sizeBytes - 10;
	for (let i = 0; i < 4; i += 1) tag[6 + i] = (size >> (7 * (3 - i))) & 0x7f;
	return tag;
}

/** Bytes that occur before the header of real PDFs, by description. */
export const pdfPrefixes: Readonly<Record<string, Buffer>> = {
	'a byte-order mark': Buffer.from('\ufeff'),
	'a line break': Buffer.from('\r\n'),
	'a line of a print job': Buffer.from('\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n'),
	'1,000 bytes': Buffer.alloc(1000, '\n'),
};

/** Puts bytes before a PDF's header. Offsets start at the header, or with `countsFromStart` at the first byte. */
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
