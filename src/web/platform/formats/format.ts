import { pageMeta } from '../browser/page-meta.ts';
import { currentLocale, type Locale } from './locale.ts';

/** The business time zone where the server named none. Source: readings, Routes. */
const defaultTimeZone = 'Asia/Kolkata';

const bytesPerKb = 1024;

/** Sizes in KB, or MB above 1024 KB, with two decimals. Source: the specification's section 9. */
export function formatSize(bytes: number): string {
	const kb = bytes / bytesPerKb;
	return kb > 1024 ? `${(kb / 1024).toFixed(2)} MB` : `${kb.toFixed(2)} KB`;
}

/** Rupees in the en-IN manner: ₹60,878; paise only where there are any. */
export function formatMoney(rupees: number): string {
	const digits = Number.isInteger(rupees) ? 0 : 2;
	return new Intl.NumberFormat('en-IN', {
		style: 'currency',
		currency: 'INR',
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
	}).format(rupees);
}

/** Whole numbers in the en-IN manner: 1,22,000. */
export function formatCount(count: number): string {
	return new Intl.NumberFormat('en-IN').format(count);
}

/** The business time zone, as the server wrote it into the page. */
export function businessTimeZone(): string {
	return (typeof document === 'undefined' ? undefined : pageMeta('time-zone')) ?? defaultTimeZone;
}

const dateParts = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const shortDateParts = { day: 'numeric', month: 'short' } as const;
const timeParts = { hour: 'numeric', minute: '2-digit', hour12: true } as const;

/** In the Indian manner, in a language's words. */
function formatParts(iso: string, options: Intl.DateTimeFormatOptions, timeZone: string, locale: Locale): string {
	return new Intl.DateTimeFormat(`${locale}-IN`, { ...options, timeZone })
		.format(new Date(iso))
		.replaceAll('\u202f', ' ');
}

/** `14 Nov 2026`. */
export function formatDate(
	iso: string,
	timeZone: string = businessTimeZone(),
	locale: Locale = currentLocale(),
): string {
	return formatParts(iso, dateParts, timeZone, locale);
}

/** `20 Nov`: for narrow tables, beside the whole date in a title. */
export function formatShortDate(iso: string, timeZone: string = businessTimeZone()): string {
	return formatParts(iso, shortDateParts, timeZone, currentLocale());
}

/** A calendar day (YYYY-MM-DD): `14 Nov 2026`, or `14 Nov`. */
export function formatDay(day: string, length: 'long' | 'short' = 'long'): string {
	return length === 'long' ? formatDate(day, 'UTC') : formatShortDate(day, 'UTC');
}

/** `4:32 pm`; in Hindi by the part of the day, as people say it: `शाम 4:32`. */
export function formatTime(
	iso: string,
	timeZone: string = businessTimeZone(),
	locale: Locale = currentLocale(),
): string {
	return formatParts(iso, locale === 'hi' ? { ...timeParts, dayPeriod: 'short' } : timeParts, timeZone, locale);
}

/** `14 Nov 2026, 4:32 pm`. */
export function formatDateTime(
	iso: string,
	timeZone: string = businessTimeZone(),
	locale: Locale = currentLocale(),
): string {
	return `${formatDate(iso, timeZone, locale)}, ${formatTime(iso, timeZone, locale)}`;
}

/** Whether a moment lies on today's date in the business time zone. */
export function isToday(iso: string, now: Date = new Date(), timeZone: string = businessTimeZone()): boolean {
	return formatDate(iso, timeZone) === formatDate(now.toISOString(), timeZone);
}
