/** A plausible address: one @, no blanks, control or list characters, a dot in the domain. Whether it exists, only a mail can tell. */
export const emailForm = /^[^\s\p{Cc}@<>"(),;:\\[\]]+@[^\s\p{Cc}@<>"(),;:\\[\]]+\.[^\s\p{Cc}@.<>"(),;:\\[\]]+$/u;
