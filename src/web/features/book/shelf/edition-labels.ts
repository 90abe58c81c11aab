import {
	type EditionKey,
	findLanguage,
	formatEditionLabel,
	isEditionKey,
	type OfferedEditions,
	partName as partNameIn,
} from '#contract/book/editions.ts';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import type { Locale } from '#contract/core/text.ts';
import { localizeTitle } from '#contract/storefront/site-identity.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { readSite } from '#web/platform/browser/site.ts';

type Edition = Pick<ShelfEdition, 'part' | 'language'>;

/** Returns the name of a language as the owner wrote it, regardless of the page's language. */
export function languageLabel(offered: OfferedEditions, language: string): string {
	return findLanguage(offered, language).name;
}

export function partLabel(offered: OfferedEditions, part: number, locale: Locale = getLocale()): string {
	return partNameIn(offered, part, { locale, partLabel: (number) => m.reader_part({ part: number }, { locale }) });
}

/**
 * Returns `Part 1, हिन्दी`, or less if the book has only one part or language; '' for the only edition.
 * @param isLocalized whether the language is named in the page's language: `Part 1, Hindi`
 */
export function editionLabel(offered: OfferedEditions, edition: Edition, isLocalized = false): string {
	const locale = getLocale();
	return formatEditionLabel(offered, edition, { locale, partLabel: (part) => m.reader_part({ part }), isLocalized });
}

/** Returns the title in the language of an edition, if the site has it in that language. */
export function editionTitle(title: string, { language }: Pick<ShelfEdition, 'language'>): string {
	return localizeTitle(readSite(), title, textLocaleOf(language));
}

/** Returns the language for the product's texts about an edition: the edition's language, if the product has it. */
export function textLocaleOf(language: string): Locale {
	return language === 'en' || language === 'hi' ? language : getLocale();
}

/** Finds the edition for another part or language. A new part keeps the language if possible, and vice versa. */
export function findSwitchedEdition(
	editions: readonly ShelfEdition[],
	current: ShelfEdition,
	choice: Partial<Edition>,
): ShelfEdition | undefined {
	const requested = { part: current.part, language: current.language, ...choice };
	return (
		editions.find(({ part, language }) => part === requested.part && language === requested.language) ??
		editions.find(({ part, language }) =>
			choice.part === undefined ? language === choice.language : part === choice.part,
		)
	);
}

/** Parses an edition key of a URL; ignores the letter case. */
export function findEditionKey(text: string | undefined): EditionKey | undefined {
	const key = text?.toLowerCase();
	return key !== undefined && isEditionKey(key) ? key : undefined;
}
