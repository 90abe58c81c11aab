import { expect, test } from 'vitest';
import { createPlaces } from './places.ts';

test('a key has so many places; one given back, however often, is free once', () => {
	const places = createPlaces(2);
	const first = places.take('a');
	expect(places.take('a')).not.toBeNull();
	expect(places.take('a')).toBeNull();
	expect(places.take('b')).not.toBeNull();
	first?.();
	first?.();
	expect(places.take('a')).not.toBeNull();
	expect(places.take('a')).toBeNull();
});
