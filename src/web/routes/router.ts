import { createRouter } from '@tanstack/react-router';
import { LoadingFace } from '#web/ui/loading-face.tsx';
import { formatSearchText, parseSearchText } from './search-text.ts';
import { routeTree } from './tree.tsx';

/** The workspace's router. Paths match without regard to case; search parameters are plain text, as people type them. */
export const router = createRouter({
	routeTree,
	defaultPendingComponent: LoadingFace,
	caseSensitive: false,
	trailingSlash: 'never',
	defaultPreload: 'intent',
	scrollRestoration: true,
	parseSearch: parseSearchText,
	stringifySearch: formatSearchText,
});
