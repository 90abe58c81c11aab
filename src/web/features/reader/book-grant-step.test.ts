import { expect, test } from 'vitest';
import type { BookAccess } from '#contract/reader/book-access.ts';
import { findBookGrantStep } from './book-grant-step.ts';

const grant = { by: 'owner@example.com', at: '2026-01-01T00:00:00.000Z' };

test.each<[BookAccess, boolean, 'give' | 'take' | undefined]>([
	['none', false, 'give'],
	['pending', false, 'give'],
	['open', false, undefined],
	['open', true, 'take'],
])('access %j, given by an admin %j: %j', (access, isGranted, step) => {
	expect(findBookGrantStep({ access, grant: isGranted ? grant : null }, 'user')).toBe(step);
});

test('an admin is neither given the book nor loses it', () => {
	expect(findBookGrantStep({ access: 'none', grant: null }, 'admin')).toBeUndefined();
	expect(findBookGrantStep({ access: 'open', grant }, 'admin')).toBeUndefined();
});
