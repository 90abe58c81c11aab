import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bookDefaults } from '#contract/book/book-settings.ts';
import { emptyLandingForm, legalPages } from '#contract/storefront/landing.ts';
import { renderers } from '#web/landing/render.tsx';
import { makePageContent } from '../../support/storefront/page-content.ts';
import { visibleText } from '../../support/texts/visible-text.ts';

const assets = { scripts: [], styles: [] };
const video = (key: string) => ({
	src: `/films/${key}.mp4`,
	seconds: 36,
	captions: [
		{ language: 'en' as const, src: 'x' },
		{ language: 'hi' as const, src: 'y' },
	],
	title: '',
	isDefault: true,
});

/** The recorded texts are those of the storefront before its texts became content. */
test.each(['en', 'hi'] as const)('the default storefront has exactly the specified texts (%s)', (locale) => {
	const props = {
		locale,
		book: bookDefaults,
		content: makePageContent({ locale }),
		contact: { socialLinks: [], chatUrl: '', sendsMail: true, email: '', phone: '' },
		publicUrl: 'https://books.example',
		year: 2026,
	};
	const films = { benefits: video('benefits'), 'how-to-get': video('how-to-get') };
	const pages = [
		renderers.renderLanding({ ...props, form: emptyLandingForm, films, payment: null, isInApp: false }, assets),
		...legalPages.map((page) =>
			renderers.renderLegal({ ...props, page, text: { language: locale, words: '' } }, assets),
		),
	];
	const recorded = join(import.meta.dirname, `../../support/texts/default-storefront.${locale}.txt`);
	expect(`${pages.map(visibleText).join('\n\n')}\n`).toBe(readFileSync(recorded, 'utf8'));
});
