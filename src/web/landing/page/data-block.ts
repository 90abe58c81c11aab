/** Returns JSON for a `<script>` element. Escapes characters that could close the element or open a comment. */
export function toDataBlock(value: unknown): string {
	const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return JSON.stringify(value).replace(/[<>&\u2028\u2029]/gu, toEscape);
}

/** Reads the output of {@link toDataBlock}. @throws if the element is missing or contains no JSON */
export function readDataBlock<T>(id: string): T {
	const block = document.getElementById(id);
	if (!block?.textContent) throw new Error(`The page has no data block "${id}".`);
	return JSON.parse(block.textContent) as T;
}
