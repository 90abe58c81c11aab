/**
 * Whether the client has a stored response with this ETag, so that 304 is enough (RFC 9110, section 13.1.2). The
 * comparison is weak: it ignores `W/`.
 * @param header value of If-None-Match: `*` or a list of ETags
 */
export function hasCurrentResponse(header: string | undefined, etag: string): boolean {
	if (header === undefined) return false;
	const withoutWeakness = (tag: string) => tag.trim().replace(/^W\//u, '');
	return header.trim() === '*' || header.split(',').some((tag) => withoutWeakness(tag) === withoutWeakness(etag));
}
