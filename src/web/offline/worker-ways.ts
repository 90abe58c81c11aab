/** What the worker does with a request: nothing at all, unless one of these ways is named. */
export type Way = 'page' | 'asset' | 'call' | 'bytes';

/** As much of a request as tells its way. */
interface Asked {
	method: string;
	mode: string;
	url: string;
	headers: Pick<Headers, 'has'>;
}

const pages = /^\/(?:dashboard|read\/[^/]+)\/?$/iu;
const calls = /^\/api\/(?:me|shelf|outline-pairs|reading\/part-[12]-(?:en|hi))$/u;
const editions = /^\/api\/editions\/[^/]+\/content$/u;

/**
 * The way of a request. Only what reading without a line needs has one: two screens, the app's own files, four calls, and
 * ranges of an edition that the reader fetches; not downloads, uploads, event streams, other calls, nor the landing page.
 */
export function wayOf({ method, mode, url, headers }: Asked, origin: string): Way | null {
	const { pathname, searchParams, origin: asked } = new URL(url);
	if (method !== 'GET' || asked !== origin) return null;
	if (mode === 'navigate') return pages.test(pathname) ? 'page' : null;
	if (pathname.startsWith('/assets/') || pathname.startsWith('/pdfjs/')) return 'asset';
	if (calls.test(pathname)) return 'call';
	const isRange = headers.has('range') && searchParams.has('v') && !searchParams.has('download');
	return editions.test(pathname) && isRange ? 'bytes' : null;
}
