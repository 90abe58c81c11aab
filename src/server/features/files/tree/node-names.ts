import { limits } from '#contract/core/limits.ts';
import { extensionOf, filterGroupOf } from '#contract/files/file-types.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { findNodeByNameKey } from './tree.queries.ts';

const leadingNumber = /^\d+/u;

/** Matches a name without visible characters: only spaces, format characters, combining marks and blank symbols. */
const invisibleName = /^[\p{Z}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u{2800}]+$/u;

/** Returns the key by which names are compared: NFC and case-folded, so that NFC and NFD forms are the same name. */
export function nameKeyOf(name: string): string {
	return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
}

/** Names that start with a number come first, sorted by number. Source: the specification's section 9. */
function sortKeyOf(name: string): string {
	const key = nameKeyOf(name);
	const prefix = leadingNumber.exec(key)?.[0];
	if (prefix === undefined) return `1${key}`;
	const value = prefix.replace(/^0+(?=\d)/u, '');
	// The number of digits comes first, so that 10 sorts after 9. A name has at most 255 digits.
	return `0${String(value.length).padStart(3, '0')}${value}${key.slice(prefix.length)}`;
}

export function nameColumnsOf(name: string, kind: 'folder' | 'file') {
	const isFile = kind === 'file';
	return {
		name,
		name_key: nameKeyOf(name),
		sort_key: sortKeyOf(name),
		ending: isFile ? extensionOf(name) : '',
		filter_group: isFile ? filterGroupOf(name) : '',
	};
}

/**
 * Returns a name as it is stored: trimmed, NFC, otherwise as typed.
 * @throws AppError NAME_INVALID (slashes, control characters, lone surrogates, only dots, no visible character),
 * NAME_TOO_LONG (over 255 bytes)
 */
export function requireName(name: string): string {
	const normalized = name.trim().normalize('NFC');
	const fail = (code: 'NAME_INVALID' | 'NAME_TOO_LONG', text: string) => new AppError(code, { fields: { name: text } });
	if (
		normalized === '' ||
		/^\.+$/u.test(normalized) ||
		invisibleName.test(normalized) ||
		/[/\\\p{Cc}]/u.test(normalized) ||
		!normalized.isWellFormed()
	)
		throw fail('NAME_INVALID', 'error_name_invalid');
	if (Buffer.byteLength(normalized) > limits.nameMaxBytes) throw fail('NAME_TOO_LONG', 'error_name_too_long');
	return normalized;
}

/** Returns the name if no node in the folder has it, else the name with a number, as in `report (2).pdf`. */
export async function findFreeName(
	tx: Db,
	{ ownerId, path }: { ownerId: string; path: string },
	name: string,
	kind: 'folder' | 'file',
) {
	const isFree = async (candidateName: string) =>
		(await findNodeByNameKey(tx, ownerId, path, nameKeyOf(candidateName))) === undefined;
	if (await isFree(name)) return name;
	const dot = kind === 'file' ? name.lastIndexOf('.') : -1;
	const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
	for (let number = 2; ; number += 1) {
		const suffix = ` (${number})${extension}`;
		const candidate = `${truncateToBytes(stem, limits.nameMaxBytes - Buffer.byteLength(suffix))}${suffix}`;
		if (await isFree(candidate)) return candidate;
	}
}

function truncateToBytes(text: string, maxBytes: number): string {
	let truncated = text;
	while (Buffer.byteLength(truncated) > maxBytes) truncated = [...truncated].slice(0, -1).join('');
	return truncated;
}
