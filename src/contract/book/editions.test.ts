import { describe, expect, test } from 'vitest';
import {
	type BookLanguage,
	type EditionKey,
	editionDefaults,
	editionKey,
	editionWording,
	formatEditionLabel,
	listEditionKeys,
	offeredEditions,
	partAndLanguage,
	unnamedPart,
} from './editions.ts';

const [english, hindi] = editionDefaults.languages as [BookLanguage, BookLanguage];
const marathi = { code: 'mr', name: 'मराठी' };
const simpleHindi = { code: 'hi', name: 'सरल हिन्दी' };
/** The parts with these numbers, without names of the owner. */
const offer = (numbers: readonly number[], languages: readonly BookLanguage[]) => {
	return { parts: numbers.map(unnamedPart), languages: [...languages] };
};

test.each([
	['part-1-en', { part: 1, language: 'en' }],
	['part-12-kok', { part: 12, language: 'kok' }],
] as const)('editionKey accepts %s', (key, identity) => {
	expect(editionKey.parse(key)).toBe(key);
	expect(partAndLanguage(key)).toEqual(identity);
});

test('editionKey refuses texts that are no part from 1 to 12 and language subtag', () => {
	const refused = 'part-0-en part-13-en part-01-en part-1-EN part-1-e part-1-latn part-1-en-in ../x'.split(' ');
	for (const key of ['', ...refused]) expect(editionKey.safeParse(key).success, key).toBe(false);
});

test.each<[string, EditionKey[], number[], BookLanguage[]]>([
	['all parts and languages while no edition has a file', [], [1, 2, 3], [english, hindi, marathi]],
	['parts and languages with a file in the order of the owner', ['part-3-mr', 'part-1-en'], [1, 3], [english, marathi]],
	['no parts and languages that the book no longer has', ['part-2-en', 'part-9-en', 'part-2-ta'], [2], [english]],
])('offeredEditions returns %s', (_what, assigned, numbers, languages) => {
	const matrix = offer([1, 2, 3], [english, hindi, marathi]);
	const editions = Object.fromEntries(assigned.map((key) => [key, 'file']));
	expect(offeredEditions({ ...matrix, editions })).toEqual(offer(numbers, languages));
	expect(listEditionKeys(matrix)).toHaveLength(9);
});

test.each([
	[[1, 2], [english, hindi], 'en', 'two default many default', 'English and Hindi', 'English and हिन्दी'],
	[[1, 2], [english, hindi], 'hi', 'two default many default', 'अंग्रेज़ी और हिन्दी', 'अंग्रेज़ी और हिन्दी'],
	[[1], [english], 'en', 'one own one none', 'English', 'English'],
	[[2], [english], 'hi', 'one own one some', 'अंग्रेज़ी', 'अंग्रेज़ी'],
	[[1], [hindi], 'en', 'one own one some', 'Hindi', 'हिन्दी'],
	[[1], [hindi], 'hi', 'one own one none', 'हिन्दी', 'हिन्दी'],
	[[1], [english, hindi], 'en', 'one own many default', 'English and Hindi', 'English and हिन्दी'],
	[[1, 2, 3], [english], 'en', 'many own many none', 'English', 'English'],
	[[1, 3], [hindi, marathi], 'en', 'two own many some', 'Hindi and Marathi', 'हिन्दी and मराठी'],
	[
		[1, 2],
		[english, hindi, marathi],
		'en',
		'two default many some',
		'English, Hindi and Marathi',
		'English, हिन्दी and मराठी',
	],
	[[1], [english, hindi, marathi], 'hi', 'one own many some', 'अंग्रेज़ी, हिन्दी और मराठी', 'अंग्रेज़ी, हिन्दी और मराठी'],
	[[1], [simpleHindi, english], 'hi', 'one own many some', 'सरल हिन्दी और अंग्रेज़ी', 'सरल हिन्दी और अंग्रेज़ी'],
] as const)(
	'editionWording of parts %j in %j for a sentence in %s is %s, %s',
	(numbers, languages, locale, words, ...lists) => {
		const {
			parts,
			numbers: partNumbers,
			editions,
			languages: wording,
			...rest
		} = editionWording(offer(numbers, languages), locale);
		expect(`${parts} ${partNumbers} ${editions} ${wording}`).toBe(words);
		expect(rest).toEqual({ count: numbers.length, list: lists[0], names: lists[1] });
	},
);

describe('formatEditionLabel', () => {
	test.each([
		[[1, 2], [english, hindi], false, 'Part 1, हिन्दी'],
		[[1, 2], [english, hindi], true, 'Part 1, Hindi'],
		[[1], [english, hindi], false, 'हिन्दी'],
		[[1, 2], [hindi], false, 'Part 1'],
		[[1], [hindi], true, ''],
	] as const)('of parts %j returns only what distinguishes the edition', (numbers, languages, isLocalized, label) => {
		const options = { locale: 'en', partLabel: (part: number) => `Part ${part}`, isLocalized } as const;
		expect(formatEditionLabel(offer(numbers, languages), { part: 1, language: 'hi' }, options)).toBe(label);
	});
	test('uses the name of the owner, and the default where the owner has none in the language', () => {
		const volume = { number: 1, name: { en: 'Volume A', hi: '' } };
		const offered = { parts: [volume, unnamedPart(2)], languages: [marathi] };
		const labelIn = (locale: 'en' | 'hi') =>
			formatEditionLabel(offered, { part: 1, language: 'mr' }, { locale, partLabel: (part) => `भाग ${part}` });
		expect([labelIn('en'), labelIn('hi')]).toEqual(['Volume A', 'भाग 1']);
	});
});
