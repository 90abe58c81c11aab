/** A plausible address: one @, no blanks or list characters, a dot in the domain. Whether it exists, only a mail can tell. */
export const emailForm = /^[^\s@<>"(),;:\\[\]]+@[^\s@<>"(),;:\\[\]]+\.[^\s@.<>"(),;:\\[\]]+$/u;
