import type { Sharp } from 'sharp';
import { decodeImage, ImageError } from './images.ts';
import { loadSharp } from './load-sharp.ts';

export interface Rectangle {
	x: number;
	y: number;
	width: number;
	height: number;
}

export interface VariantOptions {
	/** Ascending widths in pixels; widths above that of the picture are left out unless `isEnlarged`. */
	widths: readonly number[];
	/** Ratio of height to width to which the picture is cropped around its centre; null keeps its ratio. */
	ratio: number | null;
	types: ReadonlyArray<keyof typeof encoders>;
	isEnlarged?: boolean;
}

/** For pictures that keep their ratio, so that a tall one does not become huge. */
const highestRatio = 2;

/** `effort` is chosen for the time: AVIF takes several times as long as the others. */
const encoders = {
	avif: (picture: Sharp) => picture.avif({ quality: 58, effort: 3, chromaSubsampling: '4:2:0' }),
	webp: (picture: Sharp) => picture.webp({ quality: 82, effort: 4 }),
	jpg: (picture: Sharp) => picture.flatten({ background: '#ffffff' }).jpeg({ quality: 80, mozjpeg: true }),
	png: (picture: Sharp) => picture.png({ compressionLevel: 9 }),
};
const contentTypes = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' };

/** Thrown for a crop that is not inside the picture. */
export class CropError extends Error {
	override name = 'CropError';
}

/**
 * Encodes an untrusted picture in several widths and types. The variants are upright and have no metadata.
 * @returns the size of the largest variant, and the variants with names such as `320.avif`
 * @throws ImageError, CropError
 */
export async function createVariants(bytes: Buffer, options: VariantOptions, crop: Rectangle | null) {
	const { data, info } = await scaleDown(await decodeImage(bytes, { acceptsAvif: true }), options, crop);
	const { width, height, channels } = info;
	const sharp = await loadSharp();
	const variants: Array<{ name: string; bytes: Buffer; contentType: string }> = [];
	const widths = [...options.widths.filter((other) => other < width), width];
	for (const variantWidth of widths) {
		const scaled = sharp(data, { raw: { width, height, channels } }).resize({ width: variantWidth });
		for (const type of options.types)
			variants.push({
				name: `${variantWidth}.${type}`,
				bytes: await encoders[type](scaled.clone()).toBuffer(),
				contentType: contentTypes[type],
			});
	}
	return { width, height, variants };
}

/** Decodes the picture once, and scales it to the largest width. */
async function scaleDown(
	picture: Sharp,
	{ widths, ratio, isEnlarged = false }: VariantOptions,
	crop: Rectangle | null,
) {
	const { autoOrient: size } = await picture.metadata();
	if (crop !== null && (crop.x + crop.width > size.width || crop.y + crop.height > size.height)) throw new CropError();
	const { width, height } = crop ?? size;
	const area = crop === null ? picture : picture.extract({ left: crop.x, top: crop.y, width, height });
	const largest = widths.at(-1) ?? width;
	const box =
		ratio === null
			? { width: largest, height: largest * highestRatio, fit: 'inside' as const, withoutEnlargement: true }
			: coverBox(isEnlarged ? largest : Math.min(largest, width, Math.floor(height / ratio)), ratio);
	return area
		.resize(box)
		.toColourspace('srgb')
		.raw({ depth: 'uchar' })
		.toBuffer({ resolveWithObject: true })
		.catch(() => {
			throw new ImageError('not-image');
		});
}

function coverBox(width: number, ratio: number) {
	const size = Math.max(1, width);
	return { width: size, height: Math.max(1, Math.round(size * ratio)), fit: 'cover' as const };
}
