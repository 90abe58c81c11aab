import { expect, test } from 'vitest';
import { keepTickShape, keptTick } from './tick-shape.ts';

test("an object of Node's own for a tick is kept", async () => {
	expect(keptTick()).toBeUndefined();
	keepTickShape();
	await new Promise((resolve) => setImmediate(resolve));
	const ticks = Object.getOwnPropertySymbols(keptTick() ?? {}).map(String);
	expect(ticks).toContain('Symbol(async_id_symbol)');
});
