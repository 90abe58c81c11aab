import { createRouter } from '@tanstack/react-router';
import { formatSearchText, parseSearchText } from './search-text.ts';
import { routeTree } from './tree.tsx';

/** The workspace's router. Paths match without regard to case; search parameters are plain text, as people type them. */
export const router = createRouter({
	routeTree,
	caseSensitive: false,
	trailingSlash: 'never',
	defaultPreload: 'intent',
	scrollRestoration: true,
	parseSearch: parseSearchText,
	stringifySearch: formatSearchText,
});
