import { createBrowserHistory, createRouter } from '@tanstack/react-router';
import { LoadingState } from '#web/ui/states/states.tsx';
import { formatSearchText, parseSearchText } from '../../platform/browser/url-state.ts';
import { routeTree } from './route-tree.tsx';

/** Escapes doubled slashes, because the router would merge them. A path with doubled slashes must not be found. */
function parseLocation() {
	const { search, hash } = window.location;
	const pathname = window.location.pathname.replaceAll(/\/{2,}/gu, '/%2F');
	return { href: `${pathname}${search}${hash}`, pathname, search, hash, state: window.history.state };
}

/** Paths match regardless of case. Search parameters are plain text. */
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
