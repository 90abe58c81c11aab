import * as z from 'zod';
import { singleLineText } from '../core/common-fields.ts';
import { limits } from '../core/limits.ts';
import { type Locale, languageNames } from '../core/text.ts';

export const bookPart = z.int().min(1).max(limits.editionPartsMax);

/** A language subtag (RFC 5646, section 2.1): it names the edition in stored data and is the `lang` of its texts. */
export const bookLanguagePattern = /^(?:[a-z]{2,3}|[a-z]{5,8})$/u;
export const bookLanguage = z.string().regex(bookLanguagePattern, 'error_language_code');

/** One part of the book in one language. Copies, reading positions, annotations and offline copies are stored by it. */
export type EditionKey = `part-${number}-${string}`;

const editionKeyPattern = /^part-(?:[1-9]|1[0-2])-(?:[a-z]{2,3}|[a-z]{5,8})$/u;
export const editionKey = z.string().regex(editionKeyPattern) as unknown as z.ZodType<EditionKey, EditionKey>;

export function isEditionKey(text: string): text is EditionKey {
	return editionKeyPattern.test(text);
}

export const editionIdentity = z.object({ key: editionKey, part: bookPart, language: bookLanguage });

type EditionIdentity = Pick<z.infer<typeof editionIdentity>, 'part' | 'language'>;

export function editionKeyOf({ part, language }: EditionIdentity): EditionKey {
	return `part-${part}-${language}`;
}

export function partAndLanguage(key: EditionKey): EditionIdentity {
	const [, part = '', language = ''] = key.split('-');
	return { part: Number(part), language };
}

const name = singleLineText.max(limits.editionNameMaxLength, 'error_field_too_long');

export const bookPartSettings = z.object({
	number: bookPart,
	/** The owner's name of the part; '' for the product's own, `Part 1`. */
	name: z.object({ en: name, hi: name }),
});
export type BookPart = z.infer<typeof bookPartSettings>;

export const bookLanguageSettings = z.object({ code: bookLanguage, name: name.min(1, 'error_field_required') });
export type BookLanguage = z.infer<typeof bookLanguageSettings>;

/** Every combination of a part and a language is an edition. Chapters are matched with the first language. */
export const editionMatrix = z.object({
	parts: z.array(bookPartSettings).min(1).max(limits.editionPartsMax),
	languages: z.array(bookLanguageSettings).min(1).max(limits.editionLanguagesMax),
});
export type EditionMatrix = z.infer<typeof editionMatrix>;

export const editionDefaults: EditionMatrix = {
	parts: [unnamedPart(1), unnamedPart(2)],
	languages: [ownLanguage('en'), ownLanguage('hi')],
};

export function unnamedPart(number: number): BookPart {
	return { number, name: { en: '', hi: '' } };
}

export function listEditionKeys({ parts, languages }: EditionMatrix): EditionKey[] {
	return parts.flatMap(({ number: part }) => languages.map(({ code: language }) => editionKeyOf({ part, language })));
}

/** The parts and languages that texts mention. */
export type OfferedEditions = EditionMatrix;

/** Returns the parts and languages that have a file; all of them while no edition has one. */
export function offeredEditions({
	parts,
	languages,
	editions,
}: EditionMatrix & { editions: Readonly<Partial<Record<EditionKey, string>>> }): OfferedEditions {
	const assigned = listEditionKeys({ parts, languages }).filter((key) => editions[key] !== undefined);
	if (assigned.length === 0) return { parts, languages };
	const identities = assigned.map(partAndLanguage);
	return {
		parts: parts.filter(({ number }) => identities.some(({ part }) => part === number)),
		languages: languages.filter(({ code }) => identities.some(({ language }) => language === code)),
	};
}

/** Returns a language with its own name, such as `मराठी`; with its code if the name is not known. */
export function ownLanguage(code: string): BookLanguage {
	const name = code === 'en' || code === 'hi' ? languageNames[code] : findLanguageName(code, code);
	return { code, name: name ?? code };
}

function findLanguageName(code: string, locale: string): string | undefined {
	try {
		return new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }).of(code);
	} catch {
		return undefined;
	}
}

/** Returns the name of a language for a sentence in `locale`: `Hindi` in English, unless the owner has changed the name. */
export function languageNameIn({ code, name: ownersName }: BookLanguage, locale: Locale): string {
	return ownersName === ownLanguage(code).name ? (findLanguageName(code, locale) ?? ownersName) : ownersName;
}

export function findLanguage(offered: OfferedEditions, code: string): BookLanguage {
	return offered.languages.find((language) => language.code === code) ?? ownLanguage(code);
}

/** Inputs of the messages that speak of the parts and languages of the book. */
export interface EditionWording {
	parts: 'one' | 'two' | 'many';
	/** `default`: parts 1 and 2, without names of the owner. */
	numbers: 'default' | 'own';
	/** `none`: only the language of the sentence, which needs no mention. `default`: English and Hindi. */
	languages: 'none' | 'default' | 'some';
	/** Whether the reader has a choice of editions. */
	editions: 'one' | 'many';
	count: number;
	/** The languages as a list in the sentence's language: `English and Marathi`. */
	list: string;
	/** As `list`, but in English each language has its own name: `English and मराठी`. */
	names: string;
}

/** Says how a sentence in `locale` speaks of the editions, so that no text mentions parts or languages without need. */
export function editionWording(offered: OfferedEditions, locale: Locale): EditionWording {
	const { parts, languages } = offered;
	// Hindi is written without the comma that CLDR has before the last name.
	const format = (names: string[]) => new Intl.ListFormat(`${locale}-IN`).format(names).replace(/, (?=और )/u, ' ');
	const localizedNames = languages.map((language) => languageNameIn(language, locale));
	return {
		parts: parts.length === 1 ? 'one' : parts.length === 2 ? 'two' : 'many',
		numbers: isEqual(parts, editionDefaults.parts) ? 'default' : 'own',
		languages: wordLanguagesOf(languages, locale),
		editions: parts.length === 1 && languages.length === 1 ? 'one' : 'many',
		count: parts.length,
		list: format(localizedNames),
		names: format(locale === 'en' ? languages.map((language) => language.name) : localizedNames),
	};
}

function wordLanguagesOf(languages: readonly BookLanguage[], locale: Locale): EditionWording['languages'] {
	if (languages.length === 1 && languages[0]?.code === locale) return 'none';
	return isEqual(languages, editionDefaults.languages) ? 'default' : 'some';
}

function isEqual(a: object, b: object): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

interface EditionLabelOptions {
	locale: Locale;
	/** Formats the product's own name of a part. */
	partLabel: (number: number) => string;
	/** Names the languages in the sentence's language, not in their own. */
	isLocalized?: boolean;
}

export function partName(offered: OfferedEditions, number: number, { locale, partLabel }: EditionLabelOptions): string {
	return offered.parts.find((part) => part.number === number)?.name[locale] || partLabel(number);
}

/** Returns what distinguishes an edition from the others, such as `Part 1, English`; '' for the only edition. */
export function formatEditionLabel(
	offered: OfferedEditions,
	{ part, language }: EditionIdentity,
	options: EditionLabelOptions,
): string {
	const { locale, isLocalized = false } = options;
	const named = findLanguage(offered, language);
	const names = [];
	if (offered.parts.length > 1) names.push(partName(offered, part, options));
	if (offered.languages.length > 1) names.push(isLocalized ? languageNameIn(named, locale) : named.name);
	return names.join(', ');
}
