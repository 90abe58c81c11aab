import { Stack, Textarea } from '@mantine/core';
import type { Locale } from '#contract/core/text.ts';
import { legalPages } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { fieldError } from '#web/ui/forms/field.tsx';
import classes from '../storefront.module.css';
import { remoteValueText, type StorefrontFieldsProps } from './storefront-settings-api.ts';

const pageNames = { privacy: m.legal_privacy, terms: m.legal_terms, refund: m.legal_refund };
const languages = { en: m.landing_language_en, hi: m.landing_language_hi };

/** Says that readers of this language see the other language's text, where this field is empty and the other is not. */
function fallbackLanguageText(texts: Record<Locale, string>, language: Locale): string | undefined {
	const other = language === 'en' ? 'hi' : 'en';
	if (texts[language].trim() !== '' || texts[other].trim() === '') return undefined;
	return m.storefront_legal_other({ language: languages[language](), other: languages[other]() });
}

/** Text fields for the privacy, terms and refund pages, in both languages. */
export function LegalFields({ form, errors, theirs, onChange }: StorefrontFieldsProps) {
	return (
		<Stack gap={16}>
			{legalPages.map((page) => (
				<Stack key={page} gap={16}>
					{(['en', 'hi'] as const).map((language) => (
						<Textarea
							key={language}
							label={m.storefront_legal_field({ page: pageNames[page](), language: languages[language]() })}
							description={
								remoteValueText(form.legal[page][language], theirs?.legal[page][language]) ??
								fallbackLanguageText(form.legal[page], language)
							}
							classNames={{ input: classes.text }}
							rows={6}
							lang={language}
							value={form.legal[page][language]}
							error={fieldError(errors[`legal.${page}.${language}`])}
							onChange={({ currentTarget }) =>
								onChange({
									legal: { ...form.legal, [page]: { ...form.legal[page], [language]: currentTarget.value } },
								})
							}
						/>
					))}
					<a className={classes.pageLink} href={`/${page}`}>
						{m.storefront_see({ page: pageNames[page]() })}
					</a>
				</Stack>
			))}
		</Stack>
	);
}
