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

test('reconcileEditions keeps offline copies whose version is still on the shelf', () => {
	const editions = [kept('part-1-en'), kept('part-2-en', 'v1', false)];
	expect(reconcileEditions(editions, { access: 'open', editions: [shown('part-2-en'), shown('part-1-en')] })).toEqual(
		editions,
	);
});

test('reconcileEditions removes an edition that is gone, and all editions when access has ended', () => {
	expect(reconcileEditions([kept('part-1-en')], { access: 'open', editions: [shown('part-1-hi')] })).toEqual([]);
	expect(reconcileEditions([kept('part-1-en')], { access: 'none', editions: [shown('part-1-en')] })).toEqual([]);
});

test('reconcileEditions marks an edition with a new version as not yet stored', () => {
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

test('offlineShelf contains only editions that are stored completely in the version of the shelf', () => {
	const shelf = { title: 'Book', editions: [shown('part-1-en'), shown('part-1-hi'), shown('part-2-en', 'v2')] };
	const editions = [kept('part-1-en'), kept('part-1-hi', 'v1', false), kept('part-2-en')];
	expect(offlineShelf(shelf, { userId: 'a', editions })).toEqual({ title: 'Book', editions: [shown('part-1-en')] });
});

test('canStoreOffline allows members, but not admins and impersonated members', () => {
	expect(canStoreOffline({ role: 'user', view: null })).toBe(true);
	expect(canStoreOffline({ role: 'admin', view: null })).toBe(false);
	expect(canStoreOffline({ role: 'user', view: { endsAt: '2026-11-22T10:00:00.000Z' } })).toBe(false);
});
