/**
 * Writes all other characters as escapes. V8 keeps a file with a single character outside of Latin-1 in two bytes for
 * each character, for as long as the program runs: 14 MB more for the server, whose texts are partly Hindi.
 * @returns {import('vite').Plugin}
 */
export function asciiPlugin() {
	return {
		name: 'ascii',
		generateBundle(_options, bundle) {
			for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = toAscii(chunk);
		},
	};
}

function toAscii({ code, fileName }) {
	// An escape after a backslash would have another meaning.
	const unsafe = /\\[^\0-\x7f]/u.exec(code);
	if (unsafe !== null) throw new Error(`${fileName} has a backslash before ${unsafe[0].slice(1)}.`);
	return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
