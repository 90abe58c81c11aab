import { createBrowserHistory, createRouter } from '@tanstack/react-router';
import { LoadingState } from '#web/ui/states/loading-state.tsx';
import { formatSearchText, parseSearchText } from '../../platform/browser/url-state.ts';
import { routeTree } from './route-tree.tsx';

/**
 * The router folds doubled slashes, which make an unknown address for the contract and the server: here they are written
 * in the way that it leaves alone.
 */
function parseLocation() {
	const { search, hash } = window.location;
	const pathname = window.location.pathname.replaceAll(/\/{2,}/gu, '/%2F');
	return { href: `${pathname}${search}${hash}`, pathname, search, hash, state: window.history.state };
}

/** The workspace's router. Paths match without regard to case; search parameters are plain text, as people type them. */
export const router = createRouter({
	routeTree,
	...(typeof window !== 'undefined' && { history: createBrowserHistory({ parseLocation }) }),
	defaultPendingComponent: LoadingState,
	caseSensitive: false,
	trailingSlash: 'never',
	defaultPreload: 'intent',
	scrollRestoration: true,
	parseSearch: parseSearchText,
	stringifySearch: formatSearchText,
});
