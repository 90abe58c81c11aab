export const locales = ['en', 'hi'] as const;
export type Locale = (typeof locales)[number];

/** Each language's own name. */
export const languageNames = { en: 'English', hi: 'हिन्दी' } as const;

/** Matches any character that is visible: no space, control or format character, filler or ignorable mark. */
const visibleCharacter = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

export function hasVisibleCharacters(text: string): boolean {
	return visibleCharacter.test(text);
}

/**
 * Matches a plausible email address: one @, no spaces, control, invisible or list characters. The domain has at least
 * two labels. No label is empty, and none begins or ends with a dash (RFC 1123, section 2.1). Letters of every script
 * are allowed.
 */
export const emailPattern =
	/^[^\s\p{C}@<>"(),;:\\[\]]+@[^\s\p{C}@.<>"(),;:\\[\]-]+(?:-+[^\s\p{C}@.<>"(),;:\\[\]-]+)*(?:\.[^\s\p{C}@.<>"(),;:\\[\]-]+(?:-+[^\s\p{C}@.<>"(),;:\\[\]-]+)*)+$/u;

/** Whether an address, parsed as in browsers, is safe to link to: its scheme cannot run code. */
export function isSafeAddress(address: string): boolean {
	const url = URL.parse(address);
	return url !== null && ['https:', 'http:', 'mailto:'].includes(url.protocol);
}

/** Whether an address is a path on this server; `//host` and `/\host` would lead to another server. */
export function isOwnPath(address: string): boolean {
	return /^\/(?![/\\])[^\s\p{C}\\]*$/u.test(address);
}

/** Whether an address can receive mail: names below .local, such as the first owner's, exist only in a local network. */
export function canReceiveMail(email: string): boolean {
	return !/\.local$/iu.test(email.trim());
}
