/** The part of the day at a moment, in a time zone; the small hours still belong to the evening. */
export function greetingAt(now: Date, timeZone: string): 'morning' | 'afternoon' | 'evening' {
	const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(now));
	if (hour < 4 || hour >= 17) return 'evening';
	return hour < 12 ? 'morning' : 'afternoon';
}
