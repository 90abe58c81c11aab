import { expect, test } from 'vitest';
import { pendingOrder as order } from '../../../../../test/support/fixtures/pending-order.ts';
import { baseVersion, countUnsaved, type OrderDrafts, reduceDrafts } from './order-drafts.ts';

function createDrafts(): OrderDrafts {
	return reduceDrafts({}, { type: 'edited', order, field: 'phone', value: '90110 45687' });
}

test('baseVersion returns the version that the row had at the first edit', () => {
	expect(baseVersion({ ...order, version: 4 }, createDrafts().o1)).toBe(3);
});

test('typing the value of the server again leaves no unsaved changes', () => {
	const restored = reduceDrafts(createDrafts(), { type: 'edited', order, field: 'phone', value: order.phone });
	expect(countUnsaved(restored)).toBe(0);
});

test('the error of a field disappears when the field is edited', () => {
	const failure = { code: 'INVALID_INPUT', status: 422, message: '', fields: { phone: 'x', name: 'y' } };
	const refused = reduceDrafts(createDrafts(), { type: 'refused', order, failure });
	const edited = reduceDrafts(refused, { type: 'edited', order, field: 'phone', value: '1' });
	expect(edited.o1?.failure?.fields).toEqual({ name: 'y' });
});

test('edits made during a save stay in the draft with the new version', () => {
	const twoEdits = reduceDrafts(createDrafts(), { type: 'edited', order, field: 'name', value: 'Arjun P.' });
	const saved = { ...order, phone: '90110 45687', version: 4 };
	const remaining = reduceDrafts(twoEdits, { type: 'saved', order: saved, sent: { phone: '90110 45687' } });
	expect(remaining).toEqual({ o1: { order: saved, changes: { name: 'Arjun P.' }, version: 4 } });
});
