export { renderOrderPage } from './order/render-order.tsx';

import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { filmPagePath } from '#contract/storefront/film-parts.ts';
import type { Locale, RenderFilm, RenderLanding, RenderLegal } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { toDataBlock } from './data-block.ts';
import { FilmPage } from './films/film-page.tsx';
import { filmTitle } from './films/film-words.ts';
import { LandingPage } from './landing-page.tsx';
import { legalHeads } from './legal/legal-heads.ts';
import { LegalPage } from './legal/legal-page.tsx';
import { PageHead } from './page-head.tsx';
import { purchaseTexts } from './purchase/purchase-texts.ts';
import { structuredData } from './structured-data.ts';
import { titleIn } from './title.ts';

/**
 * Draws the landing page as a whole HTML document, fit for a policy without inline script and style. Pure; throws only
 * when an excerpt's source is broken, at import.
 */
export const renderLanding: RenderLanding = (props, assets) => {
	const { locale, publicUrl } = props;
	// Drawn here whole: the page's script needs nothing of them.
	const { films: _films, ...lasting } = props;
	const texts = purchaseTexts(locale, props.book, props.contact);
	return drawDocument(
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
				<DataBlock id="landing-props" value={lasting} />
				<DataBlock id="landing-texts" value={texts} />
			</body>
		</>,
	);
};

/** Draws a page of fine print. Pure. */
export const renderLegal: RenderLegal = (props, assets) => {
	const { locale, publicUrl, page, book } = props;
	const title = titleIn(locale, book);
	const head = legalHeads(locale, title).find((each) => each.page === page);
	if (head === undefined) throw new Error(`No fine print is called ${page}.`);
	return drawDocument(
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

/** Draws the page of a film. Pure. */
export const renderFilm: RenderFilm = (props, assets) => {
	const { locale, publicUrl, key, film, book } = props;
	const title = filmTitle(key, film, locale);
	return drawDocument(
		locale,
		<>
			<PageHead
				locale={locale}
				publicUrl={publicUrl}
				path={filmPagePath(key)}
				title={`${title} – ${titleIn(locale, book)}`}
				description={m.landing_description({}, { locale })}
				kind="website"
				assets={assets}
			/>
			<body>
				<FilmPage props={props} />
			</body>
		</>,
	);
};

function drawDocument(locale: Locale, children: ReactNode): string {
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
