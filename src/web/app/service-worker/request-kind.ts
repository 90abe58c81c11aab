/** How the worker handles a request; null means not at all. */
type RequestKind = 'page' | 'asset' | 'call' | 'bytes';

/** The parts of a request that decide how it is handled. */
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
 * Returns how a request is handled: only two screens, the app's own files, four calls, and ranges of an edition that
 * the reader fetches, which is what offline reading needs.
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
