import type { AnyRoute } from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { screens } from '#contract/core/screens.ts';

// The real guard would call the API.
vi.mock('../guards/screen-guard.ts', () => ({ guardScreen: vi.fn() }));

const { router } = await import('./router.ts');

function pathsOf(routes: Record<string, AnyRoute>): string[] {
	return Object.keys(routes).filter((path) => path !== '/');
}

test('the route tree contains exactly the screens of the contract, except the landing page', () => {
	const expectedPaths = screens.map((screen) => screen.path).filter((path) => path !== '/');
	expect(pathsOf(router.routesByPath).toSorted()).toEqual(expectedPaths.toSorted());
});

test.each(screens.filter((screen) => screen.path !== '/').map((screen) => screen.path))(
	'the router matches %s in lower, upper and mixed case',
	(path) => {
		const filledPath = path.replace('$email', 'A@Example.com').replace('$edition', 'part-1-hi');
		for (const spelling of [filledPath, filledPath.toLowerCase(), filledPath.toUpperCase()]) {
			const [, , match] = router.getMatchedRoutes(spelling);
			expect(match?.fullPath).toBe(path);
		}
	},
);

test('the router matches no screen at an unknown path', () => {
	const [, , match] = router.getMatchedRoutes('/nowhere');
	expect(match).toBeUndefined();
});
