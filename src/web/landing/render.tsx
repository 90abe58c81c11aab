import type { Locale } from '#contract/core/text.ts';
import type { LandingProps, LegalProps, RenderPage, VideoPageProps } from '#contract/storefront/landing.ts';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import { videoPagePath } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { getLocale, overwriteGetLocale } from '#messages/runtime';
import { checkoutTexts } from './checkout/checkout-texts.ts';
import { LegalPage } from './legal/legal-page.tsx';
import { renderOrderPage } from './order-page/render-order-page.tsx';
import { toDataBlock } from './page/data-block.ts';
import { PublicMetadata, renderDocument, structuredData } from './page/page-head.tsx';
import { legalDocuments, localizedTitle } from './page/site-details.ts';
import { LandingPage } from './sections/landing-page.tsx';
import { VideoPage } from './videos/video-figure.tsx';
import { videoTitle } from './videos/video-player.tsx';

/** Must not render inline scripts or styles: the content security policy forbids them. */
export const renderLanding: RenderPage<LandingProps> = inPageLocale((props, assets) => {
	// The browser does not need this data, because the server renders the videos completely.
	const { films: _films, ...browserProps } = props;
	const texts = checkoutTexts(props.book, props.contact);
	const [title, description] = [m.landing_title(), m.landing_description()];
	return renderDocument({
		title,
		assets,
		head: <PublicMetadata {...props} path="/" title={title} description={description} kind="book" />,
		content: (
			<>
				<LandingPage props={props} texts={texts} />
				<DataBlock type="application/ld+json" id="structured-data" value={structuredData(props)} />
				<DataBlock id="landing-props" value={browserProps} />
				<DataBlock id="landing-texts" value={texts} />
			</>
		),
	});
});

export const renderLegal: RenderPage<LegalProps> = inPageLocale((props, assets) => {
	const { page, book } = props;
	const bookTitle = localizedTitle(book);
	const head = legalDocuments(bookTitle).find((legalDocument) => legalDocument.page === page);
	if (head === undefined) throw new Error(`There is no legal page "${page}".`);
	const { heading, description } = head;
	const title = `${heading} – ${bookTitle}`;
	return renderDocument({
		title,
		assets,
		head: <PublicMetadata {...props} path={`/${page}`} title={title} description={description} kind="website" />,
		content: <LegalPage props={props} head={head} />,
	});
});

const renderVideo: RenderPage<VideoPageProps> = inPageLocale((props, assets) => {
	const { publicUrl, key, video, book } = props;
	const title = `${videoTitle(key, video)} – ${localizedTitle(book)}`;
	const metadata = { publicUrl, path: videoPagePath(key), title, description: m.landing_description() };
	return renderDocument({
		title,
		assets,
		head: <PublicMetadata {...metadata} kind="website" />,
		content: <VideoPage props={props} />,
	});
});

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
