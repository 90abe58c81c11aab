import * as z from 'zod';
import { type ImageKind, imageKinds, type StorefrontImage } from '#contract/storefront/content.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { ImageError } from '../../../platform/images/images.ts';
import { CropError, createVariants, type VariantOptions } from '../../../platform/images/picture-variants.ts';
import { createFairLimiter } from '../../../platform/locking/concurrency-limiter.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import { toKeySegment } from '../../../platform/storage/storage.ts';
import { recordAudit } from '../../audit/index.ts';
import * as queries from './content-files.queries.ts';
import { presentPicture } from './content-files.service.ts';

const photoTypes = ['avif', 'webp', 'jpg'] as const;

/** The sizes in which the storefront shows pictures, up to twice their size in CSS pixels. */
const variantOptions: Record<ImageKind, VariantOptions> = {
	cover: { widths: [160, 240, 320, 480, 640, 960], ratio: 3 / 2, types: photoTypes },
	excerpt: { widths: [480, 800, 1200], ratio: null, types: photoTypes },
	// Programs that show a link's picture read JPEG only.
	social: { widths: [1200], ratio: 630 / 1200, types: ['jpg'], isEnlarged: true },
	icon: { widths: [32, 48, 96, 180, 192, 512], ratio: 1, types: ['png'], isEnlarged: true },
};

const pixels = z.coerce.number().int().min(0);
export const pictureQuery = z.object({
	kind: z.enum(imageKinds),
	crop: z.object({ x: pixels, y: pixels, width: pixels.min(1), height: pixels.min(1) }).nullable(),
});

/** A decoded picture of 50 megapixels takes 200 MB, and encoding keeps all processors busy. */
const limiter = createFairLimiter(1);

/** Stores a picture with its variants. @throws AppError STOREFRONT_IMAGE_REFUSED, STORAGE_FULL, STORAGE_UNAVAILABLE */
export async function savePicture(
	deps: Deps,
	caller: Caller,
	{ kind, crop }: z.infer<typeof pictureQuery>,
	original: { name: string; bytes: Buffer },
): Promise<StorefrontImage> {
	const { width, height, variants } = await limiter
		.run(caller.actor?.userId ?? caller.ip, () => createVariants(original.bytes, variantOptions[kind], crop))
		.catch(throwRefused);
	const id = newId();
	const files = [...variants, { name: 'original', bytes: original.bytes, contentType: 'application/octet-stream' }];
	await requireFreeSpace(
		deps.storage,
		files.reduce((sum, { bytes }) => sum + bytes.length, 0),
	);
	const stored: Array<queries.NewFile['blobs'][number]> = [];
	// One after the other, so that nothing is still being stored when one of them fails.
	for (const { name, bytes, contentType } of files) {
		const storageKey = `storefront/${id}-${name === 'original' ? toKeySegment(original.name) : name}`;
		const putBytes = await deps.storage.put(storageKey, bytes);
		stored.push({ id: newId(), name, storageKey, contentType, ...putBytes });
	}
	await inTransaction(deps.db, async (tx) => {
		await queries.insertFile(tx, { id, kind, width, height, blobs: stored }, isoAt(deps.clock));
		const detail = { name: original.name.slice(-200), size: original.bytes.length };
		await recordAudit(deps, tx, caller, 'storefront-file-uploaded', ['settings', 'storefront'], detail);
	});
	return presentPicture({ id, width, height, names: variants.map(({ name }) => name) });
}

const messageKeys = {
	'not-image': 'error_picture_not_image',
	'too-large': 'error_picture_too_large',
	heic: 'error_picture_heic',
};

function throwRefused(error: unknown): never {
	if (error instanceof CropError) throw refused('error_picture_crop');
	throw error instanceof ImageError ? refused(messageKeys[error.reason]) : error;
}

function refused(reason: string): AppError {
	return new AppError('STOREFRONT_IMAGE_REFUSED', { fields: { file: reason } });
}
