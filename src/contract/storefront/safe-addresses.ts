/** Whether an address, parsed as in browsers, is safe to link to: its scheme cannot run code. */
export function isSafeAddress(address: string): boolean {
	const url = URL.parse(address);
	return url !== null && ['https:', 'http:', 'mailto:'].includes(url.protocol);
}

/** Whether an address is a path on this server; `//host` and `/\host` would lead to another server. */
export function isOwnPath(address: string): boolean {
	return /^\/(?![/\\])[^\s\p{C}\\]*$/u.test(address);
}
