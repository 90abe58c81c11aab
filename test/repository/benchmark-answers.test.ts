import { expect, it } from 'vitest';
import { createLengthCheck } from '../../bench/measure/seed-and-load.mjs';

it('createLengthCheck accepts bodies of equal length, and reports the additional fields of a longer body', () => {
	const check = createLengthCheck();
	check.require('page', 'folio', '{"id":"a"}');
	expect(() => check.require('page', 'bare', '{"id":"b"}')).not.toThrow();
	expect(() => check.require('page', 'bare', '{"id":"a","use":null}')).toThrow(
		/21 bytes in bare, 10 in folio[\s\S]*use: null/u,
	);
});
