import { expect, test } from 'vitest';
import { preserveNextTickShape } from './event-loop.ts';

test("an object of Node's own for a tick is kept", async () => {
	const tick = await preserveNextTickShape();
	expect(Object.getOwnPropertySymbols(tick).map(String)).toContain('Symbol(async_id_symbol)');
});
