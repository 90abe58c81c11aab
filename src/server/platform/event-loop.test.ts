import { expect, test } from 'vitest';
import { preserveNextTickShape } from './event-loop.ts';

test('preserveNextTickShape keeps a tick object of Node with its async ID symbol', async () => {
	const tick = await preserveNextTickShape();
	expect(Object.getOwnPropertySymbols(tick).map(String)).toContain('Symbol(async_id_symbol)');
});
