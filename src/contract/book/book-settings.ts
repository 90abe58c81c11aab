import * as z from 'zod';
import { rupees, singleLineText } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { editionDefaults, editionIdentity, editionKey, editionMatrix, type OfferedEditions } from './editions.ts';

/** A UPI id, `name@handle` (NPCI's virtual payment address). */
export const upiIdPattern = /^[\w.-]{2,256}@[a-z][a-z0-9.-]{1,64}$/iu;

/** How buyers are asked for the payment reference (UTR). Only `required` refuses a purchase without one. */
export const utrRequests = ['optional', 'wanted', 'required'] as const;
export type UtrRequest = (typeof utrRequests)[number];

/** The book settings that the landing page shows. Prices in rupees. */
export const publicBook = z.object({
	title: z.string(),
	originalPrice: rupees,
	discountedPrice: rupees,
	bank: z.object({ name: z.string(), accountNumber: z.string(), ifsc: z.string(), accountHolder: z.string() }),
	/** Recipient of UPI payments; '' until the owner has entered it. */
	upi: z.object({ id: z.string(), name: z.string() }),
	/** URL of the QR code; null when none was uploaded or the file is not an image. */
	qrCodeUrl: z.string().nullable(),
	utrRequest: z.enum(utrRequests),
});
export type PublicBook = z.infer<typeof publicBook>;

/** The book as the storefront's pages show it. */
export interface StorefrontBook extends PublicBook {
	offered: OfferedEditions;
}

export const editionLocation = editionIdentity.extend({
	/** IDs of the parent folders from the root, and of the file. Without one of these nodes, the edition has no file. */
	nodeIds: z.array(z.string()),
});
export type EditionLocation = z.infer<typeof editionLocation>;

export const edition = z.object({
	key: editionKey,
	fileId: z.string().nullable(),
	fileName: z.string().nullable(),
	/** Whether buyers may download their copy; otherwise they can only read the copy in the app. */
	mayDownload: z.boolean(),
	/** Why this file cannot be watermarked, in the caller's language; null if it can be. */
	problem: z.string().nullable(),
});

/** `id`: SHA-256 of the content. `name`: the file's name when it became an edition; '' if unknown. */
const formerEdition = z.object({ id: z.string(), name: z.string(), usedAt: z.string() });

/** Defaults of the specification's section 3; bank details are empty until the owner enters them. */
export const bookDefaults: StorefrontBook = {
	title: 'Build Your Empire',
	originalPrice: 999,
	discountedPrice: 499,
	bank: { name: '', accountNumber: '', ifsc: '', accountHolder: '' },
	upi: { id: '', name: '' },
	qrCodeUrl: null,
	utrRequest: 'wanted',
	offered: editionDefaults,
};

export const bookErrors = defineErrors({
	EDITION_NOT_PDF: { status: 422, messageKey: 'error_edition_not_pdf' },
	/** The PDF is locked, empty or damaged, so it cannot be watermarked. */
	EDITION_UNFIT: { status: 422, messageKey: 'error_edition_unusable' },
	QR_UPLOAD_FAILED: { status: 422, messageKey: 'error_qr_upload' },
});

const text = singleLineText.max(500, 'error_field_too_long');
const price = z
	.number('error_price')
	.min(0, 'error_price')
	.max(limits.priceMaxRupees, 'error_price_high')
	.refine((value) => Math.round(value * 100) / 100 === value, 'error_price');

const areDistinct = (values: unknown[]) => new Set(values).size === values.length;

export const bookSettings = {
	publicBook: endpoint('public', 'GET /api/book', 'Get the public part of the book settings').output(publicBook),
	get: endpoint('admin', 'GET /api/settings/book', 'Get the book settings').output(
		publicBook.extend({
			...editionMatrix.shape,
			/** Every combination of a part and a language, with and without a file. */
			editions: z.array(edition),
			/** Contents that have been an edition: members can read no file with such a content until it is released. */
			formerEditions: z.array(formerEdition),
			/** PDFs of the `book` space to choose from. */
			bookFiles: z.array(z.object({ id: z.string(), name: z.string() })),
			version: z.number(),
		}),
	),
	editionPlaces: endpoint(
		'admin',
		'GET /api/settings/book/editions',
		'List the editions with the folders of their files',
	).output(z.object({ items: z.array(editionLocation), offered: editionMatrix })),
	/** Saves the settings, which open pages show at once. INVALID_INPUT with `fields`, EDITION_NOT_PDF, EDITION_UNFIT, STALE. */
	save: endpoint('admin', 'PUT /api/settings/book', 'Save the book settings')
		.input(
			z.object({
				title: text.min(1, 'error_field_required'),
				originalPrice: price,
				discountedPrice: price,
				bank: z.object({ name: text, accountNumber: text, ifsc: text, accountHolder: text }),
				/** Unchanged when absent. */
				upi: z
					.object({
						id: text.refine((id) => id === '' || upiIdPattern.test(id), 'error_upi_id'),
						name: singleLineText.max(99, 'error_field_too_long'),
					})
					.optional(),
				/** Unchanged when absent. */
				utrRequest: z.enum(utrRequests).optional(),
				/** Unchanged when absent. An edition of a removed part or language loses its file. */
				parts: editionMatrix.shape.parts
					.refine((list) => areDistinct(list.map(({ number }) => number)), 'error_part_twice')
					.optional(),
				languages: editionMatrix.shape.languages
					.refine((list) => areDistinct(list.map(({ code }) => code)), 'error_language_twice')
					.optional(),
				editions: z
					.array(
						z.object({
							key: editionKey,
							fileId: z.string().nullable(),
							/** Unchanged when absent. */
							mayDownload: z.boolean().optional(),
						}),
					)
					.max(limits.editionPartsMax * limits.editionLanguagesMax),
				version: z.number().int(),
			}),
		)
		.output(z.object({ version: z.number() })),
	/** Lets members read the files with the content of a former edition where they have access. NOT_FOUND. */
	releaseFormerEdition: command(
		'admin',
		'DELETE /api/settings/book/former-editions/{id}',
		'Release the content of a former edition',
	).input(z.object({ id: z.string().regex(/^[\da-f]{64}$/u) })),
};

/** Path for the upload of the payment QR code (field `file`, any file). Admins only. Responds with {@link QrAnswer}. */
export const qrUploadPath = '/api/settings/qr';
export interface QrAnswer {
	/** Null when the file was stored but is not an image. */
	qrCodeUrl: string | null;
}
