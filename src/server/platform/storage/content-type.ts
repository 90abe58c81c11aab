import { buffer } from 'node:stream/consumers';
import type { Storage } from './storage.ts';

/** Reads `length` bytes of a file from a position, or fewer at the end of the file. */
type ReadBytes = (position: number, length: number) => Promise<Uint8Array>;

const unknownType = 'application/octet-stream';
/** Number of bytes that file-type examines. */
const windowBytes = 4100;
/** Maximum number of zero bytes before the first frame. Some recorders write them, and Chromium skips them. */
const leadingZerosMax = 64 * 1024;
/** Maximum number of tags and runs of zero bytes that are skipped before the first frame. */
const skippedBlocksMax = 16;

/** Detects the type of a file from its bytes. Text and unknown types are `application/octet-stream`. */
export function detectContentType(bytes: Uint8Array): Promise<string> {
	return detect(async (position, length) => bytes.subarray(position, position + length));
}

/** Detects the type of a stored file; only the needed parts of the file are read. */
export function detectStoredContentType(
	storage: Pick<Storage, 'read'>,
	{ storageKey, sizeBytes }: { storageKey: string; sizeBytes: number },
): Promise<string> {
	return detect(async (position, length) => {
		const end = Math.min(sizeBytes, position + length) - 1;
		if (end < position) return new Uint8Array();
		return buffer(await storage.read(storageKey, { start: position, end }));
	});
}

async function detect(read: ReadBytes): Promise<string> {
	const head = await read(0, windowBytes);
	if (head.length === 0) return unknownType;
	const isTagged = startsWith(head, 'ID3');
	const type = isTagged ? undefined : await detectKnownType(head);
	if (type !== undefined) return type;
	if (isTagged || head[0] === 0) {
		const recording = await detectAudioType(read);
		if (recording !== null) return recording;
	}
	return hasPdfHeader(head) ? 'application/pdf' : unknownType;
}

/** Imported once, because a repeated import takes as long as the detection. */
let fileType: Promise<typeof import('file-type')> | undefined;

async function detectKnownType(bytes: Uint8Array): Promise<string | undefined> {
	fileType ??= import('file-type');
	return (await (await fileType).fileTypeFromBuffer(bytes))?.mime;
}

/**
 * Detects the type of a recording after ID3v2 tags and zero bytes; null for other files. Unknown bytes after a tag are
 * treated as MP3, because some programs write other bytes before the first frame.
 */
async function detectAudioType(read: ReadBytes): Promise<string | null> {
	let position = 0;
	let isTagged = false;
	for (let step = 0; step < skippedBlocksMax; step += 1) {
		const bytes = await read(position, windowBytes);
		const tagBytes = id3BytesOf(bytes);
		if (tagBytes > 0) {
			isTagged = true;
			position += tagBytes;
		} else if (bytes[0] === 0) {
			const zeros = countZeros(await read(position, leadingZerosMax + 1));
			if (zeros > leadingZerosMax) break;
			position += zeros;
		} else {
			const type = bytes.length === 0 ? undefined : await detectKnownType(bytes);
			if (type?.startsWith('audio/') === true) return type;
			break;
		}
	}
	return isTagged ? 'audio/mpeg' : null;
}

/** Returns the length of an ID3v2 tag, or 0. Source: id3.org, "ID3 tag version 2.4.0 - Main Structure", 3.1 and 3.4. */
function id3BytesOf(bytes: Uint8Array): number {
	if (bytes.length < 10 || !startsWith(bytes, 'ID3')) return 0;
	const hasFooter = ((bytes[5] ?? 0) & 0x10) !== 0;
	const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
	return 10 + size + (hasFooter ? 10 : 0);
}

/** Whether `%PDF-` is in the first 1,024 bytes (ISO 32000-1, H.13). Checked last, because archives may contain PDFs. */
function hasPdfHeader(bytes: Uint8Array): boolean {
	return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

function countZeros(bytes: Uint8Array): number {
	const end = bytes.findIndex((byte) => byte !== 0);
	return end < 0 ? bytes.length : end;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
	return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}
