import { describe, expect, test } from 'vitest';
import { pendingOrder as order } from '../../../../../test/support/fixtures/pending-order.ts';
import { baseVersion, countUnsaved, draftValues, type OrderDrafts, reduceDrafts } from './order-drafts.ts';

const stale = { code: 'ORDER_STALE', status: 409, message: 'Somebody else…', fields: {} };

function typed(): OrderDrafts {
	return reduceDrafts({}, { type: 'edited', order, field: 'phone', value: '90110 45687' });
}

describe('typing into a row', () => {
	test('edited fields override the row, others follow the server', () => {
		const newer = { ...order, name: 'Arjun V. Patil', version: 4 };
		expect(draftValues(newer, typed().o1)).toMatchObject({ name: 'Arjun V. Patil', phone: '90110 45687' });
	});
	test('the row is saved against the version that the typing began on', () => {
		expect(baseVersion({ ...order, version: 4 }, typed().o1)).toBe(3);
	});
	test('typing the old value again leaves nothing unsaved', () => {
		const back = reduceDrafts(typed(), { type: 'edited', order, field: 'phone', value: order.phone });
		expect(countUnsaved(back)).toBe(0);
	});
});

describe('after a save', () => {
	test('a save refused as stale keeps the typed values, and the next save is based on the shown version', () => {
		const refused = reduceDrafts(typed(), { type: 'refused', order, failure: stale });
		expect(refused.o1?.changes).toEqual({ phone: '90110 45687' });
		expect(baseVersion({ ...order, version: 4 }, refused.o1)).toBe(4);
	});
	test('the error of a field disappears when the field is edited', () => {
		const failure = { code: 'INVALID_INPUT', status: 422, message: '', fields: { phone: 'x', name: 'y' } };
		const refused = reduceDrafts(typed(), { type: 'refused', order, failure });
		const edited = reduceDrafts(refused, { type: 'edited', order, field: 'phone', value: '1' });
		expect(edited.o1?.failure?.fields).toEqual({ name: 'y' });
	});
	test('the saved values are removed from the draft', () => {
		const saved = { ...order, phone: '90110 45687', version: 4 };
		expect(reduceDrafts(typed(), { type: 'saved', order: saved, sent: { phone: '90110 45687' } })).toEqual({});
	});
	test('values typed during the save stay in the draft, based on the new version', () => {
		const more = reduceDrafts(typed(), { type: 'edited', order, field: 'name', value: 'Arjun P.' });
		const saved = { ...order, phone: '90110 45687', version: 4 };
		const left = reduceDrafts(more, { type: 'saved', order: saved, sent: { phone: '90110 45687' } });
		expect(left).toEqual({ o1: { order: saved, changes: { name: 'Arjun P.' }, version: 4 } });
	});
});
