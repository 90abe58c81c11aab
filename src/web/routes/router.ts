import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { routeTree } from './tree.tsx';

/** The workspace's router. Paths match without regard to case; search parameters are plain text, as people type them. */
export const router = createRouter({
	routeTree,
	caseSensitive: false,
	trailingSlash: 'never',
	defaultPreload: 'intent',
	scrollRestoration: true,
	parseSearch: parseSearchWith((value) => value),
	stringifySearch: stringifySearchWith(String),
});
