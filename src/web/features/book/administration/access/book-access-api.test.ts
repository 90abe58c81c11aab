import { expect, test } from 'vitest';
import type { BookAccess } from '#contract/book/book-access.ts';
import { findBookAccessChange } from './book-access-api.ts';

const grant = { by: 'owner@example.com', at: '2026-01-01T00:00:00.000Z' };

test.each<[BookAccess, boolean, 'give' | 'take' | undefined]>([
	['none', false, 'give'],
	['pending', false, 'give'],
	['open', false, undefined],
	['open', true, 'take'],
])('findBookAccessChange for the access %j, given by an admin: %j, returns %j', (access, isGranted, step) => {
	expect(findBookAccessChange({ access, grant: isGranted ? grant : null }, 'user')).toBe(step);
});

test('findBookAccessChange offers no change for an admin', () => {
	expect(findBookAccessChange({ access: 'none', grant: null }, 'admin')).toBeUndefined();
	expect(findBookAccessChange({ access: 'open', grant }, 'admin')).toBeUndefined();
});
