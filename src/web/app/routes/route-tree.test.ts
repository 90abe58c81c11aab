import type { AnyRoute } from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { screens } from '#contract/core/screens.ts';

// The guard's client needs a page's address only when it is called.
vi.mock('../guards/screen-guard.ts', () => ({ guardScreen: vi.fn() }));

const { router } = await import('./router.ts');

function pathsOf(routes: Record<string, AnyRoute>): string[] {
	return Object.keys(routes).filter((path) => path !== '/');
}

test('the router knows every screen of the contract but the landing page, and no other', () => {
	const wanted = screens.map((screen) => screen.path).filter((path) => path !== '/');
	expect(pathsOf(router.routesByPath).toSorted()).toEqual(wanted.toSorted());
});

test.each(screens.filter((screen) => screen.path !== '/').map((screen) => screen.path))(
	'%s is found without regard to case',
	(path) => {
		const typed = path.replace('$email', 'A@Example.com').replace('$edition', 'part-1-hi');
		for (const spelling of [typed, typed.toLowerCase(), typed.toUpperCase()]) {
			const [, , found] = router.getMatchedRoutes(spelling);
			expect(found?.fullPath).toBe(path);
		}
	},
);

test('an unknown route is found nowhere', () => {
	const [, , found] = router.getMatchedRoutes('/nowhere');
	expect(found).toBeUndefined();
});
