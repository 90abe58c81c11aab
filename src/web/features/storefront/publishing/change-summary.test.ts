import { expect, test } from 'vitest';
import { listChangedTexts } from './change-summary.ts';

const texts = (en: string, hi = '') => ({ en, hi });
const benefit = (id: string, title: string, text = '') => ({ id, title: texts(title), text: texts(text) });
const one = benefit('a', 'One', 'First');
const two = benefit('b', 'Two');

test.each([
	['a text in one language', texts('Old', 'पुराना'), texts('New', 'पुराना'), [['English', 'Old', 'New']]],
	['an emptied text', texts('Old'), texts(''), [['English', 'Old', 'Empty']]],
	['a changed item', [one, two], [one, benefit('b', 'Second')], [['2 · Title · English', 'Two', 'Second']]],
	['an added item', [one], [one, two], [['2 · added', 'Empty', 'Two']]],
	['a removed item', [one, two], [two], [['1 · removed', 'One', 'Empty']]],
	['moved items', [one, two], [two, one], [['', 'One, Two', 'Two, One']]],
	['no change', [one], [{ ...one }], []],
])('listChangedTexts lists %s', (_case, before, after, changes) => {
	const field = Array.isArray(before) ? 'benefits.items' : 'hero.tagline';
	const listed = listChangedTexts(field, before, after).map((change) => [change.label, change.before, change.after]);
	expect(listed).toEqual(changes);
});

test.each([
	['icon', null, 'image-1', 'No picture', 'Uploaded picture'],
	['languages', ['en'], ['hi', 'en'], 'English', 'हिन्दी, English'],
	['template', 'empty', 'build-your-empire', 'Empty', 'Build Your Empire'],
	['links.chat', '', `/contact?${'x'.repeat(200)}`, 'Empty', `/contact?${'x'.repeat(81)}…`],
] as const)(
	'listChangedTexts shows the field %s in words, shortened',
	(field, before, after, shownBefore, shownAfter) => {
		expect(listChangedTexts(field, before, after)).toEqual([{ label: '', before: shownBefore, after: shownAfter }]);
	},
);
