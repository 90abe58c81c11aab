/**
 * JSON for `<script type="application/json">`: nothing in it can close the element or open a comment, and it parses to
 * the same value.
 */
export function toDataBlock(value: unknown): string {
	const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return JSON.stringify(value).replace(/[<>&\u2028\u2029]/gu, toEscape);
}

/** Reads what {@link toDataBlock} wrote. Throws when the block is missing or no JSON. */
export function readDataBlock<T>(id: string): T {
	const block = document.getElementById(id);
	if (!block?.textContent) throw new Error(`The page carries no data block "${id}".`);
	return JSON.parse(block.textContent) as T;
}
