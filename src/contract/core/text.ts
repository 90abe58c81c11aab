/** The languages of the interface. */
export type Locale = 'en' | 'hi';

/**
 * Matches any character except spaces and invisible characters: control and format characters, fillers, and letters or
 * marks that Unicode defines as ignorable by default.
 */
const visibleCharacter = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has at least one visible character. */
export function hasVisibleCharacters(text: string): boolean {
	return visibleCharacter.test(text);
}

/**
 * Matches a plausible email address: one @, no spaces, control, invisible or list characters; a domain of at least two
 * labels, none empty, none with a dash at an end (RFC 1123, section 2.1). Letters of every script are allowed. Only a
 * mail can show whether the address exists.
 */
export const emailPattern =
	/^[^\s\p{C}@<>"(),;:\\[\]]+@[^\s\p{C}@.<>"(),;:\\[\]-]+(?:-+[^\s\p{C}@.<>"(),;:\\[\]-]+)*(?:\.[^\s\p{C}@.<>"(),;:\\[\]-]+(?:-+[^\s\p{C}@.<>"(),;:\\[\]-]+)*)+$/u;
