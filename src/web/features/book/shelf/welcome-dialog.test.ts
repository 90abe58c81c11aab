import { expect, test } from 'vitest';
import { hasSeenWelcome, rememberWelcome } from './welcome-dialog.tsx';

test('the welcome is put away per person, under the specified name', () => {
	const kept = new Map<string, string>();
	const store = {
		getItem: (key: string) => kept.get(key) ?? null,
		setItem: (key: string, value: string) => void kept.set(key, value),
	};
	expect(hasSeenWelcome(store, 'u1')).toBe(false);
	rememberWelcome(store, 'u1');
	expect([...kept.keys()]).toEqual(['welcome_seen_u1']);
	expect([hasSeenWelcome(store, 'u1'), hasSeenWelcome(store, 'u2')]).toEqual([true, false]);
});

test('a browser without storage shows it, and nothing breaks', () => {
	const refuse = () => {
		throw new DOMException('no storage', 'SecurityError');
	};
	const store = { getItem: refuse, setItem: refuse };
	expect(hasSeenWelcome(store, 'u1')).toBe(false);
	expect(() => rememberWelcome(store, 'u1')).not.toThrow();
});
