const zeroOfDevanagari = 0x0966;

/** The same with Latin digits in place of Devanagari ones. */
export function withLatinDigits(text: string): string {
	return text.replace(/[०-९]/gu, (sign) => String(sign.charCodeAt(0) - zeroOfDevanagari));
}
