import { open } from 'node:fs/promises';
import type { Metadata, Sharp } from 'sharp';
import { limits } from '#contract/core/limits.ts';
import { InvalidFileError } from '../app-error.ts';
import { loadSharp } from './load-sharp.ts';

/** Effort from 0 to 6. The default 4 needs nearly twice the processor time and saves few per cent of the bytes. */
const webpEffort = 2;

const headerBytes = 12;

/** Maximum memory of a picture that is decoded as a whole: that of 50 megapixels with three bytes each. */
const maxDecodedBytes = limits.screenshotMaxPixels * 3;

const readableFormats = new Set(['jpeg', 'png', 'webp', 'gif']);

/** Photos of phones, which sharp cannot decode. Source: ISO/IEC 23008-12, annex B. */
const heicSignature = /^ftyp(?:hei[cxms]|hev[cxms])$/u;

/** Thrown for a picture that cannot be used. If it is too large, only its header was decoded. */
export class ImageError extends InvalidFileError<'not-image' | 'too-large' | 'heic'> {
	override name = 'ImageError';
}

/**
 * Decodes an untrusted picture and rotates it upright. Only the pixels are kept, without metadata. Accepts JPEG, PNG,
 * WebP and GIF up to 50 megapixels, with `acceptsAvif` also AVIF, never SVG. A GIF, WebP, or progressive picture is also
 * limited by the memory that it needs, because it is decoded as a whole.
 * @param source bytes, or the path of a file, which is read without a buffer of its size
 * @throws ImageError, or the error of opening the file
 */
export async function decodeImage(source: Buffer | string, { acceptsAvif = false } = {}): Promise<Sharp> {
	const header = typeof source === 'string' ? await readHeader(source) : source.subarray(0, headerBytes);
	// For an empty buffer sharp() would throw another error.
	if (header.length === 0) throw new ImageError('not-image');
	const options = { limitInputPixels: limits.screenshotMaxPixels, failOn: 'error' } as const;
	if (heicSignature.test(header.subarray(4).toString('latin1'))) throw new ImageError('heic');
	const sharp = await loadSharp();
	const metadata = await sharp(source, { ...options, limitInputPixels: false })
		.metadata()
		.catch(() => undefined);
	const isReadable =
		metadata !== undefined && (readableFormats.has(metadata.format) || (metadata.format === 'heif' && acceptsAvif));
	if (!isReadable) throw new ImageError('not-image');
	const pixels = metadata.width * metadata.height;
	const isTooLarge = pixels > limits.screenshotMaxPixels || pixels * bytesPerPixelOf(metadata) > maxDecodedBytes;
	if (isTooLarge) throw new ImageError('too-large');
	return sharp(source, options).autoOrient();
}

/** Returns the memory per pixel of a picture that cannot be decoded row by row; 0 for other pictures. */
function bytesPerPixelOf({ format, isProgressive, chromaSubsampling, channels, depth }: Metadata): number {
	if (format === 'gif') return 5;
	if (format === 'webp') return 4;
	if (!isProgressive) return 0;
	// A decoder of progressive JPEG keeps two bytes for each coefficient.
	if (format === 'jpeg') return chromaSubsampling === '4:2:0' ? 3 : channels * 2;
	return channels * (depth === 'ushort' ? 2 : 1);
}

async function readHeader(file: string): Promise<Buffer> {
	const handle = await open(file, 'r');
	const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes)).finally(() => handle.close());
	return buffer.subarray(0, bytesRead);
}

/** Scales a picture to fit into a square and encodes it as WebP. @throws ImageError as {@link decodeImage} does */
export async function createThumbnail(source: Buffer | string, maxPx: number): Promise<Buffer> {
	return encodeImage(await decodeImage(source), maxPx, maxPx, 'webp');
}

/** Encodes a decoded picture. @throws ImageError when its pixels cannot be read */
export async function encodeImage(
	picture: Sharp,
	maxWidth: number,
	maxHeight: number,
	type: 'webp' | 'png',
	quality = 85,
): Promise<Buffer> {
	const sized = picture.clone().resize({ width: maxWidth, height: maxHeight, fit: 'inside', withoutEnlargement: true });
	const written = type === 'png' ? sized.png() : sized.webp({ quality, effort: webpEffort });
	return written.toBuffer().catch(() => {
		throw new ImageError('not-image');
	});
}

/** Encodes a WebP picture of more than `maxBytes` with lower quality, and fewer pixels if needed, so that it fits. */
export async function shrinkImage(picture: Buffer, maxBytes: number): Promise<Buffer> {
	const decoded = await decodeImage(picture);
	const { width, height } = await decoded.metadata();
	const byteRatio = maxBytes / picture.length;
	// The first scale is an estimate: quality 60 gives about 0.6 of the bytes of quality 85, quality 40 about 0.4.
	const quality = byteRatio > 1 / 8 ? 60 : 40;
	for (let scale = Math.min(1, Math.sqrt(byteRatio * (quality === 60 ? 1.6 : 2.5))); scale > 0.01; scale *= 0.8) {
		const sizeOf = (length: number) => Math.max(1, Math.round(length * scale));
		const shrunk = await encodeImage(decoded, sizeOf(width), sizeOf(height), 'webp', quality);
		if (shrunk.length <= maxBytes) return shrunk;
	}
	throw new Error(`No picture has ${maxBytes} bytes or less.`);
}
