import { expect, test, vi } from 'vitest';
import { createExcerpt, searchKeyOf } from './search-excerpt.ts';

const excerptOf = (text: string, search: string) => {
	const { before, hit, after } = createExcerpt(text, searchKeyOf(search));
	return `${before}[${hit}]${after}`;
};

test.each([
	['Where is the second PART?', 'second part', 'Where is the [second PART]?'],
	['second\n\n  part of it', 'second part', '[second part] of it'],
	['Second   part', 'D  p', 'Secon[d p]art'],
	['मेरी किताब कहाँ है', 'किताब', 'मेरी [किताब] कहाँ है'],
	['मेरी किताब', 'क', 'मेरी [कि]ताब'],
	// The letter क़ as one code point in the text and as two (क and the dot below it) in the search.
	['\u0958\u093eग़ज़', '\u0915\u093c\u093e', '[\u0958\u093e]ग़ज़'],
	['the ﬁrst Ⅷ', 'first', 'the [ﬁrst] Ⅷ'],
	['İstanbul is far', 'is far', 'İstanbul [is far]'],
	['👨‍👩‍👧 and me', 'and', '👨‍👩‍👧 [and] me'],
	['100% of a_b', 'a_b', '100% of [a_b]'],
	['nothing of it', 'absent', 'nothing of it[]'],
	['put the rent into “goes out every month” please', 'month', '…out every [month]” please'],
	['unbrokenandverylongwordneedle', 'needle', '…ndverylongword[needle]'],
])('createExcerpt of %j for the search %j returns %s', (text, search, shown) => {
	expect(excerptOf(text, search)).toBe(shown);
});

test('createExcerpt cuts a long text around the match', () => {
	const shown = excerptOf(`${'a '.repeat(500)}needle${' b'.repeat(500)}`, 'needle');
	expect(shown).toBe(`…${'a '.repeat(7)}[needle]${' b'.repeat(50)}`);
});

test.each([
	['at the beginning', 0],
	['in the middle', 700],
	['at the end', 1400],
])('createExcerpt finds a match %s of a long Hindi text', (_where, words) => {
	// Folding makes this text longer, because one letter becomes two.
	const before = 'ड़ाक नमस्ते '
		.normalize('NFC')
		.replaceAll('\u0921\u093c', '\u095c')
		.repeat(words / 2);
	const after = ' क्षमा करें'.repeat((1400 - words) / 2 + 20);
	const { before: shown, hit, after: rest } = createExcerpt(`${before}फ़र्\u0958ी${after}`, searchKeyOf('र्क़'));
	expect([hit, shown]).toEqual(['र्\u0958ी', expect.stringMatching(words === 0 ? /^फ़$/u : /^….* \u095cाक नमस्ते फ़$/u)]);
	expect(rest.startsWith(' क्षमा करें क्षमा')).toBe(true);
});

test('createExcerpt folds single graphemes only near the match, wherever the match is in a long text', () => {
	const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	const key = searchKeyOf('ज़रूरत');
	const normalize = vi.spyOn(String.prototype, 'normalize');
	for (let at = 0; at < 50; at += 1) {
		const text = `${'नमस्ते '.repeat(at * 28)}ज़रूरत ${'नमस्ते '.repeat(1427)}`.slice(0, 9990);
		const graphemeCount = [...graphemes.segment(text)].length;
		normalize.mockClear();
		expect(createExcerpt(text, key).hit).toBe('ज़रूरत');
		expect(normalize.mock.calls.length).toBeLessThan(graphemeCount / 5);
	}
	normalize.mockRestore();
});
