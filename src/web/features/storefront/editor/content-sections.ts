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

interface ContentSection {
	icon: Icon;
	name: () => string;
	/** Selects the element of the page to which the preview scrolls. */
	target: string;
}

export const contentSections = {
	languages: { icon: IconLanguage, name: m.editor_section_languages, target: '.hero' },
	hero: { icon: IconLayoutNavbar, name: m.editor_section_hero, target: '.hero' },
	covers: { icon: IconBook2, name: m.editor_section_covers, target: '.hero' },
	brand: { icon: IconPalette, name: m.editor_section_brand, target: '.hero' },
	benefits: { icon: IconGift, name: m.editor_section_benefits, target: '#gain' },
	excerpts: { icon: IconTextCaption, name: m.editor_section_excerpts, target: '#read' },
	videos: { icon: IconMovie, name: m.editor_section_videos, target: '#gain' },
	purchase: { icon: IconShoppingCart, name: m.editor_section_purchase, target: '#book' },
	how: { icon: IconListNumbers, name: m.editor_section_how, target: '[aria-labelledby="how-title"]' },
	footer: { icon: IconLayoutBottombar, name: m.editor_section_footer, target: 'footer' },
	page: { icon: IconBrandSafari, name: m.editor_section_page, target: '.hero' },
	legal: { icon: IconGavel, name: m.editor_section_legal, target: 'footer' },
} satisfies Record<string, ContentSection>;

export type SectionKey = keyof typeof contentSections;

export const sectionKeys = Object.keys(contentSections) as SectionKey[];

const fields: Record<ContentField, readonly [SectionKey, name: () => string]> = {
	template: ['languages', m.editor_field_template],
	languages: ['languages', m.editor_field_languages],
	wordmark: ['brand', m.editor_field_wordmark],
	icon: ['brand', m.editor_field_icon],
	author: ['hero', m.editor_field_author],
	'book.title': ['hero', m.editor_field_book_title],
	'hero.eyebrow': ['hero', m.editor_field_eyebrow],
	'hero.headline': ['hero', m.editor_field_headline],
	'hero.accent': ['hero', m.editor_field_accent],
	'hero.tagline': ['hero', m.editor_field_tagline],
	'hero.callToAction': ['hero', m.editor_field_call_to_action],
	covers: ['covers', m.editor_field_covers],
	'covers.drawing': ['covers', m.editor_field_cover_drawing],
	'colors.accent': ['brand', m.editor_field_color_accent],
	'colors.ground': ['brand', m.editor_field_color_ground],
	'benefits.heading': ['benefits', m.editor_field_heading],
	'benefits.lead': ['benefits', m.editor_field_lead],
	'benefits.items': ['benefits', m.editor_field_benefits],
	'excerpts.heading': ['excerpts', m.editor_field_heading],
	'excerpts.items': ['excerpts', m.editor_field_excerpts],
	'videos.benefits': ['videos', m.editor_field_video_benefits],
	'videos.how-to-get': ['videos', m.editor_field_video_how],
	'purchase.heading': ['purchase', m.editor_field_heading],
	'purchase.lead': ['purchase', m.editor_field_lead],
	'purchase.steps': ['purchase', m.editor_field_steps],
	'how.heading': ['how', m.editor_field_heading],
	'how.steps': ['how', m.editor_field_steps],
	'footer.text': ['footer', m.editor_field_footer_text],
	'footer.colophon': ['footer', m.editor_field_colophon],
	'page.title': ['page', m.editor_field_page_title],
	'page.description': ['page', m.editor_field_page_description],
	'page.socialImage': ['page', m.editor_field_social_image],
	'links.social': ['footer', m.editor_field_social_links],
	'links.chat': ['footer', m.editor_field_chat],
	'legal.privacy': ['legal', m.legal_privacy],
	'legal.terms': ['legal', m.legal_terms],
	'legal.refund': ['legal', m.legal_refund],
};

export function sectionOf(field: ContentField): SectionKey {
	return fields[field][0];
}

export function fieldName(field: ContentField): string {
	return fields[field][1]();
}

export const templateNames = { 'build-your-empire': m.editor_template_book, empty: m.editor_template_empty };
export const drawingNames = { pyramid: m.editor_drawing_pyramid, plain: m.editor_drawing_plain };
export const videoSourceNames = {
	default: m.editor_video_source_default,
	own: m.editor_video_source_own,
	none: m.editor_video_source_none,
};

/** Options of a select for the choices with these names. */
export function optionsOf(names: Record<string, () => string>) {
	return Object.entries(names).map(([value, name]) => ({ value, label: name() }));
}
