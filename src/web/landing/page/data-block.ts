const dangerous: Record<string, string> = {
	'<': '\\u003c',
	'>': '\\u003e',
	'&': '\\u0026',
	'\u2028': '\\u2028',
	'\u2029': '\\u2029',
};

/**
 * JSON for `<script type="application/json">`: nothing in it can close the element or open a comment, and it parses to
 * the same value.
 */
export function toDataBlock(value: unknown): string {
	return JSON.stringify(value).replace(/[<>&\u2028\u2029]/gu, (character) => dangerous[character] ?? character);
}

/** Reads what {@link toDataBlock} wrote. Throws when the block is missing or no JSON. */
export function readDataBlock<T>(id: string): T {
	const block = document.getElementById(id);
	if (!block?.textContent) throw new Error(`The page carries no data block "${id}".`);
	return JSON.parse(block.textContent) as T;
}
