import { expect, test } from 'vitest';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

test('a key has so many places; one given back, however often, is free once', () => {
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
