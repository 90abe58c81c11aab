import type { Locale } from '#contract/core/text.ts';
import type { LandingProps, LegalProps, RenderPage, VideoPageProps } from '#contract/storefront/landing.ts';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import { videoPagePath } from '#contract/storefront/video-parts.ts';
import { getLocale, overwriteGetLocale } from '#messages/runtime';
import { checkoutTexts } from './checkout/checkout-texts.ts';
import { LegalPage } from './legal/legal-page.tsx';
import { renderOrderPage } from './order-page/render-order-page.tsx';
import { toDataBlock } from './page/data-block.ts';
import { PublicMetadata, renderDocument, structuredData } from './page/page-head.tsx';
import { legalDocuments } from './page/site-details.ts';
import { LandingPage } from './sections/landing-page.tsx';
import { VideoPage } from './videos/video-figure.tsx';
import { videoTitle } from './videos/video-player.tsx';

/** Must not render inline scripts or styles: the content security policy forbids them. */
export const renderLanding: RenderPage<LandingProps> = inPageLocale((props, assets) => {
	// The browser does not need this data, because the server renders everything but the checkout form completely.
	const { films: _films, content, ...formProps } = props;
	const { offered: _offered, ...book } = props.book;
	const browserProps = { ...formProps, book };
	const texts = checkoutTexts(props.book, props.contact);
	const { title, description } = content.head;
	return renderDocument({
		title,
		content,
		assets,
		head: <PublicMetadata {...props} path="/" title={title} description={description} kind="book" />,
		body: (
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
	const { page, content } = props;
	const head = legalDocuments(props).find((legalDocument) => legalDocument.page === page);
	if (head === undefined) throw new Error(`There is no legal page "${page}".`);
	const { heading, description } = head;
	const title = `${heading} – ${content.bookTitle}`;
	return renderDocument({
		title,
		content,
		assets,
		head: <PublicMetadata {...props} path={`/${page}`} title={title} description={description} kind="website" />,
		body: <LegalPage props={props} head={head} />,
	});
});

const renderVideo: RenderPage<VideoPageProps> = inPageLocale((props, assets) => {
	const { publicUrl, key, video, content } = props;
	const title = `${videoTitle(key, video)} – ${content.bookTitle}`;
	const { description } = content.head;
	const metadata = { publicUrl, content, path: videoPagePath(key), title, description };
	return renderDocument({
		title,
		content,
		assets,
		head: <PublicMetadata {...metadata} kind="website" />,
		body: <VideoPage props={props} />,
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
