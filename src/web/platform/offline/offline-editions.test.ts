import { expect, test } from 'vitest';
import { canStoreOffline, type OfflineEdition, offlineShelf, reconcileEditions } from './offline-editions.ts';

const storedEdition = (key: string, version: string | null = 'v1', isWhole = true): OfflineEdition => ({
	key,
	version,
	url: `/api/editions/${key}/content?v=${version}`,
	sizeBytes: 10,
	isWhole,
});
const shelfEdition = (key: string, version: string | null = 'v1', state = 'ready') => ({
	key,
	version,
	url: `/api/editions/${key}/content?v=${version}`,
	size: 20,
	copy: { state },
});

test('reconcileEditions keeps offline copies whose version is still on the shelf', () => {
	const editions = [storedEdition('part-1-en'), storedEdition('part-2-en', 'v1', false)];
	expect(
		reconcileEditions(editions, { access: 'open', editions: [shelfEdition('part-2-en'), shelfEdition('part-1-en')] }),
	).toEqual(editions);
});

test('reconcileEditions removes editions that are no longer on the shelf, and all editions after access has ended', () => {
	expect(
		reconcileEditions([storedEdition('part-1-en')], { access: 'open', editions: [shelfEdition('part-1-hi')] }),
	).toEqual([]);
	expect(
		reconcileEditions([storedEdition('part-1-en')], { access: 'none', editions: [shelfEdition('part-1-en')] }),
	).toEqual([]);
});

test('reconcileEditions marks an edition as incomplete if the shelf has a new version', () => {
	expect(
		reconcileEditions([storedEdition('part-1-en')], { access: 'open', editions: [shelfEdition('part-1-en', 'v2')] }),
	).toEqual([{ ...storedEdition('part-1-en', 'v2', false), sizeBytes: 20 }]);
	const making = reconcileEditions([storedEdition('part-1-en')], {
		access: 'open',
		editions: [shelfEdition('part-1-en', null, 'making')],
	});
	expect(making).toMatchObject([{ key: 'part-1-en', version: null, isWhole: false }]);
	expect(reconcileEditions(making, { access: 'open', editions: [shelfEdition('part-1-en', 'v3')] })).toMatchObject([
		{ version: 'v3', isWhole: false },
	]);
});

test('offlineShelf contains only editions that are stored completely in the current version', () => {
	const shelf = {
		title: 'Book',
		editions: [shelfEdition('part-1-en'), shelfEdition('part-1-hi'), shelfEdition('part-2-en', 'v2')],
	};
	const editions = [storedEdition('part-1-en'), storedEdition('part-1-hi', 'v1', false), storedEdition('part-2-en')];
	expect(offlineShelf(shelf, { userId: 'a', editions })).toEqual({
		title: 'Book',
		editions: [shelfEdition('part-1-en')],
	});
});

test('canStoreOffline allows members, but not admins and impersonated members', () => {
	expect(canStoreOffline({ role: 'user', view: null })).toBe(true);
	expect(canStoreOffline({ role: 'admin', view: null })).toBe(false);
	expect(canStoreOffline({ role: 'user', view: { endsAt: '2026-11-22T10:00:00.000Z' } })).toBe(false);
});
