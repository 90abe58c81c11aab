import { describe, expect, it } from 'vitest';
import { createLengthCheck, nameDifferences } from '../../bench/measure/body-differences.mjs';

describe('nameDifferences', () => {
	it('names a field that only one side has, once for all items', () => {
		const items = [{ id: 'a' }, { id: 'b' }];
		const product = { items: items.map((item) => ({ ...item, thumb: null })), use: null };
		expect(nameDifferences({ folio: product, bare: { items } })).toEqual([
			'items[].thumb: only folio has it',
			'use: only folio has it',
		]);
	});

	it('names a field with another value and fields in another order', () => {
		expect(nameDifferences({ folio: { size: 1 }, bare: { size: '1' } })).toEqual(['size: folio has 1, bare "1"']);
		expect(nameDifferences({ folio: { a: 1, b: 2 }, bare: { b: 2, a: 1 } })).toEqual([
			'the body: its fields are in another order in bare',
		]);
	});

	it('returns nothing when the bodies agree', () => {
		expect(nameDifferences({ folio: { items: [1, null] }, bare: { items: [1, null] } })).toEqual([]);
	});
});

describe('createLengthCheck', () => {
	it('accepts bodies of the same length and names the extra fields of a longer one', () => {
		const check = createLengthCheck();
		check.require('page', 'folio', '{"id":"a"}');
		expect(() => check.require('page', 'bare', '{"id":"b"}')).not.toThrow();
		expect(() => check.require('page', 'bare', '{"id":"a","can":{}}')).toThrow(
			/19 bytes in bare.*\ncan: only bare has it/,
		);
	});
});
