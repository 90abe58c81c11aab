const devanagariZero = 0x0966;

export function devanagariToAsciiDigits(text: string): string {
	return text.replace(/[०-९]/gu, (sign) => String(sign.charCodeAt(0) - devanagariZero));
}

/** Replaces decimal digits of any script by ASCII digits. */
export function toAsciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, (figure) => String(digitValue(figure)));
}

/** Returns the value of a digit of any script (ten consecutive code points; Unicode, chapter 4.6). */
function digitValue(figure: string): number {
	let code = figure.codePointAt(0) ?? 0;
	let value = 0;
	while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
		code -= 1;
		value += 1;
	}
	return value;
}
