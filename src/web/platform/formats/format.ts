import type { Locale } from '#contract/core/text.ts';
import { pageMeta } from '../browser/page-head.ts';
import { currentLocale } from './locale.ts';

/** Business time zone if the server named none. Source: readings, Routes. */
const defaultTimeZone = 'Asia/Kolkata';

const bytesPerKb = 1024;

/** Formats a size in KB, or in MB above 1024 KB, with two decimals. Source: the specification's section 9. */
export function formatSize(bytes: number): string {
	const kb = bytes / bytesPerKb;
	return kb > 1024 ? `${(kb / 1024).toFixed(2)} MB` : `${kb.toFixed(2)} KB`;
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

/** Returns the business time zone, which the server wrote into the page. */
export function businessTimeZone(): string {
	return (typeof document === 'undefined' ? undefined : pageMeta('time-zone')) ?? defaultTimeZone;
}

const dateParts = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const shortDateParts = { day: 'numeric', month: 'short' } as const;
const timeParts = { hour: 'numeric', minute: '2-digit', hour12: true } as const;

function formatParts(iso: string, options: Intl.DateTimeFormatOptions, timeZone: string, locale: Locale): string {
	return new Intl.DateTimeFormat(`${locale}-IN`, { ...options, timeZone })
		.format(new Date(iso))
		.replaceAll('\u202f', ' ');
}

/** Formats a date: `14 Nov 2026`. */
export function formatDate(iso: string, timeZone = businessTimeZone(), locale = currentLocale()): string {
	return formatParts(iso, dateParts, timeZone, locale);
}

/** Formats a date without the year: `20 Nov`, for narrow tables, with the full date in the `title` attribute. */
export function formatShortDate(iso: string, timeZone = businessTimeZone()): string {
	return formatParts(iso, shortDateParts, timeZone, currentLocale());
}

/** Formats a calendar day (YYYY-MM-DD): `14 Nov 2026`, or `14 Nov`. */
export function formatDay(day: string, length: 'long' | 'short' = 'long'): string {
	return length === 'long' ? formatDate(day, 'UTC') : formatShortDate(day, 'UTC');
}

/** Formats a time: `4:32 pm`; in Hindi with the part of the day, as it is usually said: `शाम 4:32`. */
export function formatTime(iso: string, timeZone = businessTimeZone(), locale = currentLocale()): string {
	return formatParts(iso, locale === 'hi' ? { ...timeParts, dayPeriod: 'short' } : timeParts, timeZone, locale);
}

/** Formats a date with time: `14 Nov 2026, 4:32 pm`. */
export function formatDateTime(iso: string, timeZone = businessTimeZone(), locale = currentLocale()): string {
	return `${formatDate(iso, timeZone, locale)}, ${formatTime(iso, timeZone, locale)}`;
}

/** Whether a timestamp is on today's date in the business time zone. */
export function isToday(iso: string, now = new Date(), timeZone = businessTimeZone()): boolean {
	return formatDate(iso, timeZone) === formatDate(now.toISOString(), timeZone);
}
