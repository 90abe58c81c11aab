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
