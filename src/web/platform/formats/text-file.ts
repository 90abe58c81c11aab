/** Reads UTF-8, or UTF-16 with a byte order mark (Excel's 'Unicode Text'). @throws TypeError for any other file */
export async function readTextFile(file: Blob): Promise<string> {
	const bytes = new Uint8Array(await file.arrayBuffer());
	const [first, second] = bytes;
	const encoding =
		first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
	const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
	if (text.includes('\0')) throw new TypeError('Not a text file.');
	return text;
}
