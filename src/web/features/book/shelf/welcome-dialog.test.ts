import { expect, test } from 'vitest';
import { hasSeenWelcome, rememberWelcome } from './welcome-dialog.tsx';

test('the welcome dialog is remembered as seen for each user under the specified key', () => {
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

test('the welcome dialog counts as unseen in a browser without storage, without an error', () => {
	const refuse = () => {
		throw new DOMException('no storage', 'SecurityError');
	};
	const store = { getItem: refuse, setItem: refuse };
	expect(hasSeenWelcome(store, 'u1')).toBe(false);
	expect(() => rememberWelcome(store, 'u1')).not.toThrow();
});
