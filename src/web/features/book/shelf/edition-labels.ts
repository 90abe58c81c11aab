import { bookDefaults } from '#contract/book/book-settings.ts';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';

/** An edition's language in its own letters, whatever the page's language. */
export function languageLabel(language: ShelfEdition['language']): string {
	return language === 'hi' ? m.reader_language_hi() : m.reader_language_en();
}

/** `Part 1, English`. */
export function editionLabel({ part, language }: Pick<ShelfEdition, 'part' | 'language'>): string {
	return m.reader_edition({ part, language: languageLabel(language) });
}

/** The title as an edition bears it: the default title has a Hindi form, an owner's own title stands as it is. */
export function editionTitle(title: string, { language }: Pick<ShelfEdition, 'language'>): string {
	return title === bookDefaults.title ? m.screen_landing({}, { locale: language }) : title;
}

/** The edition to go to when part or language is switched: the other one kept if there is such an edition. */
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
