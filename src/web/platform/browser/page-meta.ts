/** What the server wrote into the shell's `<meta name>`; undefined where it is missing or empty. */
export function pageMeta(name: string): string | undefined {
	const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
	return content === '' ? undefined : content;
}

/**
 * The style nonce of this response, for the policy that allows no other inline style.
 * Browsers hide a nonce attribute from scripts, hence the meta element.
 */
export function styleNonce(): string {
	return pageMeta('csp-nonce') ?? '';
}
