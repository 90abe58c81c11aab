import type { Locale } from '#contract/core/text.ts';
import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';

interface PricesProps {
	book: LandingProps['book'];
	locale: Locale;
	/** Which of the two prices comes first. */
	first: 'now' | 'original';
}

/** The price to pay, and the original one struck through where it is higher; both named for those who listen. */
export function Prices({ book, locale, first }: PricesProps) {
	const now = (
		<span className="price-now" key="now">
			<span className="unseen">{m.landing_price_now({}, { locale })} </span>
			{formatRupees(book.discountedPrice)}
		</span>
	);
	if (book.originalPrice <= book.discountedPrice) return now;
	const original = (
		<s className="price-original" key="original">
			<span className="unseen">{m.landing_price_original({}, { locale })} </span>
			{formatRupees(book.originalPrice)}
		</s>
	);
	return first === 'now' ? [now, ' ', original] : [original, ' ', now];
}

const whole = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 0 });
const withPaise = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', minimumFractionDigits: 2 });

/** Rupees as people in India write them: ₹499, ₹1,499.50, ₹1,00,000. Latin figures in both languages. */
export function formatRupees(rupees: number): string {
	return (Number.isInteger(rupees) ? whole : withPaise).format(rupees);
}
