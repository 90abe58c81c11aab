import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import type { Locale } from '#contract/core/text.ts';
import type { RenderLanding, RenderLegal, RenderVideoPage } from '#contract/storefront/landing.ts';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import { videoPagePath } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { checkoutTexts } from './checkout/checkout-texts.ts';
import { legalDocuments } from './legal/legal-documents.ts';
import { LegalPage } from './legal/legal-page.tsx';
import { renderOrderPage } from './order-page/render-order-page.tsx';
import { toDataBlock } from './page/data-block.ts';
import { PageHead, structuredData } from './page/page-head.tsx';
import { localizedTitle } from './page/site-details.ts';
import { LandingPage } from './sections/landing-page.tsx';
import { VideoPage } from './videos/video-figure.tsx';
import { videoTitle } from './videos/video-player.tsx';

/**
 * Draws the landing page as a whole HTML document, fit for a policy without inline script and style. Pure; throws only
 * when an excerpt's source is broken, at import.
 */
export const renderLanding: RenderLanding = (props, assets) => {
	const { locale, publicUrl } = props;
	// Drawn here whole: the page's script needs nothing of them.
	const { films: _films, ...browserProps } = props;
	const texts = checkoutTexts(locale, props.book, props.contact);
	return renderDocument(
		locale,
		<>
			<PageHead
				locale={locale}
				publicUrl={publicUrl}
				path="/"
				title={m.landing_title({}, { locale })}
				description={m.landing_description({}, { locale })}
				kind="book"
				assets={assets}
			/>
			<body>
				<LandingPage props={props} texts={texts} />
				<DataBlock type="application/ld+json" id="structured-data" value={structuredData(props)} />
				<DataBlock id="landing-props" value={browserProps} />
				<DataBlock id="landing-texts" value={texts} />
			</body>
		</>,
	);
};

/** Draws a page of fine print. Pure. */
export const renderLegal: RenderLegal = (props, assets) => {
	const { locale, publicUrl, page, book } = props;
	const title = localizedTitle(locale, book);
	const head = legalDocuments(locale, title).find((each) => each.page === page);
	if (head === undefined) throw new Error(`No fine print is called ${page}.`);
	return renderDocument(
		locale,
		<>
			<PageHead
				locale={locale}
				publicUrl={publicUrl}
				path={`/${page}`}
				title={`${head.heading} – ${title}`}
				description={head.description}
				kind="website"
				assets={assets}
			/>
			<body>
				<LegalPage props={props} head={head} />
			</body>
		</>,
	);
};

/** Draws the page of a video. Pure. */
const renderVideo: RenderVideoPage = (props, assets) => {
	const { locale, publicUrl, key, video, book } = props;
	const title = videoTitle(key, video, locale);
	return renderDocument(
		locale,
		<>
			<PageHead
				locale={locale}
				publicUrl={publicUrl}
				path={videoPagePath(key)}
				title={`${title} – ${localizedTitle(locale, book)}`}
				description={m.landing_description({}, { locale })}
				kind="website"
				assets={assets}
			/>
			<body>
				<VideoPage props={props} />
			</body>
		</>,
	);
};

/** What the server draws the storefront with; it loads this file as a build of its own. */
export const renderers: StorefrontRenderers = { renderLanding, renderLegal, renderVideo, renderOrderPage };

function renderDocument(locale: Locale, children: ReactNode): string {
	const html = renderToString(
		<html lang={locale} data-theme="light">
			{children}
		</html>,
	);
	return `<!doctype html>${html}`;
}

function DataBlock({ id, value, type = 'application/json' }: { id: string; value: unknown; type?: string }) {
	return (
		<script
			type={type}
			id={id}
			// biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every character escaped that could end the element
			dangerouslySetInnerHTML={{ __html: toDataBlock(value) }}
		/>
	);
}
