/** A plausible address: one @, no blanks, control, invisible or list characters, a dot in the domain. Whether it exists, only a mail can tell. */
export const emailForm = /^[^\s\p{C}@<>"(),;:\\[\]]+@[^\s\p{C}@<>"(),;:\\[\]]+\.[^\s\p{C}@.<>"(),;:\\[\]]+$/u;
