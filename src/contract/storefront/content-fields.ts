import * as z from 'zod';
import { singleLineText, trimmedText } from '../core/common-fields.ts';
import { limits } from '../core/limits.ts';
import { isOwnPath, isSafeAddress, locales } from '../core/text.ts';

/** A text for each language of the storefront; '' means the default, which is derived or empty. */
function localized(text: z.ZodType<string, string>) {
	return z.object({ en: text, hi: text });
}
const line = (maxLength: number) => localized(singleLineText.max(maxLength, 'error_field_too_long'));
const paragraphs = (maxLength: number) => localized(trimmedText(maxLength));

/** Deeper texts exhaust the stack when they are rendered. Each level takes two columns at the start of a line at least. */
const nestingMax = 50;
const lineStart = /^(?:[ \t]|>|[-+*](?=\s)|\d{1,9}[.)](?=\s))+/gmu;
const isNestedTooDeeply = (markdown: string) =>
	[...markdown.matchAll(lineStart)].some(
		([start]) => start.replace(/> ?/gu, '> ').replaceAll('\t', '    ').length > 2 * nestingMax,
	);
const markdown = (maxLength: number) =>
	localized(trimmedText(maxLength).refine((text) => !isNestedTooDeeply(text), 'error_nested_too_deeply'));

/** ID of an uploaded picture (`storefront_files`); null for none. */
const image = z.string().max(40).nullable();
/** Keeps its value when items are moved, so that concurrent changes of a list can be merged. */
const itemId = z.string().regex(/^[a-z0-9-]{1,40}$/u);
const color = z.string().regex(/^#[0-9a-f]{6}$/u, 'error_color');

const titledText = z.object({ title: line(80), text: line(300) });

const socialLink = z.object({
	label: singleLineText.min(1, 'error_field_required').max(40, 'error_field_too_long'),
	url: singleLineText
		.min(1, 'error_field_required')
		.max(500, 'error_field_too_long')
		.refine(isSafeAddress, 'error_address'),
});

/** File of an uploaded video or of its captions. `blobId` is its ID in `storefront_files`. */
const storedFile = z.object({ blobId: z.string(), name: z.string(), sizeBytes: z.number() });
const video = z.object({
	/** `default`: the video of the template; `none`: no video is shown; `own`: the uploaded file. */
	source: z.enum(['default', 'none', 'own']),
	film: storedFile.extend({ seconds: z.number() }).nullable(),
	captions: z.object({ en: storedFile.nullable(), hi: storedFile.nullable() }),
	title: line(120),
});

export const templates = ['build-your-empire', 'empty'] as const;
export type Template = (typeof templates)[number];

/**
 * The fields of the storefront's content. Each is saved, compared and restored by itself. A field without a stored
 * value has the default of the template.
 */
export const contentFields = {
	template: z.enum(templates),
	/** The storefront's languages; visitors whose browser prefers none of them get the first. */
	languages: z
		.array(z.enum(locales))
		.min(1)
		.max(locales.length)
		.refine((codes) => new Set(codes).size === codes.length),
	/** Name in the top bar, the footer and mails. */
	wordmark: line(40),
	icon: image,
	author: line(80),
	/** Title in a language in which it differs from the title of the book settings. */
	'book.title': line(120),
	/** '' is derived from the editions: `Two parts, in English and हिन्दी`. */
	'hero.eyebrow': line(120),
	/** '' is the book's title. */
	'hero.headline': line(80),
	/** Follows the headline in the accent colour: `1.0`. */
	'hero.accent': line(20),
	'hero.tagline': line(300),
	'hero.callToAction': line(40),
	/** Uploaded covers by edition key; an edition without one has a drawn cover. */
	covers: z.record(z.string().max(20), z.string().max(40)),
	/** Style of drawn covers, and the two colours of the `plain` style. */
	'covers.drawing': z.object({ style: z.enum(['pyramid', 'plain']), ground: color, ink: color }),
	/** Accent colour of buttons, and the ground colour of bands and dark covers; null for the default. */
	'colors.accent': color.nullable(),
	'colors.ground': color.nullable(),
	/** '' is the specified heading, as for all headings. */
	'benefits.heading': line(80),
	'benefits.lead': line(300),
	'benefits.items': z.array(titledText.extend({ id: itemId })).max(9, 'error_too_many_benefits'),
	'excerpts.heading': line(80),
	'excerpts.items': z
		.array(
			z.object({
				id: itemId,
				/** `Chapter 2`, and `Ch 2` where space is short ('' is the label). */
				label: line(40),
				shortLabel: line(20),
				title: line(120),
				lead: line(300),
				/** Markdown (CommonMark) without HTML; images are uploaded pictures. */
				text: markdown(60_000),
				/** Shown below the text: `An excerpt from Part 1.` */
				note: line(120),
			}),
		)
		.max(6, 'error_too_many_excerpts'),
	'videos.benefits': video,
	'videos.how-to-get': video,
	/** '' is the book's title. */
	'purchase.heading': line(120),
	/** '' is derived from the editions. */
	'purchase.lead': line(300),
	/** '' titles are the specified ones; an empty first text is derived from the ways to pay. */
	'purchase.steps': z.array(titledText).length(3),
	'how.heading': line(80),
	/** `{price}` in a title is replaced by the price. */
	'how.steps': z.array(titledText).length(4),
	'footer.text': line(300),
	'footer.colophon': line(200),
	/** '' is derived from the headline and the editions. */
	'page.title': line(120),
	'page.description': line(300),
	/** Null is drawn from the cover and the title. */
	'page.socialImage': image,
	'links.social': z.array(socialLink).max(limits.socialLinksMax, 'error_too_many_links'),
	/** Address of the chat; '' for the built-in chat. */
	'links.chat': singleLineText
		.max(500, 'error_field_too_long')
		.refine((url) => url === '' || isOwnPath(url) || isSafeAddress(url), 'error_address_or_path'),
	/** Plain text with paragraphs separated by blank lines; '' is the default text. */
	'legal.privacy': paragraphs(limits.legalTextMaxLength),
	'legal.terms': paragraphs(limits.legalTextMaxLength),
	'legal.refund': paragraphs(limits.legalTextMaxLength),
} satisfies Record<string, z.ZodType>;

export type ContentField = keyof typeof contentFields;
export type ContentValue<Field extends ContentField> = z.infer<(typeof contentFields)[Field]>;
export type Content = { [Field in ContentField]: ContentValue<Field> };
