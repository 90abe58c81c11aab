import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';

interface PricesProps {
	book: LandingProps['book'];
	/** Which of the two prices is shown first. */
	first: 'now' | 'original';
}

/** The price and, if it is higher, the original price struck through; both have a label for screen readers. */
export function Prices({ book, first }: PricesProps) {
	const now = (
		<span className="price-now" key="now">
			<span className="unseen">{m.landing_price_now()} </span>
			{formatRupees(book.discountedPrice)}
		</span>
	);
	if (book.originalPrice <= book.discountedPrice) return now;
	const original = (
		<s className="price-original" key="original">
			<span className="unseen">{m.landing_price_original()} </span>
			{formatRupees(book.originalPrice)}
		</s>
	);
	return first === 'now' ? [now, ' ', original] : [original, ' ', now];
}

const whole = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 0 });
const withPaise = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', minimumFractionDigits: 2 });

/** Formats rupees as usual in India: ₹499, ₹1,499.50, ₹1,00,000. Latin digits in both languages. */
export function formatRupees(rupees: number): string {
	return (Number.isInteger(rupees) ? whole : withPaise).format(rupees);
}
