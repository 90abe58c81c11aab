import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { titleIn } from './title.ts';

/** Path of the picture that stands beside a shared link. */
export const socialPicture = { path: '/social.png', width: 1200, height: 630 } as const;

/** What search engines read: the book as a product, with the price to pay. Source: schema.org's Book and Offer. */
export function structuredData({ locale, book, publicUrl }: LandingProps): object {
	const url = `${publicUrl}/?lang=${locale}`;
	return {
		'@context': 'https://schema.org',
		'@type': ['Product', 'Book'],
		name: titleIn(locale, book),
		description: m.landing_description({}, { locale }),
		image: `${publicUrl}${socialPicture.path}`,
		url,
		inLanguage: ['en', 'hi'],
		bookFormat: 'https://schema.org/EBook',
		offers: {
			'@type': 'Offer',
			url,
			price: book.discountedPrice.toFixed(2),
			priceCurrency: 'INR',
			availability: 'https://schema.org/InStock',
		},
	};
}
