import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEqual, mergeValues } from './merge-values.ts';

const item = (id: string, en: string, hi = '') => ({ id, title: { en, hi } });
const [a, b, c] = [item('a', 'One'), item('b', 'Two'), item('c', 'Three')];

test.each([
	[
		'different languages of a text',
		{ en: 'A', hi: 'क' },
		{ en: 'B', hi: 'क' },
		{ en: 'A', hi: 'ख' },
		{ en: 'B', hi: 'ख' },
	],
	['the same change on both sides', { en: 'A' }, { en: 'B' }, { en: 'B' }, { en: 'B' }],
	[
		'different items of a list',
		[a, b],
		[item('a', 'Own'), b],
		[a, item('b', 'Remote')],
		[item('a', 'Own'), item('b', 'Remote')],
	],
	['an item that each side added', [a], [a, b], [c, a], [c, a, b]],
	[
		'an item removed by one side, and another changed by the other',
		[a, b],
		[b],
		[a, item('b', 'New')],
		[item('b', 'New')],
	],
	[
		'an item moved by one side, and changed by the other',
		[a, b, c],
		[c, a, b],
		[a, item('b', 'New'), c],
		[c, a, item('b', 'New')],
	],
	['an item moved by the other side', [a, b, c], [a, b, item('c', 'New')], [b, a, c], [b, a, item('c', 'New')]],
	[
		'steps without IDs',
		[{ t: '1' }, { t: '2' }],
		[{ t: 'x' }, { t: '2' }],
		[{ t: '1' }, { t: 'y' }],
		[{ t: 'x' }, { t: 'y' }],
	],
	['covers of different editions', { one: 'p' }, { one: 'p', two: 'q' }, {}, { two: 'q' }],
	['a colour changed by one side', '#000000', '#000000', '#ffffff', '#ffffff'],
])('mergeValues merges %s without a collision', (_case, base, own, remote, merged) => {
	expect(mergeValues(base, own, remote)).toEqual({ value: merged, isCollision: false });
});

test.each([
	[
		'a text',
		{ en: 'A', hi: 'क' },
		{ en: 'B', hi: 'ख' },
		{ en: 'C', hi: 'क' },
		{ en: 'B', hi: 'ख' },
		{ en: 'C', hi: 'ख' },
	],
	[
		'an item removed by one side and changed by the other',
		[a, b],
		[b],
		[item('a', 'New'), b],
		[b],
		[item('a', 'New'), b],
	],
	['a list without IDs', ['en'], ['hi'], ['en', 'hi'], ['hi'], ['en', 'hi']],
	[
		'lists of different lengths',
		[{ t: '1' }],
		[{ t: '2' }],
		[{ t: '1' }, { t: '3' }],
		[{ t: '2' }],
		[{ t: '1' }, { t: '3' }],
	],
	['a picture', null, 'one', 'two', 'one', 'two'],
])(
	'mergeValues reports a collision of %s, and uses the preferred value only there',
	(_case, base, own, remote, withOwn, withRemote) => {
		expect(mergeValues(base, own, remote)).toEqual({ value: withOwn, isCollision: true });
		expect(mergeValues(base, own, remote, 'remote')).toEqual({ value: withRemote, isCollision: true });
	},
);

const items = fc.uniqueArray(
	fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), text: fc.string({ maxLength: 2 }) }),
	{
		selector: ({ id }) => id,
	},
);

test('a merge without a collision contains the items of both sides in any order of merging', () => {
	fc.assert(
		fc.property(items, items, items, (base, own, remote) => {
			const merge = mergeValues(base, own, remote);
			expect(mergeValues(base, own, base).value).toEqual(own);
			expect(mergeValues(base, base, remote).value).toEqual(remote);
			const reversed = mergeValues(base, remote, own);
			expect(reversed.isCollision).toBe(merge.isCollision);
			const byId = (value: unknown) => Object.fromEntries((value as Array<{ id: string }>).map((one) => [one.id, one]));
			if (!merge.isCollision) expect(isEqual(byId(reversed.value), byId(merge.value))).toBe(true);
		}),
	);
});
