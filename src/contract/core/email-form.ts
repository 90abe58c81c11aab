/**
 * A plausible address: one @, no blanks, control, invisible or list characters; a domain of at least two labels, none
 * empty, none with a dash at an end (RFC 1123, section 2.1). Letters of every script. Whether it exists, only a mail can tell.
 */
export const emailForm =
	/^[^\s\p{C}@<>"(),;:\\[\]]+@[^\s\p{C}@.<>"(),;:\\[\]-]+(?:-+[^\s\p{C}@.<>"(),;:\\[\]-]+)*(?:\.[^\s\p{C}@.<>"(),;:\\[\]-]+(?:-+[^\s\p{C}@.<>"(),;:\\[\]-]+)*)+$/u;
