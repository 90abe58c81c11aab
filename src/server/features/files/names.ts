import { limits } from '#contract/core/limits.ts';
import { endingOf, filterGroupOf } from '#contract/files/file-types.ts';
import { AppError } from '../../platform/app-error.ts';

const number = /^\d+/u;

/** Signs that show nothing: blanks, format signs and marks without a letter, fillers. A name of these alone cannot be seen. */
const unseen = /^[\p{Z}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u{2800}]+$/u;

/** What a name is compared by: NFC and case-folded, so that NFC and NFD twins are one name. */
export function nameKeyOf(name: string): string {
	return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
}

/**
 * What a name is sorted by, in plain byte order: names with a numeric prefix first and by its value, then
 * alphabetically without regard to case. Source: the specification's section 9.
 */
function sortKeyOf(name: string): string {
	const key = nameKeyOf(name);
	const prefix = number.exec(key)?.[0];
	if (prefix === undefined) return `1${key}`;
	const value = prefix.replace(/^0+(?=\d)/u, '');
	// More digits, larger number; a name has at most 255.
	return `0${String(value.length).padStart(3, '0')}${value}${key.slice(prefix.length)}`;
}

/** Everything that a row keeps of a name. */
export function namesOf(name: string, kind: 'folder' | 'file') {
	const isFile = kind === 'file';
	return {
		name,
		name_key: nameKeyOf(name),
		sort_key: sortKeyOf(name),
		ending: isFile ? endingOf(name) : '',
		filter_group: isFile ? filterGroupOf(name) : '',
	};
}

export { endingOf };

/**
 * A name as it is kept: trimmed, NFC, otherwise as typed.
 * @throws AppError NAME_INVALID ('/', control characters, only dots, nothing to be seen), NAME_TOO_LONG (255 bytes)
 */
export function requireName(name: string): string {
	const kept = name.trim().normalize('NFC');
	const fail = (code: 'NAME_INVALID' | 'NAME_TOO_LONG', text: string) => new AppError(code, { fields: { name: text } });
	if (kept === '' || /^\.+$/u.test(kept) || unseen.test(kept) || /[/\\\p{Cc}]/u.test(kept) || !kept.isWellFormed())
		throw fail('NAME_INVALID', 'error_name_invalid');
	if (Buffer.byteLength(kept) > limits.nameMaxBytes) throw fail('NAME_TOO_LONG', 'error_name_too_long');
	return kept;
}

/**
 * The name itself when it is free, else with the next free number before its ending: `report (2).pdf`.
 * @param find looks a name key up in the folder
 */
export async function freeNameFor(
	name: string,
	kind: 'folder' | 'file',
	find: (nameKey: string) => Promise<unknown>,
): Promise<string> {
	if ((await find(nameKeyOf(name))) === undefined) return name;
	const dot = kind === 'file' ? name.lastIndexOf('.') : -1;
	const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
	for (let number = 2; ; number += 1) {
		const mark = ` (${number})${ending}`;
		const candidate = `${shorten(stem, limits.nameMaxBytes - Buffer.byteLength(mark))}${mark}`;
		if ((await find(nameKeyOf(candidate))) === undefined) return candidate;
	}
}

/** As many whole characters as fit into so many bytes. */
function shorten(text: string, maxBytes: number): string {
	let kept = text;
	while (Buffer.byteLength(kept) > maxBytes) kept = [...kept].slice(0, -1).join('');
	return kept;
}
