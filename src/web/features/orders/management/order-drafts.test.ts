import { describe, expect, test } from 'vitest';
import { pendingOrder as order } from '../../../../../test/support/fixtures/pending-order.ts';
import { baseVersion, countUnsaved, draftValues, type OrderDrafts, reduceDrafts } from './order-drafts.ts';

const stale = { code: 'ORDER_STALE', status: 409, message: 'Somebody else…', fields: {} };

function createDrafts(): OrderDrafts {
	return reduceDrafts({}, { type: 'edited', order, field: 'phone', value: '90110 45687' });
}

describe('typing into a row', () => {
	test('edited fields show the typed values, all others the values from the server', () => {
		const newer = { ...order, name: 'Arjun V. Patil', version: 4 };
		expect(draftValues(newer, createDrafts().o1)).toMatchObject({ name: 'Arjun V. Patil', phone: '90110 45687' });
	});
	test('a save is based on the version that the row had at the first edit', () => {
		expect(baseVersion({ ...order, version: 4 }, createDrafts().o1)).toBe(3);
	});
	test('typing the old value again leaves no unsaved changes', () => {
		const restored = reduceDrafts(createDrafts(), { type: 'edited', order, field: 'phone', value: order.phone });
		expect(countUnsaved(restored)).toBe(0);
	});
});

describe('after a save', () => {
	test('a save refused as stale keeps the typed values, and the next save is based on the shown version', () => {
		const refused = reduceDrafts(createDrafts(), { type: 'refused', order, failure: stale });
		expect(refused.o1?.changes).toEqual({ phone: '90110 45687' });
		expect(baseVersion({ ...order, version: 4 }, refused.o1)).toBe(4);
	});
	test('the error of a field disappears when the field is edited', () => {
		const failure = { code: 'INVALID_INPUT', status: 422, message: '', fields: { phone: 'x', name: 'y' } };
		const refused = reduceDrafts(createDrafts(), { type: 'refused', order, failure });
		const edited = reduceDrafts(refused, { type: 'edited', order, field: 'phone', value: '1' });
		expect(edited.o1?.failure?.fields).toEqual({ name: 'y' });
	});
	test('the saved values are removed from the draft', () => {
		const saved = { ...order, phone: '90110 45687', version: 4 };
		expect(reduceDrafts(createDrafts(), { type: 'saved', order: saved, sent: { phone: '90110 45687' } })).toEqual({});
	});
	test('values typed during the save stay in the draft, based on the new version', () => {
		const twoEdits = reduceDrafts(createDrafts(), { type: 'edited', order, field: 'name', value: 'Arjun P.' });
		const saved = { ...order, phone: '90110 45687', version: 4 };
		const remaining = reduceDrafts(twoEdits, { type: 'saved', order: saved, sent: { phone: '90110 45687' } });
		expect(remaining).toEqual({ o1: { order: saved, changes: { name: 'Arjun P.' }, version: 4 } });
	});
});
