import type { ReactNode } from 'react';
import type { Locale } from '#contract/core/text.ts';
import type {
	LandingProps,
	LegalProps,
	PageProps,
	RenderPage,
	StorefrontRenderers,
	VideoPageProps,
} from '#contract/storefront/landing.ts';
import type { LandingAssets } from '#contract/storefront/page-content.ts';
import { videoPagePath } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { getLocale, overwriteGetLocale } from '#messages/runtime';
import { checkoutTexts } from './checkout/checkout-texts.ts';
import { renderOrderPage } from './order-page/render-order-page.tsx';
import { LegalPage } from './page/page-frame.tsx';
import { PublicMetadata, renderDocument, structuredData } from './page/page-head.tsx';
import { LandingPage } from './sections/landing-page.tsx';
import { VideoPage, videoTitle } from './videos/video-figure.tsx';

export const renderLanding: RenderPage<LandingProps> = inPageLocale((props, assets) => {
	// The browser does not need this data, because the server renders everything but the checkout form completely.
	const { films: _films, content, ...formProps } = props;
	const { offered: _offered, ...book } = props.book;
	const texts = checkoutTexts(props.book, props.contact);
	const body = (
		<>
			<LandingPage props={props} texts={texts} />
			<DataBlock type="application/ld+json" id="structured-data" value={structuredData(props)} />
			<DataBlock id="landing-props" value={{ ...formProps, book }} />
			<DataBlock id="landing-texts" value={texts} />
		</>
	);
	const { title, description } = content.head;
	return renderPublicPage(props, assets, { path: '/', title, description, kind: 'book', body });
});

export const renderLegal: RenderPage<LegalProps> = inPageLocale((props, assets) => {
	const { page, content } = props;
	const heading = m[`legal_${page}`]();
	return renderPublicPage(props, assets, {
		path: `/${page}`,
		title: `${heading} – ${content.bookTitle}`,
		description: m[`legal_${page}_description`]({ title: content.bookTitle }),
		kind: 'website',
		body: <LegalPage props={props} heading={heading} />,
	});
});

const renderVideo: RenderPage<VideoPageProps> = inPageLocale((props, assets) => {
	const { key, video, content } = props;
	return renderPublicPage(props, assets, {
		path: videoPagePath(key),
		title: `${videoTitle(key, video)} – ${content.bookTitle}`,
		description: content.head.description,
		kind: 'website',
		body: <VideoPage props={props} />,
	});
});

type PublicPage = Pick<Parameters<typeof PublicMetadata>[0], 'path' | 'title' | 'description' | 'kind'> & {
	body: ReactNode;
};

/** Must not render inline scripts or styles: the content security policy forbids them. */
function renderPublicPage({ publicUrl, content }: PageProps, assets: LandingAssets, page: PublicPage): string {
	const { body, ...metadata } = page;
	const head = <PublicMetadata publicUrl={publicUrl} content={content} {...metadata} />;
	return renderDocument({ title: page.title, content, assets, head, body });
}

/** The server imports these functions from a separate build. */
export const renderers: StorefrontRenderers = {
	renderLanding,
	renderLegal,
	renderVideo,
	renderOrderPage: inPageLocale(renderOrderPage),
};

/** Sets the language globally while rendering. Rendering is synchronous, so other requests are not affected. */
function inPageLocale<Props extends { locale: Locale }, Assets>(render: (props: Props, assets: Assets) => string) {
	return (props: Props, assets: Assets): string => {
		const before = getLocale;
		overwriteGetLocale(() => props.locale);
		try {
			return render(props, assets);
		} finally {
			overwriteGetLocale(before);
		}
	};
}

/** JSON for the script. Characters that could close the element or open a comment are escaped. */
function DataBlock({ id, value, type = 'application/json' }: { id: string; value: unknown; type?: string }) {
	const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const json = JSON.stringify(value).replace(/[<>&\u2028\u2029]/gu, escapeCharacter);
	// biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every character escaped that could end the element
	return <script type={type} id={id} dangerouslySetInnerHTML={{ __html: json }} />;
}
