import { Stack, Textarea } from '@mantine/core';
import { type Locale, languageNames, locales } from '#contract/core/text.ts';
import { legalPages } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api/client.ts';
import { fieldError } from '#web/ui/forms/field.tsx';
import classes from '../storefront.module.css';

type StorefrontFormValues = Omit<CallOutputs['storefrontSettings']['get'], 'version'>;

export interface StorefrontFieldsProps {
	form: StorefrontFormValues;
	/** Error messages by field path. */
	errors: Record<string, string>;
	/** The values that another admin has saved meanwhile, shown beside fields with a different value. */
	remoteForm: StorefrontFormValues | undefined;
	onChange: (patch: Partial<StorefrontFormValues>) => void;
}

/** Returns a hint with the value that another admin has saved, if this value differs from the typed value. */
export function remoteValueText(typed: string, remote: string | undefined): string | undefined {
	if (remote === undefined || remote === typed) return undefined;
	return m.storefront_now({ value: remote === '' ? m.storefront_empty() : remote });
}

const pageNames = { privacy: m.legal_privacy, terms: m.legal_terms, refund: m.legal_refund };

/** Returns a hint if the text exists only in the other language. The page then shows this text in both languages. */
function fallbackLanguageText(texts: Record<Locale, string>, language: Locale): string | undefined {
	const other = language === 'en' ? 'hi' : 'en';
	if (texts[language].trim() !== '' || texts[other].trim() === '') return undefined;
	return m.storefront_legal_other({ language: languageNames[language], other: languageNames[other] });
}

export function LegalFields({ form, errors, remoteForm, onChange }: StorefrontFieldsProps) {
	return (
		<Stack gap={16}>
			{legalPages.map((page) => (
				<Stack key={page} gap={16}>
					{locales.map((language) => (
						<Textarea
							key={language}
							label={m.storefront_legal_field({ page: pageNames[page](), language: languageNames[language] })}
							description={
								remoteValueText(form.legal[page][language], remoteForm?.legal[page][language]) ??
								fallbackLanguageText(form.legal[page], language)
							}
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
