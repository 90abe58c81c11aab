import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { detectContentType, detectStoredContentType } from '#server/platform/storage/content-type.ts';
import { makeId3Tag, pdfPrefixes, prefixPdf, readRecording } from '../../support/documents/recordings.ts';
import { writePdf } from '../../support/documents/sample-files.ts';

/** Detects the type by reading ranges of the bytes. @returns the type, and the number of bytes that were read */
async function sniffParts(bytes: Buffer): Promise<{ type: string; readBytes: number }> {
	let readBytes = 0;
	const storage = {
		read: async (_key: string, range?: { start: number; end: number }) => {
			if (range === undefined || range.end >= bytes.length) throw new Error('a range outside of the file');
			readBytes += range.end - range.start + 1;
			return Readable.from([bytes.subarray(range.start, range.end + 1)]);
		},
	};
	const type = await detectStoredContentType(storage, { storageKey: 'key', sizeBytes: bytes.length });
	expect(await detectContentType(bytes)).toBe(type);
	return { type, readBytes };
}

const recordings = {
	mp3: readRecording('plain.mp3'),
	aac: readRecording('adts.aac'),
	flac: readRecording('plain.flac'),
};

test.each([
	['one zero before the first frame', [Buffer.alloc(1), recordings.mp3], 'audio/mpeg'],
	['64 KB of zeros before the first frame', [Buffer.alloc(65_536), recordings.mp3], 'audio/mpeg'],
	['zeros before the tag', [Buffer.alloc(417), readRecording('tagged.mp3')], 'audio/mpeg'],
	['zeros between the tag and the first frame', [makeId3Tag(200), Buffer.alloc(300), recordings.mp3], 'audio/mpeg'],
	['a tag larger than the first range', [makeId3Tag(300_000), recordings.mp3], 'audio/mpeg'],
	['a tag that ends shortly after the first 4 KB', [makeId3Tag(4097), recordings.mp3], 'audio/mpeg'],
	['two tags', [makeId3Tag(100), makeId3Tag(9000), recordings.mp3], 'audio/mpeg'],
	['only a tag', [makeId3Tag(100)], 'audio/mpeg'],
	['a tag that is cut off', [makeId3Tag(9000).subarray(0, 500)], 'audio/mpeg'],
	['an AAC stream after a tag', [makeId3Tag(9000), recordings.aac], 'audio/aac'],
	['an AAC stream after zeros', [Buffer.alloc(20), recordings.aac], 'audio/aac'],
	['FLAC data after a large tag', [makeId3Tag(9000), recordings.flac], 'audio/flac'],
	['more than 64 KB of zeros', [Buffer.alloc(65_537), recordings.mp3], 'application/octet-stream'],
	['only zeros', [Buffer.alloc(200_000)], 'application/octet-stream'],
	['zeros before an HTML page', [Buffer.alloc(20), Buffer.from('<html>')], 'application/octet-stream'],
	['zeros before a picture', [Buffer.alloc(20), Buffer.from('GIF89a0000')], 'application/octet-stream'],
])('detects the type of a file with %s', async (_what, parts, type) => {
	const found = await sniffParts(Buffer.concat(parts));
	expect(found.type).toBe(type);
	expect(found.readBytes).toBeLessThan(100_000);
});

test.each(Object.entries(pdfPrefixes))('detects a PDF whose header follows %s', async (_what, prefix) => {
	expect((await sniffParts(prefixPdf(prefix))).type).toBe('application/pdf');
});

test('detects a PDF only when the header is within the first 1,024 bytes', async () => {
	expect((await sniffParts(prefixPdf(Buffer.alloc(1019, ' ')))).type).toBe('application/pdf');
	expect((await sniffParts(prefixPdf(Buffer.alloc(1020, ' ')))).type).toBe('application/octet-stream');
});

test('detects a ZIP that contains an uncompressed PDF as a ZIP', async () => {
	const archive = new ZipFile();
	archive.addBuffer(writePdf(['page one']), 'a.pdf', { compress: false });
	archive.end();
	const zip = await buffer(archive.outputStream);
	expect(zip.subarray(0, 1024).includes('%PDF-')).toBe(true);
	expect((await sniffParts(zip)).type).toBe('application/zip');
});

test('detects a GIF image, and returns application/octet-stream for an HTML page and an empty file', async () => {
	expect(await detectContentType(Buffer.from('GIF89a%PDF-1.4'))).toBe('image/gif');
	expect(await detectContentType(Buffer.from('<!doctype html><title>%</title>'))).toBe('application/octet-stream');
	expect((await sniffParts(Buffer.alloc(0))).type).toBe('application/octet-stream');
});
