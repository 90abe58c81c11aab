import { expect, test, vi } from 'vitest';
import { screens } from '#contract/core/screens.ts';

// The real guard would call the API.
vi.mock('../guards/screen-guard.ts', () => ({ guardScreen: vi.fn() }));

const { router } = await import('./router.tsx');

test('the route tree contains exactly the screens of the contract, except the landing page', () => {
	const withoutLandingPage = (paths: readonly string[]) => paths.filter((path) => path !== '/').toSorted();
	const routePaths = withoutLandingPage(Object.keys(router.routesByPath));
	expect(routePaths).toEqual(withoutLandingPage(screens.map(({ path }) => path)));
});
