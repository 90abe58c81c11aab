import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';
import { formatMoney, formatStorageSize } from '#shared/numbers.ts';

/** Formats whole paise as rupees: ₹499, ₹1,499.50. */
export function formatRupees(paise: number): string {
	return formatMoney(paise / 100);
}

/** Caches formats. Without the cache an export would create a hundred thousand formats of some kilobytes each. */
function cachedByKey(create: (key: string) => Intl.DateTimeFormat): (key: string) => Intl.DateTimeFormat {
	const formats = new Map<string, Intl.DateTimeFormat>();
	return (key) => {
		const format = formats.get(key) ?? create(key);
		formats.set(key, format);
		return format;
	};
}

const momentParts = {
	day: 'numeric',
	month: 'short',
	year: 'numeric',
	hour: 'numeric',
	minute: '2-digit',
	hour12: true,
} as const;
const momentFormats = {
	en: cachedByKey((timeZone) => new Intl.DateTimeFormat('en-IN', { ...momentParts, timeZone })),
	// Hindi uses the part of the day (सुबह, 'in the morning') instead of am and pm.
	hi: cachedByKey((timeZone) => new Intl.DateTimeFormat('hi-IN', { ...momentParts, dayPeriod: 'short', timeZone })),
};
const dayFormat = cachedByKey((timeZone) => new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }));
const offsetFormat = cachedByKey(
	(timeZone) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
);

/** Formats a moment in the business time zone: 20 Nov 2026, 9:12 am; 20 नव॰ 2026, सुबह 9:12. */
export function formatMoment(iso: string, timeZone: string, locale: Locale): string {
	return momentFormats[locale](timeZone).format(new Date(iso));
}

/** Returns the calendar day of a moment in the business time zone, YYYY-MM-DD. */
export function dayOf(iso: string, timeZone: string): string {
	return dayFormat(timeZone).format(new Date(iso));
}

/** Returns the start of a calendar day (YYYY-MM-DD), plus some days, in the business time zone, as ISO text. */
export function startOfDay(day: string, timeZone: string, plusDays = 0): string {
	const midnight = Date.parse(`${day}T00:00:00Z`) + plusDays * 86_400_000;
	// The offset is looked up twice, because the clock may change between midnight in UTC and in the time zone.
	const estimate = midnight - offsetMs(midnight, timeZone);
	return new Date(midnight - offsetMs(estimate, timeZone)).toISOString();
}

/** Lists `count` days up to `last` (YYYY-MM-DD), oldest first, each with its start and end as ISO text in UTC. */
export function lastDays(last: string, count: number, timeZone: string) {
	const lastMidnight = Date.parse(`${last}T00:00:00Z`);
	return Array.from({ length: count }, (_, index) => {
		const day = new Date(lastMidnight - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10);
		return { day, from: startOfDay(day, timeZone), before: startOfDay(day, timeZone, 1) };
	});
}

/** Returns a Date whose local fields (`getHours()` and so on) are those of the business time zone at a moment. */
export function wallClockOf(iso: string, timeZone: string): Date {
	const moment = Date.parse(iso);
	// Without the Z at its end, ISO text is read as local time.
	return new Date(new Date(moment + offsetMs(moment, timeZone)).toISOString().slice(0, -1));
}

/** Returns how far a time zone is ahead of UTC at a moment, in milliseconds. */
function offsetMs(moment: number, timeZone: string): number {
	const parts = offsetFormat(timeZone).formatToParts(moment);
	const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
	const [, sign, hours = '0', minutes = '0', seconds = '0'] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/u.exec(name) ?? [];
	return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** Formats an amount of storage, other than the size of a listed file. */
export function formatStorage(bytes: number, locale: Locale): string {
	return formatStorageSize(bytes, m.common_less_than_kb({}, { locale }));
}

/** Formats a disk size in GB above 1 GB, otherwise in MB. */
export function formatDiskSize(bytes: number): string {
	const mb = bytes / 1024 ** 2;
	return mb > 1024 ? `${(mb / 1024).toFixed(1)} GB` : `${Math.round(mb)} MB`;
}

const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for use between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/gu, (character) => htmlEntities[character] ?? character);
}
