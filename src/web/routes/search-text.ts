/**
 * Search parameters as plain text, both ways. The router's own reader turns `path=1793161800000` into a number and
 * `search=true` into a boolean, and a folder's path or a search for digits would be lost.
 */
export function parseSearchText(text: string): Record<string, string> {
	return Object.fromEntries(new URLSearchParams(text));
}

/** @returns '' or the parameters behind a question mark; what is undefined does not appear */
export function formatSearchText(search: Record<string, unknown>): string {
	const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
	const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
	return text === '' ? '' : `?${text}`;
}
