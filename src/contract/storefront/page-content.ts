import type { Locale } from '../core/text.ts';
import type { ContactInfo } from '../settings/site-settings.ts';
import type { Content, Template } from './content-fields.ts';

/** Links and contact details that every page of the storefront shows. */
export interface StorefrontContact extends ContactInfo {
	socialLinks: Content['links.social'];
	/** Address of the chat; '' for the built-in chat. */
	chatUrl: string;
	/** Whether the installation has a mail server. Without one, no page may promise a mail. */
	sendsMail: boolean;
}

/** URLs of the landing page's built files. */
export interface LandingAssets {
	scripts: string[];
	/** Modules that the scripts import, to preload. */
	preloads?: string[];
	styles: string[];
	/** Fonts that the first screen of a page needs in each language, to preload. */
	fonts?: Record<Locale, string[]>;
}

/** The icon of a storefront that shows neither the default book nor an icon of its own. */
export const neutralIcon = '/book.svg';

/** A picture in several widths; every URL is of this server and never changes its content. */
export interface PagePicture {
	/** JPEG for browsers without AVIF and WebP, and its size in pixels. */
	src: string;
	width: number;
	height: number;
	/** Values of `srcset`. */
	avif: string;
	webp: string;
}

export interface PageCover {
	/** Language of the edition: BCP 47. */
	language: string;
	/** Number of the part if there are several, and its name: `Part one`. */
	part: { number: number; name: string } | null;
	/** Name of the edition's language if there are several. */
	languageName: string | null;
	/** Title in the language of the edition if it is known, else in that of the page. */
	title: string;
	author: string;
	/** The uploaded cover; null if the cover is drawn. */
	picture: PagePicture | null;
	drawing: { style: 'pyramid' | 'plain'; ground: string; ink: string };
}

export interface PageExcerpt {
	/** Identifies the excerpt in URLs: `excerpt-<id>`. */
	id: string;
	label: string;
	shortLabel: string;
	title: string;
	lead: string;
	/** CommonMark; images have the addresses of uploaded pictures. */
	markdown: string;
	/** The uploaded pictures of the text, by ID. */
	pictures: Readonly<Record<string, PagePicture>>;
	note: string;
	/** Reading time at 200 words per minute, at least 1. */
	minutes: number;
}

export interface TitledText {
	title: string;
	text: string;
}

/**
 * The storefront's content in one language, for rendering: every default is applied, and every derived text is filled
 * in. An empty string or list means that nothing is shown.
 */
export interface PageContent {
	template: Template;
	/** Languages of the storefront, the first for visitors who prefer none of them. */
	languages: readonly Locale[];
	wordmark: string;
	/** URL of the icon; null for the default book's. */
	icon: string | null;
	/** Whether the drawings of the default book are shown: its covers, posters and brand mark. */
	hasDefaultDrawings: boolean;
	author: string;
	/** Title of the book in this language. */
	bookTitle: string;
	hero: { eyebrow: string; headline: string; accent: string; tagline: string; callToAction: string; priceNote: string };
	/** The front cover, then at most one behind it. */
	covers: readonly PageCover[];
	/** Alternative text of all covers. */
	coversAlt: string;
	/** `name`: of the section in menus. */
	benefits: { heading: string; name: string; lead: string; items: readonly TitledText[] };
	excerpts: { heading: string; items: readonly PageExcerpt[] };
	/** The text of the first step may be empty: then it depends on the ways to pay. */
	purchase: { heading: string; lead: string; steps: readonly TitledText[] };
	how: { heading: string; steps: readonly TitledText[] };
	footer: { text: string; colophon: string };
	head: { title: string; description: string; socialImage: { url: string; width: number; height: number } };
	/** URL of the stylesheet with the owner's colours; null for the default colours. */
	colorsStylesheet: string | null;
}
