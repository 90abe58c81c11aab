import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import type { LandingProps } from '#contract/storefront/landing.ts';
import type { LandingAssets, PageContent } from '#contract/storefront/page-content.ts';
import { getLocale } from '#messages/runtime';

interface PageDocument {
	title: string;
	content: Pick<PageContent, 'icon' | 'colorsStylesheet'>;
	assets: LandingAssets;
	head: ReactNode;
	bodyClass?: string;
	body: ReactNode;
}

export function renderDocument({ title, content, assets, head, bodyClass, body }: PageDocument): string {
	const html = renderToString(
		<html lang={getLocale()} data-theme="light">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="theme-color" content="#fbf8f1" />
				<Icon icon={content.icon} />
				<title>{title}</title>
				{head}
				<AssetLinks assets={assets} />
				{content.colorsStylesheet !== null && <link rel="stylesheet" href={content.colorsStylesheet} />}
			</head>
			<body className={bodyClass}>{body}</body>
		</html>,
	);
	return `<!doctype html>${html}`;
}

function Icon({ icon }: Pick<PageContent, 'icon'>) {
	const href = icon ?? '/favicon.svg';
	return <link rel="icon" href={href} type={href.endsWith('.svg') ? 'image/svg+xml' : 'image/png'} />;
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
	content: PageContent;
	path: string;
	title: string;
	description: string;
	/** Value of `og:type`. */
	kind: 'book' | 'website';
}

/** Metadata for search engines and link previews. */
export function PublicMetadata({ publicUrl, content, path, title, description, kind }: PublicMetadataProps) {
	const locale = getLocale();
	const { languages, wordmark, coversAlt, head } = content;
	const isMultilingual = languages.length > 1;
	const address = (lang: string) => `${publicUrl}${path}${isMultilingual ? `?lang=${lang}` : ''}`;
	const { url, width, height } = head.socialImage;
	return (
		<>
			<meta name="description" content={description} />
			<link rel="canonical" href={address(locale)} />
			{isMultilingual && (
				<>
					{languages.map((lang) => (
						<link key={lang} rel="alternate" hrefLang={lang} href={address(lang)} />
					))}
					{/* Not the URL without `lang`, because search engines should list only canonical URLs. */}
					<link rel="alternate" hrefLang="x-default" href={address(languages[0] ?? locale)} />
				</>
			)}
			<meta property="og:type" content={kind} />
			<meta property="og:site_name" content={wordmark} />
			<meta property="og:title" content={title} />
			<meta property="og:description" content={description} />
			<meta property="og:url" content={address(locale)} />
			<meta property="og:locale" content={`${locale}_IN`} />
			{languages.map(
				(lang) => lang !== locale && <meta key={lang} property="og:locale:alternate" content={`${lang}_IN`} />,
			)}
			<meta property="og:image" content={`${publicUrl}${url}`} />
			<meta property="og:image:width" content={String(width)} />
			<meta property="og:image:height" content={String(height)} />
			<meta property="og:image:alt" content={coversAlt} />
			<meta name="twitter:card" content="summary_large_image" />
		</>
	);
}

/** Structured data for search engines. Source: schema.org's Book, Product and Offer. */
export function structuredData({ book, content, publicUrl }: LandingProps): object {
	const url = `${publicUrl}/${content.languages.length > 1 ? `?lang=${getLocale()}` : ''}`;
	return {
		'@context': 'https://schema.org',
		'@type': ['Product', 'Book'],
		name: content.bookTitle,
		...(content.author !== '' && { author: { '@type': 'Person', name: content.author } }),
		description: content.head.description,
		image: `${publicUrl}${content.head.socialImage.url}`,
		url,
		inLanguage: book.offered.languages.map(({ code }) => code),
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
