import type { Content, ContentValue, Template } from '#contract/storefront/content-fields.ts';
import allTemplates from './templates/all-templates.json' with { type: 'json' };
import buildYourEmpire from './templates/build-your-empire.json' with { type: 'json' };

type Localized = ContentValue<'wordmark'>;

const none: Localized = { en: '', hi: '' };
const noVideo = { source: 'none', film: null, captions: { en: null, hi: null }, title: none } as const;

/** Content that names no book: the page shows the title, the price and the ways to pay. */
const empty: Content = {
	template: 'empty',
	languages: ['en', 'hi'],
	wordmark: none,
	icon: null,
	author: none,
	'book.title': none,
	'hero.eyebrow': none,
	'hero.headline': none,
	'hero.accent': none,
	'hero.tagline': none,
	'hero.callToAction': none,
	covers: {},
	'covers.drawing': { style: 'plain', ground: '#1c2340', ink: '#f6e7c8' },
	'colors.accent': null,
	'colors.ground': null,
	'benefits.heading': none,
	'benefits.lead': none,
	'benefits.items': [],
	'excerpts.heading': none,
	'excerpts.items': [],
	'videos.benefits': noVideo,
	'videos.how-to-get': noVideo,
	'purchase.heading': none,
	'purchase.lead': none,
	'how.heading': none,
	'footer.text': none,
	'footer.colophon': none,
	'page.title': none,
	'page.description': none,
	'page.socialImage': null,
	'links.social': [],
	'links.chat': '',
	'legal.privacy': none,
	'legal.terms': none,
	'legal.refund': none,
	...allTemplates,
};

const templates: Record<Template, Content> = {
	empty,
	'build-your-empire': {
		...empty,
		...buildYourEmpire,
		template: 'build-your-empire',
		'covers.drawing': { ...empty['covers.drawing'], style: 'pyramid' },
		'videos.benefits': { ...noVideo, source: 'default' },
		'videos.how-to-get': { ...noVideo, source: 'default' },
	},
};

/** The content of a storefront of which the owner has changed nothing. */
export function defaultContent(template: Template): Content {
	return templates[template];
}
