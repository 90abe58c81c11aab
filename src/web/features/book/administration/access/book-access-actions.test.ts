import { expect, test } from 'vitest';
import { findBookAccessChange } from './book-access-actions.tsx';

const grant = { by: 'owner@example.com', at: '2026-01-01T00:00:00.000Z' };

test.each([
	['user', 'none', null, 'give'],
	['user', 'pending', null, 'give'],
	['user', 'open', null, undefined],
	['user', 'open', grant, 'take'],
	['admin', 'none', null, undefined],
	['admin', 'open', grant, undefined],
] as const)(
	'findBookAccessChange for the role %s, the access %s and the grant %j returns %j',
	(role, access, savedGrant, change) => {
		expect(findBookAccessChange({ access, grant: savedGrant }, role)).toBe(change);
	},
);
