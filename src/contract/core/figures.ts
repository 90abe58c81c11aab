/** Figures of any writing as we write them. */
export function plainFigures(text: string): string {
	return text.replace(/\p{Nd}/gu, (figure) => String(valueOfFigure(figure)));
}

/** Decimal figures stand in tens of code points, in every writing (Unicode, chapter 4.6). */
function valueOfFigure(figure: string): number {
	let code = figure.codePointAt(0) ?? 0;
	let value = 0;
	while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
		code -= 1;
		value += 1;
	}
	return value;
}
