export { renderOrderPage } from './order/render-order.tsx';

import { renderToString } from 'react-dom/server';
import type { LandingAssets, LandingProps, RenderLanding } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { toDataBlock } from './data-block.ts';
import { LandingPage } from './landing-page.tsx';
import { type PurchaseTexts, purchaseTexts } from './purchase/purchase-texts.ts';

/**
 * Draws the landing page as a whole HTML document, fit for a policy without inline script and style. Pure; throws only
 * when an excerpt's source is broken, at import.
 */
export const renderLanding: RenderLanding = (props, assets) => {
	const texts = purchaseTexts(props.locale, props.book);
	return `<!doctype html>${renderToString(<LandingDocument props={props} assets={assets} texts={texts} />)}`;
};

interface LandingDocumentProps {
	props: LandingProps;
	assets: LandingAssets;
	texts: PurchaseTexts;
}

function LandingDocument({ props, assets, texts }: LandingDocumentProps) {
	const { locale, publicUrl } = props;
	const title = m.landing_title({}, { locale });
	const description = m.landing_description({}, { locale });
	const address = (lang: string) => `${publicUrl}/?lang=${lang}`;
	return (
		<html lang={locale} data-theme="light">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>{title}</title>
				<meta name="description" content={description} />
				<meta name="theme-color" content="#fbf8f1" />
				<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
				<link rel="canonical" href={address(locale)} />
				<link rel="alternate" hrefLang="en" href={address('en')} />
				<link rel="alternate" hrefLang="hi" href={address('hi')} />
				<link rel="alternate" hrefLang="x-default" href={`${publicUrl}/`} />
				<meta property="og:type" content="book" />
				<meta property="og:title" content={title} />
				<meta property="og:description" content={description} />
				<meta property="og:url" content={address(locale)} />
				{assets.styles.map((href) => (
					<link key={href} rel="stylesheet" href={href} />
				))}
				{assets.preloads?.map((href) => (
					<link key={href} rel="modulepreload" href={href} />
				))}
				{assets.scripts.map((src) => (
					<script key={src} type="module" src={src} />
				))}
			</head>
			<body>
				<LandingPage props={props} texts={texts} />
				<DataBlock id="landing-props" value={props} />
				<DataBlock id="landing-texts" value={texts} />
			</body>
		</html>
	);
}

function DataBlock({ id, value }: { id: string; value: unknown }) {
	return (
		<script
			type="application/json"
			id={id}
			// biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every character escaped that could end the element
			dangerouslySetInnerHTML={{ __html: toDataBlock(value) }}
		/>
	);
}
