import { extensionOf } from '#contract/files/file-types.ts';

const forbiddenCharacters = /[<>:"/\\|?*\p{Cc}]/gu;
/** Matches device names of Windows. Source: Microsoft, "Naming Files, Paths, and Namespaces". */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

/** Returns a name that is valid on every system: no forbidden characters, device names, trailing dots or spaces. */
function safeName(name: string): string {
	const plain = name.replace(forbiddenCharacters, '_').replace(/[. ]+$/u, (end) => '_'.repeat(end.length));
	const safe = plain === '' ? '_' : plain;
	return deviceName.test(safe) ? `_${safe}` : safe;
}

/** Creates a function that makes the names of one ZIP folder unique without regard to case: `a.txt`, `A (2).txt`. */
export function createUniqueNames(): (name: string, kind: 'folder' | 'file') => string {
	const takenNames = new Set<string>();
	const keyOf = (name: string) => name.normalize('NFC').toUpperCase().toLowerCase();
	return (name, kind) => {
		const safe = safeName(name);
		const dot = kind === 'file' ? safe.lastIndexOf('.') : -1;
		const [stem, extension] = dot > 0 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, ''];
		let free = safe;
		for (let number = 2; takenNames.has(keyOf(free)); number += 1) free = `${stem} (${number})${extension}`;
		takenNames.add(keyOf(free));
		return free;
	};
}

const compressibleExtension = /^(?:bmp|csv|doc|html?|json|log|md|rtf|svg|txt|wav|xls|xml)$/u;

/** Whether compressing is worthwhile, judged by the name. Images, videos, PDFs and archives are already compressed. */
export function isCompressible(name: string): boolean {
	return compressibleExtension.test(extensionOf(name));
}
