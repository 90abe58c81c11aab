const devanagariZero = 0x0966;

/** The same with Latin digits in place of Devanagari ones. */
export function devanagariToAsciiDigits(text: string): string {
	return text.replace(/[०-९]/gu, (sign) => String(sign.charCodeAt(0) - devanagariZero));
}

/** Figures of any writing as we write them. */
export function toAsciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, (figure) => String(digitValue(figure)));
}

/** Decimal figures stand in tens of code points, in every writing (Unicode, chapter 4.6). */
function digitValue(figure: string): number {
	let code = figure.codePointAt(0) ?? 0;
	let value = 0;
	while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
		code -= 1;
		value += 1;
	}
	return value;
}
