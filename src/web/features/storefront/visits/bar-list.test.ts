import { expect, test } from 'vitest';
import { formatShare } from './bar-list.tsx';

test.each([
	[0, 300, '0%'],
	[1, 100_000, '< 0.1%'],
	[1, 300, '0.3%'],
	[34, 1000, '3.4%'],
	[123, 1000, '12%'],
	[1000, 1000, '100%'],
	[3, 2, '150%'],
])('formatShare formats %d of %d as %s', (part, whole, text) => {
	expect(formatShare(part, whole)).toBe(text);
});
