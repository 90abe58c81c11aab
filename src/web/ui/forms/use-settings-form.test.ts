import { expect, test } from 'vitest';
import { mergeRemoteChanges } from './use-settings-form.ts';

test('mergeRemoteChanges keeps edited fields and uses the remote values of all other fields', () => {
	const base = { price: '499.5', bank: 'One', links: ['a'], editions: { first: '1', second: '2' } };
	const own = { ...base, bank: 'Mine', editions: { first: '1', second: 'mine' } };
	const remote = { price: '451', bank: 'Theirs', links: ['a', 'b'], editions: { first: 'theirs', second: '3' } };
	expect(mergeRemoteChanges(base, own, remote)).toEqual({
		price: '451',
		bank: 'Mine',
		links: ['a', 'b'],
		editions: { first: 'theirs', second: 'mine' },
	});
});
