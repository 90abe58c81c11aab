/** What the worker does with a request: nothing at all, unless one of these ways is named. */
export type RequestKind = 'page' | 'asset' | 'call' | 'bytes';

/** As much of a request as tells its way. */
interface RequestLike {
	method: string;
	mode: string;
	url: string;
	headers: Pick<Headers, 'has'>;
}

const screenPattern = /^\/(?:dashboard|read\/[^/]+)\/?$/iu;
const callPattern = /^\/api\/(?:me|shelf|outline-pairs|reading\/part-[12]-(?:en|hi))$/u;
const editionContentPattern = /^\/api\/editions\/[^/]+\/content$/u;

/**
 * The way of a request. Only what reading without a line needs has one: two screens, the app's own files, four calls, and
 * ranges of an edition that the reader fetches; not downloads, uploads, event streams, other calls, nor the landing page.
 */
export function classifyRequest({ method, mode, url, headers }: RequestLike, origin: string): RequestKind | null {
	const { pathname, searchParams, origin: asked } = new URL(url);
	if (method !== 'GET' || asked !== origin) return null;
	if (mode === 'navigate') return screenPattern.test(pathname) ? 'page' : null;
	if (pathname.startsWith('/assets/') || pathname.startsWith('/pdfjs/')) return 'asset';
	if (callPattern.test(pathname)) return 'call';
	const isRange = headers.has('range') && searchParams.has('v') && !searchParams.has('download');
	return editionContentPattern.test(pathname) && isRange ? 'bytes' : null;
}
