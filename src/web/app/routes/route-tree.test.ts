import type { AnyRoute } from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { screens } from '#contract/core/screens.ts';

// The real guard would call the API at the address of the page, which this test does not have.
vi.mock('../guards/screen-guard.ts', () => ({ guardScreen: vi.fn() }));

const { router } = await import('./router.ts');

function pathsOf(routes: Record<string, AnyRoute>): string[] {
	return Object.keys(routes).filter((path) => path !== '/');
}

test('the router has exactly the screens of the contract except the landing page', () => {
	const wanted = screens.map((screen) => screen.path).filter((path) => path !== '/');
	expect(pathsOf(router.routesByPath).toSorted()).toEqual(wanted.toSorted());
});

test.each(screens.filter((screen) => screen.path !== '/').map((screen) => screen.path))(
	'the router matches %s in lower, upper and mixed case',
	(path) => {
		const typed = path.replace('$email', 'A@Example.com').replace('$edition', 'part-1-hi');
		for (const spelling of [typed, typed.toLowerCase(), typed.toUpperCase()]) {
			const [, , found] = router.getMatchedRoutes(spelling);
			expect(found?.fullPath).toBe(path);
		}
	},
);

test('the router matches no screen for an unknown path', () => {
	const [, , found] = router.getMatchedRoutes('/nowhere');
	expect(found).toBeUndefined();
});
