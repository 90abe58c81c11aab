import { beforeEach, expect, test } from 'vitest';
import { document, ids, remove, save } from '../../../../test/support/mark-changes.ts';
import { forgetUnsent, keepUnsent, listUnsent } from './unsent-marks.ts';

let kept: Map<string, string>;
let store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

beforeEach(() => {
	kept = new Map();
	store = {
		getItem: (key) => kept.get(key) ?? null,
		setItem: (key, value) => void kept.set(key, value),
		removeItem: (key) => void kept.delete(key),
	};
});

test('what was changed last is kept of each mark, in the order of the changes, for each person alone', () => {
	keepUnsent(store, 'asha', save(ids[0]));
	keepUnsent(store, 'asha', save(ids[1]));
	keepUnsent(store, 'asha', save(ids[0], 'Ask Kavita'));
	expect(listUnsent(store, 'asha', document)).toEqual([save(ids[1]), save(ids[0], 'Ask Kavita')]);
	keepUnsent(store, 'asha', remove(ids[1]));
	expect(listUnsent(store, 'asha', document)).toEqual([save(ids[0], 'Ask Kavita'), remove(ids[1])]);
	expect(listUnsent(store, 'ravi', document)).toEqual([]);
	expect(listUnsent(store, 'asha', 'part-2-en')).toEqual([]);
});

test('what has arrived is forgotten, unless it was changed again meanwhile', () => {
	keepUnsent(store, 'asha', save(ids[0]));
	keepUnsent(store, 'asha', save(ids[0], 'Ask Kavita'));
	forgetUnsent(store, 'asha', save(ids[0]));
	expect(listUnsent(store, 'asha', document)).toEqual([save(ids[0], 'Ask Kavita')]);
	forgetUnsent(store, 'asha', save(ids[0], 'Ask Kavita'));
	expect(kept.size).toBe(0);
});

test('what is no change is not sent, and a store that is full or forbidden costs nothing but that', () => {
	kept.set(`reading-unsent:asha:${document}`, '[{"document":"part-1-en","save":{"id":"x"}}]');
	expect(listUnsent(store, 'asha', document)).toEqual([]);
	const forbidden = () => {
		throw new DOMException('', 'SecurityError');
	};
	const none = { getItem: forbidden, setItem: forbidden, removeItem: forbidden };
	keepUnsent(none, 'asha', save(ids[0]));
	expect(listUnsent(none, 'asha', document)).toEqual([]);
});
