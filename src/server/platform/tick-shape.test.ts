import { expect, test } from 'vitest';
import { keepTickShape } from './tick-shape.ts';

test("an object of Node's own for a tick is kept", async () => {
	const tick = await keepTickShape();
	expect(Object.getOwnPropertySymbols(tick).map(String)).toContain('Symbol(async_id_symbol)');
});
