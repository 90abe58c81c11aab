import sharp, { type Sharp } from 'sharp';
import { limits } from '#contract/core/limits.ts';
import { InvalidFileError } from '../app-error.ts';

// No cache, because decoded pictures are large and seldom needed twice.
sharp.cache(false);

/** From 0 to 6. The default of 4 takes nearly twice the processor time for a few per cent fewer bytes. */
const webpEffort = 2;

const readableFormats = new Set(['jpeg', 'png', 'webp', 'gif']);

/** A picture cannot be used. Of one that is too large only the header was decoded. */
export class ImageError extends InvalidFileError<'not-image' | 'too-large'> {
	override name = 'ImageError';
}

/**
 * Decodes a picture from untrusted bytes, rotated upright and ready to be encoded again: only pixels survive. JPEG,
 * PNG, WebP and GIF up to 50 megapixels; SVG never.
 * @throws ImageError
 */
export async function decodeImage(bytes: Buffer): Promise<Sharp> {
	// Without bytes sharp would throw another error at once.
	if (bytes.length === 0) throw new ImageError('not-image');
	const options = { limitInputPixels: limits.screenshotMaxPixels, failOn: 'error' } as const;
	const { format, width, height } = await sharp(bytes, { ...options, limitInputPixels: false })
		.metadata()
		.catch(() => ({ format: undefined, width: 0, height: 0 }));
	if (format === undefined || !readableFormats.has(format)) throw new ImageError('not-image');
	if (width * height > limits.screenshotMaxPixels) throw new ImageError('too-large');
	return sharp(bytes, options).autoOrient();
}

/** Scales a picture to fit into a square, and encodes it as WebP. @throws ImageError as {@link decodeImage} */
export async function createThumbnail(bytes: Buffer, maxPx: number): Promise<Buffer> {
	return encodeImage(await decodeImage(bytes), maxPx, maxPx, 'webp');
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

/** Encodes a WebP picture again, with lower quality and, if needed, fewer pixels, until it has at most `maxBytes`. */
export async function shrinkImage(picture: Buffer, maxBytes: number): Promise<Buffer> {
	if (picture.length <= maxBytes) return picture;
	const decoded = await decodeImage(picture);
	const { width, height } = await decoded.metadata();
	const part = maxBytes / picture.length;
	// A picture has at quality 60 about 0.6 of its bytes at 85, at 40 about 0.4; bytes grow with the square of the width.
	const quality = part > 1 / 8 ? 60 : 40;
	for (let scale = Math.min(1, Math.sqrt(part * (quality === 60 ? 1.6 : 2.5))); scale > 0.01; scale *= 0.8) {
		const sizeOf = (length: number) => Math.max(1, Math.round(length * scale));
		const shrunk = await encodeImage(decoded, sizeOf(width), sizeOf(height), 'webp', quality);
		if (shrunk.length <= maxBytes) return shrunk;
	}
	throw new Error(`No picture has ${maxBytes} bytes or less.`);
}
