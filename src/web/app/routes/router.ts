import { createBrowserHistory, createRouter } from '@tanstack/react-router';
import { LoadingState } from '#web/ui/states/states.tsx';
import { formatSearchText, parseSearchText } from '../../platform/browser/url-state.ts';
import { routeTree } from './route-tree.tsx';

/** Parses the location. The router merges doubled slashes, which our contract treats as unknown: they are escaped. */
function parseLocation() {
	const { search, hash } = window.location;
	const pathname = window.location.pathname.replaceAll(/\/{2,}/gu, '/%2F');
	return { href: `${pathname}${search}${hash}`, pathname, search, hash, state: window.history.state };
}

/** The workspace's router. Paths match regardless of case; search parameters are plain text, as users type them. */
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
