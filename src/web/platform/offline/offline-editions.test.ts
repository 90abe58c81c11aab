import { expect, test } from 'vitest';
import { canStoreOffline, type OfflineEdition, offlineShelf, reconcileEditions } from './offline-editions.ts';

const kept = (key: string, version: string | null = 'v1', isWhole = true): OfflineEdition => ({
	key,
	version,
	url: `/api/editions/${key}/content?v=${version}`,
	sizeBytes: 10,
	isWhole,
});
const shown = (key: string, version: string | null = 'v1', state = 'ready') => ({
	key,
	version,
	url: `/api/editions/${key}/content?v=${version}`,
	size: 20,
	copy: { state },
});

test('what the shelf still holds with the same bytes stays as it is', () => {
	const editions = [kept('part-1-en'), kept('part-2-en', 'v1', false)];
	expect(reconcileEditions(editions, { access: 'open', editions: [shown('part-2-en'), shown('part-1-en')] })).toEqual(
		editions,
	);
});

test('nothing stays of an edition that is gone, nor of any when access has ended', () => {
	expect(reconcileEditions([kept('part-1-en')], { access: 'open', editions: [shown('part-1-hi')] })).toEqual([]);
	expect(reconcileEditions([kept('part-1-en')], { access: 'none', editions: [shown('part-1-en')] })).toEqual([]);
});

test('of other bytes only the wish to keep them is left', () => {
	expect(reconcileEditions([kept('part-1-en')], { access: 'open', editions: [shown('part-1-en', 'v2')] })).toEqual([
		{ ...kept('part-1-en', 'v2', false), sizeBytes: 20 },
	]);
	const making = reconcileEditions([kept('part-1-en')], {
		access: 'open',
		editions: [shown('part-1-en', null, 'making')],
	});
	expect(making).toMatchObject([{ key: 'part-1-en', version: null, isWhole: false }]);
	expect(reconcileEditions(making, { access: 'open', editions: [shown('part-1-en', 'v3')] })).toMatchObject([
		{ version: 'v3', isWhole: false },
	]);
});

test('without a line the shelf holds what is here whole', () => {
	const shelf = { title: 'Book', editions: [shown('part-1-en'), shown('part-1-hi'), shown('part-2-en', 'v2')] };
	const editions = [kept('part-1-en'), kept('part-1-hi', 'v1', false), kept('part-2-en')];
	expect(offlineShelf(shelf, { userId: 'a', editions })).toEqual({
		title: 'Book',
		editions: [shown('part-1-en')],
	});
});

test('a device keeps readers their own copies, and nothing for others', () => {
	expect(canStoreOffline({ role: 'user', view: null })).toBe(true);
	expect(canStoreOffline({ role: 'admin', view: null })).toBe(false);
	expect(canStoreOffline({ role: 'user', view: { endsAt: '2026-11-22T10:00:00.000Z' } })).toBe(false);
});
