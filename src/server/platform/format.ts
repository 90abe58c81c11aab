import type { Locale } from '#contract/storefront/landing.ts';

/** Whole paise as rupees: ₹499, ₹1,499.50. */
export function formatRupees(paise: number): string {
	return new Intl.NumberFormat('en-IN', {
		style: 'currency',
		currency: 'INR',
		minimumFractionDigits: paise % 100 === 0 ? 0 : 2,
		maximumFractionDigits: 2,
	}).format(paise / 100);
}

/** A moment in the business time zone: 20 Nov 2026, 9:12 am. */
export function formatMoment(iso: string, timeZone: string, locale: Locale): string {
	return new Intl.DateTimeFormat(locale === 'hi' ? 'hi-IN' : 'en-IN', {
		dateStyle: 'medium',
		timeStyle: 'short',
		hour12: true,
		timeZone,
	}).format(new Date(iso));
}

/** The calendar day of a moment in the business time zone, YYYY-MM-DD. */
export function dayOf(iso: string, timeZone: string): string {
	return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }).format(new Date(iso));
}
