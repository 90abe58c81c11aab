/** A part of a whole in percent, so that a small part does not read as none: 12%, 3.4%, under 0.1%. */
export function shareOf(part: number, whole: number): string {
	const percent = (part / whole) * 100;
	if (percent > 0 && percent < 0.1) return '< 0.1%';
	return `${new Intl.NumberFormat('en-IN', { maximumFractionDigits: percent < 10 ? 1 : 0 }).format(percent)}%`;
}
