type RequestKind = 'page' | 'asset' | 'call' | 'bytes';

type RequestLike = Record<'method' | 'mode' | 'url', string> & { headers: Pick<Headers, 'has'> };

const screenPattern = /^\/(?:dashboard|read\/[^/]+)\/?$/iu;
const callPattern = /^\/api\/(?:me|shelf|outline-pairs|reading\/part-\d{1,2}-[a-z]{2,8})$/u;
const editionContentPattern = /^\/api\/editions\/[^/]+\/content$/u;

/** Returns null for requests that offline reading does not need. The browser handles these requests. */
export function classifyRequest({ method, mode, url, headers }: RequestLike, origin: string): RequestKind | null {
	const { pathname, searchParams, origin: requestOrigin } = new URL(url);
	if (method !== 'GET' || requestOrigin !== origin) return null;
	if (mode === 'navigate') return screenPattern.test(pathname) ? 'page' : null;
	if (pathname.startsWith('/assets/') || pathname.startsWith('/pdfjs/')) return 'asset';
	if (callPattern.test(pathname)) return 'call';
	const isRange = headers.has('range') && searchParams.has('v') && !searchParams.has('download');
	return editionContentPattern.test(pathname) && isRange ? 'bytes' : null;
}
