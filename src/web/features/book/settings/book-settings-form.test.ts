import { expect, test } from 'vitest';
import { editionDefaults, listEditionKeys } from '#contract/book/editions.ts';
import { type BookSettings, findPriceErrors, findWarning, toForm, toSaveInput } from './book-settings-form.ts';

const settings: BookSettings = {
	title: 'Build Your Empire',
	originalPrice: 999,
	discountedPrice: 499.5,
	bank: { name: 'Example Bank', accountNumber: '1', ifsc: 'EXMP0000001', accountHolder: 'R' },
	upi: { id: 'shop@examplebank', name: 'Shop' },
	qrCodeUrl: null,
	utrRequest: 'required',
	...editionDefaults,
	formerEditions: [],
	editions: [{ key: 'part-1-hi', fileId: 'f1', fileName: null, mayDownload: true, problem: null }],
	bookFiles: [{ id: 'f1', name: 'hi.pdf' }],
	version: 7,
};

test('toSaveInput returns the settings unchanged for an unchanged form', () => {
	const { qrCodeUrl: _url, bookFiles: _files, formerEditions: _former, version: _version, ...unchanged } = settings;
	const editions = listEditionKeys(editionDefaults).map((key) => {
		const isAssigned = key === 'part-1-hi';
		return { key, fileId: isAssigned ? 'f1' : null, mayDownload: isAssigned };
	});
	expect(toSaveInput(toForm(settings))).toEqual({ ...unchanged, editions });
});

test('toForm formats prices with two decimals', () => {
	expect(toForm({ ...settings, originalPrice: 0.1 })).toMatchObject({
		originalPrice: '0.10',
		discountedPrice: '499.50',
	});
});

test('without an original price, the book has one price', () => {
	const form = { ...toForm(settings), originalPrice: ' ' };
	expect(findPriceErrors(form)).toEqual({});
	expect(toSaveInput(form)).toMatchObject({ originalPrice: 499.5, discountedPrice: 499.5 });
});

test.each(['', '  ', 'abc', '1,000'])('findPriceErrors reports the invalid price %j', (typed) => {
	expect(Object.keys(findPriceErrors({ ...toForm(settings), discountedPrice: typed }))).toEqual(['discountedPrice']);
});

test.each([
	['bank.ifsc', 'EXMP0000001', undefined],
	['bank.ifsc', 'exmp 0 000001', undefined],
	['bank.ifsc', '', undefined],
	['bank.ifsc', 'EXMPO000001', 'An IFSC has four letters, a zero and six more letters or figures.'],
	['bank.ifsc', '12345', 'An IFSC has four letters, a zero and six more letters or figures.'],
	['originalPrice', '499.50', undefined],
	['originalPrice', '499.49', 'Lower than the discounted price: it is not shown to buyers.'],
	['originalPrice', '', 'Empty: the book has one price.'],
] as const)('findWarning for the field %s with the value %j returns %j', (field, typed, warning) => {
	expect(findWarning({ ...toForm(settings), [field]: typed }, field)).toBe(warning);
});
