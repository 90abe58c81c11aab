import { expect, test } from 'vitest';
import { mergeRemoteChanges } from './use-settings-form.ts';

test('mergeRemoteChanges takes the remote values of untouched fields and keeps the typed ones', () => {
	const base = { price: '499.5', bank: 'One', links: ['a'], editions: { first: '1', second: '2' } };
	const mine = { ...base, bank: 'Mine', editions: { first: '1', second: 'mine' } };
	const theirs = { price: '451', bank: 'Theirs', links: ['a', 'b'], editions: { first: 'theirs', second: '3' } };
	expect(mergeRemoteChanges(base, mine, theirs)).toEqual({
		price: '451',
		bank: 'Mine',
		links: ['a', 'b'],
		editions: { first: 'theirs', second: 'mine' },
	});
});
