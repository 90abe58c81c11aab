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
const parts = [1, 2, 3].map(unnamedPart);
const assign = (...keys: EditionKey[]) => Object.fromEntries(keys.map((key) => [key, 'file']));

test.each([
	['part-1-en', { part: 1, language: 'en' }],
	['part-12-kok', { part: 12, language: 'kok' }],
] as const)('editionKey accepts %s', (key, identity) => {
	expect(editionKey.parse(key)).toBe(key);
	expect(partAndLanguage(key)).toEqual(identity);
});

test.each([
	'',
	'part-0-en',
	'part-13-en',
	'part-01-en',
	'part-1-EN',
	'part-1-e',
	'part-1-latn',
	'part-1-en-in',
	'../x',
])('editionKey refuses %j', (key) => expect(editionKey.safeParse(key).success).toBe(false));

describe('offeredEditions', () => {
	const matrix = { parts, languages: [english, hindi, marathi] };
	test('returns all parts and languages while no edition has a file', () => {
		expect(offeredEditions({ ...matrix, editions: {} })).toEqual(matrix);
		expect(listEditionKeys(matrix)).toHaveLength(9);
	});
	test('returns only parts and languages with a file, in the order of the owner', () => {
		const editions = assign('part-3-mr', 'part-1-en');
		expect(offeredEditions({ ...matrix, editions })).toEqual({
			parts: [unnamedPart(1), unnamedPart(3)],
			languages: [english, marathi],
		});
	});
	test('ignores files of parts and languages that the book no longer has', () => {
		const editions = assign('part-2-en', 'part-9-en', 'part-2-ta');
		expect(offeredEditions({ ...matrix, editions })).toEqual({ parts: [unnamedPart(2)], languages: [english] });
	});
});

describe('editionWording', () => {
	test.each([
		[
			'the default book',
			[1, 2],
			[english, hindi],
			'en',
			'two default many',
			'default',
			'English and Hindi',
			'English and हिन्दी',
		],
		[
			'the default book',
			[1, 2],
			[english, hindi],
			'hi',
			'two default many',
			'default',
			'अंग्रेज़ी और हिन्दी',
			'अंग्रेज़ी और हिन्दी',
		],
		['one English edition', [1], [english], 'en', 'one own one', 'none', 'English', 'English'],
		['one English edition', [2], [english], 'hi', 'one own one', 'some', 'अंग्रेज़ी', 'अंग्रेज़ी'],
		['one Hindi edition', [1], [hindi], 'en', 'one own one', 'some', 'Hindi', 'हिन्दी'],
		['one Hindi edition', [1], [hindi], 'hi', 'one own one', 'none', 'हिन्दी', 'हिन्दी'],
		[
			'one part in both languages',
			[1],
			[english, hindi],
			'en',
			'one own many',
			'default',
			'English and Hindi',
			'English and हिन्दी',
		],
		['three parts in English', [1, 2, 3], [english], 'en', 'many own many', 'none', 'English', 'English'],
		['parts 1 and 3', [1, 3], [hindi, marathi], 'en', 'two own many', 'some', 'Hindi and Marathi', 'हिन्दी and मराठी'],
		[
			'three languages',
			[1, 2],
			[english, hindi, marathi],
			'en',
			'two default many',
			'some',
			'English, Hindi and Marathi',
			'English, हिन्दी and मराठी',
		],
		[
			'a name of the owner',
			[1],
			[{ code: 'hi', name: 'सरल हिन्दी' }, english],
			'hi',
			'one own many',
			'some',
			'सरल हिन्दी और अंग्रेज़ी',
			'सरल हिन्दी और अंग्रेज़ी',
		],
	] as const)(
		'of %s (parts %j) names the languages in %4$s',
		(_what, numbers, languages, locale, shape, wording, list, names) => {
			const {
				parts: partsWord,
				numbers: numbersWord,
				editions,
				...rest
			} = editionWording({ parts: numbers.map(unnamedPart), languages: [...languages] }, locale);
			expect(`${partsWord} ${numbersWord} ${editions}`).toBe(shape);
			expect(rest).toEqual({ languages: wording, count: numbers.length, list, names });
		},
	);
});

test('editionWording lists three languages without a comma before the last', () => {
	const offered = { parts: [unnamedPart(1)], languages: [english, hindi, marathi] };
	expect(editionWording(offered, 'hi').list).toBe('अंग्रेज़ी, हिन्दी और मराठी');
});

describe('formatEditionLabel', () => {
	const volume = { number: 1, name: { en: 'Volume A', hi: '' } };
	test.each([
		[[1, 2], [english, hindi], false, 'Part 1, हिन्दी'],
		[[1, 2], [english, hindi], true, 'Part 1, Hindi'],
		[[1], [english, hindi], false, 'हिन्दी'],
		[[1, 2], [hindi], false, 'Part 1'],
		[[1], [hindi], true, ''],
	] as const)('of parts %j returns only what distinguishes the edition', (numbers, languages, isLocalized, label) => {
		const offered = { parts: numbers.map(unnamedPart), languages: [...languages] };
		const options = { locale: 'en', partLabel: (part: number) => `Part ${part}`, isLocalized } as const;
		expect(formatEditionLabel(offered, { part: 1, language: 'hi' }, options)).toBe(label);
	});
	test('uses the name of the owner, and the default where the owner has none in the language', () => {
		const offered = { parts: [volume, unnamedPart(2)], languages: [marathi] };
		const labelIn = (locale: 'en' | 'hi') =>
			formatEditionLabel(offered, { part: 1, language: 'mr' }, { locale, partLabel: (part) => `भाग ${part}` });
		expect([labelIn('en'), labelIn('hi')]).toEqual(['Volume A', 'भाग 1']);
	});
});
