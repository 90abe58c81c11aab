import { bookDefaults, type EditionKey, editionKeys } from '#contract/book/book-settings.ts';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';

/** The name of an edition's language in that language, whatever the page's language. */
export function languageLabel(language: ShelfEdition['language']): string {
	return language === 'hi' ? m.reader_language_hi() : m.reader_language_en();
}

/** `Part 1, English`. */
export function editionLabel({ part, language }: Pick<ShelfEdition, 'part' | 'language'>): string {
	return m.reader_edition({ part, language: languageLabel(language) });
}

/** The title of an edition: the default title has a Hindi form, the owner's own title is used as it is. */
export function editionTitle(title: string, { language }: Pick<ShelfEdition, 'language'>): string {
	return title === bookDefaults.title ? m.screen_landing({}, { locale: language }) : title;
}

/** The edition after a switch of part or language; keeps the other choice if such an edition exists. */
export function findSwitchedEdition(
	editions: readonly ShelfEdition[],
	current: ShelfEdition,
	choice: Partial<Pick<ShelfEdition, 'part' | 'language'>>,
): ShelfEdition | undefined {
	const wanted = { part: current.part, language: current.language, ...choice };
	return (
		editions.find((each) => each.part === wanted.part && each.language === wanted.language) ??
		editions.find((each) => (choice.part === undefined ? each.language === choice.language : each.part === choice.part))
	);
}

/** The edition named in a URL, case-insensitive; undefined for none. */
export function findEditionKey(text: string | undefined): EditionKey | undefined {
	return editionKeys.find((key) => key === text?.toLowerCase());
}
