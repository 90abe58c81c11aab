import { expect, test } from 'vitest';
import { newId, newTimedId } from './ids.ts';

test('ids are 128 bits as base64url and never repeat; timed ids of one moment have the same beginning', () => {
	const makers = { newId, newTimedId };
	const ids = Object.values(makers).flatMap((make) => Array.from({ length: 3000 }, make));
	expect(new Set(ids).size).toBe(6000);
	expect(ids.filter((id) => !/^[\w-]{22}$/u.test(id))).toEqual([]);
	const before = Date.now();
	const bytes = Buffer.from(newTimedId(), 'base64url');
	expect(bytes.readUIntBE(0, 6)).toBeGreaterThanOrEqual(before);
	expect(bytes.readUIntBE(0, 6)).toBeLessThanOrEqual(Date.now());
});
