import type { ReactElement, ReactNode } from 'react';
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
	const inLocale = { locale: props.locale };
	// Drawn here whole: the page's script needs nothing of them.
	const { films: _films, ...browserProps } = props;
	const texts = checkoutTexts(props.locale, props.book, props.contact);
	const [title, description] = [m.landing_title({}, inLocale), m.landing_description({}, inLocale)];
	return renderDocument(
		<PageHead {...props} path="/" title={title} description={description} kind="book" assets={assets} />,
		<>
			<LandingPage props={props} texts={texts} />
			<DataBlock type="application/ld+json" id="structured-data" value={structuredData(props)} />
			<DataBlock id="landing-props" value={browserProps} />
			<DataBlock id="landing-texts" value={texts} />
		</>,
	);
};

/** Draws a page of fine print. Pure. */
export const renderLegal: RenderLegal = (props, assets) => {
	const { locale, page, book } = props;
	const bookTitle = localizedTitle(locale, book);
	const head = legalDocuments(locale, bookTitle).find((each) => each.page === page);
	if (head === undefined) throw new Error(`No fine print is called ${page}.`);
	const { heading, description } = head;
	const title = `${heading} – ${bookTitle}`;
	return renderDocument(
		<PageHead {...props} path={`/${page}`} title={title} description={description} kind="website" assets={assets} />,
		<LegalPage props={props} head={head} />,
	);
};

/** Draws the page of a video. Pure. */
const renderVideo: RenderVideoPage = (props, assets) => {
	const { locale, publicUrl, key, video, book } = props;
	const title = `${videoTitle(key, video, locale)} – ${localizedTitle(locale, book)}`;
	const names = { path: videoPagePath(key), title, description: m.landing_description({}, { locale }) };
	return renderDocument(
		<PageHead locale={locale} publicUrl={publicUrl} {...names} kind="website" assets={assets} />,
		<VideoPage props={props} />,
	);
};

/** What the server draws the storefront with; it loads this file as a build of its own. */
export const renderers: StorefrontRenderers = { renderLanding, renderLegal, renderVideo, renderOrderPage };

function renderDocument(head: ReactElement<{ locale: Locale }>, content: ReactNode): string {
	const html = renderToString(
		<html lang={head.props.locale} data-theme="light">
			{head}
			<body>{content}</body>
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
