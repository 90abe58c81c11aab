import { fileTypeFromBuffer } from 'file-type';

/** A type by the first bytes, never by what the client says; text and the unknown are plain bytes. */
export async function sniffType(firstBytes: Uint8Array): Promise<string> {
	return (await fileTypeFromBuffer(firstBytes))?.mime ?? 'application/octet-stream';
}
