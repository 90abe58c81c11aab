import { expect, test } from 'vitest';
import { withFreshNonce } from './app-shell-cache.ts';

const policy = "default-src 'none'; style-src 'self' 'nonce-b2xk'; script-src 'self'";

test('withFreshNonce replaces the nonce in the page and in its policy by a new one, and changes nothing else in the policy', () => {
	const nonces = new Set<string>();
	for (let attempt = 0; attempt < 3; attempt++) {
		const fresh = withFreshNonce('<meta name="csp-nonce" content="b2xk">', policy);
		const nonce = /content="([^"]+)"/u.exec(fresh.html)?.[1] ?? '';
		expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/u);
		expect(fresh.policy).toBe(policy.replace('b2xk', nonce));
		nonces.add(nonce);
	}
	expect(nonces.size).toBe(3);
});

test('withFreshNonce leaves a page without a nonce unchanged', () => {
	expect(withFreshNonce('<p>', "default-src 'none'")).toEqual({ html: '<p>', policy: "default-src 'none'" });
});
