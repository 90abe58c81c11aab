/** The value at the top line: the next of 2, 4, 6, 8, 10 times a power of ten, so that half of it is whole too. */
export function axisMaximum(largest: number): number {
	const power = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(largest, 1) / 10)));
	return Math.max(2, Math.ceil(largest / power / 2) * 2) * power;
}

const steps = [1, 2, 5, 7, 10, 14, 30];
/** A day's name with air around it. */
const labelWidth = 60;

/** Which days are named below the bars: as many as there is room for, evenly apart, from the last one back. */
export function dayTicks(count: number, band: number): number[] {
	if (band <= 0) return [];
	const daysPerLabel = labelWidth / band;
	const step = steps.find((days) => days >= daysPerLabel) ?? Math.ceil(daysPerLabel);
	// A name reaches beyond its own band.
	const margin = Math.max(0, Math.ceil((daysPerLabel - 1) / 2));
	const ticks: number[] = [];
	for (let at = count - 1 - margin; at >= margin; at -= step) ticks.unshift(at);
	return ticks;
}
