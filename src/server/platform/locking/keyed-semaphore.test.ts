import { expect, test } from 'vitest';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

test('createKeyedSemaphore grants a fixed number of slots per key and frees a slot only once', () => {
	const places = createKeyedSemaphore(2);
	const first = places.tryAcquire('a');
	expect(places.tryAcquire('a')).not.toBeNull();
	expect(places.tryAcquire('a')).toBeNull();
	expect(places.tryAcquire('b')).not.toBeNull();
	first?.();
	first?.();
	expect(places.tryAcquire('a')).not.toBeNull();
	expect(places.tryAcquire('a')).toBeNull();
});
