import { limits } from '#contract/core/limits.ts';
import { endingOf } from '#contract/files/file-types.ts';
import { AppError } from '../../platform/app-error.ts';

const number = /^\d+/u;

/** What a name is compared by: NFC and case-folded, so that NFC and NFD twins are one name. */
export function nameKeyOf(name: string): string {
	return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
}

/**
 * What a name is sorted by, in plain byte order: names with a numeric prefix first and by its value, then
 * alphabetically without regard to case. Source: the specification's section 9.
 */
export function sortKeyOf(name: string): string {
	const key = nameKeyOf(name);
	const prefix = number.exec(key)?.[0];
	if (prefix === undefined) return `1${key}`;
	const value = prefix.replace(/^0+(?=\d)/u, '');
	// More digits, larger number; a name has at most 255.
	return `0${String(value.length).padStart(3, '0')}${value}${key.slice(prefix.length)}`;
}

export { endingOf };

/**
 * A name as it is kept: trimmed, NFC, otherwise as typed.
 * @throws AppError NAME_INVALID ('/', control characters, only dots), NAME_TOO_LONG (255 bytes)
 */
export function requireName(name: string): string {
	const kept = name.trim().normalize('NFC');
	const fail = (code: 'NAME_INVALID' | 'NAME_TOO_LONG', text: string) => new AppError(code, { fields: { name: text } });
	if (kept === '' || /^\.+$/u.test(kept) || /[/\\\p{Cc}]/u.test(kept) || !kept.isWellFormed())
		throw fail('NAME_INVALID', 'error_name_invalid');
	if (Buffer.byteLength(kept) > limits.nameMaxBytes) throw fail('NAME_TOO_LONG', 'error_name_too_long');
	return kept;
}
