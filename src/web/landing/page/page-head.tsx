import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import type { LandingAssets, LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { localizedTitle } from './site-details.ts';

interface PageDocument {
	title: string;
	assets: LandingAssets;
	head: ReactNode;
	bodyClass?: string;
	content: ReactNode;
}

export function renderDocument({ title, assets, head, bodyClass, content }: PageDocument): string {
	const html = renderToString(
		<html lang={getLocale()} data-theme="light">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="theme-color" content="#fbf8f1" />
				<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
				<title>{title}</title>
				{head}
				<AssetLinks assets={assets} />
			</head>
			<body className={bodyClass}>{content}</body>
		</html>,
	);
	return `<!doctype html>${html}`;
}

/** Fonts and scripts have low priority, because the page works without them. */
function AssetLinks({ assets: { styles, fonts, preloads, scripts } }: { assets: LandingAssets }) {
	return (
		<>
			{styles.map((href) => (
				<link key={href} rel="stylesheet" href={href} />
			))}
			{fonts?.[getLocale()].map((href) => (
				<link
					key={href}
					rel="preload"
					href={href}
					as="font"
					type="font/woff2"
					crossOrigin="anonymous"
					fetchPriority="low"
				/>
			))}
			{preloads?.map((href) => (
				<link key={href} rel="modulepreload" href={href} fetchPriority="low" />
			))}
			{scripts.map((src) => (
				<script key={src} type="module" src={src} fetchPriority="low" />
			))}
		</>
	);
}

interface PublicMetadataProps {
	publicUrl: string;
	path: string;
	title: string;
	description: string;
	/** Value of `og:type`. */
	kind: 'book' | 'website';
}

/** Metadata for search engines and link previews. */
export function PublicMetadata({ publicUrl, path, title, description, kind }: PublicMetadataProps) {
	const locale = getLocale();
	const address = (lang: string) => `${publicUrl}${path}?lang=${lang}`;
	const picture = `${publicUrl}${socialPicture.path}`;
	return (
		<>
			<meta name="description" content={description} />
			<link rel="canonical" href={address(locale)} />
			<link rel="alternate" hrefLang="en" href={address('en')} />
			<link rel="alternate" hrefLang="hi" href={address('hi')} />
			{/* Not the URL without `lang`, because search engines should list only canonical URLs. */}
			<link rel="alternate" hrefLang="x-default" href={address('en')} />
			<meta property="og:type" content={kind} />
			<meta property="og:site_name" content={m.brand()} />
			<meta property="og:title" content={title} />
			<meta property="og:description" content={description} />
			<meta property="og:url" content={address(locale)} />
			<meta property="og:locale" content={locale === 'hi' ? 'hi_IN' : 'en_IN'} />
			<meta property="og:locale:alternate" content={locale === 'hi' ? 'en_IN' : 'hi_IN'} />
			<meta property="og:image" content={picture} />
			<meta property="og:image:width" content={String(socialPicture.width)} />
			<meta property="og:image:height" content={String(socialPicture.height)} />
			<meta property="og:image:alt" content={m.landing_books_alt()} />
			<meta name="twitter:card" content="summary_large_image" />
		</>
	);
}

const socialPicture = { path: '/social.png', width: 1200, height: 630 } as const;

/** Structured data for search engines. Source: schema.org's Book, Product and Offer. */
export function structuredData({ book, publicUrl }: LandingProps): object {
	const url = `${publicUrl}/?lang=${getLocale()}`;
	return {
		'@context': 'https://schema.org',
		'@type': ['Product', 'Book'],
		name: localizedTitle(book),
		description: m.landing_description(),
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
