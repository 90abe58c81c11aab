/** Returns the content of a `<meta name>` that the server wrote into the page; undefined if it is missing or empty. */
export function pageMeta(name: string): string | undefined {
	const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
	return content === '' ? undefined : content;
}

/**
 * Returns the style nonce of this response: the content security policy allows no other inline style. Browsers hide a
 * nonce attribute from scripts, hence the meta element.
 */
export function styleNonce(): string {
	return pageMeta('csp-nonce') ?? '';
}
