import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEqual, mergeValues } from './merge-values.ts';

const item = (id: string, en: string, hi = '') => ({ id, title: { en, hi } });
const [a, b, c] = [item('a', 'One'), item('b', 'Two'), item('c', 'Three')];
const [newA, newB, newC] = [item('a', 'New'), item('b', 'New'), item('c', 'New')];
const text = (en: string, hi = '') => ({ en, hi });
const steps = (...titles: string[]) => titles.map((title) => ({ title }));

test.each([
	['different languages of a text', text('A', 'क'), text('B', 'क'), text('A', 'ख'), text('B', 'ख')],
	['the same change on both sides', text('A'), text('B'), text('B'), text('B')],
	['different items of a list', [a, b], [newA, b], [a, newB], [newA, newB]],
	['an item that each side added', [a], [a, b], [c, a], [c, a, b]],
	['an item removed by one side, and another changed by the other', [a, b], [b], [a, newB], [newB]],
	['an item moved by one side, and changed by the other', [a, b, c], [c, a, b], [a, newB, c], [c, a, newB]],
	['an item moved by the other side', [a, b, c], [a, b, newC], [b, a, c], [b, a, newC]],
	['steps without IDs', steps('1', '2'), steps('x', '2'), steps('1', 'y'), steps('x', 'y')],
	['covers of different editions', { one: 'p' }, { one: 'p', two: 'q' }, {}, { two: 'q' }],
	['a colour changed by one side', '#000000', '#000000', '#ffffff', '#ffffff'],
])('mergeValues merges %s without a collision', (_case, base, own, remote, merged) => {
	expect(mergeValues(base, own, remote)).toEqual({ value: merged, isCollision: false });
});

test.each([
	['a text', text('A', 'क'), text('B', 'ख'), text('C', 'क'), text('B', 'ख'), text('C', 'ख')],
	['an item removed by one side and changed by the other', [a, b], [b], [newA, b], [b], [newA, b]],
	['a list without IDs', ['en'], ['hi'], ['en', 'hi'], ['hi'], ['en', 'hi']],
	['lists of different lengths', steps('1'), steps('2'), steps('1', '3'), steps('2'), steps('1', '3')],
	['a picture', null, 'one', 'two', 'one', 'two'],
])(
	'mergeValues reports a collision of %s, and uses the preferred value only there',
	(_case, base, own, remote, withOwn, withRemote) => {
		expect(mergeValues(base, own, remote)).toEqual({ value: withOwn, isCollision: true });
		expect(mergeValues(base, own, remote, 'remote')).toEqual({ value: withRemote, isCollision: true });
	},
);

const anyItem = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), text: fc.string({ maxLength: 2 }) });
const items = fc.uniqueArray(anyItem, { selector: ({ id }) => id });

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
