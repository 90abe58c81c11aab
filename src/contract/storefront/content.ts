import * as z from 'zod';
import { timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { type ContentField, contentFields } from './content-fields.ts';

const fieldName = z.enum(Object.keys(contentFields) as [ContentField, ...ContentField[]]);

export const contentErrors = defineErrors({
	/** The file is no picture, is too large, or has too many pixels. */
	STOREFRONT_IMAGE_REFUSED: { status: 422, messageKey: 'error_storefront_image' },
	/** The file is no video or no captions that every browser can play, or is too large. */
	FILM_REFUSED: { status: 422, messageKey: 'error_video_rejected' },
});

/** A field of the draft. `value` conforms to the field's schema in `contentFields`. */
const draftField = z.object({
	field: fieldName,
	value: z.unknown(),
	/** Version of the field; increases with each change of its draft. 0 for a field that was never changed. */
	version: z.number().int(),
	/** What visitors see. */
	published: z.unknown(),
	/** Value without a change by the owner. */
	default: z.unknown(),
	/** Whether the draft differs from what is published. */
	isChanged: z.boolean(),
	/** Email of the admin who changed the draft last; null if no admin changed the field, or the account was deleted. */
	changedBy: z.string().nullable(),
	changedAt: timestamp.nullable(),
});
export type DraftField = z.infer<typeof draftField>;

const version = z.object({
	number: z.number().int(),
	publishedAt: timestamp,
	/** Email of the admin; null for the first content of an installation, and for a deleted account. */
	publishedBy: z.string().nullable(),
	/** Fields that differ from the version before. */
	changes: z.array(fieldName),
	isCurrent: z.boolean(),
});
export type ContentVersion = z.infer<typeof version>;

const storefrontImage = z.object({ id: z.string(), url: z.string(), width: z.number(), height: z.number() });
export type StorefrontImage = z.infer<typeof storefrontImage>;

export const keptVersions = 20;

/** The storefront's content: one draft that all admins share, and the published versions. */
export const storefrontContent = {
	getDraft: endpoint('admin', 'GET /api/storefront/draft', 'Get the draft of the storefront').output(
		z.object({ fields: z.array(draftField), images: z.array(storefrontImage) }),
	),
	/**
	 * Saves a field of the draft; `value` null restores the default. STALE if the field has another version (GET returns
	 * the present value), INVALID_INPUT with `fields` (`value.0.title.en`; `value` alone for a
	 * picture or video that no longer exists).
	 */
	saveField: endpoint('admin', 'PUT /api/storefront/draft/{field}', 'Save a field of the draft', {
		// Six excerpts in two languages, in Devanagari with three bytes a character.
		bodyLimitBytes: 4 * 1024 * 1024,
	})
		.input(z.object({ field: fieldName, value: z.unknown(), version: z.number().int() }))
		.output(draftField),
	/**
	 * Publishes the draft as a new version, which visitors see at once. `fields` are the names and versions of all
	 * changed fields that the admin was shown; STALE if they are not those of the draft.
	 */
	publish: endpoint('admin', 'POST /api/storefront/publish', 'Publish the draft')
		.input(z.object({ fields: z.array(z.object({ field: fieldName, version: z.number().int() })) }))
		.output(version),
	/** Resets every changed field to its published value. STALE as in `publish`. */
	discard: endpoint('admin', 'POST /api/storefront/discard', 'Discard the changes of the draft')
		.input(z.object({ fields: z.array(z.object({ field: fieldName, version: z.number().int() })) }))
		.output(z.object({})),
	/** The last {@link keptVersions} versions, newest first. */
	listVersions: endpoint('admin', 'GET /api/storefront/versions', 'List the published versions').output(
		z.object({ items: z.array(version) }),
	),
	/** Publishes the content of a former version as a new version; changes of the draft remain. NOT_FOUND. */
	restoreVersion: endpoint('admin', 'POST /api/storefront/versions/{number}/restore', 'Restore a published version')
		.input(z.object({ number: z.coerce.number().int() }))
		.output(version),
};

/**
 * Path for the upload of a picture (field `file`; query `kind`, and for a crop `x`, `y`, `width`, `height` in pixels of
 * the upright picture). Covers are cropped to 2:3, social pictures to 1200:630, icons to a square. Admins only. Responds
 * with {@link StorefrontImage}. STOREFRONT_IMAGE_REFUSED.
 */
export const storefrontImagePath = '/api/storefront/images';
export const imageKinds = ['cover', 'excerpt', 'social', 'icon'] as const;
export type ImageKind = (typeof imageKinds)[number];

/** The picture that an excerpt's text refers to is the file `<width>.<type>` of this folder. */
export const imagesFolder = '/storefront/images/';

/** The landing page with the draft: `?lang=`. Admins only. It runs no scripts and sends no forms. */
export const draftPreviewPath = '/api/storefront/preview';
