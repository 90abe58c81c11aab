import {
	type Icon,
	IconBook2,
	IconBrandSafari,
	IconGavel,
	IconGift,
	IconLanguage,
	IconLayoutBottombar,
	IconLayoutNavbar,
	IconListNumbers,
	IconMovie,
	IconPalette,
	IconShoppingCart,
	IconTextCaption,
} from '@tabler/icons-react';
import type { ContentField } from '#contract/storefront/content-fields.ts';
import { m } from '#messages';

export const sectionKeys = [
	'languages',
	'hero',
	'covers',
	'brand',
	'benefits',
	'excerpts',
	'videos',
	'purchase',
	'how',
	'footer',
	'page',
	'legal',
] as const;
export type SectionKey = (typeof sectionKeys)[number];

interface ContentSection {
	icon: Icon;
	name: () => string;
	fields: readonly ContentField[];
	/** Selects the element of the page to which the preview scrolls. */
	target?: string;
}

export const contentSections: Record<SectionKey, ContentSection> = {
	languages: { icon: IconLanguage, name: m.editor_section_languages, fields: ['template', 'languages'] },
	hero: {
		icon: IconLayoutNavbar,
		name: m.editor_section_hero,
		fields: [
			'hero.headline',
			'hero.accent',
			'hero.eyebrow',
			'hero.tagline',
			'hero.callToAction',
			'book.title',
			'author',
		],
		target: '.hero',
	},
	covers: { icon: IconBook2, name: m.editor_section_covers, fields: ['covers', 'covers.drawing'], target: '.hero' },
	brand: {
		icon: IconPalette,
		name: m.editor_section_brand,
		fields: ['colors.accent', 'colors.ground', 'wordmark', 'icon'],
		target: '.hero',
	},
	benefits: {
		icon: IconGift,
		name: m.editor_section_benefits,
		fields: ['benefits.heading', 'benefits.lead', 'benefits.items'],
		target: '#gain',
	},
	excerpts: {
		icon: IconTextCaption,
		name: m.editor_section_excerpts,
		fields: ['excerpts.heading', 'excerpts.items'],
		target: '#read',
	},
	videos: {
		icon: IconMovie,
		name: m.editor_section_videos,
		fields: ['videos.benefits', 'videos.how-to-get'],
		target: '#gain',
	},
	purchase: {
		icon: IconShoppingCart,
		name: m.editor_section_purchase,
		fields: ['purchase.heading', 'purchase.lead', 'purchase.steps'],
		target: '#book',
	},
	how: {
		icon: IconListNumbers,
		name: m.editor_section_how,
		fields: ['how.heading', 'how.steps'],
		target: '[aria-labelledby="how-title"]',
	},
	footer: {
		icon: IconLayoutBottombar,
		name: m.editor_section_footer,
		fields: ['footer.text', 'footer.colophon', 'links.social', 'links.chat'],
		target: 'footer',
	},
	page: {
		icon: IconBrandSafari,
		name: m.editor_section_page,
		fields: ['page.title', 'page.description', 'page.socialImage'],
	},
	legal: {
		icon: IconGavel,
		name: m.editor_section_legal,
		fields: ['legal.privacy', 'legal.terms', 'legal.refund'],
		target: 'footer',
	},
};

export function sectionOf(field: ContentField): SectionKey {
	return sectionKeys.find((key) => contentSections[key].fields.includes(field)) ?? 'languages';
}

export const fieldNames: Record<ContentField, () => string> = {
	template: m.editor_field_template,
	languages: m.editor_field_languages,
	wordmark: m.editor_field_wordmark,
	icon: m.editor_field_icon,
	author: m.editor_field_author,
	'book.title': m.editor_field_book_title,
	'hero.eyebrow': m.editor_field_eyebrow,
	'hero.headline': m.editor_field_headline,
	'hero.accent': m.editor_field_accent,
	'hero.tagline': m.editor_field_tagline,
	'hero.callToAction': m.editor_field_call_to_action,
	covers: m.editor_field_covers,
	'covers.drawing': m.editor_field_cover_drawing,
	'colors.accent': m.editor_field_color_accent,
	'colors.ground': m.editor_field_color_ground,
	'benefits.heading': m.editor_field_heading,
	'benefits.lead': m.editor_field_lead,
	'benefits.items': m.editor_field_benefits,
	'excerpts.heading': m.editor_field_heading,
	'excerpts.items': m.editor_field_excerpts,
	'videos.benefits': m.editor_field_video_benefits,
	'videos.how-to-get': m.editor_field_video_how,
	'purchase.heading': m.editor_field_heading,
	'purchase.lead': m.editor_field_lead,
	'purchase.steps': m.editor_field_steps,
	'how.heading': m.editor_field_heading,
	'how.steps': m.editor_field_steps,
	'footer.text': m.editor_field_footer_text,
	'footer.colophon': m.editor_field_colophon,
	'page.title': m.editor_field_page_title,
	'page.description': m.editor_field_page_description,
	'page.socialImage': m.editor_field_social_image,
	'links.social': m.editor_field_social_links,
	'links.chat': m.editor_field_chat,
	'legal.privacy': m.legal_privacy,
	'legal.terms': m.legal_terms,
	'legal.refund': m.legal_refund,
};
