/** Replaces decimal digits of any script by ASCII digits. */
export function toAsciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, (figure) => String(digitValue(figure)));
}

/** Returns the value of a digit of any script. A script's digits are ten consecutive code points (Unicode, 4.6). */
function digitValue(figure: string): number {
	let code = figure.codePointAt(0) ?? 0;
	let value = 0;
	while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
		code -= 1;
		value += 1;
	}
	return value;
}

/** Formats the size of a file in KB, or in MB above 1024 KB, with two decimals. Source: the specification's section 9. */
export function formatSize(bytes: number): string {
	const kb = bytes / 1024;
	return kb > 1024 ? `${(kb / 1024).toFixed(2)} MB` : `${kb.toFixed(2)} KB`;
}

const bytesPerGb = 1024 ** 3;

/** Formats storage use, a quota or the size of a disk. `lessThanKb`: the text for a size below 1 KB, except 0. */
export function formatStorageSize(bytes: number, lessThanKb: string): string {
	if (bytes === 0) return '0 KB';
	if (bytes < 1024) return lessThanKb;
	return bytes < bytesPerGb ? formatSize(bytes) : `${(bytes / bytesPerGb).toFixed(2)} GB`;
}

/** Formats rupees by the en-IN rules: ₹60,878; paise only if there are any. */
export function formatMoney(rupees: number): string {
	const digits = Number.isInteger(rupees) ? 0 : 2;
	return new Intl.NumberFormat('en-IN', {
		style: 'currency',
		currency: 'INR',
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
	}).format(rupees);
}

/** Formats an integer by the en-IN rules: 1,22,000. */
export function formatCount(count: number): string {
	return new Intl.NumberFormat('en-IN').format(count);
}

/** Formats a duration in minutes and seconds: 1:05. */
export function formatDuration(seconds: number): string {
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
