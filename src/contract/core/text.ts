/**
 * Anything but blanks and signs that show nothing: control and format signs, fillers, and what is a letter or a mark to
 * the rules of writing and nothing to the eye.
 */
const visibleCharacter = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether there is anything to see in a text. */
export function hasVisibleCharacters(text: string): boolean {
	return visibleCharacter.test(text);
}

/**
 * A plausible address: one @, no blanks, control, invisible or list characters; a domain of at least two labels, none
 * empty, none with a dash at an end (RFC 1123, section 2.1). Letters of every script. Whether it exists, only a mail can tell.
 */
export const emailPattern =
	/^[^\s\p{C}@<>"(),;:\\[\]]+@[^\s\p{C}@.<>"(),;:\\[\]-]+(?:-+[^\s\p{C}@.<>"(),;:\\[\]-]+)*(?:\.[^\s\p{C}@.<>"(),;:\\[\]-]+(?:-+[^\s\p{C}@.<>"(),;:\\[\]-]+)*)+$/u;
