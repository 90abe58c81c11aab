import { bookDefaults, type EditionKey, editionKeys } from '#contract/book/book-settings.ts';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { languageNames } from '#contract/core/text.ts';
import { m } from '#messages';

/** Returns the name of a language in that language, regardless of the page's language. */
export function languageLabel(language: ShelfEdition['language']): string {
	return languageNames[language];
}

export function editionLabel({ part, language }: Pick<ShelfEdition, 'part' | 'language'>): string {
	return m.reader_edition({ part, language: languageLabel(language) });
}

/** Translates only the default title. A title that the owner has set is shown unchanged. */
export function editionTitle(title: string, { language }: Pick<ShelfEdition, 'language'>): string {
	return title === bookDefaults.title ? m.screen_landing({}, { locale: language }) : title;
}

/** Finds the edition for another part or language. A new part keeps the language if possible, and vice versa. */
export function findSwitchedEdition(
	editions: readonly ShelfEdition[],
	current: ShelfEdition,
	choice: Partial<Pick<ShelfEdition, 'part' | 'language'>>,
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
	return editionKeys.find((key) => key === text?.toLowerCase());
}
